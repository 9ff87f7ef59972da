// SPDX-License-Identifier: Apache-2.0
// Semaphores, and those of barriers.
#pragma once
#include "prt_task.h"

typedef struct prt_barrier {
  struct prt_barrier *next;
  int32_t id, device, core;
  prt_sem sem;
  const prt_site *site; // of the last signal; under check
  const char *kernel;   // that made it
} prt_barrier;

// A suspended task's wait for a semaphore: true if it has come meanwhile.
bool prt__sem_settle(prt_schedule *s, prt_node *node);
// `by`: who has started what signals it; NULL: somebody on another rank, or all devices.
void prt__sem_add(prt_schedule *s, prt_node *by, prt_sem *sem, int64_t increment);
// `like`: where it lies in the node's own memory, if it does.
void prt__sem_signal_like(prt_node *node, prt_sem *sem, const prt_sem *like, int64_t increment,
                          const prt_site *site);
// Under check: findings for semaphores of a launch that are not zero at its end.
void prt__check_semaphores_of(prt_schedule *s, const prt_group *group);

// ---- prt_barrier.c
// The barrier semaphore that this is; NULL: it is none. Looks into a block for each doubling of
// their number.
prt_barrier *prt__barrier_of(const prt_schedule *s, const prt_sem *sem);
// The semaphore, made by whoever asks first; NULL: no memory.
prt_sem *prt__barrier_at(prt_schedule *s, int32_t id, int32_t device, int32_t core);
void prt__barriers_free(prt_schedule *s);
// Under check: findings for those of the call that are not zero at its end.
void prt__check_barriers(prt_schedule *s, prt_worker *worker);
