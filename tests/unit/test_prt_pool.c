// SPDX-License-Identifier: Apache-2.0
// Machines, calls and the pool: as compiled code and as programs use them.
#define _GNU_SOURCE // feenableexcept
#include <check.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "host/prt_cpu.h"
#include "machine/prt_call.h"
#include "machine/prt_machine.h"
#include "machine/prt_scratch.h"
#include "suite.h"

static const prt_entry plain_entry = {.abi_version = PRT_ABI_VERSION,
                                      .name = "plain",
                                      .devices = 1,
                                      .chip = "v5p",
                                      .cpu = "baseline"};

static prt_machine *machine_with(int threads) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = threads;
  prt_machine *machine = prt_machine_new(&options);
  ck_assert_ptr_nonnull(machine);
  return machine;
}

// ---- loops --------------------------------------------------------------------------------------
typedef struct Marks {
  _Atomic int *seen;
  int64_t grain, count;
  _Atomic int short_pieces;
} Marks;

static void mark(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  Marks *m = context;
  if (end - begin < m->grain && end != m->count) atomic_fetch_add(&m->short_pieces, 1);
  int64_t *scratch = prt__alloc(worker, PRT_VMEM, (size_t)(end - begin) * sizeof *scratch);
  ck_assert_int_eq((int64_t)((uintptr_t)scratch % 64), 0);
  for (int64_t i = begin; i < end; i++) scratch[i - begin] = i;
  for (int64_t i = begin; i < end; i++) atomic_fetch_add(&m->seen[scratch[i - begin]], 1);
}

static void loop_once(prt_machine *machine, int64_t count, int64_t grain) {
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  Marks marks = {
      .seen = calloc((size_t)count + 1, sizeof(_Atomic int)), .grain = grain, .count = count};
  prt__parallel_for(worker, count, grain, 0, mark, &marks);
  for (int64_t i = 0; i < count; i++) ck_assert_int_eq(atomic_load(&marks.seen[i]), 1);
  ck_assert_int_eq(atomic_load(&marks.short_pieces), 0);
  free(marks.seen);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
}

START_TEST(loops_cover_their_range) {
  for (int threads = 1; threads <= 5; threads++) {
    prt_machine *machine = machine_with(threads);
    for (int64_t count = 0; count < 70; count += 7)
      for (int64_t grain = 0; grain < 20; grain += 3) loop_once(machine, count, grain);
    loop_once(machine, 100003, 1);
    prt_machine_free(machine);
  }
}
END_TEST

static void inner(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  (void)worker;
  ck_assert(begin == 0 && end == 10); // in one piece, on the thread it is on
  atomic_fetch_add((_Atomic int64_t *)context, end - begin);
}
static void outer(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  for (int64_t i = begin; i < end; i++) prt__parallel_for(worker, 10, 1, 0, inner, context);
}
START_TEST(loops_may_be_nested) {
  prt_machine *machine = machine_with(3);
  prt_worker *worker;
  _Atomic int64_t total = 0;
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  prt__parallel_for(worker, 100, 1, 1000000, outer, &total);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  ck_assert_int_eq(atomic_load(&total), 1000);
  prt_machine_free(machine);
}
END_TEST

static void fail_at_500(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  (void)context;
  if (begin <= 500 && 500 < end) prt__fail(worker, PRT_ERROR_ARGUMENT, "number %d", 500);
}
START_TEST(a_failure_reaches_the_caller) {
  prt_machine *machine = machine_with(4);
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  prt__parallel_for(worker, 1000, 1, 1000000, fail_at_500, NULL);
  ck_assert(prt__has_failed(worker));
  prt__fail(worker, PRT_ERROR_IO, "too late");
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_ARGUMENT);
  ck_assert_str_eq(prt_error_message(), "plain: number 500");
  // The next call is a new one.
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}
END_TEST

// ---- who takes part -----------------------------------------------------------------------------
typedef struct Slow {
  long ns; // that a piece takes
  _Atomic int by_others;
} Slow;

static void sleep_ns(long ns) {
  struct timespec time = {ns / 1000000000, ns % 1000000000};
  nanosleep(&time, NULL);
}

static void slow(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  Slow *s = context;
  if (s->ns) sleep_ns(s->ns * (end - begin));
  if (prt__thread_index(worker)) atomic_fetch_add(&s->by_others, 1);
}

static void run_slow(prt_machine *machine, int64_t count, int64_t cost, Slow *s) {
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  prt__parallel_for(worker, count, 1, cost, slow, s);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
}

static void short_loops(prt_machine *machine) {
  Slow nothing = {0};
  run_slow(machine, 2, 0, &nothing);
  run_slow(machine, 1, 1000000, &nothing); // not shared
}

