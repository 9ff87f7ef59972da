// SPDX-License-Identifier: Apache-2.0
// sin, cos, tan and their inverses, of f64. Angles are reduced by multiples of pi/2 in three parts,
// large ones with as many bits of 2/pi as the argument needs (Payne and Hanek's way), one lane at a
// time; inverses are the arc tangent of a quotient in twice the precision.
#include "ir/core/ops.h"
#include "gen_angle_f64.h"
#include <math.h>
#include "codegen/emit/gen_function.h"
#include "gen_angle.h"
#include "gen_poly.h"

#define PI_HALF      0x1.921fb54442d18p+0
#define PI_HALF_REST 0x1.1a62633145c07p-54

typedef struct Angle {
  Value quadrant; // i64: the multiple of pi/2, modulo 4 (or more)
  Double rest;    // in [-pi/4, pi/4]
} Angle;

#define LARGE 0x1p20 // up to here products with the parts of pi/2 are exact

// 2/pi behind 64 zero bits.
static const uint64_t two_over_pi[] = {0,
                                       0xa2f9836e4e441529,
                                       0xfc2757d1f534ddc0,
                                       0xdb6295993c439041,
                                       0xfe5163abdebbc561,
                                       0xb7246e3a424dd2e0,
                                       0x06492eea09d1921c,
                                       0xfe1deb1cb129a73e,
                                       0xe88235f52ebb4484,
                                       0xe99c7026b45f7e41,
                                       0x3991d639835339f4,
                                       0x9c845f8bbdf9283b,
                                       0x1ff897ffde05980f,
                                       0xef2f118b5a0a6d1f,
                                       0x6d367ecf27cb09b7,
                                       0x4f463f669e5fea2d,
                                       0x7527bac7ebe5f17b,
                                       0x3d0739f78a5292ea,
                                       0x6bfb5fb11f8d5d08,
                                       0x56033046fc7b6bab,
                                       0xf0cfbc209af4361d};

// 192 bits of mantissa * 2/pi, in units of 2^-190 quarter turns: those that matter modulo 4, the
// first word on top.
static void quarter_turns(LlvmGen *g, Value exponent, Value mantissa, Value *words) {
  LLVMBuilderRef b = g->builder;
  Type i128 = LLVMIntTypeInContext(g->context, 128);
  Value skip = emit_sub_c(g, exponent, 1075 + 2 - 64), word = emit_lshr_c(g, skip, 6);
  Value shift = emit_and_c(g, skip, 63), parts[4], sum = NULL;
  Value table = gen_global_data(g, two_over_pi, sizeof two_over_pi, 8);
  Value last = gen_i64(g, COUNT_OF(two_over_pi) - 1); // NaN's exponent leads behind the end
  for (int i = 0; i < 4; i++) {
    Value at = gen_intrinsic2(g, "llvm.umin", emit_add_c(g, word, i), last);
    parts[i] = LLVMBuildLoad2(b, g->i64, gen_offset(g, table, DT_I64, at), "");
  }
  for (int i = 2; i >= 0; i--) {
    Value args[] = {parts[i], parts[i + 1], shift};
    Value window = gen_intrinsic(g, "llvm.fshl", g->i64, 3, args);
    Value product =
        emit_mul(g, LLVMBuildZExt(b, window, i128, ""), LLVMBuildZExt(b, mantissa, i128, ""));
    sum = sum ? emit_add(g, product, emit_lshr_c(g, sum, 64)) : product;
    words[i] = LLVMBuildTrunc(b, sum, g->i64, "");
  }
}

