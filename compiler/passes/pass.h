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

// Where an op stands in the source, as a key: what stands at one place may take several ops.
static inline const void *pass_place(const IrOp *op) {
  return (const void *)(((uintptr_t)op->span.file << 48) ^ ((uintptr_t)op->span.begin << 24) ^
                        (uintptr_t)op->span.end);
}

// Each returns false after a diagnostic (the source is at fault).
#define PASS(id, name, function, ...) bool function(PassContext *ctx);
#include "passes.def"
#undef PASS

// Runs all passes as the options say. False if one failed.
bool passes_run(Session *session, IrModule *module, const PassOptions *options);
// Runs one pass alone (tests, --from-ir with --run-pass).
bool pass_run_one(Session *session, IrModule *module, const PassOptions *options, PassId id);
bool pass_from_name(Str name, PassId *out);
const char *pass_name(PassId id);