static void loops_far_apart(prt_machine *machine) {
  Slow nothing = {0};
  for (int i = 0; i < 20; i++) {
    run_slow(machine, 2, 0, &nothing);
    sleep_ns(100000);
  }
}

// Whether `loops` start no thread in one of some tries: the system may hold a loop up at any place,
// for which threads are started rightly.
static bool may_start_none(void (*loops)(prt_machine *machine)) {
  int32_t started = 1;
  for (int i = 0; i < 100 && started; i++) {
    prt_machine *machine = machine_with(2);
    loops(machine);
    started = machine->pool.started;
    prt_machine_free(machine);
  }
  return !started;
}

// A loop that is soon done starts no thread, one that says that it takes long does.
START_TEST(threads_are_started_for_what_is_worth_it) {
  ck_assert(may_start_none(short_loops));
  prt_machine *machine = machine_with(2);
  Slow nothing = {0};
  run_slow(machine, 2, 1000000, &nothing);
  ck_assert_int_eq(machine->pool.started, 1);
  prt_machine_free(machine);
}
END_TEST

// Of one that has not said so, the rest is shared.
START_TEST(a_long_loop_is_noticed) {
  prt_machine *machine = machine_with(2);
  Slow s = {.ns = 1000000};
  run_slow(machine, 64, 0, &s);
  ck_assert_int_gt(s.by_others, 0);
  prt_machine_free(machine);
}
END_TEST

START_TEST(loops_that_follow_each_other_start_threads) {
  prt_machine *machine = machine_with(2);
  Slow nothing = {0};
  for (int i = 0; i < 10000 && machine->pool.started == 0; i++) run_slow(machine, 2, 0, &nothing);
  ck_assert_int_eq(machine->pool.started, 1);
  prt_machine_free(machine);
  ck_assert(may_start_none(loops_far_apart));
}
END_TEST

static void note_first(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  _Atomic int64_t *first = context;
  int64_t none = -1;
  if (prt__thread_index(worker)) atomic_compare_exchange_strong(first, &none, begin);
  sleep_ns(1000000 * (end - begin));
}

// So that loops over the same arrays find them in the caches.
START_TEST(a_thread_begins_with_its_share) {
  prt_machine *machine = machine_with(2);
  prt_worker *worker;
  _Atomic int64_t first = -1;
  for (int i = 0; i < 2; i++) {
    atomic_store(&first, -1);
    ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
    prt__parallel_for(worker, 160, 1, 1000000000, note_first, &first);
    ck_assert_int_eq(prt__leave(worker), PRT_OK);
  }
  ck_assert_int_eq(first, 80);
  prt_machine_free(machine);
}
END_TEST

// More pieces than a word has bits.
START_TEST(many_threads_have_many_pieces) {
  prt_machine *machine = machine_with(100);
  loop_once(machine, 1, 1);
  loop_once(machine, 100000, 1);
  loop_once(machine, 511, 1);
  loop_once(machine, 513, 1);
  prt_machine_free(machine);
}
END_TEST

// And may go back to it later.
START_TEST(a_thread_leaves_a_cpu) {
  cpu_set_t before, after;
  ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
  int left = 0;
  for (int i = 0; i < 20; i++) {
    int cpu = sched_getcpu();
    prt__leave_cpu(cpu);
    left += sched_getcpu() != cpu;
  }
  ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
  ck_assert(CPU_EQUAL(&before, &after));
  ck_assert(left > 0 || CPU_COUNT(&before) == 1);
  int here = sched_getcpu();
  prt__leave_cpu(-1);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(here, &one);
  ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
  prt__leave_cpu(here); // there is no other
  ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
  ck_assert(CPU_EQUAL(&one, &after));
  ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);
}
END_TEST

// ---- many callers -------------------------------------------------------------------------------
static void *caller(void *machine) {
  for (int i = 0; i < 200; i++) loop_once(machine, 1 + i % 50, 1);
  return NULL;
}
START_TEST(many_threads_call_at_once) {
  enum { CALLERS = 40 }; // more than a block of seats
  prt_machine *machine = machine_with(2);
  pthread_t threads[CALLERS];
  for (int i = 0; i < CALLERS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, caller, machine), 0);
  for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
  prt_machine_free(machine);
}
END_TEST

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_FORK // the sanitizer lets no threads start after a fork
#endif
#elif defined(__SANITIZE_THREAD__)
#define NO_FORK
#endif

#ifndef NO_FORK
// ---- floating point -----------------------------------------------------------------------------
static void divide(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  (void)worker;
  volatile float *out = context, three = 3, zero = 0;
  for (int64_t i = begin; i < end; i++) out[i] = 5 / (i % 2 ? zero : three);
}

