// SPDX-License-Identifier: Apache-2.0
// Semaphores. What a wait and a signal do to a semaphore is one function each (take, release). In a
// plain schedule that is all, and a step of a task needs no more instructions than that. Else a
// count is changed, and waiters are queued, under a lock that the semaphore's address chooses (with
// one thread, without), and checks and ranks record it.
#include <stdlib.h>
#include <string.h>
#include "prt_name.h"
#include "prt_sem.h"
#include "check/prt_finding.h"
#include "machine/prt_call.h"
#include "machine/prt_fail.h"
#include "print/prt_text.h"
#include "prt_task.h"
#include "race/prt_race.h"
#include "transport/prt_ranks.h"

static pthread_mutex_t *lock_of(prt_schedule *s, const prt_sem *sem) {
  return &s->sem_locks[((uintptr_t)sem >> 4) % SEM_LOCKS];
}

static void lock(prt_schedule *s, const prt_sem *sem) {
  if (s->shared) pthread_mutex_lock(lock_of(s, sem));
}
static void unlock(prt_schedule *s, const prt_sem *sem) {
  if (s->shared) pthread_mutex_unlock(lock_of(s, sem));
}

static int64_t count_of(const prt_sem *sem) {
  return atomic_load_explicit(&sem->count, memory_order_relaxed);
}
static void set_count(prt_sem *sem, int64_t count) {
  atomic_store_explicit(&sem->count, count, memory_order_relaxed);
}

// ---- the semaphore alone ------------------------------------------------------------------------
// Locks, of all three: the semaphore's is held, if the schedule is shared.
static inline bool take(prt_sem *sem, int64_t value, bool keep) {
  int64_t count = count_of(sem);
  if (count < value) return false;
  if (!keep) set_count(sem, count - value);
  return true;
}

static void enqueue(prt_sem *sem, prt_node *node) {
  prt_node **link = &sem->waiters;
  while (*link) link = &(*link)->next;
  if (node->next) node->next = NULL;
  *link = node;
}

// Those that can run again are linked to a list whose end is `tail`, oldest first. Who wants less
// than those before it need not wait for them.
static inline void release(prt_sem *sem, int64_t increment, prt_node ***tail) {
  int64_t count = count_of(sem) + increment;
  for (prt_node **link = &sem->waiters; *link;) {
    prt_node *node = *link;
    if (count < node->value) {
      link = &node->next;
      continue;
    }
    if (!node->keep) count -= node->value;
    *link = node->next;
    // No store where none is needed: what is loaded next would wait for its address.
    if (node->next) node->next = NULL;
    **tail = node;
    *tail = &node->next;
  }
  set_count(sem, count);
}

// ---- changes, for those that look out for them -------------------------------------------------
// Whether it is in a loop that nothing but counts ends.
static inline bool looks_out(const prt_node *node) {
  return node && node->looks && node->looks->waits;
}

// Of one thread's schedule; nothing if nobody has read a count yet: a store that each step has to
// wait for would be all that it costs. What is changed by one that reads counts itself, until they
// are others, is not noted: who looks at it finds something new.
static inline void note_own_change(prt_schedule *s, const prt_node *by) {
  if (!s->looks || looks_out(by)) return;
  uint32_t changes = atomic_load_explicit(&s->changes, memory_order_relaxed);
  atomic_store_explicit(&s->changes, changes + 1, memory_order_relaxed);
}

// For those that read counts again and again. A helper that found nothing else to run waits for
// such a change: it has said so before it read `changes` for the last time, so either it sees this
// one, or is seen here. Locks: the semaphore's is held, if the schedule is shared; takes the
// schedule's then.
static void note_change(prt_schedule *s, const prt_node *by) {
  if (!s->shared) {
    note_own_change(s, by);
    return;
  }
  if (looks_out(by)) return;
  atomic_fetch_add_explicit(&s->changes, 1, memory_order_seq_cst);
  if (!atomic_load_explicit(&s->watching, memory_order_seq_cst)) return;
  pthread_mutex_lock(&s->lock);
  pthread_cond_broadcast(&s->wake);
  pthread_mutex_unlock(&s->lock);
}

