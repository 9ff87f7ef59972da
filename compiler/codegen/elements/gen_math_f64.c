// SPDX-License-Identifier: Apache-2.0
// exp, log and what is made of them, of f64: computed in twice its precision from exp(r) - 1 near
// zero and the logarithm's series, and rounded once. The leading terms of each series are of that
// precision; behind them, where a term's weight is below 2^-5, an f64's is enough.
#include "ir/core/ops.h"
#include "gen_math_f64.h"
#include <math.h>
#include "gen_angle_f64.h"
#include "gen_error_f64.h"
#include "gen_poly.h"
#include "gen_round.h"

#define LN2_HIGH   0x1.62e42fef00000p-1 // 33 bits: products with exponents are exact
#define LN2_LOW    0x1.473de6af278edp-34
#define LN2        0x1.62e42fefa39efp-1
#define LN2_REST   0x1.abc9e3b39803fp-56
#define LOG2E      0x1.71547652b82fep+0
#define LOG2E_REST 0x1.777d0ffda0d24p-56

static Value constant(LlvmGen *g, Value like, double value) {
  return gen_float_like(g, like, value);
}

static Value is_less(LlvmGen *g, Value x, double limit) {
  return emit_fcmp_c(g, LLVMRealOLT, x, limit);
}

// NaN stays.
static Value clamped(LlvmGen *g, Value x, double low, double high) {
  x = emit_select(g, is_less(g, x, low), constant(g, x, low), x);
  return emit_select(g, emit_fcmp_c(g, LLVMRealOGT, x, high), constant(g, x, high), x);
}

// ---- exponentials -------------------------------------------------------------------------------
static Value nearest_whole(LlvmGen *g, Value x, Value *bits) {
  const double magic = 0x1.8p52;
  Value sum = emit_fadd_c(g, x, magic);
  *bits = emit_sub_c(g, emit_as_int(g, sum), 0x4338000000000000);
  return emit_fadd_c(g, sum, -magic);
}

Value math_f64_scaled(LlvmGen *g, Value x, Value exponent) {
  Value half = emit_ashr_c(g, exponent, 1), parts[2] = {half, emit_sub(g, exponent, half)};
  for (int i = 0; i < 2; i++)
    x = emit_fmul(g, x, emit_as_f64(g, emit_shl_c(g, emit_add_c(g, parts[i], 1023), 52)));
  return x;
}

// exp(r) - 1 for |r| <= ln(2) / 2.
static Double near_expm1(LlvmGen *g, Double r) {
  double c[12], factorial = 2;
  for (unsigned i = 0; i < COUNT_OF(c); i++) c[i] = 1 / (factorial *= i + 3);
  Double square = double_mul(g, r, r);
  Value cube = emit_fmul(g, square.hi, r.hi);
  Value rest = emit_fmul(g, cube, math_poly(g, r.hi, c, COUNT_OF(c)));
  return double_add_one(g, double_add(g, r, double_scaled(g, square, 0.5)), rest);
}

// x = n ln(2) + r.
static Double reduce_exp(LlvmGen *g, Double x, Value *n, Value *exponent) {
  *n = nearest_whole(g, emit_fmul_c(g, x.hi, LOG2E), exponent);
  Value high = emit_fsub(g, x.hi, emit_fmul_c(g, *n, LN2_HIGH)); // exact
  Double low = double_product(g, *n, constant(g, *n, -LN2_LOW));
  return double_add(g, double_sum(g, high, x.lo), low);
}

Double math_f64_exp_part(LlvmGen *g, Double x, Value *exponent) {
  Value n;
  Double p = near_expm1(g, reduce_exp(g, x, &n, exponent));
  return double_add(g, double_const(g, x.hi, 1, 0), p);
}

static Value kept_nan(LlvmGen *g, Value x, Value result) {
  return emit_select(g, emit_is_nan(g, x), x, result);
}

