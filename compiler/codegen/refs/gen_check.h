// SPDX-License-Identifier: Apache-2.0
// What code compiled with checks does beside its work (gen_check.c): indices are compared with what
// they index, memory knows what of it was written, steps of grids are named. Each function emits
// nothing if checks are off, unless it says otherwise.
#pragma once
#include "codegen/values/gen_value.h"
#include "ir/core/ir.h"

// A prt_region of the memory, on the stack. `sizes`: of its dimensions, or NULL if they are the
// memory's. Its dimensions as a constant array.
Value check_region(LlvmGen *g, const Mem *mem, Value const *sizes);
Value check_dims(LlvmGen *g, const Mem *mem);
// A ref's memory is watched from here on.
void check_alloc(LlvmGen *g, const IrOp *alloc, const Mem *mem);
// Reports numbers of the index that are out of bounds, index arrays aside. Whether all are inside,
// or NULL if they are for sure (or checks are off).
Value check_index(LlvmGen *g, const IrOp *op, const Binding *ref);
// One coordinate of an element, if it is not inside.
void check_coordinate(LlvmGen *g, const IrOp *op, int dim, Value coordinate, Value inside,
                      Value limit);
// Memory of static shape was written; a copy was made.
void check_written(LlvmGen *g, const Mem *mem);
void check_copied(LlvmGen *g, const Mem *to, const Mem *from,
                  Value const *sizes); // sizes: NULL if static
// Of ops `unwritten` and `unwrite`: memory to marks, which are bytes in row-major order, and back.
void check_unwritten(LlvmGen *g, const IrOp *op, const Mem *mem, Value marks);
void check_unwrite(LlvmGen *g, const Mem *mem, const Mem *marks);
// sem.pass, sem.take; a store or copy that may fill memory of the function with a parameter, or the
// other way round; a load of what a store gives to a parameter.
Map *check_gifts(LlvmGen *g); // of the function that begins: LlvmGen.gifts
void check_passed(LlvmGen *g, const IrOp *op, Value sem);
void check_moved(LlvmGen *g, const IrOp *op);
void check_given(LlvmGen *g, const IrOp *load);
// One element at an address.
void check_element_written(LlvmGen *g, Value address, Value bytes);
Value check_element_unwritten(LlvmGen *g, const IrOp *op, Value address, Value bytes);
void check_element_unwrite(LlvmGen *g, Value address, Value bytes, Value mark);
// What is emitted until g->turn is turn->outer again stands in a turn of the loop.
void check_turn_begin(LlvmGen *g, Turn *turn, const IrOp *loop, Value index);
// step.enter, step.leave, check.used, check.written, parallel.write, parallel.read, parallel.step,
// parallel.end
void gen_check_op(LlvmGen *g, IrOp *op);
void gen_check_adopt(LlvmGen *g, const IrFunc *func); // the outputs