// ---- under check -------------------------------------------------------------------------------
// The node has what it waited for.
static void note_wait(prt_schedule *s, prt_node *node, const prt_sem *sem, int64_t value, bool keep,
                      const prt_site *site) {
  if (!s->race) return;
  if (prt__trail_of(node)->meeting) {
    prt__race_met(s->race, node);
    return;
  }
  prt__race_wait(s->race, node, sem, value, keep, site);
}

// Whose signals a barrier has.
static const char *kernel_of(const prt_node *node) {
  return node->task.worker->step ? node->task.worker->step->launch : prt__program_of(node)->name;
}

static bool is_further_down(const prt_site *a, const prt_site *b) {
  return a->line != b->line ? a->line > b->line : a->column > b->column;
}

// Of the signals of a kernel the one furthest down stands for all, whoever comes last.
static void note_signal(const prt_node *node, const prt_sem *sem, const prt_site *site) {
  prt_barrier *barrier = prt__barrier_of(prt__schedule_of(node), sem);
  if (!barrier) return;
  const char *kernel = kernel_of(node);
  bool is_same = barrier->kernel && strcmp(barrier->kernel, kernel) == 0;
  if (!is_same || !barrier->site || (site && is_further_down(site, barrier->site)))
    barrier->site = site;
  barrier->kernel = kernel;
}

// A kernel must not take what another one has signalled.
static void check_kernel(const prt_node *node, const prt_sem *sem, const prt_site *site) {
  const prt_barrier *barrier = prt__barrier_of(prt__schedule_of(node), sem);
  if (!barrier || !barrier->kernel || strcmp(barrier->kernel, kernel_of(node)) == 0) return;
  char message[256];
  snprintf(message, sizeof message,
           "'%s' waits for the barrier semaphore of collective id %d, which '%s' has signalled: "
           "two kernels share one barrier",
           kernel_of(node), (int)barrier->id, barrier->kernel);
  prt__report(node->task.worker, PRT_FINDING_SEMAPHORE, site, "shared barrier", message);
}

// ---- waits and signals --------------------------------------------------------------------------
// A task that always finds what it waits for, or reads counts, lets others run now and then: they
// may be what it looks out for.
enum { AT_ONCE = 64 };
static bool may_go_on(prt_node *node) { return ++node->turn % AT_ONCE != 0; }

static bool went_on(prt_node *node) {
  if (may_go_on(node)) return true;
  node->wait = WAIT_TURN;
  return false;
}

static PRT_RARE void negative(prt_node *node, const char *what, int64_t value,
                              const prt_site *site) {
  prt__fault(node->task.worker, PRT_FINDING_SEMAPHORE, site, "%s %lld, which is negative", what,
             (long long)value);
}

static inline void note_need(prt_node *node, prt_sem *sem, int64_t value, bool keep,
                             const prt_site *site) {
  node->sem = sem;
  node->value = value;
  node->keep = keep;
  node->site = site;
}

// Locks: none on entry and exit; takes the semaphore's if the schedule is shared.
static bool take_at_once(prt_schedule *s, prt_node *node, prt_sem *sem, int64_t value, bool keep,
                         const prt_site *site) {
  lock(s, sem);
  bool taken = take(sem, value, keep);
  if (taken && !keep) note_change(s, node);
  unlock(s, sem);
  if (taken) note_wait(s, node, sem, value, keep, site);
  return taken;
}

static PRT_RARE bool wait_watched(prt_schedule *s, prt_node *node, prt_sem *sem, int64_t value,
                                  bool keep, const prt_site *site) {
  prt_ranks *r = value >= 0 ? prt__reports_to(s->call->machine) : NULL;
  if (r) {
    r->calls->tell(r, PRT_REPORTED_WAIT, sem, value, (int64_t)keep, site);
    node->wait = WAIT_SEM;
    return false;
  }
  if (value < 0) {
    negative(node, "a wait for", value, site);
    return true;
  }
  // Of a seeded schedule even a wait that need not wait is a place where others may run.
  if (!s->seeded && take_at_once(s, node, sem, value, keep, site)) return went_on(node);
  if (s->checked && count_of(sem) > 0) check_kernel(node, sem, site);
  note_need(node, sem, value, keep, site);
  node->wait = WAIT_SEM;
  return false;
}

