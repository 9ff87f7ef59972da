// SPDX-License-Identifier: Apache-2.0
// The launch being traced, for program ids and for passes over the tracer's levels (pallas.c).
#pragma once
#include "dead_loops.h"
#include "ir/core/ir.h"
#include "jax/array/array.h"

typedef struct LaunchState {
  size_t rank;                   // of the grid
  int64_t sizes[IR_MAX_RANK];    // -1: dynamic
  IrValue *dynamic[IR_MAX_RANK]; // the i32 size, where dynamic
  IrValue *indices[IR_MAX_RANK]; // i32, of the region being traced
  bool has_variables;            // the indices have been bound to them (variables.c)
  DeadLoops dead_loops;
} LaunchState;

// ---- what cores.c shares with pallas.c ----------------------------------------------------------
Value pallas_item(Eval *ev, Value sequence, size_t i); // of a list or tuple
IrValue *
pallas_operand(Eval *ev,
               Value operand); // the ref in HBM that holds an array's elements; a Ref's own
const IrType *pallas_memory_type(Eval *ev,
                                 Value spec); // (space, shape, dtype or kind of semaphore)
// The ref, memory of a launch that begins; under check others may copy there from now on.
IrValue *pallas_begin(Eval *ev, IrValue *ref);
void pallas_part_inputs(
    Eval *ev, IrOp *cores); // what the programs write to their inputs becomes memory of the launch
// A primitive, of (index_map, rank, dims): whether the map gives the same whatever the grid indices
// in `dims` are. One that reads memory may not.
Value pallas_is_constant_map(Eval *ev, Value *a);
