// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of f32, as polynomials inline or, the long ones, in functions of their own
// (one for each width); those of f64 (gen_math_f64.c) all in such functions.
//
// Greatest errors, measured against f64 over all or a dense part of the arguments
// (tests/unit/test_math.c), in units of the last place:
//   exp exp2 expm1 log rsqrt sin cos erf 1.5, log2 logistic tan asin acos atan atan2 sinh cosh
//   asinh acosh atanh erf_inv 2, tanh erfc 6, the others (in f64 inside) 1;
//   lgamma 1 but near its zeros at negative arguments. Infinities, NaN, subnormals and signed zeros
//   as C's libm has them.
// The polynomials' coefficients were fitted for this compiler: least greatest relative error,
// rounded one by one from the lowest.
#include "ir/core/ops.h"
#include "gen_math.h"
#include <string.h>
#include "codegen/emit/gen_outlined.h"
#include "ir/core/arithmetic.h"
#include "gen_angle.h"
#include "gen_angle_f64.h"
#include "gen_fixup.h"
#include "gen_math_f64.h"
#include "gen_math_wide.h"
#include "gen_poly.h"
#include "gen_root.h"
#include "gen_round.h"
#include "gen_table.h"

// The same as even and odd powers side by side: one more operation, half of the wait.
static Value poly_in_halves(LlvmGen *g, Value x, const double *c, unsigned count) {
  Value square = emit_fmul(g, x, x), sums[2];
  for (unsigned odd = 0; odd < 2; odd++) {
    unsigned i = count - 1 - (count - 1 - odd) % 2;
    sums[odd] = gen_float_like(g, x, c[i]);
    for (; i >= 2; i -= 2)
      sums[odd] = emit_fma(g, sums[odd], square, math_coefficient(g, x, c[i - 2]));
  }
  return emit_fma(g, sums[1], x, sums[0]);
}

// NaN stays.
static Value clamp(LlvmGen *g, Value x, double low, double high) {
  Value lows = gen_float_like(g, x, low), highs = gen_float_like(g, x, high);
  x = emit_select(g, emit_fcmp(g, LLVMRealOGT, lows, x), lows, x);
  return emit_select(g, emit_fcmp(g, LLVMRealOLT, highs, x), highs, x);
}

// ---- powers of two ------------------------------------------------------------------------------
#define ROUND_MAGIC                                                                                \
  12582912.0 // 1.5 * 2^23: adding it rounds to a whole number, which then stands in the low bits

typedef struct Whole {
  Value number; // f32
  Value bits;   // i32: the number and a bias in the low 22 bits; all that is done with it ends in a
                // shift by 23, or is of its lowest bits
} Whole;

// rint(x * factor), |x * factor| < 2^22. An even bias leaves halves where they are.
static Whole round_biased(LlvmGen *g, Value x, double factor, int bias) {
  double magic = ROUND_MAGIC + bias;
  Value sum = factor == 1.0 ? emit_fadd_c(g, x, magic) : emit_fma_cc(g, x, factor, magic);
  return (Whole){emit_fsub_c(g, sum, magic), emit_as_int(g, sum)};
}

// The exponent of two factors of 2^n, whose bias is what an f32 has of both together.
enum { EXPONENT_BIAS = 127, FACTORS_BIAS = 2 * EXPONENT_BIAS };
static Whole round_product(LlvmGen *g, Value x, double factor) {
  return round_biased(g, x, factor, FACTORS_BIAS);
}

// Of a number with the bias of one.
static Value factor_of_two(LlvmGen *g, Value n) { return emit_as_float(g, emit_shl_c(g, n, 23)); }

static Value power_of_two(LlvmGen *g, Value bits) {
  return factor_of_two(g, emit_sub_c(g, bits, FACTORS_BIAS - EXPONENT_BIAS));
}

// value * 2^n for 0.5 < |value| < 2, -152 <= n <= 130, rounded once.
static Value scale(LlvmGen *g, Value value, Whole n) {
  unsigned lanes = gen_lanes(value);
  if (lanes == 32 && g->target->has_masks) {
    Whole low = {gen_lanes_of(g, n.number, 0, 16), NULL},
          high = {gen_lanes_of(g, n.number, 16, 16), NULL};
    return gen_joined(g, scale(g, gen_lanes_of(g, value, 0, 16), low),
                      scale(g, gen_lanes_of(g, value, 16, 16), high));
  }
  if (lanes == 16 && g->target->has_masks) {
    Value args[] = {value, n.number, LLVMConstNull(LLVMTypeOf(value)), LLVMConstAllOnes(g->i16),
                    gen_i32(g, 4)};
    return gen_intrinsic(g, "llvm.x86.avx512.mask.scalef.ps.512", NULL, 5, args);
  }
  // In two factors, as 2^n itself may not be a normal number; the first product is exact.
  Value half = emit_ashr_c(g, n.bits, 1);
  Value first = emit_fmul(g, value, factor_of_two(g, half));
  return emit_fmul(g, first, factor_of_two(g, emit_sub(g, n.bits, half)));
}