// A caller that rounds upward and traps has results of kernels that are rounded to nearest, on
// each thread, no trap, and then its own mode again.
START_TEST(results_do_not_depend_on_the_callers_mode) {
  enum { COUNT = 4000 };
  static float out[COUNT];
  fenv_t before, own;
  fegetenv(&before);
  fesetround(FE_UPWARD);
  feenableexcept(FE_DIVBYZERO | FE_INVALID);
  fegetenv(&own);
  prt_machine *machine = machine_with(4);
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  prt__parallel_for(worker, COUNT, 1, 1000000, divide, out);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  fenv_t after;
  fegetenv(&after);
  fesetenv(&before);
  ck_assert_mem_eq(&own, &after, sizeof own);
  for (int i = 0; i < COUNT; i++) ck_assert(out[i] == (i % 2 ? INFINITY : 0x1.aaaaaap0f));
  prt_machine_free(machine);
}
END_TEST

// AddressSanitizer has locks that a thread holds where it begins, and that a fork keeps.
static void meet(void *context, int64_t begin, int64_t end, prt_worker *worker) {
  (void)worker;
  _Atomic int64_t *there = context;
  atomic_fetch_add(there, end - begin);
  while (atomic_load(there) < 3) sleep_ns(1000);
}

static void all_have_begun(prt_machine *machine) {
  prt_worker *worker;
  _Atomic int64_t there = 0;
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  prt__parallel_for(worker, 3, 1, 1000000, meet, &there);
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
}

START_TEST(a_machine_survives_a_fork) {
  prt_machine *machine = machine_with(3);
  all_have_begun(machine);
  loop_once(machine, 1000, 1);
  pid_t child = fork();
  if (child == 0) {
    loop_once(machine, 1000, 1);
    prt_machine_free(machine);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), 7);
  loop_once(machine, 1000, 1);
  prt_machine_free(machine);
}
END_TEST

// One thread prints, and so holds a lock, while another one forks.
typedef struct Printing {
  prt_machine *machine;
  sem_t inside, go;
  _Atomic bool waits;
} Printing;

static void wait_while_printing(void *data, const char *text, size_t length) {
  Printing *p = data;
  (void)text, (void)length;
  if (!atomic_exchange(&p->waits, false)) return;
  sem_post(&p->inside);
  sem_wait(&p->go);
}

static void *print_once(void *data) {
  Printing *p = data;
  prt_worker *worker;
  if (prt__enter(p->machine, &plain_entry, &worker) != PRT_OK) return NULL;
  prt__debug_print(worker, "printed", 0, NULL);
  return prt__leave(worker) == PRT_OK ? data : NULL;
}

static void fork_while_printing(int threads) {
  Printing p = {.waits = true};
  sem_init(&p.inside, 0, 0);
  sem_init(&p.go, 0, 0);
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = threads;
  options.on_print = wait_while_printing;
  options.data = &p;
  p.machine = prt_machine_new(&options);
  pthread_t printer;
  ck_assert_int_eq(pthread_create(&printer, NULL, print_once, &p), 0);
  sem_wait(&p.inside);
  pid_t child = fork();
  if (child == 0) {
    bool printed = print_once(&p) != NULL;
    prt_machine_free(p.machine);
    _exit(printed ? 7 : 1);
  }
  sem_post(&p.go);
  int status = 0;
  waitpid(child, &status, 0);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  pthread_join(printer, NULL);
  prt_machine_free(p.machine);
}

START_TEST(a_fork_may_catch_locks) {
  fork_while_printing(1);
  fork_while_printing(3);
}
END_TEST
#endif

// ---- memory -------------------------------------------------------------------------------------
START_TEST(scratch_is_kept_and_reused) {
  prt_machine *machine = machine_with(1);
  size_t footprint = 0;
  void *first = NULL;
  for (int i = 0; i < 5; i++) {
    prt_worker *worker;
    ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
    void *memory = prt__alloc(worker, PRT_HBM, 5 << 20);
    memset(memory, 1, 5 << 20);
    for (int k = 0; k < 100; k++) memset(prt__alloc(worker, PRT_VMEM, 100000), 2, 100000);
    ck_assert_int_eq(prt__leave(worker), PRT_OK);
    if (i == 2) {
      footprint = prt_machine_footprint(machine);
      first = memory;
    }
    if (i > 2) {
      ck_assert_uint_eq(prt_machine_footprint(machine), footprint);
      ck_assert_ptr_eq(memory, first);
    }
  }
  prt_machine_trim(machine);
  ck_assert_uint_eq(prt_machine_footprint(machine), 0);
  prt_machine_free(machine);
}
END_TEST