bool prt__sem_wait(prt_task *task, prt_sem *sem, int64_t value, bool keep, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  if (!s->plain || value < 0) return wait_watched(s, node, sem, value, keep, site);
  if (take(sem, value, keep)) {
    if (!keep) note_own_change(s, node);
    return went_on(node);
  }
  note_need(node, sem, value, keep, site);
  enqueue(sem, node);
  node->wait = WAIT_QUEUED;
  return false;
}

// Locks: none on entry and exit; takes the semaphore's if the schedule is shared.
bool prt__sem_settle(prt_schedule *s, prt_node *node) {
  prt_sem *sem = node->sem;
  lock(s, sem);
  // What was held back until the task had begun may have signalled it on one thread as well.
  bool taken = take(sem, node->value, node->keep);
  if (taken && !node->keep) note_change(s, node);
  if (taken) note_wait(s, node, sem, node->value, node->keep, node->site);
  if (!taken) enqueue(sem, node);
  unlock(s, sem);
  if (!taken || !s->seeded) return taken;
  if (may_go_on(node))
    s->current = node;
  else
    prt__ready(s, node);
  return false;
}

void prt__no_semaphore(prt_task *task, int64_t index, int64_t count, const prt_site *site) {
  prt_call *call = task->worker->call;
  if (prt__schedule_of((prt_node *)task)->checked) { // the index has been reported
    prt_ranks *r = prt__reports_to(call->machine);
    if (r) r->calls->tell(r, PRT_REPORTED_CUT);
    call->is_cut = true;
    return;
  }
  prt__fault(task->worker, PRT_FINDING_OUT_OF_BOUNDS, site,
             "there is no semaphore %lld: the array has %lld", (long long)index, (long long)count);
}

// Locks: none on entry and exit; takes the semaphore's, then the schedule's, if that is shared.
void prt__sem_add(prt_schedule *s, prt_node *by, prt_sem *sem, int64_t increment) {
  prt_node *released = NULL, **tail = &released;
  lock(s, sem);
  release(sem, increment, &tail);
  for (prt_node *node = released, *next; node; node = next) {
    next = node->next;
    note_wait(s, node, sem, node->value, node->keep, node->site);
    prt__ready(s, node);
  }
  // Whoever still waits is nearer to what it waits for.
  note_change(s, sem->waiters ? NULL : by);
  unlock(s, sem);
}

// `like`: where it lies in the node's own memory, if it does.
static PRT_RARE void signal_watched(prt_schedule *s, prt_node *node, prt_sem *sem,
                                    const prt_sem *like, int64_t increment, const prt_site *site) {
  if (increment < 0) {
    negative(node, "a semaphore is signalled by", increment, site);
    return;
  }
  prt_ranks *r = prt__reports_to(s->call->machine);
  if (r) {
    r->calls->tell(r, PRT_REPORTED_SIGNAL, sem, like, increment, site);
    return;
  }
  if (s->ranks && s->ranks->calls->signal(s, sem, increment)) return;
  int times = s->seeded ? prt__signal_times(s, site) : 1;
  for (int i = 0; i < times; i++) {
    if (s->checked) note_signal(node, sem, site);
    if (s->race) prt__race_signal(s->race, node, sem, like, increment, site);
    prt__sem_add(s, node, sem, increment);
  }
}

static inline void signal_sem(prt_node *node, prt_sem *sem, const prt_sem *like, int64_t increment,
                              const prt_site *site) {
  prt_schedule *s = prt__schedule_of(node);
  if (!s->plain || increment < 0) {
    signal_watched(s, node, sem, like, increment, site);
    return;
  }
  release(sem, increment, &s->tail);
  note_own_change(s, sem->waiters ? NULL : node);
}

void prt__sem_signal_like(prt_node *node, prt_sem *sem, const prt_sem *like, int64_t increment,
                          const prt_site *site) {
  signal_sem(node, sem, like, increment, site);
}