#define LOG2_E   1.44269504088896341
#define LN2_HIGH 0.693359375 // few enough bits for exact products with whole numbers
#define LN2_LOW  -2.12194440054690583e-4

static Value reduce_by_ln2(LlvmGen *g, Value x, Value n) {
  Value r = emit_fma(g, n, gen_float_like(g, n, -LN2_HIGH), x);
  return emit_fma(g, n, gen_float_like(g, n, -LN2_LOW), r);
}

static const double exp_poly[] = {
    1, 1, 0.49999994, 0.166665211, 0.0416682661, 0.00836868025, 0.00138207874};

// -104.5 <= x <= 89.5, or NaN.
static Value exp_in_range(LlvmGen *g, Value x) {
  Whole n = round_product(g, x, LOG2_E);
  return scale(g, math_poly(g, reduce_by_ln2(g, x, n.number), exp_poly, COUNT_OF(exp_poly)), n);
}

// exp(x - rest) for -87 <= x <= 0, or NaN, and a small rest (or NULL): the power of two is a normal
// number.
static Value small_exp(LlvmGen *g, Value x, Value rest) {
  Whole n = round_product(g, x, LOG2_E);
  Value r = reduce_by_ln2(g, x, n.number);
  Value p = poly_in_halves(g, rest ? emit_fsub(g, r, rest) : r, exp_poly, COUNT_OF(exp_poly));
  return emit_fmul(g, p, power_of_two(g, n.bits));
}

static Value emit_exp(LlvmGen *g, Value x) { return exp_in_range(g, clamp(g, x, -104.5, 89.5)); }

static Value emit_exp2(LlvmGen *g, Value x) {
  static const double c[] = {
      1, 0.693147242, 0.240226552, 0.0555027463, 0.00961708464, 0.00134169555, 0.000158173687};
  x = clamp(g, x, -151, 129);
  Whole n = round_product(g, x, 1.0);
  return scale(g, math_poly(g, emit_fsub(g, x, n.number), c, COUNT_OF(c)), n);
}

// exp(r) - 1 for |r| <= ln(2) / 2.
static Value small_expm1(LlvmGen *g, Value r) {
  static const double c[] = {0.5,          0.166666657,   0.0416664667,
                             0.0083336439, 0.00139349187, 0.00019658012};
  Value p = math_poly(g, r, c, COUNT_OF(c));
  return emit_fma(g, emit_fmul(g, r, r), p, r);
}

static Value emit_expm1(LlvmGen *g, Value x) {
  Value clamped = clamp(g, x, -30, 88.9);
  Whole n = round_product(g, clamped, LOG2_E);
  Value q = small_expm1(g, reduce_by_ln2(g, clamped, n.number));
  // 2^n q + (2^n - 1), through half of it as 2^128 is infinite.
  Value half_power = power_of_two(g, emit_sub_c(g, n.bits, 1));
  Value half = emit_fma(g, half_power, q, emit_fsub_c(g, half_power, 0.5));
  return math_keep_tiny(g, x, emit_fadd(g, half, half), 1e-8);
}

// exp(-|x|) is at most 1: no overflow, and small results keep their bits.
static Value emit_logistic(LlvmGen *g, Value x) {
  Value least = gen_float_like(g, x, -104.5), negative = emit_fneg(g, emit_abs(g, x));
  Value e = exp_in_range(
            g, emit_select(g, emit_fcmp(g, LLVMRealOGT, least, negative), least, negative)),
        one = gen_float_like(g, x, 1.0);
  Value is_negative = emit_fcmp_c(g, LLVMRealOLT, x, 0.0);
  return emit_fdiv(g, emit_select(g, is_negative, e, one), emit_fadd(g, e, one));
}

// An odd function that is 1 from `limit` on: eight pieces of |x|, each a polynomial of the distance
// from its middle, k times `step` (which times eight is exact, and at whose multiples the function
// is almost an f32). The first one is x + x P(x).
static Value odd_in_pieces(LlvmGen *g, Value x, double step, double limit,
                           const double (*c)[TABLE_SIZE], unsigned count) {
  Value magnitude = emit_abs(g, x), most = gen_float_like(g, x, limit);
  magnitude = emit_select(g, emit_fcmp(g, LLVMRealOLT, most, magnitude), most, magnitude);
  Whole piece = round_biased(g, magnitude, 1 / step, 0);
  Value d = emit_fma(g, piece.number, gen_float_like(g, x, -step), magnitude);
  Value sum = table_pick(g, c[count - 1], piece.bits);
  for (unsigned i = count - 1; i-- > 1;) sum = emit_fma(g, sum, d, table_pick(g, c[i], piece.bits));
  Value middle = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, piece.number, 0), d,
                             table_pick(g, c[0], piece.bits));
  return emit_copysign(g, emit_fma(g, sum, d, middle), x);
}

