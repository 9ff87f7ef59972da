// SPDX-License-Identifier: Apache-2.0
// Copies between memories: in flight, and as they are made.
#pragma once
#include "prt_task.h"

typedef struct prt_flight { // a copy that has been started and not been done (the seeded scheduler)
  struct prt_flight *next;
  prt_transfer transfer;
  void *arrived;  // what came from another rank, holding `copy` and `from`; NULL: it is from here
  int64_t moved;  // rank 0 leads: the elements have been sent, under this number; 0: they have not
  int64_t dims[]; // of the transfer
} prt_flight;
// NULL: no memory.
prt_flight *prt__flight_new(const prt_transfer *transfer);
void prt__flight_free(prt_flight *flight);

// Of the copies in flight, of which there is one, one ends: the oldest that somebody waits for,
// else the oldest; or any.
void prt__land_needed(prt_schedule *s);
void prt__land_drawn(prt_schedule *s, uint64_t random);
// Ends all that are in flight from or to a group's cores.
void prt__land_all(prt_schedule *s, const prt_group *group);
// The core has begun: copies to it that waited for that start now.
void prt__begun(prt_schedule *s, prt_node *node);
void prt__flights_free(prt_schedule *s);
// A copy to a core that has not begun waits for it: true, and the flight is the core's.
bool prt__hold(prt_schedule *s, prt_flight *flight);
// The elements alone.
void prt__copy_elements(const prt_copy *copy, const int64_t *dims, char *to, const char *from);
// And their marks, if the call watches memory: `worker` is NULL where it does not. They are sent to
// other ranks that see the target. Locks: takes add_lock if elements are added.
void prt__copy_moves(prt_schedule *s, prt_worker *worker, const prt_copy *copy, const int64_t *dims,
                     char *to, const char *from);
int64_t prt__copy_bytes(const prt_copy *copy, const int64_t *dims);
