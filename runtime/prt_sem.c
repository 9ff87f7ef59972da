// SPDX-License-Identifier: Apache-2.0
// Semaphores. A count is changed, and waiters are queued, under a lock that the semaphore's address chooses; with one thread, without.
#include "prt_task.h"

static pthread_mutex_t *lock_of(prt_schedule *s, const prt_sem *sem) { return &s->sem_locks[((uintptr_t)sem >> 4) % SEM_LOCKS]; }

static int64_t count_of(const prt_sem *sem) { return atomic_load_explicit(&sem->count, memory_order_relaxed); }
static void set_count(prt_sem *sem, int64_t count) { atomic_store_explicit(&sem->count, count, memory_order_relaxed); }

// Locks: the semaphore's is held.
static bool take(prt_sem *sem, int64_t value, bool keep) {
  int64_t count = count_of(sem);
  if (count < value) return false;
  if (!keep) set_count(sem, count - value);
  return true;
}

static void enqueue(prt_sem *sem, prt_node *node) {
  prt_node **link = &sem->waiters;
  while (*link) link = &(*link)->next;
  node->next = NULL;
  *link = node;
}

// Locks: none on entry and exit; takes the semaphore's if the schedule is shared.
bool prt__sem_wait(prt_task *task, prt_sem *sem, int64_t value, bool keep, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  bool taken = false;
  if (!s->seeded) { // when it is, even a wait that need not wait is a place where others may run
    if (s->shared) pthread_mutex_lock(lock_of(s, sem));
    taken = take(sem, value, keep);
    if (s->shared) pthread_mutex_unlock(lock_of(s, sem));
  }
  if (taken) return true;
  node->wait = WAIT_SEM;
  node->sem = sem;
  node->value = value;
  node->keep = keep;
  node->site = site;
  return false;
}

// Locks: none on entry and exit; takes the semaphore's if the schedule is shared.
bool prt__sem_settle(prt_schedule *s, prt_node *node) {
  prt_sem *sem = node->sem;
  if (s->shared) pthread_mutex_lock(lock_of(s, sem));
  bool taken = take(sem, node->value, node->keep);
  if (!taken) enqueue(sem, node);
  if (s->shared) pthread_mutex_unlock(lock_of(s, sem));
  if (!taken || !s->seeded) return taken;
  prt__ready(s, node);
  return false;
}

// Locks: none on entry and exit; takes the semaphore's, then the schedule's, if that is shared.
void prt__sem_add(prt_schedule *s, prt_sem *sem, int64_t increment) {
  if (s->shared) pthread_mutex_lock(lock_of(s, sem));
  set_count(sem, count_of(sem) + increment);
  while (sem->waiters && take(sem, sem->waiters->value, sem->waiters->keep)) {
    prt_node *node = sem->waiters;
    sem->waiters = node->next;
    prt__ready(s, node);
  }
  if (s->shared) pthread_mutex_unlock(lock_of(s, sem));
}

void prt__sem_signal(prt_task *task, prt_sem *sem, int64_t increment, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  if (increment < 0) {
    prt__fail(task->worker, PRT_ERROR_ARGUMENT, "%s:%d: a semaphore is signalled by %lld, which is negative", site && site->file ? site->file : "?",
              site ? site->line : 0, (long long)increment);
    return;
  }
  prt__sem_add(prt__schedule_of(node), sem, increment);
}

int32_t prt__sem_read(prt_task *task, prt_sem *sem) {
  prt_schedule *s = prt__schedule_of((prt_node *)task);
  if (s->shared) pthread_mutex_lock(lock_of(s, sem));
  int64_t count = count_of(sem);
  if (s->shared) pthread_mutex_unlock(lock_of(s, sem));
  return (int32_t)count;
}