// Chunks come with each call, and go at its end, when they become one.
static void *calls_that_grow(void *machine) {
  for (int i = 0; i < 200; i++) {
    prt_worker *worker;
    if (prt__enter(machine, &plain_entry, &worker)) return machine;
    for (int k = 0; k < 40 + i; k++) prt__alloc(worker, PRT_VMEM, 20000);
    if (prt__leave(worker)) return machine;
  }
  return NULL;
}

START_TEST(a_footprint_is_asked_for_while_calls_run) {
  prt_machine *machine = machine_with(1);
  pthread_t thread;
  void *failed;
  size_t most = 0;
  ck_assert_int_eq(pthread_create(&thread, NULL, calls_that_grow, machine), 0);
  for (int i = 0; i < 20000; i++) {
    size_t footprint = prt_machine_footprint(machine);
    if (footprint > most) most = footprint;
  }
  pthread_join(thread, &failed);
  ck_assert_ptr_null(failed);
  ck_assert_uint_lt(most, 64 << 20);
  ck_assert_uint_gt(prt_machine_footprint(machine), 4 << 20);
  prt_machine_free(machine);
}
END_TEST

// Arrays get huge pages from the first byte on; a core's memory is small.
START_TEST(scratch_is_as_large_as_its_space) {
  static const int32_t spaces[] = {PRT_HBM,         PRT_HOST, PRT_VMEM,
                                   PRT_VMEM_SHARED, PRT_SMEM, PRT_CMEM};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    prt_machine *machine = machine_with(1);
    prt_worker *worker;
    ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
    bool is_core = spaces[i] != PRT_HBM && spaces[i] != PRT_HOST;
    for (int k = 0; k < 3; k++) ck_assert_ptr_nonnull(prt__alloc(worker, spaces[i], 100));
    ck_assert_uint_eq(prt_machine_footprint(machine), is_core ? 256 << 10 : PRT_HUGE_PAGE);
    ck_assert_int_eq(prt__leave(worker), PRT_OK);
    prt_machine_free(machine);
  }
}
END_TEST

static size_t mapped_pages(void) {
  size_t pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  ck_assert_int_eq(fscanf(f, "%zu", &pages), 1);
  fclose(f);
  return pages;
}

// Memory of a huge page or more begins at one, and all of it goes back.
START_TEST(mappings_are_aligned_and_given_back) {
  static const size_t sizes[] = {1,
                                 4096,
                                 5000,
                                 PRT_HUGE_PAGE - 4096,
                                 PRT_HUGE_PAGE - 1,
                                 PRT_HUGE_PAGE,
                                 PRT_HUGE_PAGE + 1,
                                 3 * PRT_HUGE_PAGE,
                                 5 * PRT_HUGE_PAGE + 4097};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  size_t before = 0;
  for (int again = 0; again < 5; again++) {
    char *maps[SIZES], *odd[SIZES];
    for (int i = 0; i < SIZES; i++) {
      odd[i] = prt__map(4096 * (size_t)(i + 1)); // so that the next one begins anywhere
      maps[i] = prt__map(sizes[i]);
      ck_assert_ptr_nonnull(maps[i]);
      size_t unit = sizes[i] >= PRT_HUGE_PAGE ? PRT_HUGE_PAGE : 4096;
      ck_assert_uint_eq((uintptr_t)maps[i] % unit, 0);
      maps[i][0] = maps[i][sizes[i] - 1] = 1;
    }
    for (int i = 0; i < SIZES; i++) {
      prt__unmap(maps[i], sizes[i]);
      prt__unmap(odd[i], 4096 * (size_t)(i + 1));
    }
    if (again == 1) before = mapped_pages();
  }
  ck_assert_uint_eq(mapped_pages(), before);
  ck_assert_ptr_null(prt__map(SIZE_MAX));
  ck_assert_ptr_null(prt__map(SIZE_MAX - PRT_HUGE_PAGE - 5));
  prt__unmap(NULL, 5);
}
END_TEST

START_TEST(marks_give_memory_back) {
  prt_machine *machine = machine_with(1);
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(machine, &plain_entry, &worker), PRT_OK);
  prt_mark before, mark;
  prt__mark(worker, &before); // before there is any chunk
  char *kept = prt__alloc(worker, PRT_VMEM, 1000);
  memset(kept, 3, 1000);
  prt__mark(worker, &mark);
  size_t footprint = 0;
  for (int i = 0; i < 1000; i++) {
    memset(prt__alloc(worker, PRT_VMEM, 1 << 20), i, 1 << 20);
    prt__release(worker, &mark);
    if (i == 0) footprint = prt_machine_footprint(machine);
  }
  ck_assert_uint_eq(prt_machine_footprint(machine), footprint);
  for (int i = 0; i < 1000; i++) ck_assert_int_eq(kept[i], 3);
  prt__release(worker, &before);
  ck_assert_ptr_nonnull(prt__alloc(worker, PRT_SMEM, 0));
  ck_assert_int_eq(prt__leave(worker), PRT_OK);
  prt_machine_free(machine);
}
END_TEST

