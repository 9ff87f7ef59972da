// SPDX-License-Identifier: Apache-2.0
// Barrier semaphores: one for each collective id, device and core that asks for it. They live as
// long as the call, across its launches, in blocks of growing size, so that a semaphore is soon
// known to be one of them.
#include <stdlib.h>
#include "prt_sem.h"
#include "prt_task.h"

typedef struct prt_barrier_block {
  struct prt_barrier_block *next;
  size_t count, room;
  prt_barrier items[];
} prt_barrier_block;

// Locks: the schedule's is held if it is shared. NULL: no memory.
static prt_barrier *new_barrier(prt_schedule *s) {
  enum { FEWEST = 16 };
  prt_barrier_block *block = s->barrier_blocks;
  if (!block || block->count == block->room) {
    size_t room = block ? 2 * block->room : FEWEST;
    prt_barrier_block *more = calloc(1, sizeof *more + room * sizeof *more->items);
    if (!more) return NULL;
    more->next = block;
    more->room = room;
    s->barrier_blocks = block = more;
  }
  return &block->items[block->count++];
}

prt_barrier *prt__barrier_of(const prt_schedule *s, const prt_sem *sem) {
  for (prt_barrier_block *block = s->barrier_blocks; block; block = block->next) {
    uintptr_t first = (uintptr_t)&block->items[0].sem, at = (uintptr_t)sem;
    if (at >= first && at < first + block->count * sizeof *block->items)
      return &block->items[(at - first) / sizeof *block->items];
  }
  return NULL;
}

void prt__barriers_free(prt_schedule *s) {
  for (prt_barrier_block *block = s->barrier_blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  s->barrier_blocks = NULL;
}

// The number of the task's device among all: devices of a mesh inside of another one's program
// count within each device of that.
static int32_t device_of_all(const prt_node *node) {
  const prt_node *owner = node, *outer;
  while (owner->program->kind != PRT_DEVICE_PROGRAM && owner->group->parent)
    owner = owner->group->parent;
  outer = owner->group->parent;
  return owner->task.device + (outer ? device_of_all(outer) * owner->group->count : 0);
}

// Locks: none on entry and exit; takes the schedule's if it is shared.
prt_sem *prt__barrier_at(prt_schedule *s, int32_t id, int32_t device, int32_t core) {
  if (s->shared) pthread_mutex_lock(&s->lock);
  prt_barrier **bucket =
      &s->barriers[((uint32_t)id * 31u + (uint32_t)device * 17u + (uint32_t)core) %
                   BARRIER_BUCKETS];
  prt_barrier *b = *bucket;
  while (b && (b->id != id || b->device != device || b->core != core)) b = b->next;
  if (!b) {
    b = new_barrier(s);
    if (b) {
      b->id = id, b->device = device, b->core = core;
      b->next = *bucket;
      *bucket = b;
    }
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  return b ? &b->sem : NULL;
}

// Locks: none on entry and exit; takes the schedule's if it is shared.
prt_sem *prt__barrier_sem(prt_task *task, const prt_task *peer, int32_t id) {
  prt_schedule *s = prt__schedule_of((prt_node *)task);
  prt_sem *sem = prt__barrier_at(s, id, device_of_all((const prt_node *)peer), peer->core);
  if (sem) return sem;
  prt__fail(task->worker, PRT_ERROR_MEMORY, "out of memory");
  return &s->nowhere;
}
