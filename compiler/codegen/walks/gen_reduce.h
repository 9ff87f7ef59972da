// SPDX-License-Identifier: Apache-2.0
// Reductions as they are emitted.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ops.h"
#include "plan/plan.h"

typedef struct Reduction {
  const Root *root;
  OpCode code;
  DType dtype;
  unsigned lanes, count; // accumulators: count vectors of so many lanes
  unsigned carried;      // what loops carry: they, and a mask behind them if there is one
  Value identity;        // scalar
  // The current values. Of a maximum of floats whose vectors have elem_greater: numbers, and where
  // in the lanes of any of them a NaN was met.
  Value *accumulators;
} Reduction;
void reduction_open(LlvmGen *g, Arena *arena, Reduction *r, const Root *root, unsigned lanes,
                    unsigned count);
// Adds a vector to accumulator `at`; narrower ones (of a tail) go to its lanes from `lane` on.
void reduction_add(LlvmGen *g, Reduction *r, unsigned at, unsigned lane, Value value,
                   unsigned active);
// One element: all lanes of all accumulators combined.
Value reduction_finish_lanes(LlvmGen *g, Reduction *r);
Value reduction_identity(LlvmGen *g, OpCode code, DType dtype); // scalar
Value reduction_combine(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
// Rounded to the type at the end.
Value reduction_result(LlvmGen *g, DType dtype, Value value);
