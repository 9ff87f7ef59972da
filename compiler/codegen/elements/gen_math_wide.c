// SPDX-License-Identifier: Apache-2.0
// Functions whose f32 result is rounded from an f64 computation, and the reduction of angles.
#include "ir/core/ops.h"
#include "gen_math_wide.h"
#include <math.h>
#include "gen_poly.h"
#include "gen_round.h"

#define LN2 0.69314718055994530942

// ---- f64 exp and log: close to f64's own precision, for arguments without special cases ---------
static Value whole_number(LlvmGen *g, Value x, Value *bits) {
  const double magic = 6755399441055744.0; // 1.5 * 2^52
  Value sum = emit_fadd_c(g, x, magic);
  *bits = emit_sub_c(g, emit_as_int(g, sum), 0x4338000000000000);
  return emit_fadd_c(g, sum, -magic);
}

// |x| < 700; to 2e-10 of it, which is enough for an f32.
static Value wide_exp(LlvmGen *g, Value x) {
  static const double c[] = {1,         1,         1.0 / 2,    1.0 / 6,    1.0 / 24,
                             1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320};
  Value bits, n = whole_number(g, emit_fmul_c(g, x, 1 / LN2), &bits);
  Value r = emit_fma(g, n, gen_float_like(g, n, -0.6931471803691238), x); // 33 bits: exact products
  r = emit_fma(g, n, gen_float_like(g, n, -1.9082149292705877e-10), r);
  Value power = emit_as_f64(g, emit_shl_c(g, emit_add_c(g, bits, 1023), 52));
  return emit_fmul(g, math_poly(g, r, c, COUNT_OF(c)), power);
}

// Terms of the series of a logarithm: all of an f64's digits, and those that an f32 needs of a
// power (a 1e12th).
enum { ALL_TERMS = 11, POWER_TERMS = 7 };

