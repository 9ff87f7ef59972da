// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of f32 and f64.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ops.h"

Value math_unary(LlvmGen *g, OpCode code, Value x);
Value math_binary(LlvmGen *g, OpCode code, Value x, Value y);