static Value exp_of(LlvmGen *g, Value x) {
  Value exponent, held = clamped(g, x, -760, 760);
  Double e = math_f64_exp_part(g, double_of(g, held), &exponent);
  return kept_nan(g, x, math_f64_scaled(g, double_rounded(g, e), exponent));
}

static Value exp2_of(LlvmGen *g, Value x) {
  Value exponent, held = clamped(g, x, -1090, 1090), n = nearest_whole(g, held, &exponent);
  Double r = double_mul_one(g, double_const(g, x, LN2, LN2_REST), emit_fsub(g, held, n));
  Double e = double_add(g, double_const(g, x, 1, 0), near_expm1(g, r));
  return kept_nan(g, x, math_f64_scaled(g, double_rounded(g, e), exponent));
}

// exp(x) - 1, |x| <= 40: 2^n p + (2^n - 1).
static Double expm1_part(LlvmGen *g, Double x) {
  Value n, exponent;
  Double p = near_expm1(g, reduce_exp(g, x, &n, &exponent));
  Value power = emit_as_f64(g, emit_shl_c(g, emit_add_c(g, exponent, 1023), 52));
  Double whole = double_sum(g, power, constant(g, x.hi, -1));
  return double_add(g, whole, (Double){emit_fmul(g, p.hi, power), emit_fmul(g, p.lo, power)});
}

enum { FAR = 40 }; // beyond it, 1 is nothing beside exp(x)

static Value expm1_of(LlvmGen *g, Value x) {
  Value near = double_rounded(g, expm1_part(g, double_of(g, clamped(g, x, -FAR, FAR))));
  Value is_far = emit_fcmp_c(g, LLVMRealOGT, x, FAR);
  Value result = emit_select(g, is_far, exp_of(g, x), near);
  return kept_nan(g, x, math_keep_tiny(g, x, result, 0x1p-54));
}

// Half of exp(a), a >= 0.
static Value half_exp(LlvmGen *g, Value a) {
  Value exponent;
  Double e = math_f64_exp_part(g, double_of(g, clamped(g, a, 0, 760)), &exponent);
  return math_f64_scaled(g, double_rounded(g, e), emit_sub_c(g, exponent, 1));
}

static Value sinh_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x);
  Double e = expm1_part(g, double_of(g, clamped(g, a, 0, FAR)));
  Double inverse = double_div(g, e, double_add_one(g, e, constant(g, x, 1)));
  Value near = double_rounded(g, double_scaled(g, double_add(g, e, inverse), 0.5));
  Value is_far = emit_fcmp_c(g, LLVMRealOGT, a, FAR);
  Value result = emit_copysign(g, emit_select(g, is_far, half_exp(g, a), near), x);
  return kept_nan(g, x, math_keep_tiny(g, x, result, 0x1p-28));
}

static Value cosh_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x);
  Double e =
      double_add_one(g, expm1_part(g, double_of(g, clamped(g, a, 0, FAR))), constant(g, x, 1));
  Double inverse = double_div(g, double_const(g, x, 1, 0), e);
  Value near = double_rounded(g, double_scaled(g, double_add(g, e, inverse), 0.5));
  Value is_far = emit_fcmp_c(g, LLVMRealOGT, a, FAR);
  return kept_nan(g, x, emit_select(g, is_far, half_exp(g, a), near));
}

static Value tanh_of(LlvmGen *g, Value x) {
  Value a = clamped(g, emit_abs(g, x), 0, FAR / 2);
  Double e = expm1_part(g, double_of(g, emit_fadd(g, a, a)));
  Double t = double_div(g, e, double_add_one(g, e, constant(g, x, 2)));
  Value result = emit_copysign(g, double_rounded(g, t), x);
  return kept_nan(g, x, math_keep_tiny(g, x, result, 0x1p-28));
}