// The bits that XLA's CPU code gives: its quotient of two polynomials.
static Value emit_tanh(LlvmGen *g, Value x) {
  static const double top[] = {0.00489352457,   0.000637261954, 1.48572235e-05, 5.12229725e-08,
                               -8.60467184e-11, 2.00018794e-13, -2.76076837e-16};
  static const double bottom[] = {0.00489352504, 0.00226843474, 0.000118534706, 1.19825836e-06};
  Value magnitude = emit_abs(g, x), near = clamp(g, x, -7.99881172, 7.99881172);
  Value z = emit_fmul(g, near, near);
  Value quotient = emit_fdiv(g, emit_fmul(g, near, math_poly(g, z, top, COUNT_OF(top))),
                             math_poly(g, z, bottom, COUNT_OF(bottom)));
  Value one = emit_copysign(g, gen_float_like(g, x, 1.0), x);
  quotient = emit_select(g, emit_fcmp_c(g, LLVMRealOGE, magnitude, 20), one, quotient);
  return math_keep_tiny(g, x, quotient, 0.0004);
}

// Half of exp(|x|): it does not overflow before cosh and sinh do.
static Value half_exp(LlvmGen *g, Value magnitude) {
  Value clamped = clamp(g, magnitude, 0, 91);
  Whole n = round_product(g, clamped, LOG2_E);
  Value p = math_poly(g, reduce_by_ln2(g, clamped, n.number), exp_poly, COUNT_OF(exp_poly));
  n.bits = emit_sub_c(g, n.bits, 1);
  n.number = emit_fsub_c(g, n.number, 1.0);
  return scale(g, p, n);
}

static Value emit_cosh(LlvmGen *g, Value x) {
  Value half = half_exp(g, emit_abs(g, x));
  return emit_fadd(g, half, emit_fdiv(g, gen_float_like(g, x, 0.25), half));
}

static Value emit_sinh(LlvmGen *g, Value x) {
  static const double c[] = {0.166666672, 0.00833331048, 0.000198428912, 2.78226707e-06};
  Value magnitude = emit_abs(g, x), half = half_exp(g, magnitude), z = emit_fmul(g, x, x);
  Value large =
      emit_copysign(g, emit_fsub(g, half, emit_fdiv(g, gen_float_like(g, x, 0.25), half)), x);
  Value small = emit_fma(g, emit_fmul(g, x, z), math_poly(g, z, c, COUNT_OF(c)), x);
  Value result = emit_select(g, emit_fcmp_c(g, LLVMRealOLT, magnitude, 1.0), small, large);
  return math_keep_tiny(g, x, result, 1e-5);
}

// ---- logarithms ---------------------------------------------------------------------------------
typedef struct Parts {
  Value fraction; // the mantissa minus 1, in [sqrt(1/2) - 1, sqrt(2) - 1]
  Value power;    // the exponent in the bits where an f32 has it
  Value exponent; // f32: the same integer as a number, so 2^23 times the exponent
} Parts;

#define EXPONENT_UNIT 0x1p23

// x is a positive normal number; parts of others are some finite numbers.
static Parts split(LlvmGen *g, Value x) {
  Value bits = emit_as_int(g, x), from_root = emit_sub_c(g, bits, 0x3f3504f3);
  Value power = emit_and_c(g, from_root, -(1 << 23));
  Value mantissa = emit_as_float(g, emit_sub(g, bits, power));
  Value number = LLVMBuildSIToFP(g->builder, power, gen_type_like(g->f32, x), "");
  return (Parts){emit_fsub_c(g, mantissa, 1.0), power, number};
}

// The cases that are no positive number; `result` is finite in them.
static Value log_special(LlvmGen *g, Value x, Value result) {
  if (fixup_is_there(g, x))
    return fixup(g, x, result,
                 FIXUP(FIXUP_QUIET_NAN, GIVES_NAN) | FIXUP(FIXUP_SIGNALLING_NAN, GIVES_NAN) |
                     FIXUP(FIXUP_ZERO, GIVES_MINUS_INFINITY) |
                     FIXUP(FIXUP_MINUS_INFINITY, GIVES_NAN) | FIXUP(FIXUP_NEGATIVE, GIVES_NAN) |
                     FIXUP(FIXUP_INFINITY, GIVES_ARGUMENT));
  // Zeros and infinity are twice themselves, and x - 1 has their results' sign.
  Value is_pole = emit_sext(g, emit_fcmp(g, LLVMRealOEQ, emit_fadd(g, x, x), x), g->i32);
  Value infinity = emit_as_int(g, gen_float_like(g, x, __builtin_inf()));
  Value pole = emit_as_float(g, emit_and(g, is_pole, infinity));
  result = emit_fma(g, pole, emit_fsub_c(g, x, 1.0), result);
  // All bits set are a NaN.
  Value is_none = emit_sext(g, emit_fcmp_c(g, LLVMRealULT, x, 0.0), g->i32);
  return emit_as_float(g, emit_or(g, emit_as_int(g, result), is_none));
}

