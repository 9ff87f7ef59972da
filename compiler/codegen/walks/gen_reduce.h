// SPDX-License-Identifier: Apache-2.0
// Reductions as they are emitted.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ops.h"
#include "plan/plan.h"

typedef struct Reduction {
  const Root *root;
  OpCode code; // what the accumulators are combined by, and as which type
  DType dtype;
  bool is_negated; // the accumulators are of what is reduced, with the other sign
  bool of_bits;    // of its bits, as integers
  unsigned lanes, count; // accumulators: count vectors of so many lanes
  unsigned carried;      // what loops carry: they, and a mask behind them if there is one
  Value identity;        // scalar
  // The current values. Of a maximum of floats whose vectors have elem_greater: numbers, and where
  // in the lanes of any of them a NaN was met.
  Value *accumulators;
} Reduction;
// width: of the vectors that are added.
void reduction_open(LlvmGen *g, Arena *arena, Reduction *r, const Root *root, unsigned lanes,
                    unsigned count, unsigned width);
// Adds a vector to accumulator `at`; narrower ones (of a tail) go to its lanes from `lane` on.
void reduction_add(LlvmGen *g, Reduction *r, unsigned at, unsigned lane, Value value,
                   unsigned active);
// One element: all lanes of all accumulators combined.
Value reduction_finish_lanes(LlvmGen *g, Reduction *r);
Value reduction_identity(LlvmGen *g, OpCode code, DType dtype); // scalar
Value reduction_combine(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
// Adds a vector to accumulator `at`, lane by lane; NaNs are not kept apart.
void reduction_step(LlvmGen *g, Reduction *r, size_t at, Value value);
// What an accumulator stands for, rounded to the type of the result.
Value reduction_result(LlvmGen *g, const Reduction *r, Value value);
