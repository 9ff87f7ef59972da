// SPDX-License-Identifier: Apache-2.0
// Who runs next. Two schedulers behind prt__ready and next_task: on worker threads, first come
// first served; and seeded, all on the calling thread with every choice drawn (prt_choose.c).
#include <stdlib.h>
#include <string.h>
#include "machine/prt_machine.h"
#include "transport/prt_ranks.h"
#include "prt_copy.h"
#include "prt_sem.h"
#include "machine/prt_call.h"
#include "prt_task.h"
#include "race/prt_race_log.h"

// ---- running ------------------------------------------------------------------------------------
// What the worker was at before is for the caller to put back.
static inline void resume(prt_schedule *s, prt_node *node, prt_worker *worker) {
  if (node->wait == WAIT_LAUNCH) prt__children_end(s, node);
  node->task.worker = worker;
  node->wait = WAIT_NOTHING;
  worker->step = node->step;
  bool is_first = !node->handle;
  worker->node = node;
  if (is_first && s->race) prt__race_begin(s->race, node);
  if (is_first)
    node->handle = prt__program_of(node)->start(&node->task, node->group->captured);
  else
    (*(void (**)(void *))node->handle)(node->handle);
  node->step = worker->step;
  if (is_first) prt__begun(s, node);
}

// One of those whom the group's parent waits for is done: the last one wakes it.
void prt__group_count_down(prt_schedule *s, prt_group *group) {
  // The parent sees all that the tasks did; release on each, acquire on the last.
  if (atomic_fetch_sub_explicit(&group->remaining, 1, memory_order_acq_rel) == 1 && group->parent)
    prt__ready(s, group->parent);
}

// The coroutine has come back. True: the task can go on at once.
static bool settle(prt_schedule *s, prt_node *node) {
  switch (node->wait) {
  case WAIT_SEM: return prt__sem_settle(s, node);
  case WAIT_TURN:
  case WAIT_POLL: prt__ready(s, node); return false;
  case WAIT_LAUNCH:
    if (node->children) prt__group_count_down(s, node->children); // else there was no memory
    return false;
  case WAIT_ENDED:
    if (s->race) prt__race_end(s->race, node);
    if (s->ranks) s->ranks->calls->device_ended(s, node);
    if (s->shared) pthread_mutex_lock(&s->lock);
    s->live--;
    if (s->shared) pthread_mutex_unlock(&s->lock);
    prt__group_count_down(s, node->group);
    return false;
  default: return false; // it could not even begin: the call has failed
  }
}

static inline void run(prt_schedule *s, prt_node *node, prt_worker *worker) {
  do {
    resume(s, node, worker);
  } while (node->wait != WAIT_QUEUED && !prt__is_over(s) && settle(s, node));
}

void prt__resume(prt_schedule *s, prt_node *node, prt_worker *worker) { resume(s, node, worker); }

static void run_apart(prt_schedule *s, prt_node *node, prt_worker *worker) {
  const prt_step *outer = worker->step;
  prt_node *outer_node = worker->node;
  run(s, node, worker);
  worker->step = outer;
  worker->node = outer_node;
}

// ---- one thread ---------------------------------------------------------------------------------
static bool all_look_in_vain(const prt_schedule *s) {
  if (s->current && !prt__looks_in_vain(s, s->current)) return false;
  for (const prt_node *node = s->head; node; node = node->next)
    if (!prt__looks_in_vain(s, node)) return false;
  for (const prt_flight *flight = s->flights; flight; flight = flight->next)
    if (!prt__looks_in_vain(s, flight->transfer.from_task)) return false;
  return true;
}

static PRT_RARE bool only_poll(prt_schedule *s, int64_t polls) {
  if (polls < PRT_POLLS_AT_LEAST || !s->head) return false;
  if (all_look_in_vain(s)) return true;
  atomic_store_explicit(&s->polls, 0, memory_order_relaxed);
  return false;
}

// All that could run do nothing but read counts that nobody changes; whoever runs now is not asked.
// Locks: the schedule's is held if it is shared.
static bool is_idle(prt_schedule *s) {
  int64_t polls = atomic_load_explicit(&s->polls, memory_order_relaxed);
  return polls && only_poll(s, polls);
}

// Those of a plain schedule, as long as any can run: what others would look at in between, and the
// worker's own place, are put right at the end. Without checks nothing but a failure ends a call.
// With drive_alone's loop in its place a step takes 11.6 ns instead of 10.2
// (tests/bench/ring_cost.c, 18,000 cores, 1,000 rounds).
static PRT_APART void drive_plain(prt_schedule *s, prt_worker *worker) {
  const prt_step *outer = worker->step;
  prt_node *outer_node = worker->node;
  bool may_share = prt__threads(worker) > 1;
  const _Atomic int32_t *status = &s->call->status;
  while (atomic_load_explicit(status, memory_order_relaxed) == PRT_OK && s->head &&
         !(may_share && s->head->next)) {
    prt_node *node = prt__take_first(s);
    run(s, node, worker);
    if (node->wait == WAIT_POLL && is_idle(s)) break;
  }
  worker->step = outer;
  worker->node = outer_node;
}

