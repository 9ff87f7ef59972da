// SPDX-License-Identifier: Apache-2.0
// Polynomials, and the way to f64 and back.
#pragma once
#include "codegen/emit/emit.h"

// What a multiply-add of a polynomial of x adds.
Value math_coefficient(LlvmGen *g, Value x, double c);
// c[0] + x * (c[1] + x * …), in x's type.
Value math_poly(LlvmGen *g, Value x, const double *c, unsigned count);
// x where |x| < limit (where the function is x to within rounding: keeps -0.0 and subnormals), else
// `result`.
Value math_keep_tiny(LlvmGen *g, Value x, Value result, double limit);

// Between f32 and f64, for functions that are computed in the wider one.
static inline Value wide_from(LlvmGen *g, Value a) {
  return LLVMBuildFPExt(g->builder, a, gen_type_like(g->f64, a), "");
}
static inline Value wide_to(LlvmGen *g, Value a) {
  return LLVMBuildFPTrunc(g->builder, a, gen_type_like(g->f32, a), "");
}
