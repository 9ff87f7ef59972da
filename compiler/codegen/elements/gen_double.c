// SPDX-License-Identifier: Apache-2.0
// Numbers of twice an f64's precision, as vectors.
#include "gen_double.h"

Double double_of(LlvmGen *g, Value hi) { return (Double){hi, gen_float_like(g, hi, 0.0)}; }

Double double_const(LlvmGen *g, Value like, double hi, double lo) {
  return (Double){gen_float_like(g, like, hi), gen_float_like(g, like, lo)};
}

Double double_sum(LlvmGen *g, Value a, Value b) {
  Value sum = emit_fadd(g, a, b), b_part = emit_fsub(g, sum, a);
  Value a_rest = emit_fsub(g, a, emit_fsub(g, sum, b_part));
  return (Double){sum, emit_fadd(g, a_rest, emit_fsub(g, b, b_part))};
}

Double double_ordered_sum(LlvmGen *g, Value a, Value b) {
  Value sum = emit_fadd(g, a, b);
  return (Double){sum, emit_fsub(g, b, emit_fsub(g, sum, a))};
}

// The upper 26 bits of the significand.
static Value upper_half(LlvmGen *g, Value a) {
  return emit_as_f64(g, emit_and_c(g, emit_as_int(g, a), -((int64_t)1 << 27)));
}

Double double_product(LlvmGen *g, Value a, Value b) {
  Value product = emit_fmul(g, a, b);
  if (g->target->has_fma) return (Double){product, emit_fma(g, a, b, emit_fneg(g, product))};
  Value a_high = upper_half(g, a), b_high = upper_half(g, b);
  Value a_low = emit_fsub(g, a, a_high), b_low = emit_fsub(g, b, b_high);
  Value rest = emit_fsub(g, emit_fmul(g, a_high, b_high), product);
  rest = emit_fadd(g, rest, emit_fmul(g, a_high, b_low));
  rest = emit_fadd(g, rest, emit_fmul(g, a_low, b_high));
  return (Double){product, emit_fadd(g, rest, emit_fmul(g, a_low, b_low))};
}

Double double_add(LlvmGen *g, Double a, Double b) {
  Double high = double_sum(g, a.hi, b.hi), low = double_sum(g, a.lo, b.lo);
  Double sum = double_ordered_sum(g, high.hi, emit_fadd(g, high.lo, low.hi));
  return double_ordered_sum(g, sum.hi, emit_fadd(g, sum.lo, low.lo));
}

Double double_add_one(LlvmGen *g, Double a, Value b) {
  Double sum = double_sum(g, a.hi, b);
  return double_ordered_sum(g, sum.hi, emit_fadd(g, sum.lo, a.lo));
}

Double double_neg(LlvmGen *g, Double a) { return (Double){emit_fneg(g, a.hi), emit_fneg(g, a.lo)}; }

Double double_sub(LlvmGen *g, Double a, Double b) { return double_add(g, a, double_neg(g, b)); }

Double double_mul(LlvmGen *g, Double a, Double b) {
  Double product = double_product(g, a.hi, b.hi);
  Value crossed = emit_fadd(g, emit_fmul(g, a.hi, b.lo), emit_fmul(g, a.lo, b.hi));
  return double_ordered_sum(g, product.hi, emit_fadd(g, product.lo, crossed));
}

Double double_mul_one(LlvmGen *g, Double a, Value b) {
  Double product = double_product(g, a.hi, b);
  return double_ordered_sum(g, product.hi, emit_fadd(g, product.lo, emit_fmul(g, a.lo, b)));
}

Double double_scaled(LlvmGen *g, Double a, double power) {
  return (Double){emit_fmul_c(g, a.hi, power), emit_fmul_c(g, a.lo, power)};
}

Double double_div(LlvmGen *g, Double a, Double b) {
  Value quotient = emit_fdiv(g, a.hi, b.hi);
  Double product = double_product(g, quotient, b.hi);
  Value rest = emit_fsub(g, emit_fsub(g, a.hi, product.hi), product.lo);
  rest = emit_fsub(g, emit_fadd(g, rest, a.lo), emit_fmul(g, quotient, b.lo));
  return double_ordered_sum(g, quotient, emit_fdiv(g, rest, b.hi));
}

Double double_sqrt(LlvmGen *g, Double a) {
  Value root = gen_intrinsic1(g, "llvm.sqrt", a.hi);
  Double square = double_product(g, root, root);
  Value rest = emit_fsub(g, emit_fsub(g, a.hi, square.hi), square.lo);
  Value error = emit_fdiv(g, emit_fadd(g, rest, a.lo), emit_fadd(g, root, root));
  Value is_zero = emit_fcmp_c(g, LLVMRealOEQ, root, 0.0);
  return double_ordered_sum(g, root, emit_select(g, is_zero, gen_float_like(g, root, 0.0), error));
}

Double double_select(LlvmGen *g, Value c, Double a, Double b) {
  return (Double){emit_select(g, c, a.hi, b.hi), emit_select(g, c, a.lo, b.lo)};
}

Value double_rounded(LlvmGen *g, Double a) { return emit_fadd(g, a.hi, a.lo); }
