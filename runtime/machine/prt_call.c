// SPDX-License-Identifier: Apache-2.0
// Calls of entry points: a seat to sit on, the checks at the door, failures.
#include <stdlib.h>
#include <string.h>
#include "check/prt_finding.h"
#include "check/prt_watch.h"
#include "race/prt_race_log.h"
#include "tasks/prt_task.h"
#include "transport/prt_ranks.h"
#include "prt_float.h"
#include "prt_fail.h"
#include "prt_machine.h"

// Where a thread starts to look for a seat: the same thread finds the same one, warm, as long as it
// is free.
static size_t seat_hint(void) {
  uint64_t id = (uint64_t)(uintptr_t)pthread_self();
  return (size_t)((id >> 12) * 0x9E3779B97F4A7C15u >> 40) % PRT_SEATS_PER_BLOCK;
}

static bool seat_take(prt_seat *seat) {
  return !atomic_load_explicit(&seat->taken, memory_order_relaxed) &&
         !atomic_exchange_explicit(&seat->taken, true, memory_order_acquire);
}

// Locks: none on entry and exit; takes seat_lock. A block stays until the machine goes.
static prt_seat_block *add_block(prt_machine *machine, prt_seat_block *last) {
  pthread_mutex_lock(&machine->seat_lock);
  prt_seat_block *block = atomic_load_explicit(&last->next, memory_order_acquire);
  if (!block) {
    block = calloc(1, sizeof *block);
    if (block) atomic_store_explicit(&last->next, block, memory_order_release);
  }
  pthread_mutex_unlock(&machine->seat_lock);
  return block;
}

static prt_seat *find_seat(prt_machine *machine, size_t hint) {
  prt_seat_block *block = &machine->seats;
  while (block) {
    for (size_t i = 0; i < PRT_SEATS_PER_BLOCK; i++) {
      prt_seat *seat = &block->seats[(hint + i) % PRT_SEATS_PER_BLOCK];
      if (seat_take(seat)) return seat;
    }
    prt_seat_block *next = atomic_load_explicit(&block->next, memory_order_acquire);
    block = next ? next : add_block(machine, block);
  }
  return NULL;
}

static inline prt_seat *take_seat(prt_machine *machine) {
  size_t hint = seat_hint();
  prt_seat *usual = &machine->seats.seats[hint];
  return seat_take(usual) ? usual : find_seat(machine, hint);
}

static prt_status refuse_machine(const prt_machine *machine, const prt_entry *entry) {
  if (prt__refuse_version(entry)) return PRT_ERROR_MACHINE;
  if (prt__refuse_cpu(entry, machine->cpu_features)) return PRT_ERROR_CPU;
  if (machine->chip[0] && strcmp(machine->chip, entry->chip) != 0)
    return prt__set_error(PRT_ERROR_MACHINE, "%s: compiled for the chip %s, the machine is a %s",
                          entry->name, entry->chip, machine->chip);
  if (machine->options.devices && entry->devices > machine->options.devices)
    return prt__set_error(PRT_ERROR_MACHINE, "%s: compiled for %d devices, the machine has %d",
                          entry->name, entry->devices, machine->options.devices);
  return PRT_OK;
}

static _Thread_local struct {
  void *const *memory;
  size_t count;
  const prt_early_read *early_reads;
  size_t early_count;
  int64_t run;
} next_call;

void prt_results_unread(void *const *memory, size_t count) {
  next_call.memory = memory;
  next_call.count = memory ? count : 0;
}

void prt_calls_of_run(int64_t run) { next_call.run = run; }

void prt_results_read_early(const prt_early_read *reads, size_t count) {
  next_call.early_reads = reads;
  next_call.early_count = count;
}

