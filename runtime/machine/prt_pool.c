// SPDX-License-Identifier: Apache-2.0
// The worker threads of a machine. They take pieces of the loops that are posted, and park when
// there is nothing: after a short spin, on a condition variable. Those that are awake
// take part in every loop; they are started, or woken, for a loop that is worth it: by its
// estimated time, by the time that it has taken so far, or because loops come one after the other.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "host/prt_cpu.h"
#include "prt_float.h"
#include "prt_fail.h"
#include "prt_machine.h"
#include "prt_pool.h"
#include "prt_scratch.h"

enum {
  PIECES_PER_THREAD = 8,    // a loop is cut finer than there are threads, so that a thread that was
                            // held up costs little
  SPIN_TIME = 20 * 1000,    // ns: as long as it takes to wake a thread
  SPIN_PAUSES = 16,         // between two looks at the clock
  WORTH_WAKING = 50 * 1000, // ns of work for which threads are woken at once: to wake one costs the
                            // caller some 5 us, and it comes some 30 us later
  LATE = 10 * 1000,         // ns after which the caller wakes them if there are pieces left
  ONE_AFTER_OTHER = 20 * 1000, // ns between two loops for the next ones to be expected as soon: no
                               // more than a thread that was woken spins
  // ns that a piece takes at the most, as far as the estimate is right: a choice. Between two, a
  // call can be stopped.
  LONGEST_PIECE = 100 * 1000 * 1000
};

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int32_t threads_wanted(const prt_pool *pool) {
  return atomic_load_explicit(&pool->wanted, memory_order_relaxed);
}

static void spin_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

// Spins for some time until *place is `value`, or is not. Whether that is so. The CPU is not
// yielded: a thread of another library that spins, too, would have it for milliseconds.
static bool spin_until(const _Atomic uint32_t *place, bool is, uint32_t value) {
  int64_t end = now() + SPIN_TIME;
  do {
    for (int i = 0; i < SPIN_PAUSES; i++) {
      if ((atomic_load_explicit(place, memory_order_acquire) == value) == is) return true;
      spin_pause();
    }
  } while (now() < end);
  return false;
}

// The system may have put a thread on the CPU of the one that it should help, where it would wait
// for it, and leaves it there as long as no CPU is idle when it looks.
static void leave_cpu_of_caller(const prt_pool *pool) {
  prt__leave_cpu(atomic_load_explicit(&pool->caller_cpu, memory_order_relaxed));
}

static void locks_init(prt_pool *pool) {
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->done, NULL);
}

prt_status prt__pool_init(prt_pool *pool, int32_t threads) {
  memset(pool, 0, sizeof *pool);
  atomic_init(&pool->wanted, threads - 1);
  locks_init(pool);
  if (threads <= 1) return PRT_OK;
  pool->threads = calloc((size_t)threads - 1, sizeof *pool->threads);
  return pool->threads ? PRT_OK
                       : prt__set_error(PRT_ERROR_MEMORY, "prt_machine_new: out of memory");
}

static bool has_pieces(const prt_job *job) {
  if (atomic_load_explicit(&job->call->status, memory_order_relaxed) != PRT_OK) return false;
  for (int32_t at = 0; at < job->pieces; at += 64) {
    uint64_t all = job->pieces - at < 64 ? ((uint64_t)1 << (job->pieces - at)) - 1 : UINT64_MAX;
    if (atomic_load_explicit(&job->taken[at / 64], memory_order_relaxed) != all) return true;
  }
  return false;
}

static void *pool_thread(void *data);