// { f64 and f64 of the rest, i64 quadrant } of one large f64.
static Value large_function(LlvmGen *g) {
  static const char name[] = "math.reduce_large_f64";
  Value function = LLVMGetNamedFunction(g->module, name);
  if (function) return function;
  LLVMBuilderRef b = g->builder;
  Type fields[] = {g->f64, g->f64, g->i64};
  Type triple = LLVMStructTypeInContext(g->context, fields, 3, false);
  function = gen_new_function(g, name, LLVMFunctionType(triple, &g->f64, 1, false), true);
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, LLVMAppendBasicBlockInContext(g->context, function, "entry"));
  Value x = LLVMGetParam(function, 0), bits = emit_as_int(g, x), words[3];
  Value exponent = emit_and_c(g, emit_lshr_c(g, bits, 52), 2047);
  Value mantissa = emit_or_c(g, emit_and_c(g, bits, ((int64_t)1 << 52) - 1), (int64_t)1 << 52);
  quarter_turns(g, exponent, mantissa, words);
  // To the nearest quarter; the rest as a fraction of 2^64 with a sign, and 64 bits more.
  Value quadrant = emit_lshr_c(g, emit_add_c(g, words[0], (int64_t)1 << 61), 62);
  Value high = emit_or(g, emit_shl_c(g, words[0], 2), emit_lshr_c(g, words[1], 62));
  Value low = emit_or(g, emit_shl_c(g, words[1], 2), emit_lshr_c(g, words[2], 62));
  Value top = LLVMBuildSIToFP(b, emit_and_c(g, high, -2048), g->f64, "");
  Value middle = LLVMBuildSIToFP(b, emit_and_c(g, high, 2047), g->f64, "");
  Value bottom = LLVMBuildSIToFP(b, emit_lshr_c(g, low, 11), g->f64, "");
  middle = emit_fadd(g, emit_fmul_c(g, middle, 0x1p-64), emit_fmul_c(g, bottom, 0x1p-117));
  Double turn = double_sum(g, emit_fmul_c(g, top, 0x1p-64), middle);
  Double rest = double_mul(g, turn, double_const(g, top, PI_HALF, PI_HALF_REST));
  Value is_negative = emit_icmp_c(g, LLVMIntSLT, bits, 0);
  rest = double_select(g, is_negative, double_neg(g, rest), rest);
  quadrant = emit_select(g, is_negative, LLVMBuildNeg(b, quadrant, ""), quadrant);
  Value is_special = emit_icmp_c(g, LLVMIntEQ, exponent, 2047);
  rest.hi = emit_select(g, is_special, gen_float_like(g, x, NAN), rest.hi);
  Value result = LLVMBuildInsertValue(b, LLVMGetPoison(triple), rest.hi, 0, "");
  result = LLVMBuildInsertValue(b, result, rest.lo, 1, "");
  LLVMBuildRet(b, LLVMBuildInsertValue(b, result, quadrant, 2, ""));
  gen_move_to(g, here);
  return function;
}

static Angle reduce(LlvmGen *g, Value x) {
  const double magic = 0x1.8p52;
  Value is_large = emit_fcmp_c(g, LLVMRealUGE, emit_abs(g, x), LARGE); // NaN too
  Value held = emit_select(g, is_large, gen_float_like(g, x, 0), x);
  Value sum = emit_fadd_c(g, emit_fmul_c(g, held, M_2_PI), magic);
  Value n = emit_fadd_c(g, sum, -magic);
  // pi/2 in parts of 33 bits.
  Value first = emit_fsub(g, held, emit_fmul_c(g, n, 0x1.921fb54400000p+0));
  Double rest = double_sum(g, first, emit_fmul_c(g, n, -0x1.0b4611a600000p-34));
  rest = double_add_one(g, rest, emit_fmul_c(g, n, -0x1.3198a2e000000p-69));
  rest = double_add_one(g, rest, emit_fmul_c(g, n, -0x1.b839a252049c1p-104));
  Value found[] = {rest.hi, rest.lo, emit_sub_c(g, emit_as_int(g, sum), 0x4338000000000000)};
  angle_reduce_large(g, large_function(g), x, is_large, COUNT_OF(found), found);
  return (Angle){found[2], {found[0], found[1]}};
}

// ---- the functions between -pi/4 and pi/4 -------------------------------------------------------
// 1 / (first)!, -1 / (first + 2)!, …
static void alternating(double *c, unsigned count, unsigned first) {
  double factorial = 1;
  for (unsigned i = 2; i <= first; i++) factorial *= i;
  for (unsigned i = 0; i < count; i++) {
    c[i] = (i % 2 ? -1 : 1) / factorial;
    factorial *= (first + 2.0 * i + 1) * (first + 2.0 * i + 2);
  }
}

static Double sin_near(LlvmGen *g, Double r) {
  double c[9];
  alternating(c, COUNT_OF(c), 3);
  Value z = emit_fmul(g, r.hi, r.hi);
  Value cube = emit_fmul(g, emit_fmul(g, z, r.hi), math_poly(g, z, c, COUNT_OF(c)));
  Value beside = emit_fmul(g, r.lo, emit_fsub(g, gen_float_like(g, z, 1), emit_fmul_c(g, z, 0.5)));
  return double_ordered_sum(g, r.hi, emit_fsub(g, beside, cube));
}