void prt__sem_signal(prt_task *task, prt_sem *sem, int64_t increment, const prt_site *site) {
  signal_sem((prt_node *)task, sem, sem, increment, site);
}

// To any of the node's program.
static PRT_RARE void signal_far(prt_node *node, prt_sem *sem, int64_t devices, int64_t cores,
                                int64_t increment, const prt_site *site) {
  int64_t distance = devices * node->to_device + cores * node->to_core;
  signal_sem(node, (prt_sem *)(void *)((char *)sem + distance), sem, increment, site);
}

// It is most often a neighbour's: branches that the CPU foresees leave it nothing to wait for, as
// products would. (Those are in a function of their own: else the compiler sees that all ways give
// them.)
void prt__peer_signal(prt_task *task, prt_sem *sem, int32_t device, int32_t core, int64_t increment,
                      const prt_site *site) {
  prt_node *node = (prt_node *)task;
  int32_t other = core == PRT_OWN ? task->core : core;
  bool is_there = (uint32_t)other < (uint32_t)node->cores &&
                  (device == PRT_OWN || (uint32_t)device < (uint32_t)node->group->devices);
  if (!is_there) {
    prt__peer(task, device, core, false, site); // says what is wrong
    return;
  }
  int64_t devices = device == PRT_OWN ? 0 : device - task->device, cores = other - task->core;
  char *place = (char *)sem;
  if (cores == 1)
    place += node->to_core;
  else if (cores == -1)
    place -= node->to_core;
  else if (cores)
    return signal_far(node, sem, devices, cores, increment, site);
  if (devices == 1)
    place += node->to_device;
  else if (devices)
    return signal_far(node, sem, devices, cores, increment, site);
  signal_sem(node, (prt_sem *)(void *)place, sem, increment, site);
}

bool prt__turn(prt_task *task) {
  prt_node *node = (prt_node *)task;
  const prt_schedule *s = prt__schedule_of(node);
  if (s->ranks && s->ranks->led.runs) {
    s->ranks->calls->tell(s->ranks, PRT_REPORTED_GIVES_WAY);
    node->wait = WAIT_TURN;
    return false;
  }
  if (!s->seeded) return went_on(node);
  s->call->explored.atomics++;
  node->wait = WAIT_TURN;
  return false;
}

// ---- reading counts again and again -------------------------------------------------------------
// What nobody has any more, or a new one; NULL: no memory, and it is never taken for one that waits
// for ever. Locks: none on entry and exit; takes the schedule's if it is shared.
static prt_looks *take_looks(prt_schedule *s) {
  if (s->shared) pthread_mutex_lock(&s->lock);
  prt_looks *looks = s->spare_looks;
  if (looks) {
    s->spare_looks = looks->next_spare;
  } else if ((looks = malloc(sizeof *looks))) {
    looks->next = s->looks;
    s->looks = looks;
  }
  if (s->shared) pthread_mutex_unlock(&s->lock);
  return looks;
}

static void give_looks(prt_schedule *s, prt_looks *looks) {
  if (s->shared) pthread_mutex_lock(&s->lock);
  looks->node = NULL;
  looks->next_spare = s->spare_looks;
  s->spare_looks = looks;
  if (s->shared) pthread_mutex_unlock(&s->lock);
}

void prt__sem_afresh(prt_task *task) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  prt_ranks *r = s->ranks;
  if (node->looks) give_looks(s, node->looks);
  node->looks = NULL;
  if (r && r->led.runs) r->calls->tell(r, PRT_REPORTED_AFRESH);
}

// Whether it has not been found since something was new; it is known from now on.
static bool is_new(prt_looks *looks, const prt_site *site, int64_t count) {
  enum { MOST = sizeof looks->known / sizeof *looks->known };
  uint32_t found = (uint32_t)(((uintptr_t)site ^ (uint64_t)count * 0x9E3779B97F4A7C15u) >> 8);
  for (int i = 0; i < looks->known_count; i++)
    if (looks->known[i] == found) return false;
  if (looks->known_count == MOST) looks->known_count = 0;
  looks->known[looks->known_count++] = found;
  return true;
}