// Inline: most calls do little else.
static inline prt_status enter(prt_machine *machine, const prt_entry *entry, void *const *arguments,
                               prt_worker **worker) {
  if (!machine) machine = prt_machine_default();
  if (!machine) return prt__last_error(); // as it was set, with its message
  bool fits = entry->abi_version == PRT_ABI_VERSION &&
              !(entry->cpu_features[0] & ~machine->cpu_features[0]) &&
              !(entry->cpu_features[1] & ~machine->cpu_features[1]) && !machine->chip[0] &&
              !machine->options.devices;
  if (!fits) {
    prt_status status = refuse_machine(machine, entry);
    if (status) return status;
  }
  prt__machine_wake(machine);
  prt_seat *seat = take_seat(machine);
  if (!seat) return prt__set_error(PRT_ERROR_MEMORY, "%s: out of memory", entry->name);
  // Before the stores: to write the register waits for those on their way, 45 ns of a call.
  uint64_t float_mode = prt__float_mode_set();
  prt_call *call = &seat->call;
  call->machine = machine;
  call->entry = entry;
  call->arguments = arguments;
  call->unread = next_call.memory;
  call->unread_count = next_call.count;
  call->early_reads = next_call.early_reads;
  call->early_count = next_call.early_count;
  call->run = next_call.run;
  seat->worker.call = call;
  seat->worker.stop = &machine->stop;
  seat->worker.step = NULL;
  seat->worker.turn_count = 0;
  seat->worker.node = NULL;
  seat->worker.float_mode = float_mode;
  *worker = &seat->worker;
  return PRT_OK;
}

prt_status prt__enter(prt_machine *machine, const prt_entry *entry, prt_worker **worker) {
  return enter(machine, entry, NULL, worker);
}

#ifdef NDEBUG
enum { ALWAYS = false };
#else
enum { ALWAYS = true };
#endif

prt_status prt__enter_call(prt_machine *machine, const prt_entry *entry, prt_worker **worker,
                           void *const *arguments) {
  if (!arguments && entry->param_count)
    return prt__set_error(PRT_ERROR_ARGUMENT, "%s: the list of arguments is NULL", entry->name);
  prt_status status = enter(machine, entry, arguments, worker);
  if (status || !(ALWAYS || (entry->flags & PRT_ENTRY_CHECKED))) return status;
  return prt__check_arguments(*worker, arguments) ? prt__leave(*worker) : PRT_OK;
}

// Of what was recorded before the call was cut, the races are reported.
static void finish_race(prt_call *call) {
  bool is_cut = call->is_cut;
  call->is_cut = false;
  prt__race_free(call->race);
  call->race = NULL;
  call->is_cut = is_cut;
}

// Most calls leave nothing behind: no reason to write so much at the start of each.
static void forget(prt_call *call) {
  memset((char *)call + offsetof(prt_call, status), 0,
         offsetof(prt_call, message) + 1 - offsetof(prt_call, status));
}

prt_status prt__leave(prt_worker *worker) {
  prt_call *call = worker->call;
  prt_ranks *ranks = call->machine->ranks;
  prt__float_mode_restore(worker->float_mode);
  if (ranks) ranks->calls->closes(worker, true);
  if (call->race) finish_race(call);
  if (call->parallel) prt__parallel_free(call);
  if (call->watches.count || call->origins) prt__watches_finish(worker);
  if (call->machine->options.seeded) prt__explored_keep(call);
  if (call->findings) prt__findings_finish(call);
  if (ranks) ranks->calls->closes(worker, false);
  // The pool's join orders the threads of the call before this.
  prt_status status = (prt_status)atomic_load_explicit(&call->status, memory_order_relaxed);
  if (status) {
    prt__set_error(status, "%s", call->message);
    prt__set_error_site(call->site);
  }
  if (status || ranks || call->has_programs || (call->entry->flags & PRT_ENTRY_CHECKED))
    forget(call);
  for (int i = 0; i < ARENA_COUNT; i++) prt__arena_reset(&worker->arenas[i]);
  prt_seat *seat = (prt_seat *)((char *)worker - offsetof(prt_seat, worker));
  atomic_store_explicit(&seat->taken, false, memory_order_release);
  return status;
}

int32_t prt__thread_index(const prt_worker *worker) { return worker->thread_index; }

void prt__step_enter(prt_worker *worker, prt_step *step) {
  step->outer = worker->step;
  worker->step = step;
  if (worker->node) prt__note_step(worker);
}

void prt__step_leave(prt_worker *worker, prt_step *step) { worker->step = step->outer; }
