// SPDX-License-Identifier: Apache-2.0
// The error function, its complement and inverse, and the logarithm of gamma, of f64.
#include "gen_error_f64.h"
#include <math.h>
#include "codegen/emit/gen_loop.h"
#include "gen_angle_f64.h"
#include "gen_math_f64.h"
#include "gen_poly.h"

// ---- the error function -------------------------------------------------------------------------
#define SMALL 0.5 // up to here the series of erf, beyond it exp(-a^2) times a polynomial

// 2 / sqrt(pi) (x - x^3 / 3 + x^5 / 10 - …).
static Double small_erf(LlvmGen *g, Value x) {
  double c[13], factorial = 1;
  for (unsigned i = 0; i < COUNT_OF(c); i++) {
    factorial *= i + 1;
    c[i] = (i % 2 ? 1 : -1) / (factorial * (2 * i + 3));
  }
  Value z = emit_fmul(g, x, x);
  Value rest = emit_fmul(g, emit_fmul(g, x, z), math_poly(g, z, c, COUNT_OF(c)));
  Double sum = double_ordered_sum(g, x, rest);
  return double_mul(g, sum, double_const(g, x, 0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56));
}

// erfc(a) for SMALL <= a <= 27: (a + 2) erfc(a) exp(a^2) is a polynomial of x, which goes from -1
// to 1 as t = (a - 2) / (a + 2) = 1 - 4 / (a + 2) does between its ends. Coefficients: Chebyshev's
// interpolation, of 2^-57.
static Value large_erfc(LlvmGen *g, Value a) {
  static const double c[] = {
      0.9362514397854312,      -0.4503027786744186,     0.14059785082984072,
      -0.01815664703827836,    -0.004726315021860816,   0.0017801327933298567,
      0.00030826680961333077,  -0.0001639711851397937,  -4.096212444888254e-05,
      1.4418297735354027e-05,  6.926379665764676e-06,   -6.592206489822299e-07,
      -1.0755959202032677e-06, -1.5882794231042175e-07, 1.1833652967558536e-07,
      5.887364841712296e-08,   -5.506316638755827e-10,  -1.0146472699427878e-08,
      -3.5354173889654844e-09, 6.523016946737703e-10,   8.935710962744471e-10,
      1.2126150579491528e-10,  -1.091664309448249e-10,  -2.5429797262068646e-11,
      5.054483516353306e-12,
  };
  const double low = -1.5 / 2.5, high = 25.0 / 29, scale = 2 / (high - low);
  Double inverse =
      double_div(g, double_const(g, a, 1, 0), double_sum(g, a, gen_float_like(g, a, 2)));
  Double x = double_mul_one(g, inverse, gen_float_like(g, a, -4 * scale));
  x = double_add_one(g, x, gen_float_like(g, a, (1 - (low + high) / 2) * scale));
  Value inner = math_poly(g, x.hi, c + 1, COUNT_OF(c) - 1), exponent;
  Double p = double_add_one(g, double_mul_one(g, x, inner), gen_float_like(g, a, c[0]));
  Double power = math_f64_exp_part(g, double_neg(g, double_product(g, a, a)), &exponent);
  Double product = double_mul(g, double_mul(g, p, inverse), power);
  return math_f64_scaled(g, double_rounded(g, product), exponent);
}

// Both ways for |x|; which one holds.
typedef struct Errors {
  Double small; // erf
  Value large;  // erfc
  Value is_small;
} Errors;

static Errors errors_of(LlvmGen *g, Value a) {
  Value is_small = emit_fcmp_c(g, LLVMRealOLT, a, SMALL);
  Value least = gen_float_like(g, a, SMALL), most = gen_float_like(g, a, 27);
  Value held = emit_select(g, is_small, least, a);
  held = emit_select(g, emit_fcmp(g, LLVMRealOGT, held, most), most, held);
  Value near = emit_select(g, is_small, a, gen_float_like(g, a, 0));
  return (Errors){small_erf(g, near), large_erfc(g, held), is_small};
}

