// SPDX-License-Identifier: Apache-2.0
// sin, cos and tan: the angle is reduced by multiples of pi/2, in f32 where an fma keeps what the
// products lose, else, and where that is not near enough, in f64; for large ones with as many bits
// of 2/pi as the argument needs (Payne and Hanek's way), one lane at a time.
#include "ir/core/ops.h"
#include "gen_angle.h"
#include <math.h>
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_outlined.h"
#include "gen_poly.h"
#include "gen_round.h"

typedef struct Angle {
  Value quadrant;  // i32: the multiple of pi/2, modulo 4 (or more)
  Value high, low; // f32: what is left, in [-pi/4, pi/4]
} Angle;

// Up to where the products of the reduction in f64 are exact enough.
enum { LARGE_WITH_FMA = 127 + 30, LARGE_WITHOUT_FMA = 127 + 20 };

static const uint64_t two_over_pi[] = {0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
                                       0xdb6295993c439041, 0xfe5163abdebbc561};

// { f64 rest, i32 quadrant } of one large f32: the mantissa times 96 bits of 2/pi, those that
// matter modulo 4.
static Value large_function(LlvmGen *g) {
  static const char name[] = "math.reduce_large";
  Value function = LLVMGetNamedFunction(g->module, name);
  if (function) return function;
  LLVMBuilderRef b = g->builder;
  Type i128 = LLVMIntTypeInContext(g->context, 128);
  Type fields[] = {g->f64, g->i32};
  Type pair = LLVMStructTypeInContext(g->context, fields, 2, false);
  function = gen_new_function(g, name, LLVMFunctionType(pair, &g->f32, 1, false), true);
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, LLVMAppendBasicBlockInContext(g->context, function, "entry"));
  Value x = LLVMGetParam(function, 0), bits = emit_as_int(g, x);
  Value exponent = emit_and_c(g, emit_lshr_c(g, bits, 23), 255);
  Value mantissa = emit_or_c(g, emit_and_c(g, bits, 0x7fffff), 0x800000);
  // x = mantissa * 2^(exponent - 150); bits of 2/pi up to exponent - 152 give multiples of 4. The
  // table starts 64 bits before the point.
  Value skip = LLVMBuildZExt(b, emit_sub_c(g, exponent, 152 - 64), g->i64, "");
  Value word = emit_lshr_c(g, skip, 6), shift = LLVMBuildZExt(b, emit_and_c(g, skip, 63), i128, "");
  Value table = gen_global_data(g, two_over_pi, sizeof two_over_pi, 8), parts[3];
  for (int i = 0; i < 3; i++) {
    // NaN's exponent leads behind the end.
    Value at = gen_intrinsic2(g, "llvm.umin", emit_add_c(g, word, i), gen_i64(g, 4));
    parts[i] =
        LLVMBuildZExt(b, LLVMBuildLoad2(b, g->i64, gen_offset(g, table, DT_I64, at), ""), i128, "");
  }
  Value first = emit_or(g, emit_shl_c(g, parts[0], 64), parts[1]);
  Value window =
      emit_or(g, LLVMBuildShl(b, first, shift, ""),
              LLVMBuildLShr(b, parts[2], emit_sub(g, gen_const_int(i128, 64), shift), ""));
  Value product = emit_mul(g, emit_lshr_c(g, window, 32), LLVMBuildZExt(b, mantissa, i128, ""));
  // In units of 2^-94 quarter turns. To the nearest quarter; the rest as a fraction of 2^64.
  Value rounded = emit_add(g, product, emit_shl_c(g, gen_const_int(i128, 1), 93));
  Value quadrant = LLVMBuildTrunc(b, emit_lshr_c(g, rounded, 94), g->i32, "");
  Value fraction = LLVMBuildTrunc(b, emit_lshr_c(g, emit_shl_c(g, product, 34), 64), g->i64, "");
  Value rest = emit_fmul_c(g, LLVMBuildSIToFP(b, fraction, g->f64, ""), M_PI_2 * 0x1p-64);
  Value is_negative = emit_icmp_c(g, LLVMIntSLT, bits, 0);
  rest = emit_select(g, is_negative, LLVMBuildFNeg(b, rest, ""), rest);
  quadrant = emit_select(g, is_negative, LLVMBuildNeg(b, quadrant, ""), quadrant);
  Value is_special = emit_icmp_c(g, LLVMIntEQ, exponent, 255);
  rest = emit_select(g, is_special, gen_float_like(g, rest, NAN), rest);
  Value result = LLVMBuildInsertValue(b, LLVMGetPoison(pair), rest, 0, "");
  LLVMBuildRet(b, LLVMBuildInsertValue(b, result, quadrant, 1, ""));
  gen_move_to(g, here);
  return function;
}

static Value element_of(LlvmGen *g, Value vector, unsigned i) {
  return gen_lanes(vector) == 1 ? vector
                                : LLVMBuildExtractElement(g->builder, vector, gen_i32(g, i), "");
}

