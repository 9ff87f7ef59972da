// SPDX-License-Identifier: Apache-2.0
// Counts of semaphores that a program reads and compares, for the search for races (runtime/race).
#pragma once
#include "codegen/emit/gen_type.h"
#include "ir/core/ir.h"

// Behind the read `op`, whose result is `count`. Where the program goes on according to what it is
// asked of it, and that proves that some units have been signalled, what was before those signals
// is before what follows.
void gen_poll_read(LlvmGen *g, const IrOp *op, Value semaphore, Value count);
// Behind an op on scalars.
void gen_poll_computed(LlvmGen *g, const IrOp *op, Value const *operands);
// Where a region of an if or switch begins, or a turn of a for loop, whose index is bound.
void gen_poll_entered(LlvmGen *g, const IrOp *op, size_t region);