Value error_f64(LlvmGen *g, Value x) {
  Errors e = errors_of(g, emit_abs(g, x));
  Value large = emit_fsub(g, gen_float_like(g, x, 1), e.large);
  Value result = emit_select(g, e.is_small, double_rounded(g, e.small), large);
  return emit_select(g, emit_is_nan(g, x), x, emit_copysign(g, result, x));
}

Value error_f64_complement(LlvmGen *g, Value x) {
  Errors e = errors_of(g, emit_abs(g, x));
  Value is_left = emit_fcmp_c(g, LLVMRealOLT, x, 0), one = gen_float_like(g, x, 1);
  Double small = double_select(g, is_left, e.small, double_neg(g, e.small));
  Value near = double_rounded(g, double_add_one(g, small, one));
  Value left = emit_fsub(g, gen_float_like(g, x, 2), e.large);
  Value far = emit_select(g, is_left, left, e.large);
  return emit_select(g, emit_is_nan(g, x), x, emit_select(g, e.is_small, near, far));
}

#define HALF_ROOT_PI 0.886226925452758013649

// Winitzki's approximation of 2008, to 1 in 300.
static Value first_inverse(LlvmGen *g, Value a) {
  const double k = 0.147;
  Value one = gen_float_like(g, a, 1), zero = gen_float_like(g, a, 0);
  Value rest = emit_fmul(g, emit_fsub(g, one, a), emit_fadd(g, one, a));
  Value l = math_f64_log(g, double_of(g, rest)).hi;
  Value first = emit_fadd_c(g, emit_fmul_c(g, l, 0.5), 2 / (M_PI * k));
  Value second = emit_fsub(g, emit_fmul(g, first, first), emit_fmul_c(g, l, 1 / k));
  Value square = emit_fsub(g, gen_intrinsic1(g, "llvm.sqrt", second), first);
  Value y = gen_intrinsic1(g, "llvm.sqrt", gen_intrinsic2(g, "llvm.maxnum", square, zero));
  return emit_select(g, emit_fcmp_c(g, LLVMRealOLT, a, 0x1p-10), emit_fmul_c(g, a, HALF_ROOT_PI),
                     y);
}

// Halley's method, which triples the digits each time. Near 1 the complement has them.
static Value better_inverse(LlvmGen *g, Value y, Value a) {
  Errors e = errors_of(g, y);
  Value one = gen_float_like(g, a, 1), exponent;
  Value rest = emit_fsub(g, one, a); // exact where it is used
  Value near = double_rounded(g, double_add_one(g, e.small, emit_fneg(g, a)));
  Value error = emit_select(g, e.is_small, near, emit_fsub(g, rest, e.large));
  Double power = math_f64_exp_part(g, double_product(g, y, y), &exponent);
  Value slope = emit_fmul_c(g, math_f64_scaled(g, power.hi, exponent), HALF_ROOT_PI);
  Value step = emit_fmul(g, error, slope);
  return emit_fsub(g, y, emit_fdiv(g, step, emit_fadd(g, one, emit_fmul(g, y, step))));
}

Value error_f64_inverse(LlvmGen *g, Value x) {
  enum { STEPS = 3 }; // each triples the digits that are right (Halley): 7, 21, 63 bits of 53
  Value a = emit_abs(g, x), is_inside = emit_fcmp_c(g, LLVMRealOLT, a, 1);
  Value held = emit_select(g, is_inside, a, gen_float_like(g, x, 0.5)), y = first_inverse(g, held);
  Loop loop;
  loop_begin_count(g, &loop, STEPS, 1, 1, &y);
  y = better_inverse(g, loop.carried[0], held);
  loop_end(g, &loop, &y);
  Value tiny = emit_fmul_c(g, a, HALF_ROOT_PI);
  Value inside = emit_select(g, emit_fcmp_c(g, LLVMRealOLT, a, 0x1p-30), tiny, loop.carried[0]);
  Value outside = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, a, 1), gen_float_like(g, x, INFINITY),
                              gen_float_like(g, x, NAN));
  return emit_copysign(g, emit_select(g, is_inside, inside, outside), x);
}