START_TEST(no_memory_is_a_status) {
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(NULL, &plain_entry, &worker), PRT_OK);
  for (size_t less = 0; less < 5000; less += 100) // too many for pages, or for lines
    ck_assert_ptr_null(prt__alloc(worker, less % 200 ? PRT_HBM : PRT_VMEM, SIZE_MAX - less));
  ck_assert_ptr_null(prt__alloc(worker, PRT_VMEM, (size_t)1 << 60));
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_MEMORY);
  ck_assert_ptr_nonnull(strstr(prt_error_message(), "out of memory"));
}
END_TEST

// ---- what a machine refuses ---------------------------------------------------------------------
START_TEST(entries_for_other_machines_are_refused) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.chip = "v5p";
  options.devices = 2;
  prt_machine *machine = prt_machine_new(&options);
  prt_entry entry = plain_entry;
  prt_worker *worker;
  entry.abi_version = 99;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_ERROR_MACHINE);
  entry = plain_entry;
  entry.chip = "v4";
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_ERROR_MACHINE);
  ck_assert_str_eq(prt_error_message(), "plain: compiled for the chip v4, the machine is a v5p");
  ck_assert_int_eq(prt__enter(NULL, &entry, &worker), PRT_OK);
  prt__leave(worker);
  entry = plain_entry;
  entry.devices = 4;
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_ERROR_MACHINE);
  ck_assert_str_eq(prt_error_message(), "plain: compiled for 4 devices, the machine has 2");
  entry = plain_entry;
  entry.cpu_features[1] = (uint64_t)1 << 63;
  entry.cpu = "z9000";
  ck_assert_int_eq(prt__enter(machine, &entry, &worker), PRT_ERROR_CPU);
  ck_assert_str_eq(
      prt_error_message(),
      "plain: compiled for the CPU 'z9000'; this one has no features this runtime does not know; "
      "'pallasc --target-cpu' makes code for CPUs with less, as x86-64-v3 (AVX2) and x86-64-v2 "
      "are");
  ck_assert_int_eq(prt_entry_supported(&entry), PRT_ERROR_CPU);
  prt_machine_free(machine);
}
END_TEST

static void refuses_options(const prt_machine_options *options, const char *message) {
  ck_assert_ptr_null(prt_machine_new(options));
  ck_assert_msg(strstr(prt_error_message(), message) != NULL, "%s", prt_error_message());
}

START_TEST(the_largest_options_are_taken) {
  prt_machine_options options, fine;
  prt_machine_options_init(&fine);
  options = fine, options.threads = 1024;
  prt_machine *machine = prt_machine_new(&options);
  ck_assert_ptr_nonnull(machine);
  prt_machine_free(machine);
  options = fine, options.devices = 65536;
  machine = prt_machine_new(&options);
  ck_assert_ptr_nonnull(machine);
  prt_machine_free(machine);
}
END_TEST

// A program of a later version has options that are not known here.
START_TEST(options_may_be_longer) {
  struct {
    prt_machine_options known;
    char later[4097 - sizeof(prt_machine_options)];
  } options = {.later = ""};
  prt_machine_options_init(&options.known);
  options.known.size = 4096;
  prt_machine *machine = prt_machine_new(&options.known);
  ck_assert_ptr_nonnull(machine);
  prt_machine_free(machine);
  options.known.size = 4097;
  refuses_options(&options.known, "not made by prt_machine_options_init");
  options.known.size = sizeof options.known.size - 1;
  refuses_options(&options.known, "not made by prt_machine_options_init");
}
END_TEST

// A program of an earlier version has fewer, and other things behind them.
START_TEST(options_of_an_older_header_keep_what_is_behind) {
  enum { SHORT = offsetof(prt_machine_options, keeps_unwritten) };
  union {
    prt_machine_options known;
    unsigned char bytes[4096];
  } options;
  memset(&options, 0xfd, sizeof options);
  prt_machine_options_init_size(&options.known, SHORT);
  ck_assert_uint_eq(options.known.size, SHORT);
  ck_assert_int_eq(options.known.max_findings, 20);
  for (size_t i = SHORT; i < sizeof options; i++) ck_assert_uint_eq(options.bytes[i], 0xfd);
  prt_machine *machine = prt_machine_new(&options.known);
  ck_assert_ptr_nonnull(machine);
  prt_machine_free(machine);
  (prt_machine_options_init)(&options.known); // looked up by its name, without the header
  ck_assert_uint_eq(options.known.size, offsetof(prt_machine_options, on_ending) + sizeof(void *));
}
END_TEST

