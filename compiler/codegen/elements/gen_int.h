// SPDX-License-Identifier: Apache-2.0
// Integer operations on vectors of elements.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ops.h"

Value int_unary(LlvmGen *g, OpCode code, DType dtype, Value x);
Value int_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