// exponent * log(2) + log(1 + f + rest), where rest (or NULL) is less than half a unit of the last
// place of f, and the exponent a number of parts.
static Value log_of_parts(LlvmGen *g, Value exponent, Value f, Value rest) {
  static const double c[] = {-0.5,        0.333333313,  -0.250008225, 0.20001246,   -0.166233078,
                             0.142013803, -0.131603971, 0.127641588,  -0.0763690025};
  Value low = emit_fmul_c(g, exponent, LN2_LOW / EXPONENT_UNIT);
  Value tail = emit_fma(g, emit_fmul(g, f, f), math_poly(g, f, c, COUNT_OF(c)), low);
  if (rest) tail = emit_fadd(g, tail, rest);
  Value high = gen_float_like(g, f, LN2_HIGH / EXPONENT_UNIT);
  return emit_fma(g, exponent, high, emit_fadd(g, f, tail));
}

static Value emit_log(LlvmGen *g, Value x) {
  Parts p = split(g, x);
  return log_special(g, x, log_of_parts(g, p.exponent, p.fraction, NULL));
}

// log(u + lost), where lost is less than a unit of the last place of u; that of twice as much, if
// `more` is 1.
static Value log_of_sum(LlvmGen *g, Value u, Value lost, int more) {
  Parts p = split(g, u);
  Value power = gen_intrinsic2(g, "llvm.smin", p.power, gen_int_like(p.power, 127 << 23));
  Value bits = emit_sub(g, gen_int_like(power, 127 << 23), power);
  lost = emit_fmul(g, lost, emit_as_float(g, bits)); // in units of the mantissa
  Value f = emit_fadd(g, p.fraction, lost), rest = emit_fadd(g, emit_fsub(g, p.fraction, f), lost);
  Value exponent = more ? emit_fadd_c(g, p.exponent, more * EXPONENT_UNIT) : p.exponent;
  return log_of_parts(g, exponent, f, rest);
}

// The logarithm of u = 1 + x, with what the sum lost added to u's fraction (Dekker's way: x is no
// less than -1, so the larger one is the larger in magnitude).
static Value emit_log1p(LlvmGen *g, Value x) {
  Value one = gen_float_like(g, x, 1.0), u = emit_fadd(g, x, one);
  Value is_less = emit_fcmp(g, LLVMRealOLT, x, one);
  Value least = emit_select(g, is_less, x, one), most = emit_select(g, is_less, one, x);
  Value lost = emit_fsub(g, least, emit_fsub(g, u, most));
  lost = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, x, __builtin_inf()), gen_float_like(g, x, 0),
                     lost);
  return math_keep_tiny(g, x, log_special(g, u, log_of_sum(g, u, lost, 0)), 1e-10);
}

static Value emit_log2(LlvmGen *g, Value x) {
  // log2(1 + f) / f without the part of its first coefficient that an f32 holds.
  static const double c[] = {1.92596303e-08, -0.721347332, 0.480898172, -0.360698402,
                             0.288573682,    -0.239582404, 0.204452991, -0.191185087,
                             0.187176868,    -0.110923082};
  Parts p = split(g, x);
  Value tail = emit_fmul(g, p.fraction, math_poly(g, p.fraction, c, COUNT_OF(c)));
  Value log = emit_fma(g, p.fraction, gen_float_like(g, x, 1.44269502162933349609375), tail);
  return log_special(g, x, emit_fma(g, p.exponent, gen_float_like(g, x, 1 / EXPONENT_UNIT), log));
}

// ---- inverse hyperbolic functions ---------------------------------------------------------------
// x + x z P(z), z = x^2.
static Value odd_poly(LlvmGen *g, Value x, Value z, const double *c, unsigned count) {
  return emit_fma(g, emit_fmul(g, x, z), math_poly(g, z, c, count), x);
}

// log(x + sqrt(x^2 + sign)), from its half: the sum may be too large for an f32. x >= 1.
static Value log_of_root(LlvmGen *g, Value x, double sign) {
  Value root = root_of(g, emit_fma(g, x, x, gen_float_like(g, x, sign)));
  Value is_large = emit_fcmp_c(g, LLVMRealOGT, x, 8192.0);
  Value half = emit_fmul_c(g, x, 0.5),
        half_root = emit_fmul_c(g, emit_select(g, is_large, x, root), 0.5);
  Value sum = emit_fadd(g, half, half_root), high = sign > 0 ? half_root : half,
        low = sign > 0 ? half : half_root;
  Value lost = emit_fsub(g, low, emit_fsub(g, sum, high));
  return log_of_sum(g, sum, lost, 1);
}

static Value emit_asinh(LlvmGen *g, Value x) {
  static const double c[] = {-0.166666597,  0.0749970526,  -0.044599358,
                             0.030061299,   -0.0209938195, 0.0135865174,
                             -0.0070223189, 0.00239918847, -0.000388377346};
  Value magnitude = emit_abs(g, x), one = gen_float_like(g, x, 1.0);
  Value is_small = emit_fcmp_c(g, LLVMRealOLT, magnitude, 1.0);
  Value small = odd_poly(g, x, emit_fmul(g, x, x), c, COUNT_OF(c));
  Value large = emit_copysign(g, log_of_root(g, emit_select(g, is_small, one, magnitude), 1.0), x);
  Value result = emit_select(g, is_small, small, large);
  // Infinities and NaN are themselves.
  result = emit_select(g, emit_fcmp_c(g, LLVMRealOLT, magnitude, __builtin_inf()), result, x);
  return math_keep_tiny(g, x, result, 1e-5);
}