START_TEST(bad_options_are_refused) {
  prt_machine_options options, fine;
  prt_machine_options_init(&fine);
  options = fine, options.threads = -1;
  refuses_options(&options, "threads is -1, not between 0 and 1024");
  options = fine, options.threads = 1025;
  refuses_options(&options, "threads is 1025, not between 0 and 1024");
  options = fine, options.devices = -1;
  refuses_options(&options, "devices is -1, not between 0 and 65536");
  options = fine, options.devices = 65537;
  refuses_options(&options, "devices is 65537, not between 0 and 65536");
  options = fine, options.chip = "a-chip-with-a-name-that-is-much-too-long-to-be-one";
  refuses_options(&options, "there is no chip 'a-chip-with-a-name-that-is-much-too-long'");
  memset(&options, 0, sizeof options);
  refuses_options(&options, "not made by prt_machine_options_init");
  options = fine, options.size = 4097;
  refuses_options(&options, "not made by prt_machine_options_init");
  options = fine, options.transport = "../mpi";
  refuses_options(&options, "there is no transport '../mpi'");
  options = fine, options.transport = "of_nobody";
  refuses_options(&options, "the transport 'of_nobody' cannot be loaded: ");
  static const char *const none[] = {NULL, "", "none"};
  for (int i = 0; i < 3; i++) {
    options = fine, options.transport = none[i];
    options.threads = options.devices = 2;
    options.chip = "v5p";
    prt_machine *machine = prt_machine_new(&options);
    ck_assert_int_eq(prt_machine_threads(machine), 2);
    ck_assert_int_eq(prt_machine_devices(machine), 2);
    prt_machine_free(machine);
  }
}
END_TEST

// Those of a program that was compiled with another version of the header.
START_TEST(options_may_be_shorter_or_longer) {
  struct {
    prt_machine_options options;
    char more[4096 - sizeof(prt_machine_options)]; // the longest that they may be
  } longer = {0};
  prt_machine_options_init(&longer.options);
  size_t size = longer.options.size;
  longer.options.threads = 3;
  longer.options.seeded = true; // of the shorter ones it is none
  for (int i = 0; i < 2; i++) {
    longer.options.size = i ? size + sizeof longer.more : offsetof(prt_machine_options, on_finding);
    prt_machine *machine = prt_machine_new(&longer.options);
    ck_assert_int_eq(prt_machine_threads(machine), 3);
    ck_assert_int_eq(prt_machine_schedule(machine, "late"), i ? PRT_OK : PRT_ERROR_ARGUMENT);
    prt_machine_free(machine);
  }
}
END_TEST

START_TEST(null_is_the_default_machine) {
  ck_assert_int_eq(prt_machine_schedule(NULL, "late"), PRT_ERROR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(prt_error_message(), "the default machine"));
  ck_assert_ptr_null(prt_machine_deadlock(NULL));
  prt_machine_ending(NULL, 1, "nothing");
  prt_machine *machine = prt_machine_default();
  prt_machine_free(machine); // it lives on
  ck_assert_ptr_eq(prt_machine_default(), machine);
  ck_assert_int_ge(prt_machine_threads(NULL), 1);
}
END_TEST

START_TEST(schedules_are_words) {
  static const char *const good[] = {"late",
                                     "early",
                                     "links",
                                     "seed=0",
                                     "seed=9223372036854775807",
                                     "late,seed=1",
                                     "draws=none",
                                     "draws=none,early",
                                     "draws=3+9+20-29,late",
                                     "steps=1",
                                     "lose=1",
                                     "double=1",
                                     "lose=19,double=20,steps=5"};
  static const char *const bad[] = {"",
                                    "late,",
                                    ",late",
                                    "late early",
                                    "later",
                                    "latelate",
                                    "seed",
                                    "seed=",
                                    "seed=-1",
                                    "seed=/",
                                    "seed=:",
                                    "seed=1x",
                                    "seed=9223372036854775808",
                                    "seed=92233720368547758070",
                                    "steps=0",
                                    "steps=",
                                    "lose=0",
                                    "lose=",
                                    "double=0",
                                    "double=",
                                    "draws=",
                                    "draws=+1",
                                    "draws=1+",
                                    "draws=1-",
                                    "draws=-1",
                                    "draws=1-2-3",
                                    "draws=nothing",
                                    "draws=none1"};
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.seeded = true;
  prt_machine *machine = prt_machine_new(&options);
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    ck_assert_msg(prt_machine_schedule(machine, good[i]) == PRT_OK, "%s", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    ck_assert_msg(prt_machine_schedule(machine, bad[i]) == PRT_ERROR_ARGUMENT, "%s", bad[i]);
    char message[100];
    snprintf(message, sizeof message, "there is no schedule '%s'", bad[i]);
    ck_assert_str_eq(prt_error_message(), message);
  }
  ck_assert_int_eq(prt_machine_schedule(machine, NULL), PRT_OK);
  prt_machine_free(machine);
}
END_TEST

