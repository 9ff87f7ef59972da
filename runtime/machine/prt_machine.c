// SPDX-License-Identifier: Apache-2.0
// Machines: making, freeing, and the default one of the process.
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "check/prt_watch.h"
#include "race/prt_race_log.h"
#include "tasks/prt_task.h"
#include "transport/prt_ranks.h"
#include "host/prt_cpu.h"
#include "prt_fail.h"
#include "prt_machine.h"
#include "prt_scratch.h"

enum { DEFAULT_MAX_FINDINGS = 20, MAX_THREADS = 1024, MAX_DEVICES = 65536, WATCH_BYTES = 4096 };

void prt_machine_options_init_size(prt_machine_options *options, size_t size) {
  prt_machine_options known = {.size = size, .max_findings = DEFAULT_MAX_FINDINGS};
  memset(options, 0, size);
  memcpy(options, &known, size < sizeof known ? size : sizeof known);
}

// on_ending is the last that 0.1.0 had: what comes behind it stands in no struct that is given
// here.
void(prt_machine_options_init)(prt_machine_options *options) {
  prt_machine_options_init_size(options, offsetof(prt_machine_options, on_ending) +
                                             sizeof options->on_ending);
}

// Takes of the caller's struct what both sides know.
static prt_status take_options(prt_machine_options *out, const prt_machine_options *given) {
  prt_machine_options_init(out);
  if (!given) return PRT_OK;
  if (given->size < sizeof given->size || given->size > 4096)
    return prt__set_error(PRT_ERROR_ARGUMENT,
                          "prt_machine_new: the options were not made by prt_machine_options_init");
  memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
  if (out->threads < 0 || out->threads > MAX_THREADS)
    return prt__set_error(PRT_ERROR_ARGUMENT,
                          "prt_machine_new: threads is %d, not between 0 and %d", out->threads,
                          MAX_THREADS);
  if (out->devices < 0 || out->devices > MAX_DEVICES)
    return prt__set_error(PRT_ERROR_ARGUMENT,
                          "prt_machine_new: devices is %d, not between 0 and %d", out->devices,
                          MAX_DEVICES);
  if (out->chip && strlen(out->chip) >= sizeof((prt_machine *)0)->chip)
    return prt__set_error(PRT_ERROR_ARGUMENT, "prt_machine_new: there is no chip '%.40s'",
                          out->chip);
  return PRT_OK;
}

// PRT_THREADS, or the CPUs the process may run on.
static prt_status default_threads(int *threads) {
  const char *text = getenv("PRT_THREADS");
  *threads = prt__cpu_count();
  if (!text || !*text) return PRT_OK;
  char *end;
  long number = strtol(text, &end, 10); // the greatest if it is greater
  if (*end || number < 1 || number > MAX_THREADS)
    return prt__set_error(PRT_ERROR_ARGUMENT,
                          "PRT_THREADS is '%.40s', not a number between 1 and %d", text,
                          MAX_THREADS);
  *threads = (int)number;
  return PRT_OK;
}

static void locks_init(prt_machine *machine) {
  pthread_mutex_init(&machine->passed_lock, NULL);
  pthread_mutex_init(&machine->report_lock, NULL);
  pthread_mutex_init(&machine->seat_lock, NULL);
  pthread_mutex_init(&machine->slab_lock, NULL);
}

