// SPDX-License-Identifier: Apache-2.0
// Integer operations, as ops.def says: they wrap, never trap, and shift counts may be anything.
#include "ir/core/ops.h"
#include "gen_int.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "ir/core/arithmetic.h"

typedef struct Quotient {
  Value quotient, remainder;
} Quotient;

// Truncated division where y is neither 0 nor -1. Vectors of at most 32 bits divide as floats:
// exact, as a quotient that is no integer is at least 1/|y| away from one, which is more than the
// rounding of 24 (53) bits.
static Quotient divide_plain(LlvmGen *g, DType dtype, Value x, Value y) {
  LLVMBuilderRef b = g->builder;
  bool is_signed = dtype_is_signed(dtype);
  Quotient q;
  if (gen_lanes(x) == 1 || LLVMIsConstant(y) || dtype_bits(dtype) == 64) {
    q.quotient = is_signed ? LLVMBuildSDiv(b, x, y, "") : LLVMBuildUDiv(b, x, y, "");
  } else if (dtype_bits(dtype) < 32) {
    Value wide_x = convert_dtype(g, x, dtype, DT_F32), wide_y = convert_dtype(g, y, dtype, DT_F32);
    Value whole = LLVMBuildFPToSI(b, emit_fdiv(g, wide_x, wide_y), gen_type_like(g->i32, x), "");
    q.quotient = LLVMBuildTrunc(b, whole, LLVMTypeOf(x), "");
  } else {
    Type f64 = gen_type_like(g->f64, x);
    Value wide_x = is_signed ? LLVMBuildSIToFP(b, x, f64, "") : LLVMBuildUIToFP(b, x, f64, "");
    Value wide_y = is_signed ? LLVMBuildSIToFP(b, y, f64, "") : LLVMBuildUIToFP(b, y, f64, "");
    Value ratio = emit_fdiv(g, wide_x, wide_y);
    q.quotient = is_signed ? LLVMBuildFPToSI(b, ratio, LLVMTypeOf(x), "")
                           : LLVMBuildFPToUI(b, ratio, LLVMTypeOf(x), "");
  }
  q.remainder = emit_sub(g, x, emit_mul(g, q.quotient, y));
  return q;
}

static bool is_constant_divisor(Value y) {
  if (LLVMGetTypeKind(LLVMTypeOf(y)) == LLVMVectorTypeKind) {
    if (!LLVMIsConstant(y)) return false;
    y = LLVMGetAggregateElement(y, 0); // constants in vectors here are splats
  }
  if (!y || !LLVMIsAConstantInt(y)) return false;
  int64_t value = LLVMConstIntGetSExtValue(y);
  return value != 0 && value != -1;
}

static Quotient divide(LlvmGen *g, DType dtype, Value x, Value y) {
  if (is_constant_divisor(y)) return divide_plain(g, dtype, x, y);
  Value is_zero = emit_icmp_c(g, LLVMIntEQ, y, 0), is_special = is_zero, is_minus_one = NULL;
  if (dtype_is_signed(dtype)) {
    is_minus_one = emit_icmp_c(g, LLVMIntEQ, y, -1);
    is_special = emit_or(g, is_zero, is_minus_one);
  }
  Quotient q = divide_plain(g, dtype, x, emit_select(g, is_special, gen_int_like(y, 1), y));
  if (is_minus_one)
    q.quotient = emit_select(g, is_minus_one, LLVMBuildNeg(g->builder, x, ""), q.quotient);
  q.quotient = emit_select(g, is_zero, gen_int_like(x, -1), q.quotient);
  q.remainder = emit_select(g, is_zero, x, q.remainder); // of -1 it is that of 1: 0
  return q;
}

static Value sign_of(LlvmGen *g, Value x) {
  Value negative =
      emit_ashr_c(g, x,
                  LLVMGetIntTypeWidth(LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind
                                          ? LLVMGetElementType(LLVMTypeOf(x))
                                          : LLVMTypeOf(x)) -
                      1);
  Value positive = LLVMBuildZExt(g->builder, emit_icmp_c(g, LLVMIntSGT, x, 0), LLVMTypeOf(x), "");
  return emit_or(g, negative, positive);
}

// A vector of signed numbers divided by a positive constant, rounded down: ~(~x / y) where x is
// negative, so that what is divided never is. (That it has no sign bit is said for LLVM, which
// multiplies by a shorter number then.) The remainder has the sign of y.
static bool floors_by_constant(DType dtype, Value x, Value y) {
  return dtype_is_signed(dtype) && gen_lanes(x) > 1 && is_constant_divisor(y) &&
         LLVMConstIntGetSExtValue(LLVMGetAggregateElement(y, 0)) > 0;
}

