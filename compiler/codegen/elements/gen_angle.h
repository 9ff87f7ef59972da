// SPDX-License-Identifier: Apache-2.0
// sin, cos and tan.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ops.h"

// In lanes that are large, `function`'s fields in place of the values.
void angle_reduce_large(LlvmGen *g, Value function, Value x, Value is_large, unsigned count,
                        Value *values);
Value math_trigonometric(LlvmGen *g, OpCode code, Value x);
