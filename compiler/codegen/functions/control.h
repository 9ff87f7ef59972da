// SPDX-License-Identifier: Apache-2.0
// Code that runs on several threads: a piece of a function as a function of its own
// (gen_outline.c).
#pragma once
#include "codegen/emit/emit.h"

typedef struct Outline {
  const IrRegion *region; // whose ops use values from outside, or NULL
  IrOp *const *ops;       // the same for single ops, or NULL
  size_t op_count;
  Value *values; // further LLVM values the body needs
  size_t value_count;
  // Emits the turns [begin, end); `values` are the ones above, as the new function has them.
  void (*body)(LlvmGen *g, Value begin, Value end, const Value *values, void *data);
  void *data;
} Outline;

// Emits a call that runs the body for [0, count) in pieces of at least `grain`, on the machine's
// threads.
void outline_parallel(LlvmGen *g, const Outline *outline, Value count, Value grain);

// ---- what an inner function needs of the outer one ----------------------------------------------
typedef struct Capture Capture;
// Binds all that the region (or NULL), or the ops, use from outside to what the inner function will
// load; `values`: where further LLVM values stand, which change likewise. Between this and
// capture_end, code of the inner function is emitted, and none of the outer one.
Capture *capture_new(LlvmGen *g, const IrRegion *region, IrOp *const *ops, size_t op_count,
                     Value **values, size_t value_count);
// In the outer function: fills a record, gives its address.
Value capture_record(LlvmGen *g, const Capture *c);
void capture_load(LlvmGen *g, const Capture *c, Value record); // in the inner function
void capture_end(LlvmGen *g, const Capture *c);                // back in the outer function