static Value with_element(LlvmGen *g, Value vector, unsigned i, Value element) {
  return gen_lanes(vector) == 1
             ? element
             : LLVMBuildInsertElement(g->builder, vector, element, gen_i32(g, i), "");
}

enum { MOST_FIELDS = 3 }; // of a result: quadrant, and the rest in two parts

void angle_reduce_large(LlvmGen *g, Value function, Value x, Value is_large, unsigned count,
                        Value *values) {
  Value found[MOST_FIELDS];
  for (unsigned k = 0; k < count; k++) found[k] = values[k];
  LLVMBasicBlockRef before = gen_here(g), slow = gen_block(g, "large"),
                    after = gen_block(g, "reduced");
  LLVMBuildCondBr(g->builder, gen_any(g, is_large), slow, after);
  gen_move_to(g, slow);
  for (unsigned i = 0; i < gen_lanes(x); i++) {
    Value lane = element_of(g, x, i), large = element_of(g, is_large, i);
    Value fields =
        LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, &lane, 1, "");
    for (unsigned k = 0; k < count; k++) {
      Value part = emit_select(g, large, LLVMBuildExtractValue(g->builder, fields, k, ""),
                               element_of(g, found[k], i));
      found[k] = with_element(g, found[k], i, part);
    }
  }
  LLVMBuildBr(g->builder, after);
  slow = gen_here(g);
  gen_move_to(g, after);
  for (unsigned k = 0; k < count; k++) {
    Value merged = LLVMBuildPhi(g->builder, LLVMTypeOf(values[k]), "");
    LLVMAddIncoming(merged, &values[k], &before, 1);
    LLVMAddIncoming(merged, &found[k], &slow, 1);
    values[k] = merged;
  }
}

static Angle reduce_wide(LlvmGen *g, Value x) {
  const double magic = 6755399441055744.0;
  Value w = wide_from(g, x);
  Value sum = emit_fma(g, w, gen_float_like(g, w, M_2_PI), gen_float_like(g, w, magic));
  Value quadrant = LLVMBuildTrunc(g->builder, emit_as_int(g, sum), gen_type_like(g->i32, x), "");
  Value n = emit_fadd_c(g, sum, -magic);
  // pi/2 in parts of 33 and 20 bits and more: the first product is exact even where there is no
  // fma.
  Value rest = emit_fma(g, n, gen_float_like(g, n, -1.57079632673412561417e+00), w);
  rest = emit_fma(g, n, gen_float_like(g, n, -6.07710050630396597660e-11), rest);
  rest = emit_fma(g, n, gen_float_like(g, n, -2.02226624879595063154e-21), rest);
  int large = g->target->has_fma ? LARGE_WITH_FMA : LARGE_WITHOUT_FMA;
  Value magnitude = emit_and_c(g, emit_as_int(g, x), 0x7fffffff);
  Value is_large = emit_icmp_c(g, LLVMIntUGE, magnitude, (int64_t)large << 23);
  Value found[] = {rest, quadrant};
  angle_reduce_large(g, large_function(g), x, is_large, COUNT_OF(found), found);
  rest = found[0];
  quadrant = found[1];
  Angle angle = {.quadrant = quadrant, .high = wide_to(g, rest)};
  angle.low = wide_to(g, emit_fsub(g, rest, wide_from(g, angle.high)));
  return angle;
}

// Where n pi/2 has f32s of pi/2 for it, and the quarter is the nearest one or almost.
#define NEAR 65536.0

// pi/2 in parts of 24 bits. With x of at least pi/4, x - n PART_1 is exact: a multiple of 2^-24
// below 1.
#define PART_1 1.57079637050628662110
#define PART_2 -4.3711388286737928865e-8
#define PART_3 -1.7151244994428828058e-15

// The lanes that `is_far` marks are not reduced.
static Angle reduce_near(LlvmGen *g, Value x, Value *is_far) {
  const double magic = 0x1.8p23;
  Value sum = emit_fma_cc(g, x, M_2_PI, magic), n = emit_fadd_c(g, sum, -magic);
  Value first = emit_fma(g, n, gen_float_like(g, n, -PART_1), x);
  Angle angle = {.quadrant = emit_as_int(g, sum),
                 .high = emit_fma(g, n, gen_float_like(g, n, -PART_2), first)};
  Value lost = emit_fma(g, n, gen_float_like(g, n, -PART_2), emit_fsub(g, first, angle.high));
  angle.low = emit_fma(g, n, gen_float_like(g, n, -PART_3), lost);
  // The difference in `lost` is exact where `high` is not below n PART_2.
  Value magnitude = emit_abs(g, x), least = emit_fmul_c(g, magnitude, -PART_2 * M_2_PI * 1.001);
  Value is_small = emit_fcmp(g, LLVMRealOLT, emit_abs(g, angle.high), least);
  *is_far = emit_or(g, is_small, emit_fcmp_c(g, LLVMRealOGE, magnitude, NEAR));
  return angle;
}