START_TEST(threads_are_a_number) {
  static const char *const bad[] = {
      "many", "0", "-1", "1025", "4x", "4 5", "99999999999999999999", "-99999999999999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[100];
    setenv("PRT_THREADS", bad[i], 1);
    snprintf(message, sizeof message, "PRT_THREADS is '%s', not a number between 1 and 1024",
             bad[i]);
    refuses_options(NULL, message);
  }
  static const char *const good[] = {"1", "3", "17"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    setenv("PRT_THREADS", good[i], 1);
    prt_machine *machine = prt_machine_new(NULL), *other = machine_with(2);
    ck_assert_int_eq(prt_machine_threads(machine), atoi(good[i]));
    ck_assert_int_eq(prt_machine_threads(other), 2); // who says so needs none
    prt_machine_free(machine);
    prt_machine_free(other);
  }
  setenv("PRT_THREADS", "", 1);
  prt_machine *machine = prt_machine_new(NULL);
  ck_assert_int_ge(prt_machine_threads(machine), 1);
  prt_machine_free(machine);
  prt_machine_free(NULL);
}
END_TEST

// ---- code for several sizes ---------------------------------------------------------------------
static int64_t called_with[2];
static prt_status note_call(prt_machine *machine, void *const *arguments) {
  (void)machine;
  called_with[0] = *(const int64_t *)arguments[0];
  return PRT_OK;
}

START_TEST(sizes_choose_the_code) {
  static const int64_t sizes[][2] = {{16, 3}, {8, 3}, {16, 5}};
  static const prt_param params[] = {{.name = "n"}, {.name = "m"}, {.name = "x"}};
  prt_entry variants[3], entry = plain_entry;
  const prt_entry *list[3], *found;
  for (int i = 0; i < 3; i++) {
    variants[i] = plain_entry;
    variants[i].sizes = sizes[i];
    variants[i].call = note_call;
    list[i] = &variants[i];
  }
  entry.params = params;
  entry.param_count = 3;
  entry.size_count = 2;
  entry.variant_count = 3;
  entry.variants = list;
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(prt_entry_for_sizes(&entry, sizes[i], &found), PRT_OK);
    ck_assert_ptr_eq(found, &variants[i]);
  }
  static const struct {
    int64_t sizes[2];
    const char *text;
  } bad[] = {{{7, 3}, "n = 7, m = 3; n is one of 16, 8"},
             {{8, -4}, "n = 8, m = -4; m is one of 3, 5"},
             {{7, 4}, "n = 7, m = 4; n is one of 16, 8; m is one of 3, 5"},
             {{8, 5}, "n = 8, m = 5; there is n = 16, m = 3; n = 8, m = 3; n = 16, m = 5"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[200];
    ck_assert_int_eq(prt_entry_for_sizes(&entry, bad[i].sizes, &found), PRT_ERROR_ARGUMENT);
    ck_assert_ptr_null(found);
    snprintf(message, sizeof message, "plain: there is no code for %s", bad[i].text);
    ck_assert_str_eq(prt_error_message(), message);
  }
  int64_t n = 16, m = 5, x = 77;
  ck_assert_int_eq(prt__call_for_sizes(NULL, &entry, (void *[]){&n, &m, &x}), PRT_OK);
  ck_assert_int_eq(called_with[0], 77); // behind the sizes
  ck_assert_int_eq(prt__call_for_sizes(NULL, &entry, (void *[]){&n, NULL, &x}), PRT_ERROR_ARGUMENT);
  ck_assert_str_eq(prt_error_message(), "plain: argument 'm' is NULL");
  ck_assert_int_eq(prt_entry_for_sizes(&variants[1], NULL, &found), PRT_OK); // has one
  ck_assert_ptr_eq(found, &variants[1]);
  entry.abi_version++;
  ck_assert_int_eq(prt_entry_for_sizes(&entry, sizes[0], &found), PRT_ERROR_MACHINE);
}
END_TEST