// With e = exp(-|x|): 1 / (1 + e), or e / (1 + e).
static Value logistic_of(LlvmGen *g, Value x) {
  Value exponent, a = clamped(g, emit_abs(g, x), 0, 760);
  Double part = math_f64_exp_part(g, double_of(g, emit_fneg(g, a)), &exponent);
  Double e = {math_f64_scaled(g, part.hi, exponent), math_f64_scaled(g, part.lo, exponent)};
  Double one = double_const(g, x, 1, 0);
  Double top = double_select(g, is_less(g, x, 0), e, one);
  return kept_nan(g, x, double_rounded(g, double_div(g, top, double_add(g, one, e))));
}

// ---- logarithms ---------------------------------------------------------------------------------
// 2 (s + s^3 / 3 + …) with s = (m - 1) / (m + 1), and n ln(2), for x = m 2^n.
Double math_f64_log(LlvmGen *g, Double x) {
  double c[12];
  for (unsigned i = 0; i < COUNT_OF(c); i++) c[i] = 2.0 / (2 * i + 5);
  Value exponent = emit_ashr_c(g, emit_sub_c(g, emit_as_int(g, x.hi), 0x3fe6a09e667f3bcd), 52);
  Value down = emit_sub(g, gen_int_like(exponent, 0), exponent);
  Value high = emit_as_f64(g, emit_sub(g, emit_as_int(g, x.hi), emit_shl_c(g, exponent, 52)));
  Value low = math_f64_scaled(g, x.lo, down);
  // i64 to f64 is no instruction everywhere: through the bits of 2^52 + n.
  Value biased = emit_or_c(g, emit_add_c(g, exponent, 4096), 0x4330000000000000);
  Value n = emit_fadd_c(g, emit_as_f64(g, biased), -0x1p52 - 4096);
  Double top = double_sum(g, emit_fadd_c(g, high, -1), low); // the difference is exact
  Double bottom = double_add_one(g, double_sum(g, high, constant(g, high, 1)), low);
  Double s = double_div(g, top, bottom), z = double_mul(g, s, s), cube = double_mul(g, z, s);
  Double second = double_mul(g, cube, double_const(g, high, 2.0 / 3, 0x1.5555555555555p-55));
  Value rest = emit_fmul(g, emit_fmul(g, cube.hi, z.hi), math_poly(g, z.hi, c, COUNT_OF(c)));
  Double log = double_add(g, double_scaled(g, s, 2), double_add_one(g, second, rest));
  Double whole = double_product(g, n, constant(g, n, LN2_LOW));
  whole = double_add_one(g, whole, emit_fmul_c(g, n, LN2_HIGH));
  return double_add(g, whole, log);
}

// What a logarithm is at the ends: -inf at 0, NaN below, inf.
static Value log_ends(LlvmGen *g, Value x, Value result) {
  Value nan = constant(g, x, NAN), inf = constant(g, x, INFINITY);
  result = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, x, 0), constant(g, x, -INFINITY), result);
  result = emit_select(g, is_less(g, x, 0), nan, result);
  result = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, x, INFINITY), inf, result);
  return kept_nan(g, x, result);
}

static Value log_of(LlvmGen *g, Value x) {
  return log_ends(g, x, double_rounded(g, math_f64_log(g, double_of(g, x))));
}

static Value log2_of(LlvmGen *g, Value x) {
  Double log = math_f64_log(g, double_of(g, x));
  Double scaled = double_mul(g, log, double_const(g, x, LOG2E, LOG2E_REST));
  return log_ends(g, x, double_rounded(g, scaled));
}

static Double log1p_part(LlvmGen *g, Double u) {
  return math_f64_log(g, double_add_one(g, u, constant(g, u.hi, 1)));
}

static Value log1p_of(LlvmGen *g, Value x) {
  Double sum = double_sum(g, x, constant(g, x, 1));
  Value result = log_ends(g, sum.hi, double_rounded(g, math_f64_log(g, sum)));
  return math_keep_tiny(g, x, result, 0x1p-54);
}

// log(a) + ln(2), for those whose square is too large.
static Double log_of_twice(LlvmGen *g, Value a) {
  return double_add(g, math_f64_log(g, double_of(g, a)), double_const(g, a, LN2, LN2_REST));
}