// Until all is done, or there is work for more threads. The tasks of a rank stay on one thread,
// which looks now and then at what the others send.
static void drive_alone(prt_schedule *s, prt_worker *worker) {
  if (s->plain) drive_plain(s, worker);
  bool may_share = !s->seeded && !s->checked && !s->ranks && prt__threads(worker) > 1;
  while (!prt__is_over(s) && s->live > 0) {
    if (s->ranks) s->ranks->calls->poll(s);
    if (may_share && s->head && s->head->next) return;
    prt_node *node = is_idle(s)  ? NULL
                     : s->seeded ? prt__next_chosen(s)
                     : s->head   ? prt__take_first(s)
                                 : NULL;
    if (!node) {
      if (s->ranks && s->ranks->calls->wait(s)) continue;
      prt__deadlock(s, worker);
      return;
    }
    if (s->ranks) s->ranks->calls->ahead(s, node);
    run_apart(s, node, worker);
  }
}

// ---- several threads ----------------------------------------------------------------------------
// Until a count is changed, or there is something else to do; prt_sem.c's note_change is the other
// side. Locks: the schedule's is held on entry and exit, and not while it waits.
static void wait_for_change(prt_schedule *s) {
  atomic_fetch_add_explicit(&s->watching, 1, memory_order_seq_cst);
  if (is_idle(s)) pthread_cond_wait(&s->wake, &s->lock);
  atomic_fetch_sub_explicit(&s->watching, 1, memory_order_seq_cst);
}

// The next task for a helper; NULL: it may go. Locks: the schedule's is held on entry and exit.
static prt_node *next_shared(prt_schedule *s, prt_worker *worker) {
  for (;;) {
    if (s->stopped || prt__is_over(s)) return NULL;
    // The call's own program goes on alone, with all threads for its loops.
    if (s->live == 0 || (s->live == 1 && s->head)) return NULL;
    if (s->head && !is_idle(s)) return prt__take_first(s);
    if (s->running == 0) {
      s->stopped = true;
      prt__deadlock(s, worker);
      return NULL;
    }
    if (s->head)
      wait_for_change(s); // those that could run only read counts
    else
      pthread_cond_wait(&s->wake, &s->lock);
  }
}

// Locks: none on entry and exit; takes the schedule's.
static void help(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  (void)begin;
  (void)end;
  prt_schedule *s = context;
  worker->schedule = s;
  pthread_mutex_lock(&s->lock);
  for (prt_node *node; (node = next_shared(s, worker));) {
    s->running++;
    pthread_mutex_unlock(&s->lock);
    run_apart(s, node, worker);
    pthread_mutex_lock(&s->lock);
    s->running--;
  }
  pthread_cond_broadcast(&s->wake);
  pthread_mutex_unlock(&s->lock);
}

static void drive_together(prt_schedule *s, prt_worker *worker) {
  bool was_plain = s->plain;
  s->shared = true;
  s->plain = false;
  for (int i = 0; i < SEM_LOCKS; i++) pthread_mutex_init(&s->sem_locks[i], NULL);
  prt__parallel_for(worker, prt__threads(worker), 1, INT64_MAX, help, s);
  for (int i = 0; i < SEM_LOCKS; i++) pthread_mutex_destroy(&s->sem_locks[i]);
  s->shared = false;
  s->plain = was_plain;
}

// ---- calls --------------------------------------------------------------------------------------
static void schedule_init(prt_schedule *s, prt_call *call) {
  const prt_machine_options *options = &call->machine->options;
  *s = (prt_schedule){.call = call, .seeded = options->seeded};
  if (call->machine->ranks && call->machine->ranks->ranks > 1) s->ranks = call->machine->ranks;
  s->choices = call->machine->has_choices ? call->machine->choices
                                          : (prt_choices){.seed = options->seed, .draws = true};
  s->checked = call->entry->flags & PRT_ENTRY_CHECKED;
  s->plain = !s->seeded && !s->checked && !s->ranks;
  s->tail = &s->head;
  s->last_flight = &s->flights;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->wake, NULL);
  pthread_mutex_init(&s->add_lock, NULL);
}

static void schedule_fini(prt_schedule *s) {
  prt__flights_free(s);
  prt__barriers_free(s);
  for (prt_looks *looks = s->looks, *next; looks; looks = next) {
    next = looks->next;
    free(looks);
  }
  pthread_mutex_destroy(&s->add_lock);
  pthread_cond_destroy(&s->wake);
  pthread_mutex_destroy(&s->lock);
}

void prt__run(prt_worker *worker, const prt_program *program, void *captured) {
  prt_schedule schedule, *s = &schedule;
  schedule_init(s, worker->call);
  worker->schedule = s;
  worker->call->has_programs = true;
  if (s->ranks) s->ranks->calls->opens(s, worker, program);
  if (s->checked) s->race = prt__race_of(worker);
  s->root = prt__root_new(s, &program, captured);
  if (s->root) {
    s->live = 1;
    prt__append(s, s->root->nodes);
    while (!prt__is_over(s) && s->live > 0) {
      drive_alone(s, worker);
      if (!prt__is_over(s) && s->live > 0) drive_together(s, worker);
    }
    if (!prt__is_over(s)) {
      prt__land_all(s, s->root);
      if (s->checked) {
        prt__check_semaphores_of(s, s->root);
        prt__check_barriers(s, worker);
      }
    }
    if (s->ranks) s->ranks->calls->call_ends(s);
    prt__joint_free(s, s->root->joint);
    prt__joints_free(s);
  } else {
    prt__fail(worker, PRT_ERROR_MEMORY, "out of memory");
  }
  worker->schedule = NULL;
  schedule_fini(s);
}
