// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of f64.
#pragma once
#include "ir/core/ops.h"
#include "gen_double.h"

Value math_f64_unary(LlvmGen *g, OpCode code, Value x);
Value math_f64_pow(LlvmGen *g, Value x, Value y);

// What other functions are made of (gen_math_f64.c). In twice the precision:
Double math_f64_exp_part(LlvmGen *g, Double x, Value *exponent); // exp(x) / 2^exponent; |x| < 800
Double math_f64_log(LlvmGen *g, Double x);                       // x > 0, normal
// x * 2^exponent (an i64 of at most 2^11), beyond f64's range, too.
Value math_f64_scaled(LlvmGen *g, Value x, Value exponent);