static Value asinh_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x), held = clamped(g, a, 0, 0x1p30), one = constant(g, x, 1);
  Double square = double_product(g, held, held);
  Double root = double_sqrt(g, double_add_one(g, square, one));
  Double u = double_add_one(g, double_div(g, square, double_add_one(g, root, one)), held);
  Value is_far = emit_fcmp_c(g, LLVMRealOGT, a, 0x1p30);
  Double log = double_select(g, is_far, log_of_twice(g, a), log1p_part(g, u));
  Value result = emit_copysign(g, double_rounded(g, log), x);
  result = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, a, INFINITY), x, result);
  return kept_nan(g, x, math_keep_tiny(g, x, result, 0x1p-28));
}

static Value acosh_of(LlvmGen *g, Value x) {
  Double t = double_sum(g, clamped(g, x, 1, 0x1p30), constant(g, x, -1));
  Double root = double_sqrt(g, double_add(g, double_scaled(g, t, 2), double_mul(g, t, t)));
  Value is_far = emit_fcmp_c(g, LLVMRealOGT, x, 0x1p30);
  Double log = double_select(g, is_far, log_of_twice(g, x), log1p_part(g, double_add(g, t, root)));
  Value result = double_rounded(g, log);
  result = emit_select(g, is_less(g, x, 1), constant(g, x, NAN), result);
  result = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, x, INFINITY), x, result);
  return kept_nan(g, x, result);
}

static Value atanh_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x), is_inside = is_less(g, a, 1);
  Value held = emit_select(g, is_inside, a, constant(g, x, 0.5));
  Double bottom = double_sum(g, constant(g, x, 1), emit_fneg(g, held));
  Double u = double_div(g, double_of(g, emit_fadd(g, held, held)), bottom);
  Value inside = emit_fmul_c(g, double_rounded(g, log1p_part(g, u)), 0.5);
  Value outside = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, a, 1), constant(g, x, INFINITY),
                              constant(g, x, NAN));
  Value result = emit_copysign(g, emit_select(g, is_inside, inside, outside), x);
  return kept_nan(g, x, math_keep_tiny(g, x, result, 0x1p-28));
}

// ---- powers and roots ---------------------------------------------------------------------------
// A third of the exponent to start with, then Newton's method, the last time with what is left
// known exactly.
static Value cbrt_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x), high = emit_lshr_c(g, emit_as_int(g, a), 32);
  // A third of a 32-bit number by multiplication: no vector division.
  Value third = emit_lshr_c(g, emit_mul(g, high, gen_int_like(high, 0x55555556)), 32);
  Value y = emit_as_f64(g, emit_shl_c(g, emit_add_c(g, third, 0x2a9f7893), 32));
  for (int i = 0; i < 4; i++) {
    Value quotient = emit_fdiv(g, a, emit_fmul(g, y, y));
    y = emit_fmul_c(g, emit_fadd(g, emit_fadd(g, y, y), quotient), 1.0 / 3);
  }
  Double cube = double_mul_one(g, double_product(g, y, y), y);
  Value left = emit_fsub(g, emit_fsub(g, a, cube.hi), cube.lo);
  y = emit_fadd(g, y, emit_fdiv(g, left, emit_fmul_c(g, emit_fmul(g, y, y), 3)));
  Value is_ordinary = emit_and(g, emit_fcmp_c(g, LLVMRealUNE, x, 0), is_less(g, a, INFINITY));
  return emit_select(g, is_ordinary, emit_copysign(g, y, x), x);
}

// |x|^y for x neither 0, infinite nor NaN.
static Value power_of(LlvmGen *g, Value magnitude, Value y) {
  Double log = math_f64_log(g, double_of(g, magnitude));
  // |log| is at least 2^-53 or 0: beyond this any exponent is as good.
  Double product = double_mul_one(g, log, clamped(g, y, -0x1p64, 0x1p64));
  Value held = clamped(g, product.hi, -760, 760), exponent;
  Value is_held = emit_fcmp(g, LLVMRealOEQ, held, product.hi);
  Double in = {held, emit_select(g, is_held, product.lo, constant(g, y, 0))};
  Double e = math_f64_exp_part(g, in, &exponent);
  return math_f64_scaled(g, double_rounded(g, e), exponent);
}