// Near 1 the square root of 2 (x - 1), times a polynomial of x - 1.
static Value emit_acosh(LlvmGen *g, Value x) {
  static const double c[] = {1,
                             -0.0833330899,
                             0.0187450461,
                             -0.00554630719,
                             0.00178826274,
                             -0.000506844255,
                             8.27954354e-05};
  Value d = emit_fsub_c(g, x, 1.0), two = gen_float_like(g, x, 2.0);
  Value is_small = emit_fcmp_c(g, LLVMRealOLT, x, 2.0);
  Value small = emit_fmul(g, root_of(g, emit_fadd(g, d, d)), math_poly(g, d, c, COUNT_OF(c)));
  Value large = log_of_root(g, emit_select(g, is_small, two, x), -1.0);
  Value result = emit_select(g, is_small, small, large); // NaN below 1, by the root
  return emit_select(g, emit_fcmp_c(g, LLVMRealOLT, x, __builtin_inf()), result, x);
}

// Half of log((1 + |x|) / (1 - |x|)).
static Value emit_atanh(LlvmGen *g, Value x) {
  static const double c[] = {0.333333015, 0.20002453,   0.142237857,
                             0.118163861, 0.0516043603, 0.176378503};
  Value magnitude = emit_abs(g, x), half = gen_float_like(g, x, 0.5);
  Value is_small = emit_fcmp_c(g, LLVMRealOLT, magnitude, 0.5),
        is_inside = emit_fcmp_c(g, LLVMRealOLT, magnitude, 1.0);
  Value small = odd_poly(g, x, emit_fmul(g, x, x), c, COUNT_OF(c));
  Value held = emit_select(g, is_inside, magnitude, half), one = gen_float_like(g, x, 1.0);
  Value quotient = emit_fdiv(g, emit_fadd(g, one, held), emit_fsub(g, one, held));
  Parts p = split(g, quotient);
  Value log = log_of_parts(g, p.exponent, p.fraction, NULL);
  Value outside =
      emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, magnitude, 1.0),
                  gen_float_like(g, x, __builtin_inf()), gen_float_like(g, x, __builtin_nan("")));
  Value large = emit_select(g, is_inside, emit_fmul(g, log, half), outside);
  return math_keep_tiny(g, x, emit_select(g, is_small, small, emit_copysign(g, large, x)), 1e-5);
}

// ---- inverse trigonometric functions ------------------------------------------------------------
// asin(x) - x for |x| <= 1/2, over x^3.
static Value asin_poly(LlvmGen *g, Value z) {
  static const double c[] = {0.166666597,  0.0750052184, 0.0445134118,
                             0.0318384729, 0.0143179363, 0.0376920439};
  return math_poly(g, z, c, COUNT_OF(c));
}

typedef struct Arc {
  Value is_small; // |x| <= 1/2
  Value root,
      tail; // small: x and the rest of asin(x); else sqrt((1 - |x|) / 2) and the rest of its asin
} Arc;

static Arc arc_parts(LlvmGen *g, Value x) {
  Value magnitude = emit_abs(g, x);
  Arc a = {.is_small = emit_fcmp_c(g, LLVMRealOLE, magnitude, 0.5)};
  Value half = gen_float_like(g, x, 0.5);
  Value z = emit_select(g, a.is_small, emit_fmul(g, x, x),
                        emit_fma(g, magnitude, gen_float_like(g, x, -0.5), half));
  a.root = emit_select(g, a.is_small, magnitude, root_of(g, z));
  a.tail = emit_fmul(g, emit_fmul(g, a.root, z), asin_poly(g, z));
  return a;
}

#define PI_HALF_HIGH 1.57079637050628662109375
#define PI_HALF_LOW  -4.37113900018624283e-8

static Value emit_asin(LlvmGen *g, Value x) {
  Arc a = arc_parts(g, x);
  Value small = emit_fadd(g, a.root, a.tail);
  // pi/2 - 2 (root + tail)
  Value tail = emit_fsub(g, gen_float_like(g, x, PI_HALF_LOW), emit_fmul_c(g, a.tail, 2.0));
  Value large = emit_fadd(
      g, emit_fsub(g, gen_float_like(g, x, PI_HALF_HIGH), emit_fmul_c(g, a.root, 2.0)), tail);
  Value result = emit_copysign(g, emit_select(g, a.is_small, small, large), x);
  return math_keep_tiny(g, x, result, 1e-4);
}