// ---- log |gamma| --------------------------------------------------------------------------------
enum { STIRLING_FROM = 16 };

// Stirling's series at y >= 16.
static Double stirling(LlvmGen *g, Double y) {
  static const double c[] = {-1.0 / 360,       1.0 / 1260,       -1.0 / 1680,
                             1.0 / 1188,       -691.0 / 360360,  1.0 / 156,
                             -3617.0 / 122400, 43867.0 / 244188, -174611.0 / 125400};
  Double inverse = double_div(g, double_const(g, y.hi, 1, 0), y);
  Value z = emit_fmul(g, inverse.hi, inverse.hi);
  Value rest = emit_fmul(g, emit_fmul(g, z, inverse.hi), math_poly(g, z, c, COUNT_OF(c)));
  Double twelfth = double_const(g, z, 1.0 / 12, 0x1.5555555555555p-59);
  Double series = double_add_one(g, double_mul(g, inverse, twelfth), rest);
  Double main = double_mul(g, double_add_one(g, y, gen_float_like(g, z, -0.5)), math_f64_log(g, y));
  main = double_sub(g, main, y);
  Double half_log = double_const(g, z, 0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55);
  return double_add(g, double_add(g, main, half_log), series);
}

// y >= 1/2: from y + 16 down by a product.
static Double positive_log_gamma(LlvmGen *g, Double y) {
  Value is_large = emit_fcmp_c(g, LLVMRealOGE, y.hi, STIRLING_FROM);
  Double one = double_const(g, y.hi, 1, 0), small = double_select(g, is_large, one, y);
  Double product = small;
  for (int i = 1; i < STIRLING_FROM; i++)
    product = double_mul(g, product, double_add_one(g, small, gen_float_like(g, y.hi, i)));
  Double shifted = double_add_one(g, small, gen_float_like(g, y.hi, STIRLING_FROM));
  Double result = stirling(g, double_select(g, is_large, y, shifted));
  Double taken = double_select(g, is_large, double_const(g, y.hi, 0, 0), math_f64_log(g, product));
  return double_sub(g, result, taken);
}

Value log_gamma_f64(LlvmGen *g, Value x) {
  const double whole_from = 0x1p52, largest = 2.55e305;
  Value one = gen_float_like(g, x, 1), is_reflected = emit_fcmp_c(g, LLVMRealOLT, x, 0.5);
  Value is_far = emit_fcmp_c(g, LLVMRealUGT, emit_abs(g, x), largest);
  Value held = emit_select(g, is_far, one, x);
  Double reflected = double_sum(g, one, emit_fneg(g, held));
  Double positive =
      positive_log_gamma(g, double_select(g, is_reflected, reflected, double_of(g, held)));
  Value magic = gen_float_like(g, x, 0x1.8p52);
  Value nearest = emit_fsub(g, emit_fadd(g, held, magic), magic);
  Value distance = emit_abs(g, emit_fsub(g, held, nearest));
  Value is_whole = emit_fcmp_c(g, LLVMRealOEQ, distance, 0);
  Double log_sine = math_f64_log(g, angle_f64_sin_pi(g, distance));
  Double log_pi = double_const(g, x, 0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57);
  Double left = double_sub(g, double_sub(g, log_pi, log_sine), positive);
  Value result = double_rounded(g, double_select(g, is_reflected, left, positive));
  Value is_pole = emit_and(g, emit_fcmp_c(g, LLVMRealOLE, x, 0), is_whole);
  is_pole = emit_or(g, is_pole, emit_fcmp_c(g, LLVMRealOLT, x, -whole_from));
  is_pole = emit_or(g, is_pole, emit_fcmp_c(g, LLVMRealOGT, x, largest));
  result = emit_select(g, is_pole, gen_float_like(g, x, INFINITY), result);
  return emit_select(g, emit_is_nan(g, x), x, result);
}
