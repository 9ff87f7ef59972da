// SPDX-License-Identifier: Apache-2.0
// Functions whose f32 result is rounded from an f64 computation.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ops.h"

// In f64 inside; f32 in and out.
Value math_wide_unary(LlvmGen *g, OpCode code, Value x);
Value math_wide_pow(LlvmGen *g, Value x, Value y);
