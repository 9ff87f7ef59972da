// SPDX-License-Identifier: Apache-2.0
// Code that runs on several threads: a piece of a function as a function of its own.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

typedef struct ParallelBody {
  const IrRegion *region; // whose ops use values from outside, or NULL
  IrOp *const *ops;       // the same for single ops, or NULL
  size_t op_count;
  Value *values; // further LLVM values the body needs
  size_t value_count;
  // Emits the turns [begin, end); `values` are the ones above, as the new function has them.
  void (*body)(LlvmGen *g, Value begin, Value end, const Value *values, void *data);
  void *data;
  int64_t cost; // of all turns: what prt__parallel_for takes
} ParallelBody;

// Emits a call that runs the body for [0, count) in pieces of at least `grain`, on the machine's
// threads.
void parallel_run(LlvmGen *g, const ParallelBody *body, Value count, Value grain);
