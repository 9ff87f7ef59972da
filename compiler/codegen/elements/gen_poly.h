// SPDX-License-Identifier: Apache-2.0
// Polynomials, and emitters of f64 for functions that are computed in it.
#pragma once
#include "codegen/emit/emit.h"

// c[0] + x * (c[1] + x * …), in x's type.
Value math_poly(LlvmGen *g, Value x, const double *c, unsigned count);
// x where |x| < limit (where the function is x to within rounding: keeps -0.0 and subnormals), else
// `result`.
Value math_keep_tiny(LlvmGen *g, Value x, Value result, double limit);

// f64 versions of the emitters.
static inline Value wide_const(LlvmGen *g, Value like, double c) {
  return gen_splat(g, LLVMConstReal(g->f64, c), gen_lanes(like));
}
static inline Value wide_add_c(LlvmGen *g, Value a, double c) {
  return emit_fadd(g, a, wide_const(g, a, c));
}
static inline Value wide_mul_c(LlvmGen *g, Value a, double c) {
  return emit_fmul(g, a, wide_const(g, a, c));
}
static inline Value wide_from(LlvmGen *g, Value a) {
  return LLVMBuildFPExt(g->builder, a, gen_type_like(g->f64, a), "");
}
static inline Value wide_to(LlvmGen *g, Value a) {
  return LLVMBuildFPTrunc(g->builder, a, gen_type_like(g->f32, a), "");
}
static inline Value wide_bits(LlvmGen *g, Value a) {
  return gen_bitcast(g, a, gen_type_like(g->i64, a));
}
static inline Value wide_from_bits(LlvmGen *g, Value a) {
  return gen_bitcast(g, a, gen_type_like(g->f64, a));
}
