// SPDX-License-Identifier: Apache-2.0
// Shape operations outside of clusters.
#pragma once
#include "codegen/memory/gen_mem.h"
#include "ir/core/ir.h"

// As a view of its operand's memory; false if it must move elements.
bool gen_shape_view(LlvmGen *g, IrOp *op);
void gen_shape_move(LlvmGen *g, IrOp *op);
// What `maker` is about to make, if it is a part of an array: in the array's memory, if the update
// that puts it there may take that over.
void gen_shape_set_update(LlvmGen *g, const IrOp *maker);
// Concat, pad, dynamic_update_slice: into memory that no operand lies in, but for what was made in
// its part of it. Whether all operands of a concat were.
bool gen_shape_move_to(LlvmGen *g, const IrOp *op, const Mem *to);
