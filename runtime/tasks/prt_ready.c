// SPDX-License-Identifier: Apache-2.0
// The queue of tasks that can run, as those who wake tasks see it; and the seeded scheduler's
// draws.
#include "prt_task.h"

// Locks: none on entry and exit; takes the schedule's.
void prt__ready_shared(prt_schedule *s, prt_node *node) {
  pthread_mutex_lock(&s->lock);
  prt__append(s, node);
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->lock);
}

// Steele, Lea, Flood 2014: SplitMix64.
uint64_t prt__random(prt_schedule *s) {
  uint64_t x = s->random += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}