// Starts threads that are not there yet; fewer will do if the system gives no more. Locks: the
// pool's is held.
static void start_threads(prt_pool *pool, int32_t wanted) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old); // signals are the program's own threads' business
  while (pool->started < wanted) {
    prt_pool_thread *thread = &pool->threads[pool->started];
    thread->pool = pool;
    thread->worker.thread_index = pool->started + 1;
    if (pthread_create(&thread->thread, NULL, pool_thread, thread)) {
      atomic_store_explicit(&pool->wanted, pool->started, memory_order_relaxed);
      break;
    }
    pool->started++;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

// Locks: the pool's is held.
static void wake(prt_pool *pool, int64_t helpers) {
  int32_t wanted = threads_wanted(pool);
  if (pool->started < wanted) start_threads(pool, wanted);
  for (int64_t i = 0; i < helpers && i < pool->parked; i++) pthread_cond_signal(&pool->wake);
}

// Called by the job's own caller between two pieces. Locks: none on entry and exit.
static void wake_if_late(prt_pool *pool, prt_job *job) {
  if (job->has_woken || !has_pieces(job) || now() - job->begun < LATE) return;
  pthread_mutex_lock(&pool->lock);
  job->has_woken = true;
  wake(pool, INT64_MAX);
  pthread_mutex_unlock(&pool->lock);
}

static bool take_piece(prt_job *job, int32_t piece) {
  _Atomic uint64_t *word = &job->taken[piece / 64];
  uint64_t bit = (uint64_t)1 << piece % 64;
  return !(atomic_load_explicit(word, memory_order_relaxed) & bit) &&
         !(atomic_fetch_or_explicit(word, bit, memory_order_relaxed) & bit);
}

// Pieces differ by one index at most, the longer ones among the others.
static int64_t begin_of(const prt_job *job, int32_t piece) {
  int64_t rest = job->count % job->pieces;
  return piece * (job->count / job->pieces) + piece * rest / job->pieces;
}

// Whether no further piece is started.
static bool ends(const prt_job *job, prt_worker *worker) {
  if (job->is_long &&
      atomic_load_explicit(&worker->call->machine->stop, memory_order_relaxed) != PRT_GOES_ON)
    prt__fail(worker, PRT_ERROR_STOPPED, "stopped");
  return prt__has_failed(worker);
}

static void run_piece(const prt_job *job, int32_t piece, prt_worker *worker) {
  prt_mark mark;
  prt__mark(worker, &mark);
  job->body(job->context, begin_of(job, piece), begin_of(job, piece + 1), worker);
  prt__release(worker, &mark);
}

// Takes and runs pieces until there are none left, from a thread's share of them on: of loops that
// follow each other on the same arrays a thread has the same pieces, which its cache may still
// hold. `callers`: the pool, for the job's own caller.
static void work(prt_job *job, prt_worker *worker, prt_pool *callers) {
  prt_call *outer_call = worker->call;
  const prt_step *outer_step = worker->step;
  worker->call = job->call;
  worker->stop = &job->call->machine->stop;
  worker->step = job->step;
  worker->in_body = true;
  int32_t first = (int32_t)((int64_t)worker->thread_index * job->pieces / job->threads);
  for (int32_t i = 0; i < job->pieces && !ends(job, worker); i++) {
    int32_t piece = first + i < job->pieces ? first + i : first + i - job->pieces;
    if (!take_piece(job, piece)) continue;
    run_piece(job, piece, worker);
    if (callers) wake_if_late(callers, job);
  }
  worker->in_body = false;
  worker->step = outer_step;
  worker->call = outer_call;
}

// Locks: the pool's is held.
static prt_job *find_job(prt_pool *pool) {
  for (prt_job *job = pool->jobs; job; job = job->next)
    if (has_pieces(job)) return job;
  return NULL;
}

// Nothing to do: waits until something is posted. Locks: the pool's is held on entry and exit, not
// while spinning or parked.
static void idle(prt_pool *pool) {
  uint32_t seen = atomic_load_explicit(&pool->posted, memory_order_relaxed);
  pthread_mutex_unlock(&pool->lock);
  leave_cpu_of_caller(pool);
  bool posted = spin_until(&pool->posted, false, seen);
  pthread_mutex_lock(&pool->lock);
  if (posted || pool->closing || atomic_load_explicit(&pool->posted, memory_order_relaxed) != seen)
    return;
  pool->parked++;
  pthread_cond_wait(&pool->wake, &pool->lock);
  pool->parked--;
}

static void *pool_thread(void *data) {
  prt_pool_thread *self = data;
  prt_pool *pool = self->pool;
  prt__float_mode_set(); // for good: the thread is ours
  pthread_mutex_lock(&pool->lock);
  while (!pool->closing) {
    prt_job *job = find_job(pool);
    if (!job) {
      idle(pool);
      continue;
    }
    atomic_fetch_add_explicit(&job->inside, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool->lock);
    leave_cpu_of_caller(pool);
    work(job, &self->worker, NULL);
    pthread_mutex_lock(&pool->lock);
    // Pairs with the acquire load of a caller that spins; one that is parked is ordered by the
    // lock. The job may be gone after this.
    if (atomic_fetch_sub_explicit(&job->inside, 1, memory_order_release) == 1)
      pthread_cond_broadcast(&pool->done);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

void prt__pool_revive(prt_pool *pool) {
  locks_init(pool);
  pool->jobs = NULL;
  pool->started = pool->parked = 0;
  for (int32_t i = 0; i < threads_wanted(pool); i++)
    for (int k = 0; k < ARENA_COUNT; k++)
      pool->threads[i].worker.arenas[k] = (prt_arena){0}; // may be half changed: left alone
}

// Locks: none on entry and exit.
static void post(prt_pool *pool, prt_job *job, int64_t helpers, int64_t cost) {
  pthread_mutex_lock(&pool->lock);
  job->has_woken = cost >= WORTH_WAKING || job->begun - pool->last_begun < ONE_AFTER_OTHER;
  pool->last_begun = job->begun;
  job->next = pool->jobs;
  pool->jobs = job;
  atomic_store_explicit(&pool->caller_cpu, sched_getcpu(), memory_order_relaxed);
  atomic_fetch_add_explicit(&pool->posted, 1, memory_order_relaxed);
  if (job->has_woken) wake(pool, helpers);
  pthread_mutex_unlock(&pool->lock);
}

// Takes the job out of the list and waits until no pool thread is in it. Locks: none on entry and
// exit.
static void join(prt_pool *pool, prt_job *job) {
  spin_until(&job->inside, true, 0);
  pthread_mutex_lock(&pool->lock);
  prt_job **link = &pool->jobs;
  while (*link != job) link = &(*link)->next;
  *link = job->next;
  while (atomic_load_explicit(&job->inside, memory_order_acquire))
    pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

// How many pieces there should be at least, so that none takes long.
static int64_t least_pieces(int64_t cost) { return cost == INT64_MAX ? 1 : cost / LONGEST_PIECE; }

// All of it on the calling thread: at once, unless that takes long.
static void run_inline(prt_worker *worker, const prt_job *job) {
  for (int32_t i = 0; i < job->pieces && (i == 0 || !ends(job, worker)); i++)
    run_piece(job, i, worker);
}

void prt__parallel_for(prt_worker *worker, int64_t count, int64_t grain, int64_t cost,
                       prt_body body, void *context) {
  if (count <= 0) return;
  if (grain < 1) grain = 1;
  prt_pool *pool = &worker->call->machine->pool;
  int32_t helpers = threads_wanted(pool);
  bool is_inline = helpers == 0 || count <= grain || worker->in_body;
  int64_t pieces = count / grain, most = is_inline ? 1 : (int64_t)(helpers + 1) * PIECES_PER_THREAD;
  if (most < least_pieces(cost)) most = least_pieces(cost);
  if (most > PRT_MOST_PIECES) most = PRT_MOST_PIECES;
  if (pieces > most) pieces = most;
  if (pieces < 1) pieces = 1;
  if (!is_inline && pieces >= 2 * (helpers + 1))
    pieces -= pieces % (helpers + 1); // as many for each
  prt_job job = {.call = worker->call,
                 .body = body,
                 .context = context,
                 .step = worker->step,
                 .count = count,
                 .pieces = (int32_t)pieces,
                 .threads = helpers + 1,
                 .is_long = least_pieces(cost) > 1};
  if (is_inline) {
    run_inline(worker, &job);
    return;
  }
  job.begun = now();
  post(pool, &job, job.pieces - 1, cost);
  work(&job, worker, pool);
  join(pool, &job);
}

void prt__pool_fini(prt_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->closing = true;
  // Also informs those that spin.
  atomic_fetch_add_explicit(&pool->posted, 1, memory_order_relaxed);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  for (int32_t i = 0; i < pool->started; i++) {
    pthread_join(pool->threads[i].thread, NULL);
    for (int k = 0; k < ARENA_COUNT; k++) prt__arena_fini(&pool->threads[i].worker.arenas[k]);
  }
  free(pool->threads);
  pthread_cond_destroy(&pool->wake);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->lock);
}