static Value floor_by_constant(LlvmGen *g, DType dtype, Value x, Value y) {
  int bits = (int)gen_compute_bits(dtype);
  int64_t divisor = LLVMConstIntGetSExtValue(LLVMGetAggregateElement(y, 0));
  if ((divisor & (divisor - 1)) == 0) return emit_ashr_c(g, x, __builtin_ctzll((uint64_t)divisor));
  Value sign = emit_ashr_c(g, x, bits - 1);
  Value plain = emit_and_c(g, emit_xor(g, x, sign), (int64_t)(UINT64_MAX >> (65 - bits)));
  return emit_xor(g, LLVMBuildUDiv(g->builder, plain, y, ""), sign);
}

// jnp.floor_divide: one less where the signs differ and something is left over; division by zero
// goes the same way.
static Value floor_divide(LlvmGen *g, DType dtype, Value x, Value y) {
  if (floors_by_constant(dtype, x, y)) return floor_by_constant(g, dtype, x, y);
  Quotient q = divide(g, dtype, x, y);
  if (!dtype_is_signed(dtype)) return q.quotient;
  Value differ =
      is_constant_divisor(y) ? NULL : emit_icmp(g, LLVMIntNE, sign_of(g, x), sign_of(g, y));
  Value left = emit_icmp_c(g, LLVMIntNE, q.remainder, 0);
  if (!differ) differ = emit_icmp_c(g, LLVMIntSLT, emit_xor(g, x, y), 0);
  Value less = LLVMBuildSExt(g->builder, emit_and(g, differ, left), LLVMTypeOf(x), "");
  return emit_add(g, q.quotient, less);
}

// jnp.remainder: the sign of the divisor; modulo 0 is 0.
static Value floor_modulo(LlvmGen *g, DType dtype, Value x, Value y) {
  if (floors_by_constant(dtype, x, y))
    return emit_sub(g, x, emit_mul(g, floor_by_constant(g, dtype, x, y), y));
  if (!is_constant_divisor(y))
    y = emit_select(g, emit_icmp_c(g, LLVMIntEQ, y, 0), gen_int_like(y, 1), y);
  Value rest = divide(g, dtype, x, y).remainder;
  if (!dtype_is_signed(dtype)) return rest;
  Value differ = emit_icmp_c(g, LLVMIntSLT, emit_xor(g, rest, y), 0);
  Value wrong = emit_and(g, differ, emit_icmp_c(g, LLVMIntNE, rest, 0));
  return emit_select(g, wrong, emit_add(g, rest, y), rest);
}

// Dividends x so small that (x + 1/2) / y, which is at least 1/(2 y) away from an integer, is
// rounded by less than that: two roundings of 24 bits; three where products and sums are apart.
static int64_t small_dividend(const LlvmGen *g) {
  return (INT64_C(1) << (g->target->has_fma ? 22 : 21)) - 2;
}

bool int_divides_small(const LlvmGen *g, OpCode code, DType dtype, Value x, Value y, Range range) {
  bool floors = code == OP_FLOORDIV || code == OP_MOD;
  int64_t lowest = floors && g->target->has_fma ? -small_dividend(g) : 0;
  return dtype_bits(dtype) == 32 && gen_lanes(x) > 1 && is_constant_divisor(y) &&
         LLVMConstIntGetSExtValue(LLVMGetAggregateElement(y, 0)) > 0 && range.low >= lowest &&
         range.high <= small_dividend(g);
}

Value int_divide_small(LlvmGen *g, OpCode code, Value x, Value y, Range range) {
  int64_t divisor = LLVMConstIntGetSExtValue(LLVMGetAggregateElement(y, 0));
  bool is_rest = code == OP_MOD || code == OP_REM;
  if ((divisor & (divisor - 1)) == 0)
    return is_rest ? emit_and_c(g, x, divisor - 1)
                   : emit_ashr_c(g, x, __builtin_ctzll((uint64_t)divisor));
  float inverse = 1 / (float)divisor;
  Value number = LLVMBuildSIToFP(g->builder, x, gen_type_like(g->f32, x), "");
  Value ratio = emit_fma_cc(g, number, (double)inverse, (double)(inverse / 2));
  if (range.low < 0) ratio = gen_intrinsic1(g, "llvm.floor", ratio);
  Value quotient = LLVMBuildFPToSI(g->builder, ratio, LLVMTypeOf(x), "");
  return is_rest ? emit_sub(g, x, emit_mul(g, quotient, y)) : quotient;
}