// x > 0 and finite, f64 but not subnormal. 2 s (1 + s^2 / 3 + s^4 / 5 + …), s = (m - 1) / (m + 1).
static Value wide_log(LlvmGen *g, Value x, unsigned terms) {
  static const double c[ALL_TERMS] = {1,        1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                                      1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  Value bits = emit_as_int(g, x);
  Value exponent = emit_ashr_c(g, emit_sub_c(g, bits, 0x3fe6a09e667f3bcd), 52);
  Value mantissa = emit_as_f64(g, emit_sub(g, bits, emit_shl_c(g, exponent, 52)));
  // i64 to f64 is no instruction everywhere: through the bits of 2^52 + n.
  Value biased = emit_or_c(g, emit_add_c(g, exponent, 4096), 0x4330000000000000);
  Value n = emit_fadd_c(g, emit_as_f64(g, biased), -4503599627370496.0 - 4096);
  Value s = emit_fdiv(g, emit_fadd_c(g, mantissa, -1), emit_fadd_c(g, mantissa, 1));
  Value log = emit_fmul(g, emit_fmul_c(g, s, 2), math_poly(g, emit_fmul(g, s, s), c, terms));
  return emit_fma(g, n, gen_float_like(g, n, LN2), log);
}

static Value wide_less(LlvmGen *g, Value x, double limit) {
  return emit_fcmp(g, LLVMRealOLT, x, gen_float_like(g, x, limit));
}

// ---- the functions; x is f32, w the same as f64 -------------------------------------------------
static Value nan_like(LlvmGen *g, Value x) { return gen_float_like(g, x, NAN); }
static Value inf_like(LlvmGen *g, Value x) { return gen_float_like(g, x, INFINITY); }

// A third of the exponent to start with, then Newton's method (each step doubles the digits).
static Value cbrt_of(LlvmGen *g, Value x, Value w) {
  Value a = emit_abs(g, w), bits = emit_as_int(g, a);
  Value high = emit_lshr_c(g, bits, 32);
  // A third of a 32-bit number by multiplication: no vector division.
  Value third = emit_lshr_c(g, emit_mul(g, high, gen_int_like(high, 0x55555556)), 32);
  Value y = emit_as_f64(g, emit_shl_c(g, emit_add_c(g, third, 0x2a9f7893), 32));
  for (int i = 0; i < 4; i++) {
    Value quotient = emit_fdiv(g, a, emit_fmul(g, y, y));
    y = emit_fmul_c(g, emit_fadd(g, emit_fadd(g, y, y), quotient), 1.0 / 3);
  }
  Value result = emit_copysign(g, wide_to(g, y), x);
  Value is_ordinary = emit_and(g, emit_fcmp_c(g, LLVMRealUNE, x, 0.0),
                               emit_fcmp_c(g, LLVMRealOLT, emit_abs(g, x), INFINITY));
  return emit_select(g, is_ordinary, result, x);
}

// ---- lgamma -------------------------------------------------------------------------------------
// Stirling's series at y >= 8.
static Value stirling(LlvmGen *g, Value y) {
  static const double c[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                             1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  Value inverse = emit_fdiv(g, gen_float_like(g, y, 1), y);
  Value series =
      emit_fmul(g, inverse, math_poly(g, emit_fmul(g, inverse, inverse), c, COUNT_OF(c)));
  Value main = emit_fsub(
      g, emit_fmul(g, emit_fadd_c(g, y, -0.5), emit_fadd_c(g, wide_log(g, y, ALL_TERMS), -1)),
      gen_float_like(g, y, 0.5));
  return emit_fadd(g, emit_fadd_c(g, main, 0.91893853320467274178), series);
}

// log |gamma(y)| for y >= 1/2: from y + 8 down by a product.
static Value lgamma_positive(LlvmGen *g, Value y) {
  Value is_large = emit_fcmp(g, LLVMRealOGE, y, gen_float_like(g, y, 8)),
        one = gen_float_like(g, y, 1);
  Value product = y;
  for (int i = 1; i < 8; i++) product = emit_fmul(g, product, emit_fadd_c(g, y, i));
  product = emit_select(g, is_large, one, product);
  Value shifted = emit_select(g, is_large, y, emit_fadd_c(g, y, 8));
  return emit_fsub(g, stirling(g, shifted), wide_log(g, product, ALL_TERMS));
}

// |sin(pi t)| for 0 <= t <= 1/2.
static Value sin_pi(LlvmGen *g, Value t) {
  static const double c[] = {1,
                             -1.0 / 6,
                             1.0 / 120,
                             -1.0 / 5040,
                             1.0 / 362880,
                             -1.0 / 39916800,
                             1.0 / 6227020800,
                             -1.0 / 1307674368000,
                             1.0 / 355687428096000};
  Value angle = emit_fmul_c(g, t, M_PI);
  return emit_fmul(g, angle, math_poly(g, emit_fmul(g, angle, angle), c, COUNT_OF(c)));
}

static Value lgamma_of(LlvmGen *g, Value x, Value w) {
  Value is_reflected = wide_less(g, w, 0.5);
  Value y = emit_select(g, is_reflected, emit_fsub(g, gen_float_like(g, w, 1), w), w);
  Value positive = lgamma_positive(g, y);
  Value bits, nearest = whole_number(g, w, &bits); // |w| large: is whole itself
  Value distance = emit_abs(g, emit_fsub(g, w, nearest));
  Value is_pole = emit_and(g, emit_fcmp_c(g, LLVMRealOLE, x, 0.0),
                           emit_fcmp(g, LLVMRealOEQ, distance, gen_float_like(g, w, 0)));
  distance = emit_select(g, emit_fcmp(g, LLVMRealOEQ, distance, gen_float_like(g, w, 0)),
                         gen_float_like(g, w, 0.5), distance);
  Value reflected = emit_fsub(g, gen_float_like(g, w, 1.1447298858494001741),
                              emit_fadd(g, wide_log(g, sin_pi(g, distance), ALL_TERMS), positive));
  Value result = wide_to(g, emit_select(g, is_reflected, reflected, positive));
  // Beyond 2^23 all numbers are whole: a pole, or infinite.
  is_pole = emit_or(g, is_pole, emit_fcmp_c(g, LLVMRealOLT, x, -8388608.0));
  is_pole = emit_or(g, is_pole, emit_fcmp_c(g, LLVMRealOEQ, x, INFINITY));
  return emit_select(g, emit_is_nan(g, x), x, emit_select(g, is_pole, inf_like(g, x), result));
}

Value math_wide_unary(LlvmGen *g, OpCode code, Value x) {
  Value w = wide_from(g, x);
  switch (code) {
  case OP_CBRT: return cbrt_of(g, x, w);
  case OP_LGAMMA: return lgamma_of(g, x, w);
  default: BUG("no %s of floats", op_info(code)->name);
  }
}

// ---- pow ----------------------------------------------------------------------------------------
Value math_wide_pow(LlvmGen *g, Value x, Value y) {
  Value magnitude = emit_abs(g, x), zero = gen_float_like(g, x, 0.0),
        one = gen_float_like(g, x, 1.0);
  Value is_ordinary = emit_and(g, emit_fcmp(g, LLVMRealOGT, magnitude, zero),
                               emit_fcmp_c(g, LLVMRealOLT, magnitude, INFINITY));
  Value log = wide_log(g, wide_from(g, emit_select(g, is_ordinary, magnitude, one)), POWER_TERMS);
  // 0; inf, NaN.
  Value special = emit_select(g, emit_fcmp(g, LLVMRealOEQ, x, zero),
                              gen_float_like(g, log, -INFINITY), wide_from(g, magnitude));
  Value product = emit_fmul(g, emit_select(g, is_ordinary, log, special), wide_from(g, y));
  Value low = gen_float_like(g, log, -200), high = gen_float_like(g, log, 200);
  product = emit_select(g, emit_fcmp(g, LLVMRealOLT, product, low), low, product);
  product = emit_select(g, emit_fcmp(g, LLVMRealOGT, product, high), high, product);
  Value power = wide_to(g, wide_exp(g, product)); // out of range: infinity or zero
  power = emit_select(g, emit_fcmp(g, LLVMRealUNO, x, y), nan_like(g, x), power);
  // Negative bases: whole exponents only, odd ones with the sign.
  Value y_abs = emit_abs(g, y), whole = math_round(g, OP_TRUNC, y);
  Value is_whole = emit_fcmp(g, LLVMRealOEQ, whole, y);
  Value half = emit_fmul_c(g, y, 0.5);
  Value is_odd =
      emit_and(g, is_whole, emit_fcmp(g, LLVMRealUNE, math_round(g, OP_TRUNC, half), half));
  is_odd = emit_and(g, is_odd, emit_fcmp_c(g, LLVMRealOLT, y_abs, 16777216.0));
  Value has_sign = emit_icmp_c(g, LLVMIntSLT, emit_as_int(g, x), 0);
  power = emit_select(g, emit_and(g, has_sign, is_odd), emit_fneg(g, power), power);
  Value is_negative = emit_and(g, emit_fcmp(g, LLVMRealOLT, x, zero),
                               emit_fcmp_c(g, LLVMRealOLT, magnitude, INFINITY));
  power = emit_select(g, emit_and(g, is_negative, emit_not(g, is_whole)), nan_like(g, x), power);
  // 1 to anything, anything to 0, -1 to an infinity.
  Value is_one = emit_or(g, emit_fcmp(g, LLVMRealOEQ, x, one), emit_fcmp(g, LLVMRealOEQ, y, zero));
  Value unit_to_infinity = emit_and(g, emit_fcmp(g, LLVMRealOEQ, magnitude, one),
                                    emit_fcmp_c(g, LLVMRealOEQ, y_abs, INFINITY));
  return emit_select(g, emit_or(g, is_one, unit_to_infinity), one, power);
}
