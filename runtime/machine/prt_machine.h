// SPDX-License-Identifier: Apache-2.0
// Machines: devices, threads, and what they keep between calls. docs/runtime.md has the picture
// and the order of locks.
#pragma once
#include <pthread.h>
#include "prt_call.h"
#include "prt_pool.h"

#define PRT_SEATS_PER_BLOCK 32

// A call that a thread of the program makes sits on a seat. Seats are reused, with their warm
// arenas.
typedef struct prt_seat {
  _Atomic bool taken; // acquired by exchange, given back by a release store
  prt_worker worker;
  prt_call call;
} prt_seat;

typedef struct prt_seat_block {
  struct prt_seat_block *_Atomic next; // published with release, read with acquire
  prt_seat seats[PRT_SEATS_PER_BLOCK];
} prt_seat_block;

typedef enum prt_stop { PRT_GOES_ON, PRT_STOPS, PRT_STOPS_SILENTLY } prt_stop;

struct prt_machine {
  prt_machine_options options;
  char chip[32]; // "" if any will do
  uint64_t cpu_features[2];
  int32_t threads;
  _Atomic int64_t findings;
  _Atomic size_t mapped; // bytes of all arenas
  prt_choices choices;   // if has_choices; changed while no call runs
  bool has_choices;
  prt_explored explored;       // of the last call with a program that waits; under report_lock
  _Atomic uint8_t stop;        // prt_stop; relaxed
  const prt_finding *deadlock; // while on_report runs
  prt_watches kept;   // outputs of calls that are over, with elements that were never written
  prt_watches before; // those of the call that runs, as its other schedules have left them
  bool is_one_of;     // prt__one_of_schedules
  uint64_t settled;   // how many calls are over in all of their schedules
  prt_watches gone;   // likewise, in no order: what was at their places is not theirs any more
  struct prt_passed *passed; // copies that calls which are over left under way; under passed_lock
  struct prt_race_kept *places; // that they are reported with; under report_lock
  pthread_mutex_t report_lock; // held while something is reported, and while a call's first failure
                               // is written down
  pthread_mutex_t passed_lock; // held while such copies are looked up; report_lock may follow
  pthread_mutex_t seat_lock;   // held while a block of seats is added
  pthread_mutex_t slab_lock;   // held while a slab is taken or given back
  struct prt_slab *slabs;      // that nobody uses
  struct prt_ranks *ranks; // that its devices are spread over; NULL: there is this process alone
  prt_pool pool;
  prt_seat_block seats;
  // PRT_ALIVE in the process that made the machine. The kernel zeroes the page in a forked child;
  // NULL: unknown.
  _Atomic uint32_t *alive;
};

enum { PRT_WIPED = 0, PRT_ALIVE = 1, PRT_REVIVING = 2 };
void prt__machine_revive(prt_machine *machine);
// First of all that a program does with a machine: in a forked child it starts anew.
static inline void prt__machine_wake(prt_machine *machine) {
  if (machine->alive && atomic_load_explicit(machine->alive, memory_order_acquire) != PRT_ALIVE)
    prt__machine_revive(machine);
}

size_t prt__slabs_footprint(prt_machine *machine); // prt_task.c: memory of launches that is kept
// PRT_ERROR_MACHINE and its message if it was compiled for another version of the runtime.
prt_status prt__refuse_version(const prt_entry *entry);
// An error if the code needs more than these.
prt_status prt__refuse_cpu(const prt_entry *entry, const uint64_t features[2]);
