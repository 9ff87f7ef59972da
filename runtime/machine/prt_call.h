// SPDX-License-Identifier: Apache-2.0
// Workers and calls: what a call is, how it is scheduled, and the thread that runs it.
#pragma once
#include <stdatomic.h>
#include "prt_codegen.h"
#include "prt_scratch.h"

#define PRT_MESSAGE_SIZE 1024
// A function that is called now and then, from one that often runs without: kept out of line, so
// that the other one stays short.
#if defined(__GNUC__)
#define PRT_RARE __attribute__((noinline, cold))
// A loop that must have the registers to itself: apart from the function that begins it.
#define PRT_APART __attribute__((noinline))
#else
#define PRT_RARE
#define PRT_APART
#endif

// ---- watched memory (prt_shadow.c) --------------------------------------------------------------
typedef struct prt_watches {
  struct prt_watch **items; // by address
  size_t count, room;
  bool has_copies; // the machine copied what was never written to some of them
} prt_watches;

// ---- how a call is scheduled (tasks/prt_choose.c) ----------------------------------------------
typedef enum prt_copy_times {
  COPIES_DRAWN,
  COPIES_LATE,
  COPIES_EARLY,
  COPIES_BY_LINK
} prt_copy_times;

typedef struct prt_interval {
  int64_t first, last;
} prt_interval;

typedef struct prt_choices {
  uint8_t copies; // prt_copy_times
  bool draws;     // choices are drawn: all, or those of `drawn`
  bool reversed;  // of those that have given way the last core goes on first
  bool looking;   // who reads counts goes on doing so before others run; `reversed`: the last first
  uint64_t seed;
  int64_t steps, lost, doubled; // 0: no end, no signal
  prt_interval *drawn;          // in any order; NULL: all
  size_t drawn_count;
} prt_choices;

// The call is over: prt__explored gives what it was like. Locks: takes report_lock.
struct prt_call;
void prt__explored_keep(struct prt_call *call);

// ---- arguments (prt_arguments.c) ----------------------------------------------------------------
// Fails the call if they are not what the header promises.
prt_status prt__check_arguments(struct prt_worker *worker, void *const *arguments);

// ---- workers and calls (prt_call.c) -------------------------------------------------------------
typedef struct prt_call {
  prt_machine *machine;
  const prt_entry *entry;
  void *const *arguments; // the memory of its parameters; NULL: not known
  void *const *unread;    // the memory of those that nobody reads when it is over
  size_t unread_count;
  const prt_early_read *early_reads;
  size_t early_count;
  int64_t run; // of a program that the call is part of; 0: it is one of its own
  // From here to the message's first character, all is 0 when a call begins: prt__leave sees to
  // that.
  _Atomic int32_t status; // relaxed but for the end of the call, which the pool's join orders
  bool has_programs;      // that waited, or can
  bool is_open;           // of what was touched, the races are not known yet
  // A core came to the end of the steps that are to be run, or cannot go on, as was reported:
  // nothing more is found.
  bool is_cut;
  const prt_site *site;           // of what failed; NULL: it has none
  struct prt_findings *findings;  // made by the first one; under machine->report_lock
  prt_watches watches;            // watched memory; code with checks runs on one thread
  struct prt_origins *origins;    // places that read memory that was never written, by number
  struct prt_parallel *parallel;  // blocks of launches under way whose steps may run at once
  struct prt_race *race;          // what may race; NULL: nothing yet, or the code has no checks
  prt_explored explored;          // of its last program that waits
  const prt_site *unsure;         // the last place where an index, or the like, was never written
  char message[PRT_MESSAGE_SIZE]; // written once, by the thread that set status, under
                                  // machine->report_lock
} prt_call;

enum { ARENA_HBM, ARENA_CORE, ARENA_COUNT };

enum { PRT_MOST_TURNS = 4 };
typedef struct prt_turn {
  const prt_site *loop;
  int64_t index;
} prt_turn;

struct prt_worker {
  const _Atomic uint8_t *stop; // the machine's; code looks at it, so it is the first
  prt_call *call;
  prt_arena arenas[ARENA_COUNT];
  struct prt_schedule *schedule; // of programs that wait, while they run
  const prt_step *step;
  struct prt_node *node; // the task that runs, under check
  int32_t thread_index;
  bool in_body;
  uint64_t float_mode; // of the calling thread, to be given back by prt__leave
  // Loops around the next finding, the innermost first; under check.
  int32_t turn_count;
  prt_turn turns[PRT_MOST_TURNS];
};