// ---- forks --------------------------------------------------------------------------------------
// A word that a forked child finds wiped, or NULL.
static _Atomic uint32_t *watch_forks(void) {
#ifdef MADV_WIPEONFORK
  void *page = mmap(NULL, WATCH_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  if (madvise(page, WATCH_BYTES, MADV_WIPEONFORK) == 0) {
    atomic_init((_Atomic uint32_t *)page, PRT_ALIVE);
    return page;
  }
  munmap(page, WATCH_BYTES);
#endif
  return NULL;
}

// Other threads of the parent may have held locks, and sat on seats: those stay taken.
void prt__machine_revive(prt_machine *machine) {
  uint32_t expected = PRT_WIPED;
  // The first thread to come does it; its release pairs with the acquire of the others.
  if (atomic_compare_exchange_strong_explicit(machine->alive, &expected, PRT_REVIVING,
                                              memory_order_acquire, memory_order_relaxed)) {
    locks_init(machine);
    prt__pool_revive(&machine->pool);
    atomic_store_explicit(machine->alive, PRT_ALIVE, memory_order_release);
  }
  while (atomic_load_explicit(machine->alive, memory_order_acquire) != PRT_ALIVE) sched_yield();
}

// ---- making and freeing -------------------------------------------------------------------------
prt_machine *prt_machine_new(const prt_machine_options *given) {
  prt_machine_options options;
  if (take_options(&options, given)) return NULL;
  if (!options.threads && default_threads(&options.threads)) return NULL;
  prt_machine *machine = calloc(1, sizeof *machine);
  if (!machine) {
    prt__set_error(PRT_ERROR_MEMORY, "prt_machine_new: out of memory");
    return NULL;
  }
  machine->options = options;
  machine->threads = options.threads;
  if (options.chip) memcpy(machine->chip, options.chip, strlen(options.chip) + 1);
  machine->options.chip = machine->chip;
  prt__cpu_features(machine->cpu_features);
  if (prt__pool_init(&machine->pool, machine->threads)) {
    free(machine);
    return NULL;
  }
  locks_init(machine);
  machine->alive = watch_forks();
  prt_transport *transport;
  prt_status status = prt__transport_open(&options, &transport);
  if (!status && transport) status = prt__ranks_attach(machine, transport);
  if (!status) return machine;
  prt_machine_free(machine);
  return NULL;
}

static void block_fini(prt_seat_block *block) {
  for (size_t i = 0; i < PRT_SEATS_PER_BLOCK; i++)
    for (int k = 0; k < ARENA_COUNT; k++) prt__arena_fini(&block->seats[i].worker.arenas[k]);
}

void prt_machine_ending(prt_machine *machine, int status, const char *text) {
  if (machine && machine->ranks) prt__ranks_ending(machine->ranks, status, text);
}

// The machine that NULL means. It must outlive every caller, so it is made once and never freed.
// Written with release; read with acquire.
static _Atomic(prt_machine *) default_machine;

void prt_machine_free(prt_machine *machine) {
  if (!machine || machine == atomic_load_explicit(&default_machine, memory_order_acquire)) return;
  prt__machine_wake(machine);
  prt__ranks_detach(machine);
  prt__pool_fini(&machine->pool);
  block_fini(&machine->seats);
  for (prt_seat_block *block = atomic_load(&machine->seats.next), *next; block; block = next) {
    next = atomic_load(&block->next);
    block_fini(block);
    free(block);
  }
  prt__race_passed_free(machine);
  prt__race_kept_free(machine);
  pthread_mutex_destroy(&machine->passed_lock);
  pthread_mutex_destroy(&machine->report_lock);
  pthread_mutex_destroy(&machine->seat_lock);
  prt__slabs_fini(machine);
  pthread_mutex_destroy(&machine->slab_lock);
  if (machine->alive) munmap(machine->alive, WATCH_BYTES);
  prt__kept_free(machine);
  free(machine->choices.drawn);
  free(machine->explored.drawn);
  free(machine);
}

prt_machine *prt_machine_default(void) {
  prt_machine *machine = atomic_load_explicit(&default_machine, memory_order_acquire);
  if (machine) return machine;
  prt_machine *made = prt_machine_new(NULL);
  if (!made || atomic_compare_exchange_strong_explicit(&default_machine, &machine, made,
                                                       memory_order_acq_rel, memory_order_acquire))
    return made;
  prt_machine_free(made); // another thread was first
  return machine;
}

static prt_machine *or_default(prt_machine *machine) {
  return machine ? machine : prt_machine_default();
}

// Nothing but loads and stores: a signal's handler may come here.
static void set_stop(prt_machine *machine, prt_stop stop) {
  if (!machine) machine = atomic_load_explicit(&default_machine, memory_order_acquire);
  if (machine) atomic_store_explicit(&machine->stop, stop, memory_order_relaxed);
}

void prt_machine_stop(prt_machine *machine, bool stop) {
  set_stop(machine, stop ? PRT_STOPS : PRT_GOES_ON);
}

void prt_machine_stop_silently(prt_machine *machine) { set_stop(machine, PRT_STOPS_SILENTLY); }

const prt_finding *prt_machine_deadlock(const prt_machine *machine) {
  return machine ? machine->deadlock : NULL;
}

int prt_machine_threads(prt_machine *machine) {
  machine = or_default(machine);
  return machine ? machine->threads : 0;
}

int prt_machine_devices(prt_machine *machine) {
  machine = or_default(machine);
  if (!machine) return 0;
  return machine->options.devices ? machine->options.devices : 1;
}

int prt_machine_rank(prt_machine *machine) {
  machine = or_default(machine);
  return machine && machine->ranks ? machine->ranks->rank : 0;
}

int prt_machine_ranks(prt_machine *machine) {
  machine = or_default(machine);
  return machine && machine->ranks ? machine->ranks->ranks : 1;
}

int64_t prt_machine_findings(prt_machine *machine) {
  machine = or_default(machine);
  return machine ? atomic_load_explicit(&machine->findings, memory_order_relaxed) : 0;
}

static void each_worker(prt_machine *machine, void (*visit)(prt_worker *)) {
  for (prt_seat_block *block = &machine->seats; block;
       block = atomic_load_explicit(&block->next, memory_order_acquire))
    for (size_t i = 0; i < PRT_SEATS_PER_BLOCK; i++) visit(&block->seats[i].worker);
  for (int32_t i = 0; i < machine->pool.started; i++) visit(&machine->pool.threads[i].worker);
}

static void trim(prt_worker *worker) {
  for (int i = 0; i < ARENA_COUNT; i++) {
    prt__arena_fini(&worker->arenas[i]);
    worker->arenas[i].wanted = 0;
  }
}

size_t prt_machine_footprint(prt_machine *machine) {
  machine = or_default(machine);
  if (!machine) return 0;
  prt__machine_wake(machine);
  return atomic_load_explicit(&machine->mapped, memory_order_relaxed) +
         prt__slabs_footprint(machine);
}

void prt_machine_trim(prt_machine *machine) {
  machine = or_default(machine);
  if (!machine) return;
  prt__machine_wake(machine);
  // The pool's lock orders us behind what its threads did last.
  pthread_mutex_lock(&machine->pool.lock);
  each_worker(machine, trim);
  pthread_mutex_unlock(&machine->pool.lock);
  prt__slabs_fini(machine);
}