static Value emit_acos(LlvmGen *g, Value x) {
  Arc a = arc_parts(g, x);
  Value is_negative = emit_fcmp_c(g, LLVMRealOLT, x, 0.0), sum = emit_fadd(g, a.root, a.tail);
  Value signed_root = emit_copysign(g, a.root, x), signed_tail = emit_copysign(g, a.tail, x);
  Value small = emit_fsub(g, gen_float_like(g, x, PI_HALF_LOW), signed_tail);
  small = emit_fadd(g, emit_fsub(g, gen_float_like(g, x, PI_HALF_HIGH), signed_root), small);
  Value positive = emit_fmul_c(g, sum, 2.0);
  Value negative = emit_fsub(g, gen_float_like(g, x, 2 * PI_HALF_LOW), emit_fmul_c(g, a.tail, 2.0));
  negative = emit_fadd(
      g, emit_fsub(g, gen_float_like(g, x, 2 * PI_HALF_HIGH), emit_fmul_c(g, a.root, 2.0)),
      negative);
  return emit_select(g, a.is_small, small, emit_select(g, is_negative, negative, positive));
}

// atan of a quotient top / bottom >= 0, one of which may be infinite or zero; and what to subtract
// it from.
static Value atan_of_quotient(LlvmGen *g, Value top, Value bottom) {
  static const double c[] = {-0.333333313, 0.199998021,   -0.142791316,
                             0.110095866,  -0.0828321278, 0.0435130969};
  // Beyond tan(3 pi / 8): pi/2 - atan(1/t); beyond tan(pi / 8): pi/4 + atan((t - 1) / (t + 1)).
  Value is_large = emit_fcmp(g, LLVMRealOGT, top, emit_fmul_c(g, bottom, 2.41421366));
  Value is_middle = emit_and(g, emit_fcmp(g, LLVMRealOGT, top, emit_fmul_c(g, bottom, 0.414213568)),
                             emit_not(g, is_large));
  Value up = emit_select(g, is_large, emit_fneg(g, bottom),
                         emit_select(g, is_middle, emit_fsub(g, top, bottom), top));
  Value down =
      emit_select(g, is_large, top, emit_select(g, is_middle, emit_fadd(g, top, bottom), bottom));
  Value t = emit_fdiv(g, up, down), z = emit_fmul(g, t, t), zero = gen_float_like(g, t, 0.0);
  Value p = emit_fmul(g, emit_fmul(g, t, z), math_poly(g, z, c, COUNT_OF(c)));
  Value low = emit_select(g, is_large, gen_float_like(g, t, PI_HALF_LOW),
                          emit_select(g, is_middle, gen_float_like(g, t, PI_HALF_LOW / 2), zero));
  Value high = emit_select(g, is_large, gen_float_like(g, t, PI_HALF_HIGH),
                           emit_select(g, is_middle, gen_float_like(g, t, PI_HALF_HIGH / 2), zero));
  return emit_fadd(g, high, emit_fadd(g, t, emit_fadd(g, p, low)));
}

static Value emit_atan(LlvmGen *g, Value x) {
  Value result =
      emit_copysign(g, atan_of_quotient(g, emit_abs(g, x), gen_float_like(g, x, 1.0)), x);
  result = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, emit_abs(g, x), __builtin_inf()),
                       emit_copysign(g, gen_float_like(g, x, PI_HALF_HIGH), x), result);
  return math_keep_tiny(g, x, result, 1e-4);
}

static Value emit_atan2(LlvmGen *g, Value y, Value x) {
  Value rise = emit_abs(g, y), run = emit_abs(g, x), zero = gen_float_like(g, x, 0.0);
  // Infinities as numbers that keep their ratio; what is so large, smaller: sums stay finite; what
  // is so small, larger: differences stay normal.
  Value most = gen_intrinsic2(g, "llvm.maxnum", rise, run);
  Value is_infinite = emit_fcmp_c(g, LLVMRealOEQ, most, __builtin_inf());
  Value factor = emit_select(g, emit_fcmp_c(g, LLVMRealOGT, most, 0x1p125),
                             gen_float_like(g, x, 0.25), gen_float_like(g, x, 1.0));
  factor = emit_select(g, emit_fcmp_c(g, LLVMRealOLT, most, 0x1p-60), gen_float_like(g, x, 0x1p64),
                       factor);
  Value parts[2] = {rise, run};
  for (int i = 0; i < 2; i++) {
    Value in_infinity =
        emit_select(g, emit_fcmp(g, LLVMRealOEQ, parts[i], most), gen_float_like(g, x, 1.0), zero);
    parts[i] = emit_select(g, is_infinite, in_infinity, emit_fmul(g, parts[i], factor));
  }
  Value both_zero = emit_fcmp(g, LLVMRealOEQ, most, zero);
  Value bottom = emit_select(g, both_zero, gen_float_like(g, x, 1.0), parts[1]);
  Value angle = atan_of_quotient(g, parts[0], bottom);
  Value is_left = emit_icmp_c(g, LLVMIntSLT, emit_as_int(g, x), 0);
  Value left = emit_fadd(g, emit_fsub(g, gen_float_like(g, x, 2 * PI_HALF_HIGH), angle),
                         gen_float_like(g, x, 2 * PI_HALF_LOW));
  angle = emit_copysign(g, emit_select(g, is_left, left, angle), y);
  return emit_select(g, emit_fcmp(g, LLVMRealUNO, x, y), gen_float_like(g, x, __builtin_nan("")),
                     angle);
}