static Value sin_kernel(LlvmGen *g, const Angle *a, Value z) {
  static const double c[] = {-0.16666653752326965, 0.008332106284797192, -0.00019507882825564593};
  Value tail = emit_fma(g, emit_fmul(g, a->high, z), math_poly(g, z, c, COUNT_OF(c)), a->low);
  return emit_fadd(g, a->high, tail);
}

static Value cos_kernel(LlvmGen *g, Value z) {
  static const double c[] = {1, -0.5, 0.0416666456, -0.00138873083, 2.44320927e-05};
  return math_poly(g, z, c, COUNT_OF(c));
}

// -1 / (high + tail).
static Value cotangent(LlvmGen *g, Value tangent, Value high, Value tail) {
  Value one = gen_float_like(g, tangent, 1.0), q = emit_fdiv(g, emit_fneg(g, one), tangent);
  if (!g->target->has_fma) return q;
  Value lost = emit_fadd(g, emit_fsub(g, high, tangent), tail);
  Value error = emit_fma(g, q, lost, emit_fma(g, q, tangent, one));
  return emit_fma(g, q, error, q);
}

static Value tan_kernel(LlvmGen *g, const Angle *a, Value z) {
  static const double c[] = {0.333331496,  0.13338992,    0.0533952378,
                             0.0244863238, 0.00303253252, 0.00943544134};
  // The slope is 1 + tan^2, and the low part that small.
  Value low = emit_fma(g, a->low, z, a->low);
  Value tail = emit_fma(g, emit_fmul(g, a->high, z), math_poly(g, z, c, COUNT_OF(c)), low);
  Value tangent = emit_fadd(g, a->high, tail);
  Value is_odd = emit_icmp_c(g, LLVMIntNE, emit_and_c(g, a->quadrant, 1), 0);
  return emit_select(g, is_odd, cotangent(g, tangent, a->high, tail), tangent);
}

static Value of_angle(LlvmGen *g, OpCode code, Value x, const Angle *a) {
  Value z = emit_fmul(g, a->high, a->high);
  if (code == OP_TAN) return math_keep_tiny(g, x, tan_kernel(g, a, z), 1e-4);
  Value quadrant = code == OP_COS ? emit_add_c(g, a->quadrant, 1) : a->quadrant;
  Value is_odd = emit_icmp_c(g, LLVMIntNE, emit_and_c(g, quadrant, 1), 0);
  Value value = emit_select(g, is_odd, cos_kernel(g, z), sin_kernel(g, a, z));
  Value sign = emit_shl_c(g, emit_and_c(g, quadrant, 2), 30);
  Value result = emit_as_float(g, emit_xor(g, emit_as_int(g, value), sign));
  return code == OP_SIN ? math_keep_tiny(g, x, result, 1e-4) : result;
}

// Of a vector with lanes that are far, in a function of its own: seldom called.
static Value call_far(LlvmGen *g, OpCode code, Value x) {
  const char *name = str_format(g->arena, "math.%s.far.%u", op_info(code)->name, gen_lanes(x)).data;
  Outlined outlined;
  if (outlined_begin(g, &outlined, name, LLVMTypeOf(x), 1, &x)) {
    Value is_far, all = LLVMGetParam(outlined.function, 0);
    Angle near = reduce_near(g, all, &is_far), wide = reduce_wide(g, all);
    Angle angle = {.quadrant = emit_select(g, is_far, wide.quadrant, near.quadrant),
                   .high = emit_select(g, is_far, wide.high, near.high),
                   .low = emit_select(g, is_far, wide.low, near.low)};
    outlined_end(g, &outlined, of_angle(g, code, all, &angle));
  }
  return outlined_call(g, &outlined, 1, &x);
}

Value math_trigonometric(LlvmGen *g, OpCode code, Value x) {
  if (!g->target->has_fma) {
    Angle angle = reduce_wide(g, x);
    return of_angle(g, code, x, &angle);
  }
  Value is_far;
  Angle angle = reduce_near(g, x, &is_far);
  LLVMBasicBlockRef far = gen_block(g, "far"), near = gen_block(g, "near"),
                    after = gen_block(g, "");
  LLVMBuildCondBr(g->builder, gen_any(g, is_far), far, near);
  gen_move_to(g, far);
  Value results[2] = {call_far(g, code, x)};
  LLVMBuildBr(g->builder, after);
  gen_move_to(g, near);
  results[1] = of_angle(g, code, x, &angle);
  LLVMBuildBr(g->builder, after);
  LLVMBasicBlockRef from[] = {far, near};
  gen_move_to(g, after);
  Value merged = LLVMBuildPhi(g->builder, LLVMTypeOf(x), "");
  LLVMAddIncoming(merged, results, from, COUNT_OF(from));
  return merged;
}
