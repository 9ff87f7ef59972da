// SPDX-License-Identifier: Apache-2.0
// Passes over the kernel IR and their manager. A pass takes and gives verified IR; its file's head
// comment says in four lines what it takes, makes, breaks and does not do. passes.def is the table
// of them, in order.
#pragma once
#include "ir/core/ir.h"

// Properties: launches are still whole; array expressions are not yet clustered.
enum { P_LAUNCHES = 1, P_ARRAYS = 2 };
// Situations: without optimisation; every access is checked, or not; the chip's schedule is kept.
enum { S_O0 = 1, S_CHECK = 2, S_NO_CHECK = 4, S_SCHEDULE = 8 };

typedef enum PassId {
#define PASS(id, ...) PASS_##id,
#include "passes.def"
#undef PASS
  PASS_COUNT
} PassId;

typedef struct PassOptions {
  int opt_level;       // 0: only what looks at the source, keeps a promise or makes loops
  bool check;          // every access is checked: copies are kept, nothing is forwarded
  unsigned watch;      // for what, besides what the module asks for (ir.h: WATCH_…)
  bool inputs_written; // under check: what the functions are given was written everywhere
  bool apart;          // the devices' parts of arrays are parameters (--apart)
  bool schedule;       // keep the chip's schedule (buffers, copies started ahead): --emit=schedule
  PassId stop_after;   // PASS_COUNT: none
  bool print_after[PASS_COUNT];
  FILE *print_to;
  bool verify;     // the IR after each pass (debug builds always)
  bool strict_tpu; // what the chip's compiler would refuse is an error
} PassOptions;

typedef struct PassContext {
  Session *session;
  IrModule *module;
  const PassOptions *options;
  Arena *arena; // scratch, released after each pass
} PassContext;

// Each returns false after a diagnostic (the source is at fault).
bool pass_legality(PassContext *ctx);
bool pass_unused(PassContext *ctx);
bool pass_apart(PassContext *ctx);
bool pass_uncovered(PassContext *ctx);
bool pass_beyond(PassContext *ctx);
bool pass_own(PassContext *ctx);
bool pass_waits(PassContext *ctx);
bool pass_watch(PassContext *ctx);
bool pass_outside(PassContext *ctx);
bool pass_preset(PassContext *ctx);
bool pass_land(PassContext *ctx);
bool pass_inner(PassContext *ctx);
bool pass_accumulate(PassContext *ctx);
bool pass_simplify(PassContext *ctx);
bool pass_budget(PassContext *ctx);
bool pass_lifetimes(PassContext *ctx);
bool pass_lent(PassContext *ctx);
bool pass_forward(PassContext *ctx);
bool pass_partition(PassContext *ctx);
bool pass_pipeline(PassContext *ctx);
bool pass_unwritten(PassContext *ctx);
bool pass_unroll(PassContext *ctx);
bool pass_one_hot(PassContext *ctx);
bool pass_short(PassContext *ctx);
bool pass_across(PassContext *ctx);
bool pass_sink(PassContext *ctx);
bool pass_period(PassContext *ctx);
bool pass_parts(PassContext *ctx);
bool pass_elide(PassContext *ctx);
bool pass_hoist(PassContext *ctx);
bool pass_fuse(PassContext *ctx);
bool pass_turn(PassContext *ctx);
bool pass_publish(PassContext *ctx);

// Runs all passes as the options say. False if one failed.
bool passes_run(Session *session, IrModule *module, const PassOptions *options);
// Runs one pass alone (tests, --from-ir with --run-pass).
bool pass_run_one(Session *session, IrModule *module, const PassOptions *options, PassId id);
bool pass_from_name(Str name, PassId *out);
const char *pass_name(PassId id);