// ---- error function -----------------------------------------------------------------------------
// a^2 minus its rounded value, from halves of a with few enough bits for exact products.
static Value square_rest(LlvmGen *g, Value a, Value square) {
  Value high = emit_as_float(g, emit_and_c(g, emit_as_int(g, a), 0xfffff000)),
        low = emit_fsub(g, a, high);
  Value rest = emit_fsub(g, emit_fmul(g, high, high), square);
  rest = emit_fadd(g, rest, emit_fmul(g, emit_fadd(g, high, high), low));
  return emit_fadd(g, rest, emit_fmul(g, low, low));
}

static Value emit_erf(LlvmGen *g, Value x) {
  static const double c[][TABLE_SIZE] = {
      {0, 0.554766357, 0.873181939, 0.977987707, 0.997738421, 0.999864876, 0.999995351,
       0.999999881},
      {0.128379166, 0.843161881, 0.351786077, 0.0819517374, 0.0106598102, 0.00077419891,
       3.13955061e-05, 7.1087652e-07},
      {2.44026182e-07, -0.455134124, -0.379786044, -0.13270843, -0.0230157804, -0.00208971067,
       -0.000100142286, 4.18901664e-06},
      {-0.376136392, -0.117270082, 0.156079918, 0.115956843, 0.0295777936, 0.00350167719,
       0.000209088073, 6.52982908e-06},
      {0.000148322855, 0.183317244, 0.0424137004, -0.0497575924, -0.0242886692, -0.00402269606,
       -0.000360652746, -0.000262505579},
      {0.11187081, -0.00432257028, -0.0651219264, -0.00263984641, 0.0120811416, 0.00329973805,
       0.0003318495, 1.52978373e-05},
      {0.0027124153, -0.0469125509, 0.0110047972, 0.0155615862, -0.00184744329, -0.00195488986,
       0.000226970005, 0.00227829069},
      {-0.0290929414, 0.00746357068, 0.0117318882, -0.00588433165, -0.0015491884, 0.000660028076,
       0.000181212847, 1.47047258e-05},
  };
  return odd_in_pieces(g, x, 2211.0 / 4096, 4.04, c, COUNT_OF(c));
}

// exp(-a^2) / (a + 2) times (a + 2) erfc(a) exp(a^2), which is a polynomial of t = (a - 2) / (a +
// 2).
static Value emit_erfc(LlvmGen *g, Value x) {
  static const double c[] = {1.02158272,    -0.687160969,  0.279469728,
                             -0.0364348292, -0.021484267,  0.0064350809,
                             0.00297945994, -0.0007508868, -0.000459378585};
  // Beyond the limit the result is no normal number, that is zero.
  Value a = emit_abs(g, x), limit = gen_float_like(g, x, 9.25);
  a = emit_select(g, emit_fcmp(g, LLVMRealOLT, limit, a), limit, a);
  Value square = emit_fmul(g, a, a);
  Value rest =
      g->target->has_fma ? emit_fma(g, a, a, emit_fneg(g, square)) : square_rest(g, a, square);
  Value inverse = emit_fdiv(g, gen_float_like(g, x, 1.0), emit_fadd_c(g, a, 2.0));
  Value p = poly_in_halves(g, emit_fma_cc(g, inverse, -4.0, 1.0), c, COUNT_OF(c));
  Value power = small_exp(g, emit_fneg(g, square), rest);
  Value tail = emit_fmul(g, emit_fmul(g, inverse, power), p);
  return emit_select(g, emit_fcmp_c(g, LLVMRealOLT, x, 0.0),
                     emit_fsub(g, gen_float_like(g, x, 2.0), tail), tail);
}

