// SPDX-License-Identifier: Apache-2.0
// The queue of tasks that can run, as those who wake tasks see it.
#include "prt_task.h"

// Locks: none on entry and exit; takes the schedule's.
void prt__ready_shared(prt_schedule *s, prt_node *node) {
  pthread_mutex_lock(&s->lock);
  prt__append(s, node);
  pthread_cond_signal(&s->wake);
  pthread_mutex_unlock(&s->lock);
}
