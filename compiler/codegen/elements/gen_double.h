// SPDX-License-Identifier: Apache-2.0
// Numbers of twice an f64's precision: the unevaluated sum of two f64 vectors, the lower one at
// most half a unit in the last place of the upper one (Dekker 1971; Knuth, TAOCP 2, 4.2.2). What is
// computed in them and rounded once at the end is exact to within a unit.
#pragma once
#include "codegen/emit/emit.h"

typedef struct Double {
  Value hi, lo;
} Double;

Double double_of(LlvmGen *g, Value hi); // with nothing below
Double double_const(LlvmGen *g, Value like, double hi, double lo);
Double double_sum(LlvmGen *g, Value a, Value b);         // exact
Double double_ordered_sum(LlvmGen *g, Value a, Value b); // exact where |a| >= |b|
Double double_product(LlvmGen *g, Value a, Value b);     // exact
Double double_add(LlvmGen *g, Double a, Double b);
Double double_add_one(LlvmGen *g, Double a, Value b);
Double double_sub(LlvmGen *g, Double a, Double b);
Double double_mul(LlvmGen *g, Double a, Double b);
Double double_mul_one(LlvmGen *g, Double a, Value b);
Double double_scaled(LlvmGen *g, Double a, double power); // by a power of two
Double double_div(LlvmGen *g, Double a, Double b);
Double double_sqrt(LlvmGen *g, Double a); // a >= 0
Double double_neg(LlvmGen *g, Double a);
Double double_select(LlvmGen *g, Value c, Double a, Double b);
Value double_rounded(LlvmGen *g, Double a);