// A message that is longer than there is room for is cut.
START_TEST(many_sizes_are_cut) {
  enum { VARIANTS = 400 };
  static int64_t sizes[VARIANTS][1];
  static prt_entry variants[VARIANTS];
  static const prt_entry *list[VARIANTS], *found;
  static const prt_param params[] = {{.name = "n"}};
  prt_entry entry = plain_entry;
  for (int i = 0; i < VARIANTS; i++) {
    sizes[i][0] = 1000000 + i;
    variants[i] = plain_entry;
    variants[i].sizes = sizes[i];
    list[i] = &variants[i];
  }
  entry.params = params;
  entry.param_count = entry.size_count = 1;
  entry.variant_count = VARIANTS;
  entry.variants = list;
  ck_assert_int_eq(prt_entry_for_sizes(&entry, &(int64_t){5}, &found), PRT_ERROR_ARGUMENT);
  const char *head = "plain: there is no code for n = 5; n is one of 1000000, 1000001, ";
  ck_assert_int_eq(strncmp(prt_error_message(), head, strlen(head)), 0);
  ck_assert_uint_eq(strlen(prt_error_message()), PRT_MESSAGE_SIZE - 1);
}
END_TEST

static int32_t parked(prt_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  int32_t count = pool->parked;
  pthread_mutex_unlock(&pool->lock);
  return count;
}

START_TEST(threads_without_work_sleep) {
  prt_machine *machine = machine_with(4);
  loop_once(machine, 1000, 1);
  prt_pool *pool = &machine->pool;
  for (int i = 0; i < 20000 && parked(pool) < pool->started; i++) usleep(1000);
  ck_assert_int_eq(parked(pool), pool->started);
  prt_machine_free(machine);
}
END_TEST

START_TEST(null_arguments_are_named) {
  static const prt_param params[] = {{"x", "x", PRT_IN, PRT_F32, 0, NULL},
                                     {"y", "y", PRT_IN, PRT_F32, 0, NULL}};
  prt_entry entry = plain_entry;
  entry.params = params;
  entry.param_count = 2;
  prt_worker *worker;
  ck_assert_int_eq(prt__enter(NULL, &entry, &worker), PRT_OK);
  prt__fail_null(worker, 1);
  ck_assert_int_eq(prt__leave(worker), PRT_ERROR_ARGUMENT);
  ck_assert_str_eq(prt_error_message(), "plain: argument 'y' is NULL");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_pool");
  TCase *tcase = tcase_create("all");
  tcase_set_timeout(tcase, 120);
  tcase_add_test(tcase, loops_cover_their_range);
  tcase_add_test(tcase, loops_may_be_nested);
  tcase_add_test(tcase, a_failure_reaches_the_caller);
  tcase_add_test(tcase, threads_are_started_for_what_is_worth_it);
  tcase_add_test(tcase, a_long_loop_is_noticed);
  tcase_add_test(tcase, loops_that_follow_each_other_start_threads);
  tcase_add_test(tcase, a_thread_begins_with_its_share);
  tcase_add_test(tcase, many_threads_have_many_pieces);
  tcase_add_test(tcase, a_thread_leaves_a_cpu);
  tcase_add_test(tcase, many_threads_call_at_once);
#ifndef NO_FORK
  tcase_add_test(tcase, results_do_not_depend_on_the_callers_mode);
  tcase_add_test(tcase, a_machine_survives_a_fork);
  tcase_add_test(tcase, a_fork_may_catch_locks);
#endif
  tcase_add_test(tcase, scratch_is_kept_and_reused);
  tcase_add_test(tcase, a_footprint_is_asked_for_while_calls_run);
  tcase_add_test(tcase, scratch_is_as_large_as_its_space);
  tcase_add_test(tcase, mappings_are_aligned_and_given_back);
  tcase_add_test(tcase, marks_give_memory_back);
  tcase_add_test(tcase, no_memory_is_a_status);
  tcase_add_test(tcase, entries_for_other_machines_are_refused);
  tcase_add_test(tcase, bad_options_are_refused);
  tcase_add_test(tcase, the_largest_options_are_taken);
  tcase_add_test(tcase, options_may_be_longer);
  tcase_add_test(tcase, null_is_the_default_machine);
  tcase_add_test(tcase, options_of_an_older_header_keep_what_is_behind);
  tcase_add_test(tcase, options_may_be_shorter_or_longer);
  tcase_add_test(tcase, schedules_are_words);
  tcase_add_test(tcase, threads_are_a_number);
  tcase_add_test(tcase, sizes_choose_the_code);
  tcase_add_test(tcase, many_sizes_are_cut);
  tcase_add_test(tcase, threads_without_work_sleep);
  tcase_add_test(tcase, null_arguments_are_named);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
