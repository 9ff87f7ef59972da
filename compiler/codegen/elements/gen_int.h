// SPDX-License-Identifier: Apache-2.0
// Integer operations on vectors of elements.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/analysis/bounds.h"
#include "ir/core/ops.h"

Value int_unary(LlvmGen *g, OpCode code, DType dtype, Value x);
Value int_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
// Whether a quotient or rest of x, which is in `range`, by the constant y is had from their
// quotient as floats; and that.
bool int_divides_small(const LlvmGen *g, OpCode code, DType dtype, Value x, Value y, Range range);
Value int_divide_small(LlvmGen *g, OpCode code, Value x, Value y, Range range);
