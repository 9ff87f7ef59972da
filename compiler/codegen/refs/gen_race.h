// SPDX-License-Identifier: Apache-2.0
// Under check, in programs that wait: what an access touches is said to the runtime, which finds
// races (runtime/race). Each function emits nothing elsewhere.
#pragma once
#include "codegen/values/gen_value.h"
#include "ir/core/ir.h"

bool race_is_on(const LlvmGen *g);
// `how`: PRT_READ, PRT_WRITE. `sizes`: of the memory's dimensions, or NULL if they are its own.
void race_access(LlvmGen *g, const IrOp *op, const Mem *mem, Value const *sizes, int how);
void race_element(LlvmGen *g, const IrOp *op, Value address, Value bytes, int how);
// What of `how` says that a copy is the pipeline's, between two steps; 0: it is not.
int race_move(const IrOp *op);
// Of release and copy.index: their operand.
void race_ref(LlvmGen *g, const IrOp *op, int how);
// A copy of the chip's pipeline between the op's block and a window, which is made elsewhere: from
// here to a wait for one unit of the semaphore.
void race_window(LlvmGen *g, const IrOp *op, Value semaphore, int how);
// Of parallel.write and parallel.read: the step's block, where more than windows touches its array.
void race_block(LlvmGen *g, const IrOp *op);
// Of turn: loops whose iterations are independent.
void race_turn(LlvmGen *g, const IrOp *op);
void race_index(LlvmGen *g, const IrOp *op);
// Accesses and signals between the two are those of a copy. `sent`: NULL for a local one; units are
// what it signals the semaphores by.
void race_copy_begin(LlvmGen *g, const IrOp *op, Value received, Value sent, Value received_units,
                     Value sent_units);
void race_copy_end(LlvmGen *g);
// Before an atomic addition to the i32 at an address.
void race_atomic(LlvmGen *g, const IrOp *op, Value address);
// The names of the function's parameters, where it is entered.
void race_inputs(LlvmGen *g, const IrFunc *func);
