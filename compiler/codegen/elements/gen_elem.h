// SPDX-License-Identifier: Apache-2.0
// Elementwise operations on one vector (or scalar) of elements: operands and results in their
// compute types, all with the same lanes.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

// The op on one vector (or scalar) of elements: operands and result in their compute types, all
// with the same lanes.
Value elem_op(LlvmGen *g, const IrOp *op, Value const *operands);
Value elem_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
Value elem_compare(LlvmGen *g, OpCode code, DType dtype, Value x, Value y); // i1s
Value elem_max(LlvmGen *g, DType dtype, Value x, Value y, bool least);      // NaN wins
// The greater of two vectors of floats in one instruction: 0.0 before -0.0, a number before NaN.
// Of what `x` is: whether there is one.
bool elem_has_greater(const LlvmGen *g, Value x);
Value elem_greater(LlvmGen *g, Value x, Value y);
void elem_threefry(LlvmGen *g, Value const key_counter[4], Value out[2]);