Value math_f64_pow(LlvmGen *g, Value x, Value y) {
  Value magnitude = emit_abs(g, x), y_abs = emit_abs(g, y);
  Value zero = constant(g, x, 0), one = constant(g, x, 1), inf = constant(g, x, INFINITY);
  Value is_zero = emit_fcmp(g, LLVMRealOEQ, x, zero);
  Value is_infinite = emit_fcmp(g, LLVMRealOEQ, magnitude, inf);
  Value held = emit_select(g, emit_or(g, is_zero, is_infinite), one, magnitude);
  Value power = power_of(g, held, y), rises = emit_fcmp(g, LLVMRealOGT, y, zero);
  power = emit_select(g, is_zero, emit_select(g, rises, zero, inf), power);
  power = emit_select(g, is_infinite, emit_select(g, rises, inf, zero), power);
  power = emit_select(g, emit_fcmp(g, LLVMRealUNO, x, y), constant(g, x, NAN), power);
  // Negative bases: whole exponents only, odd ones with the sign.
  Value is_whole = emit_fcmp(g, LLVMRealOEQ, math_round(g, OP_TRUNC, y), y);
  Value half = emit_fmul_c(g, y, 0.5);
  Value is_odd =
      emit_and(g, is_whole, emit_fcmp(g, LLVMRealUNE, math_round(g, OP_TRUNC, half), half));
  is_odd = emit_and(g, is_odd, is_less(g, y_abs, 0x1p53));
  Value has_sign = emit_icmp_c(g, LLVMIntSLT, emit_as_int(g, x), 0);
  power = emit_select(g, emit_and(g, has_sign, is_odd), emit_fneg(g, power), power);
  Value is_negative = emit_and(g, is_less(g, x, 0), is_less(g, magnitude, INFINITY));
  power =
      emit_select(g, emit_and(g, is_negative, emit_not(g, is_whole)), constant(g, x, NAN), power);
  // 1 to anything, anything to 0, -1 to an infinity.
  Value is_one = emit_or(g, emit_fcmp(g, LLVMRealOEQ, x, one), emit_fcmp(g, LLVMRealOEQ, y, zero));
  Value unit_to_infinity =
      emit_and(g, emit_fcmp(g, LLVMRealOEQ, magnitude, one), emit_fcmp(g, LLVMRealOEQ, y_abs, inf));
  return emit_select(g, emit_or(g, is_one, unit_to_infinity), one, power);
}

// ---- choice -------------------------------------------------------------------------------------
Value math_f64_unary(LlvmGen *g, OpCode code, Value x) {
  switch (code) {
  case OP_EXP: return exp_of(g, x);
  case OP_EXP2: return exp2_of(g, x);
  case OP_EXPM1: return expm1_of(g, x);
  case OP_LOG: return log_of(g, x);
  case OP_LOG1P: return log1p_of(g, x);
  case OP_LOG2: return log2_of(g, x);
  case OP_LOGISTIC: return logistic_of(g, x);
  case OP_SINH: return sinh_of(g, x);
  case OP_COSH: return cosh_of(g, x);
  case OP_TANH: return tanh_of(g, x);
  case OP_ASINH: return asinh_of(g, x);
  case OP_ACOSH: return acosh_of(g, x);
  case OP_ATANH: return atanh_of(g, x);
  case OP_CBRT: return cbrt_of(g, x);
  case OP_ERF: return error_f64(g, x);
  case OP_ERFC: return error_f64_complement(g, x);
  case OP_ERF_INV: return error_f64_inverse(g, x);
  case OP_LGAMMA: return log_gamma_f64(g, x);
  default: return angle_f64_unary(g, code, x);
  }
}
