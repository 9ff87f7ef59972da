// SPDX-License-Identifier: Apache-2.0
// How much arithmetic a program asks for, before anything is optimised (cost.c).
#pragma once
#include "ir/core/ir.h"

typedef struct IrCost {
  int64_t flops, transcendentals;
} IrCost;

// Adds what pl.estimate_cost counts of one op, as JAX does: what lies in its regions is not
// counted, and reductions are not.
void cost_add(IrCost *cost, const IrOp *op);
// Of all that a function does: loops as often as they run, as far as that is known (else once), the
// dearest branch, each step of a grid, reductions by an operation for each element.
IrCost cost_of(const IrFunc *func);
// About how many nanoseconds one thread takes for a loop's arithmetic.
int64_t cost_in_ns(const IrOp *loop);
// The same of one turn, at least 1, with what it reads and writes; of a `while`, its condition too.
int64_t cost_of_turn(const IrOp *loop);