// Polynomials of l = -log(1 - x^2), in two pieces, whose constant terms are sums of two f32.
static Value emit_erf_inv(LlvmGen *g, Value x) {
  static const double central[] = {
      -5.21475378e-08, 0.24664028,      -0.00417738315, -0.00125273364, 0.00021834152,
      -4.96696748e-06, -3.46198863e-06, 4.66819216e-07, 2.31776269e-08, -8.83189166e-09};
  static const double outer[] = {-1.53747006e-08, 1.00167489,     0.00944520719, -0.00763617596,
                                 0.00568746636,   -0.00360153918, 0.00148441002, -5.14001185e-05,
                                 -0.000309575757, 0.000113710958};
  Value magnitude = emit_abs(g, x), one = gen_float_like(g, x, 1.0);
  Value is_inside = emit_fcmp_c(g, LLVMRealOLT, magnitude, 1.0);
  Value held = emit_select(g, is_inside, magnitude, gen_float_like(g, x, 0.5));
  Parts p = split(g, emit_fmul(g, emit_fsub(g, one, held), emit_fadd(g, one, held)));
  Value l = emit_fneg(g, log_of_parts(g, p.exponent, p.fraction, NULL));
  Value is_central = emit_fcmp_c(g, LLVMRealOLT, l, 5.0);
  Value near =
      emit_fadd_c(g, math_poly(g, emit_fsub_c(g, l, 2.5), central, COUNT_OF(central)), 1.50140941);
  Value root = root_of(g, emit_select(g, is_central, one, l));
  Value far =
      emit_fadd_c(g, math_poly(g, emit_fsub_c(g, root, 3.0), outer, COUNT_OF(outer)), 2.83297682);
  Value result = emit_fmul(g, x, emit_select(g, is_central, near, far));
  Value outside = emit_select(g, emit_fcmp_c(g, LLVMRealOEQ, magnitude, 1.0),
                              emit_copysign(g, gen_float_like(g, x, __builtin_inf()), x),
                              gen_float_like(g, x, __builtin_nan("")));
  return emit_select(g, is_inside, result, outside);
}

// ---- choice -------------------------------------------------------------------------------------
static Value emit_inline(LlvmGen *g, OpCode code, Value x) {
  Value one = gen_float_like(g, x, 1.0);
  switch (code) {
  case OP_SQRT: return root_of(g, x);
  case OP_RSQRT: return emit_fdiv(g, one, root_beside_division(g, x));
  case OP_RECIPROCAL: return emit_fdiv(g, one, x);
  default: break;
  }
  if (gen_is_f64(x)) return NULL;
  switch (code) {
  case OP_EXP: return emit_exp(g, x);
  case OP_EXP2: return emit_exp2(g, x);
  case OP_EXPM1: return emit_expm1(g, x);
  case OP_LOG: return emit_log(g, x);
  case OP_LOG1P: return emit_log1p(g, x);
  case OP_LOG2: return emit_log2(g, x);
  case OP_LOGISTIC: return emit_logistic(g, x);
  case OP_TANH: return emit_tanh(g, x);
  case OP_ERF: return emit_erf(g, x);
  case OP_ERFC: return emit_erfc(g, x);
  default: return NULL;
  }
}

static Value emit_long_f64(LlvmGen *g, OpCode code, Value x, Value y) {
  switch (code) {
  case OP_POW: return math_f64_pow(g, x, y);
  case OP_ATAN2: return angle_f64_atan2(g, x, y);
  case OP_REM: return math_rem(g, x, y);
  default: return math_f64_unary(g, code, x);
  }
}

static Value emit_long(LlvmGen *g, OpCode code, Value x, Value y) {
  if (gen_is_f64(x)) return emit_long_f64(g, code, x, y);
  if (arithmetic_is(code, ARITHMETIC_POLYNOMIAL)) return emit_inline(g, code, x);
  switch (code) {
  case OP_SINH: return emit_sinh(g, x);
  case OP_COSH: return emit_cosh(g, x);
  case OP_ASIN: return emit_asin(g, x);
  case OP_ACOS: return emit_acos(g, x);
  case OP_ATAN: return emit_atan(g, x);
  case OP_ASINH: return emit_asinh(g, x);
  case OP_ACOSH: return emit_acosh(g, x);
  case OP_ATANH: return emit_atanh(g, x);
  case OP_ERF_INV: return emit_erf_inv(g, x);
  case OP_SIN:
  case OP_COS:
  case OP_TAN: return math_trigonometric(g, code, x);
  case OP_POW: return math_wide_pow(g, x, y);
  case OP_ATAN2: return emit_atan2(g, x, y);
  case OP_REM: return math_rem(g, x, y);
  default: return math_wide_unary(g, code, x);
  }
}

// In a function of its own: many instructions, seldom where time is spent.
static Value call_long(LlvmGen *g, OpCode code, unsigned count, Value *args) {
  const char *name = str_format(g->arena, "math.%s%s.%u", op_info(code)->name,
                                gen_is_f64(args[0]) ? ".f64" : "", gen_lanes(args[0]))
                         .data;
  Outlined outlined;
  if (outlined_begin(g, &outlined, name, LLVMTypeOf(args[0]), count, args))
    outlined_end(g, &outlined,
                 emit_long(g, code, LLVMGetParam(outlined.function, 0),
                           count > 1 ? LLVMGetParam(outlined.function, 1) : NULL));
  return outlined_call(g, &outlined, count, args);
}

Value math_unary(LlvmGen *g, OpCode code, Value x) {
  if (arithmetic_is(code, ARITHMETIC_WHOLE)) return math_round(g, code, x);
  Value result = g->shares.polynomials && arithmetic_is(code, ARITHMETIC_POLYNOMIAL)
                     ? NULL
                     : emit_inline(g, code, x);
  return result ? result : call_long(g, code, 1, &x);
}

Value math_binary(LlvmGen *g, OpCode code, Value x, Value y) {
  Value args[] = {x, y};
  return call_long(g, code, 2, args);
}