static Double cos_near(LlvmGen *g, Double r) {
  double c[9];
  alternating(c, COUNT_OF(c), 4);
  Double square = double_scaled(g, double_mul(g, r, r), -0.5);
  Value z = emit_fmul(g, r.hi, r.hi);
  Value fourth = emit_fmul(g, emit_fmul(g, z, z), math_poly(g, z, c, COUNT_OF(c)));
  return double_add_one(g, double_add(g, double_const(g, z, 1, 0), square), fourth);
}

Double angle_f64_sin_pi(LlvmGen *g, Value t) {
  Double pi = double_const(g, t, 2 * PI_HALF, 2 * PI_HALF_REST);
  Value is_small = emit_fcmp_c(g, LLVMRealOLE, t, 0.25);
  Value other = emit_fsub(g, gen_float_like(g, t, 0.5), t); // exact where it is used
  Double angle = double_mul_one(g, pi, emit_select(g, is_small, t, other));
  return double_select(g, is_small, sin_near(g, angle), cos_near(g, angle));
}

static Value is_odd(LlvmGen *g, Value number) {
  return emit_icmp_c(g, LLVMIntNE, emit_and_c(g, number, 1), 0);
}

static Value trigonometric(LlvmGen *g, OpCode code, Value x) {
  Angle a = reduce(g, x);
  Double sine = sin_near(g, a.rest), cosine = cos_near(g, a.rest);
  if (code == OP_TAN) {
    Value turned = is_odd(g, a.quadrant);
    Double top = double_select(g, turned, double_neg(g, cosine), sine);
    Double bottom = double_select(g, turned, sine, cosine);
    return math_keep_tiny(g, x, double_rounded(g, double_div(g, top, bottom)), 0x1p-28);
  }
  Value quadrant = code == OP_COS ? emit_add_c(g, a.quadrant, 1) : a.quadrant;
  Value value = double_rounded(g, double_select(g, is_odd(g, quadrant), cosine, sine));
  Value sign = emit_shl_c(g, emit_and_c(g, quadrant, 2), 62);
  Value result = emit_as_f64(g, emit_xor(g, emit_as_int(g, value), sign));
  return code == OP_SIN ? math_keep_tiny(g, x, result, 0x1p-28) : result;
}

// ---- inverses -----------------------------------------------------------------------------------
// atan(top / bottom) for top, bottom >= 0, not both 0 and finite. The quotient is brought below 1,
// then the nearest of 0, 1/2 and 1 is taken off its angle.
static Double atan_of_quotient(LlvmGen *g, Double top, Double bottom) {
  double c[15];
  for (unsigned i = 0; i < COUNT_OF(c); i++) c[i] = (i % 2 ? 1.0 : -1.0) / (2 * i + 3);
  Value zero = gen_float_like(g, top.hi, 0), half = gen_float_like(g, top.hi, 0.5),
        one = gen_float_like(g, top.hi, 1);
  Value swaps = emit_fcmp(g, LLVMRealOGT, top.hi, bottom.hi);
  Double y = double_select(g, swaps, bottom, top), x = double_select(g, swaps, top, bottom);
  Value near_half = emit_fcmp(g, LLVMRealOGE, y.hi, emit_fmul_c(g, x.hi, 0.25));
  Value near_one = emit_fcmp(g, LLVMRealOGE, y.hi, emit_fmul_c(g, x.hi, 0.75));
  Value taken = emit_select(g, near_one, one, emit_select(g, near_half, half, zero));
  Double up = double_sub(g, y, double_mul_one(g, x, taken));
  Double t = double_div(g, up, double_add(g, x, double_mul_one(g, y, taken)));
  Value z = emit_fmul(g, t.hi, t.hi);
  Value rest = emit_fmul(g, emit_fmul(g, t.hi, z), math_poly(g, z, c, COUNT_OF(c)));
  Double base = double_select(
      g, near_one, double_const(g, z, PI_HALF / 2, PI_HALF_REST / 2),
      double_select(g, near_half, double_const(g, z, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56),
                    double_const(g, z, 0, 0)));
  Double angle = double_add(g, base, double_add_one(g, t, rest));
  Double rest_of_quarter = double_sub(g, double_const(g, z, PI_HALF, PI_HALF_REST), angle);
  return double_select(g, swaps, rest_of_quarter, angle);
}