// Locks: none on entry and exit; takes the semaphore's, then the schedule's, if that is shared.
static void look(prt_schedule *s, prt_node *node, prt_sem *sem, bool waits, const prt_site *site) {
  prt_looks *looks = node->looks ? node->looks : take_looks(s);
  if (!looks) return;
  if (!node->looks || looks->waits != waits)
    *looks = (prt_looks){.next = looks->next, .node = node, .waits = waits};
  node->looks = looks;
  looks->sem = sem;
  looks->site = site;
  if (waits) {
    lock(s, sem);
    if (is_new(looks, site, count_of(sem))) note_change(s, NULL);
    unlock(s, sem);
  }
  uint32_t changes = atomic_load_explicit(&s->changes, memory_order_relaxed);
  if (looks->seen != changes) {
    looks->seen = changes;
    looks->looks = 0;
  }
  if (looks->looks < UINT32_MAX) looks->looks++;
}

// Whether it goes on before others run, where it may do so without what it looks out for: to see
// what happens if that comes late. Ten thousand times are many for a program that ends by itself.
static bool insists(prt_schedule *s, int32_t loop) {
  if (!s->seeded || loop == PRT_LOOP_WAITS) return false;
  s->call->explored.looks++;
  if (!s->choices.looking || ++s->looks_in_a_row > PRT_POLLS_AT_LEAST) s->looks_in_a_row = 0;
  return s->looks_in_a_row > 0;
}

bool prt__sem_pause(prt_task *task, prt_sem *sem, int32_t loop, const prt_site *site) {
  prt_node *node = (prt_node *)task;
  prt_schedule *s = prt__schedule_of(node);
  if (s->ranks && s->ranks->led.runs) {
    s->ranks->calls->tell(s->ranks, PRT_REPORTED_PAUSE, sem, (int64_t)loop, site);
    node->wait = WAIT_POLL;
    return false;
  }
  if (loop) look(s, node, sem, loop == PRT_LOOP_WAITS, site);
  if ((may_go_on(node) && !s->seeded) || insists(s, loop)) return true;
  atomic_fetch_add_explicit(&s->polls, s->seeded ? 1 : AT_ONCE, memory_order_relaxed);
  node->wait = WAIT_POLL;
  node->sem = sem;
  node->site = site;
  return false;
}

int32_t prt__sem_read(prt_task *task, prt_sem *sem) {
  prt_schedule *s = prt__schedule_of((prt_node *)task);
  if (s->ranks && s->ranks->led.runs)
    return (int32_t)s->ranks->calls->ask(s->ranks, PRT_REPORTED_READ, sem);
  if (s->race) s->race->depends = true;
  if (s->shared) pthread_mutex_lock(lock_of(s, sem));
  int64_t count = count_of(sem);
  if (s->shared) pthread_mutex_unlock(lock_of(s, sem));
  return (int32_t)count;
}

// ---- what is left at the end (under check) ------------------------------------------------------
// " on core 1 of device 0", as far as there are several.
static void add_where(prt_text *text, const prt_node *node) {
  bool is_core = prt__program_of(node)->kind != PRT_DEVICE_PROGRAM;
  int32_t device = prt__device_among(node);
  if (is_core) prt__text_printf(text, " on core %d", (int)node->task.core);
  if (device >= 0) prt__text_printf(text, " %s device %d", is_core ? "of" : "on", (int)device);
}

// What is or will be signalled and was not waited for.
static long long left_of(const prt_race *race, const prt_sem *sem) {
  const prt_race_sem *known = prt__race_sem(race, sem);
  return (long long)(known ? known->pending : count_of(sem));
}