static Value shift_by(LlvmGen *g, OpCode code, int bits, Value x, Value count) {
  LLVMBuilderRef b = g->builder;
  Value fits = emit_icmp_c(g, LLVMIntULT, count, bits);
  if (code == OP_SHR) // of unsigned types too
    return LLVMBuildAShr(b, x, emit_select(g, fits, count, gen_int_like(x, bits - 1)), "");
  Value safe = emit_select(g, fits, count, gen_int_like(x, 0));
  Value shifted = code == OP_SHL ? LLVMBuildShl(b, x, safe, "") : LLVMBuildLShr(b, x, safe, "");
  return emit_select(g, fits, shifted, gen_int_like(x, 0));
}

// CPUs shift each lane by its own count in lanes of 32 bits (AVX-512 in those of 16, none in
// bytes): bytes are widened to 16 bits where those are shifted, other narrow ones to 32, if they
// fill one vector then.
static Value shift(LlvmGen *g, OpCode code, DType dtype, Value x, Value count) {
  int bits = (int)gen_compute_bits(dtype);
  enum { FEW = 8 }; // lanes: fewer are no vector of 32 bits on any CPU with shifts by lanes
  unsigned lanes = gen_lanes(x), most = g->target->vector_bytes / 4;
  bool are_words = bits == 8 && g->target->has_masks && lanes > most;
  if (bits >= 32 || lanes < FEW || (lanes > most && !are_words) || gen_constant_lane(count))
    return shift_by(g, code, bits, x, count);
  Type type = are_words ? g->i16 : g->i32;
  Value wide = code == OP_SHR ? emit_sext(g, x, type) : emit_zext(g, x, type);
  Value shifted = shift_by(g, code, bits, wide, emit_zext(g, count, type));
  return LLVMBuildTrunc(g->builder, shifted, LLVMTypeOf(x), "");
}

static Value extreme(LlvmGen *g, OpCode code, DType dtype, Value x, Value y) {
  bool is_signed = dtype_is_signed(dtype);
  if (code == OP_MAX) return gen_intrinsic2(g, is_signed ? "llvm.smax" : "llvm.umax", x, y);
  return gen_intrinsic2(g, is_signed ? "llvm.smin" : "llvm.umin", x, y);
}

// A coroutine works cheap operations out again each time it is resumed, and keeps the others; LLVM
// takes divisions for cheap ones.
static Value kept(LlvmGen *g, Value value) {
  return g->frame->task && gen_lanes(value) == 1 && !LLVMIsConstant(value)
             ? LLVMBuildFreeze(g->builder, value, "")
             : value;
}

Value int_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y) {
  switch (dtype == DT_BOOL ? arithmetic_of(code)->on_bool : code) {
  case OP_ADD: return emit_add(g, x, y);
  case OP_SUB: return emit_sub(g, x, y);
  case OP_MUL: return emit_mul(g, x, y);
  case OP_DIV: return kept(g, divide(g, dtype, x, y).quotient);
  case OP_REM: return kept(g, divide(g, dtype, x, y).remainder);
  case OP_FLOORDIV: return kept(g, floor_divide(g, dtype, x, y));
  case OP_MOD: return kept(g, floor_modulo(g, dtype, x, y));
  case OP_MAX:
  case OP_MIN: return extreme(g, code, dtype, x, y);
  case OP_AND: return emit_and(g, x, y);
  case OP_OR: return emit_or(g, x, y);
  case OP_XOR: return emit_xor(g, x, y);
  case OP_SHL:
  case OP_SHR:
  case OP_SHR_LOGICAL: return shift(g, code, dtype, x, y);
  default: BUG("%s of integers", op_info(code)->name);
  }
}

static Value with_false(LlvmGen *g, const char *name, Value x) {
  Value args[] = {x, LLVMConstInt(g->i1, 0, false)};
  return gen_intrinsic(g, name, LLVMTypeOf(x), 2, args);
}

Value int_unary(LlvmGen *g, OpCode code, DType dtype, Value x) {
  bool is_signed = dtype_is_signed(dtype);
  switch (code) {
  case OP_NEG: return LLVMBuildNeg(g->builder, x, "");
  case OP_ABS: return is_signed ? with_false(g, "llvm.abs", x) : x;
  case OP_SIGN:
    return is_signed
               ? sign_of(g, x)
               : LLVMBuildZExt(g->builder, emit_icmp_c(g, LLVMIntNE, x, 0), LLVMTypeOf(x), "");
  case OP_NOT: return emit_not(g, x);
  case OP_POPCOUNT: return gen_intrinsic1(g, "llvm.ctpop", x);
  case OP_CLZ: return with_false(g, "llvm.ctlz", x);
  default: BUG("%s of integers", op_info(code)->name);
  }
}