static Value atan_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x), most = gen_float_like(g, x, 0x1p200);
  Value held = emit_select(g, emit_fcmp(g, LLVMRealOGT, a, most), most, a);
  Double angle = atan_of_quotient(g, double_of(g, held), double_const(g, x, 1, 0));
  Value result = emit_copysign(g, double_rounded(g, angle), x);
  return emit_select(g, emit_is_nan(g, x), x, math_keep_tiny(g, x, result, 0x1p-28));
}

// sqrt((1 - a) (1 + a)).
static Double other_leg(LlvmGen *g, Value a) {
  Value one = gen_float_like(g, a, 1);
  return double_sqrt(g, double_mul(g, double_sum(g, one, emit_fneg(g, a)), double_sum(g, one, a)));
}

static Value asin_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x), one = gen_float_like(g, x, 1);
  Value is_inside = emit_fcmp(g, LLVMRealOLE, a, one);
  Value held = emit_select(g, is_inside, a, one);
  Double angle = atan_of_quotient(g, double_of(g, held), other_leg(g, held));
  Value result = emit_copysign(g, double_rounded(g, angle), x);
  result = emit_select(g, is_inside, result, gen_float_like(g, x, NAN));
  return math_keep_tiny(g, x, result, 0x1p-28);
}

static Value acos_of(LlvmGen *g, Value x) {
  Value a = emit_abs(g, x), one = gen_float_like(g, x, 1);
  Value is_inside = emit_fcmp(g, LLVMRealOLE, a, one);
  Value held = emit_select(g, is_inside, a, one);
  Double angle = atan_of_quotient(g, other_leg(g, held), double_of(g, held));
  Double pi = double_const(g, x, 2 * PI_HALF, 2 * PI_HALF_REST);
  Value is_left = emit_fcmp_c(g, LLVMRealOLT, x, 0);
  angle = double_select(g, is_left, double_sub(g, pi, angle), angle);
  return emit_select(g, is_inside, double_rounded(g, angle), gen_float_like(g, x, NAN));
}

// A leg of the triangle, brought to where sums and quotients neither overflow nor vanish: an
// infinite one is 1 beside finite ones, which are then 0.
static Value leg_of(LlvmGen *g, Value leg, Value most) {
  Value one = gen_float_like(g, leg, 1), zero = gen_float_like(g, leg, 0);
  Value is_infinite = emit_fcmp_c(g, LLVMRealOEQ, most, INFINITY);
  Value factor = emit_select(g, emit_fcmp_c(g, LLVMRealOGT, most, 0x1p1020),
                             gen_float_like(g, leg, 0x1p-100), one);
  factor = emit_select(g, emit_fcmp_c(g, LLVMRealOLT, most, 0x1p-800),
                       gen_float_like(g, leg, 0x1p200), factor);
  Value beside = emit_select(g, emit_fcmp(g, LLVMRealOEQ, leg, most), one, zero);
  return emit_select(g, is_infinite, beside, emit_fmul(g, leg, factor));
}

Value angle_f64_atan2(LlvmGen *g, Value y, Value x) {
  Value rise = emit_abs(g, y), run = emit_abs(g, x), one = gen_float_like(g, x, 1);
  Value most = gen_intrinsic2(g, "llvm.maxnum", rise, run);
  Value both_zero = emit_fcmp_c(g, LLVMRealOEQ, most, 0);
  Value top = leg_of(g, rise, most), bottom = leg_of(g, run, most);
  bottom = emit_select(g, both_zero, one, bottom);
  Double angle = atan_of_quotient(g, double_of(g, top), double_of(g, bottom));
  Double pi = double_const(g, x, 2 * PI_HALF, 2 * PI_HALF_REST);
  Value is_left = emit_icmp_c(g, LLVMIntSLT, emit_as_int(g, x), 0);
  angle = double_select(g, is_left, double_sub(g, pi, angle), angle);
  Value result = emit_copysign(g, double_rounded(g, angle), y);
  return emit_select(g, emit_fcmp(g, LLVMRealUNO, x, y), gen_float_like(g, x, NAN), result);
}

Value angle_f64_unary(LlvmGen *g, OpCode code, Value x) {
  switch (code) {
  case OP_SIN:
  case OP_COS:
  case OP_TAN: return trigonometric(g, code, x);
  case OP_ASIN: return asin_of(g, x);
  case OP_ACOS: return acos_of(g, x);
  case OP_ATAN: return atan_of(g, x);
  default: BUG("no %s of f64", op_info(code)->name);
  }
}