// `is_scope`: when its scope was left before; else at the end of its program.
static void report_left(prt_worker *worker, const prt_node *node, const prt_buffer *buffer,
                        const prt_sem *sem, bool is_scope) {
  prt_race *race = worker->call->race;
  const prt_race_signal *last = prt__race_last_signal(race, sem);
  long long left = is_scope ? left_of(race, sem) : (long long)count_of(sem);
  prt_text text = {0};
  if (last && last->is_copy && left < last->units)
    prt__text_printf(&text, "this copy was waited for with only %lld of its %lld bytes: ",
                     (long long)last->units - left, (long long)last->units);
  else if (last)
    prt__text_printf(&text, "this %s was never waited for: ", last->is_copy ? "copy" : "signal");
  prt__add_sem_name(&text, last ? "" : "semaphore ", buffer->name);
  int64_t number = sem - (const prt_sem *)(const void *)(node->task.memory + buffer->offset);
  int64_t part = prt__sems_of_part(buffer);
  prt__add_sem_index(&text, buffer, number);
  if (part * (int64_t)sizeof *sem < buffer->bytes)
    prt__text_printf(&text, " of core %d", (int)(number / part));
  add_where(&text, node);
  prt__text_printf(&text, " is left at %lld", left);
  if (is_scope)
    prt__text_c(&text, " when its scope ends");
  else if (prt__program_of(node)->kind != PRT_DEVICE_PROGRAM)
    prt__text_printf(&text, " when '%s' ends", prt__program_of(node)->name);
  const char *message = text.data ? text.data : "a semaphore is left";
  if (race)
    prt__race_unwaited(race, prt__program_of(node), buffer, (int32_t)number,
                       last ? last->site : buffer->site, message, is_scope);
  else
    prt__report(worker, PRT_FINDING_SEMAPHORE, buffer->site, "semaphore", message);
  prt__text_free(&text);
}

void prt__check_barriers(prt_schedule *s, prt_worker *worker) {
  static const prt_site nowhere = {.file = ""};
  int32_t reported = -1; // an id: one of its semaphores says enough
  for (int i = 0; i < BARRIER_BUCKETS; i++) {
    for (const prt_barrier *b = s->barriers[i]; b; b = b->next) {
      if (!atomic_load_explicit(&b->sem.count, memory_order_relaxed) || b->id == reported) continue;
      reported = b->id;
      char message[200];
      snprintf(message, sizeof message,
               "the barrier semaphore of collective id %d is left at %lld on core %d of device %d: "
               "the next kernel with this id passes its barrier too early",
               (int)b->id, (long long)atomic_load_explicit(&b->sem.count, memory_order_relaxed),
               (int)b->core, (int)b->device);
      const prt_site *site = b->site ? b->site : &nowhere;
      if (s->race)
        prt__race_unwaited(s->race, NULL, NULL, 0, site, message, false);
      else
        prt__report(worker, PRT_FINDING_SEMAPHORE, site, "barrier", message);
    }
  }
}

void prt__check_semaphores_of(prt_schedule *s, const prt_group *group) {
  for (int32_t i = 0; i < group->count && !prt__is_over(s); i++) {
    const prt_node *node = &group->nodes[i];
    const prt_program *program = prt__program_of(node);
    for (int32_t b = 0; b < program->buffer_count; b++) {
      const prt_buffer *buffer = &program->buffers[b];
      if (buffer->space != PRT_SEM) continue;
      const prt_sem *sems = (const prt_sem *)(const void *)(node->task.memory + buffer->offset);
      for (int64_t at = 0; at < buffer->bytes / (int64_t)sizeof(prt_sem); at++)
        if (count_of(&sems[at])) report_left(node->task.worker, node, buffer, &sems[at], false);
    }
  }
}

// In place of zeroing the semaphores of a scope that is entered again: what the time before has
// left is a finding.
void prt__check_scope(prt_task *task, prt_sem *sems, int64_t count) {
  prt_ranks *r = prt__reports_to(task->worker->call->machine);
  if (r) r->calls->tell(r, PRT_REPORTED_SCOPE, sems, count);
  const prt_node *owner;
  const prt_buffer *buffer = prt__buffer_of((const prt_node *)task, sems, &owner);
  for (int64_t i = 0; i < count; i++) {
    if (buffer && left_of(task->worker->call->race, &sems[i]))
      report_left(task->worker, owner, buffer, &sems[i], true);
    set_count(&sems[i], 0);
    sems[i].waiters = NULL;
  }
  prt__race_forget(prt__schedule_of((prt_node *)task)->race, sems, (size_t)count * sizeof *sems);
}
