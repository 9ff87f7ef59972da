// SPDX-License-Identifier: Apache-2.0
// One-line emitters, so that arithmetic in the generator reads as arithmetic. All take scalars and
// vectors; a constant operand (suffix _c) gets the type of the other one.
#pragma once
#include "gen_build.h"
#include "gen_const.h"
#include "gen_type.h"

static inline Value emit_add(LlvmGen *g, Value a, Value b) {
  return LLVMBuildAdd(g->builder, a, b, "");
}
static inline Value emit_sub(LlvmGen *g, Value a, Value b) {
  return LLVMBuildSub(g->builder, a, b, "");
}
static inline Value emit_mul(LlvmGen *g, Value a, Value b) {
  return LLVMBuildMul(g->builder, a, b, "");
}
static inline Value emit_and(LlvmGen *g, Value a, Value b) {
  return LLVMBuildAnd(g->builder, a, b, "");
}
static inline Value emit_or(LlvmGen *g, Value a, Value b) {
  return LLVMBuildOr(g->builder, a, b, "");
}
static inline Value emit_xor(LlvmGen *g, Value a, Value b) {
  return LLVMBuildXor(g->builder, a, b, "");
}
static inline Value emit_not(LlvmGen *g, Value a) { return LLVMBuildNot(g->builder, a, ""); }
static inline Value emit_add_c(LlvmGen *g, Value a, int64_t c) {
  return emit_add(g, a, gen_int_like(a, c));
}
static inline Value emit_sub_c(LlvmGen *g, Value a, int64_t c) {
  return emit_sub(g, a, gen_int_like(a, c));
}
static inline Value emit_and_c(LlvmGen *g, Value a, int64_t c) {
  return emit_and(g, a, gen_int_like(a, c));
}
static inline Value emit_or_c(LlvmGen *g, Value a, int64_t c) {
  return emit_or(g, a, gen_int_like(a, c));
}
static inline Value emit_xor_c(LlvmGen *g, Value a, int64_t c) {
  return emit_xor(g, a, gen_int_like(a, c));
}
static inline Value emit_shl_c(LlvmGen *g, Value a, int64_t c) {
  return LLVMBuildShl(g->builder, a, gen_int_like(a, c), "");
}
static inline Value emit_lshr_c(LlvmGen *g, Value a, int64_t c) {
  return LLVMBuildLShr(g->builder, a, gen_int_like(a, c), "");
}
static inline Value emit_ashr_c(LlvmGen *g, Value a, int64_t c) {
  return LLVMBuildAShr(g->builder, a, gen_int_like(a, c), "");
}
static inline Value emit_icmp(LlvmGen *g, LLVMIntPredicate p, Value a, Value b) {
  return LLVMBuildICmp(g->builder, p, a, b, "");
}
static inline Value emit_icmp_c(LlvmGen *g, LLVMIntPredicate p, Value a, int64_t c) {
  return emit_icmp(g, p, a, gen_int_like(a, c));
}

static inline Value emit_fadd(LlvmGen *g, Value a, Value b) {
  return LLVMBuildFAdd(g->builder, a, b, "");
}
static inline Value emit_fsub(LlvmGen *g, Value a, Value b) {
  return LLVMBuildFSub(g->builder, a, b, "");
}
static inline Value emit_fmul(LlvmGen *g, Value a, Value b) {
  return LLVMBuildFMul(g->builder, a, b, "");
}
static inline Value emit_fdiv(LlvmGen *g, Value a, Value b) {
  return LLVMBuildFDiv(g->builder, a, b, "");
}
static inline Value emit_fneg(LlvmGen *g, Value a) { return LLVMBuildFNeg(g->builder, a, ""); }
static inline Value emit_fadd_c(LlvmGen *g, Value a, double c) {
  return emit_fadd(g, a, gen_float_like(g, a, c));
}
static inline Value emit_fsub_c(LlvmGen *g, Value a, double c) {
  return emit_fsub(g, a, gen_float_like(g, a, c));
}
static inline Value emit_fmul_c(LlvmGen *g, Value a, double c) {
  return emit_fmul(g, a, gen_float_like(g, a, c));
}
static inline Value emit_fcmp(LlvmGen *g, LLVMRealPredicate p, Value a, Value b) {
  return LLVMBuildFCmp(g->builder, p, a, b, "");
}
static inline Value emit_fcmp_c(LlvmGen *g, LLVMRealPredicate p, Value a, double c) {
  return emit_fcmp(g, p, a, gen_float_like(g, a, c));
}
static inline Value emit_is_nan(LlvmGen *g, Value a) { return emit_fcmp(g, LLVMRealUNO, a, a); }
static inline Value emit_select(LlvmGen *g, Value c, Value a, Value b) {
  return LLVMBuildSelect(g->builder, c, a, b, "");
}
static inline Value emit_abs(LlvmGen *g, Value a) { return gen_intrinsic1(g, "llvm.fabs", a); }
static inline Value emit_copysign(LlvmGen *g, Value magnitude, Value sign) {
  return gen_intrinsic2(g, "llvm.copysign", magnitude, sign);
}

static inline Value emit_as_int(LlvmGen *g, Value a) {
  return gen_bitcast(g, a, gen_type_like(gen_is_f64(a) ? g->i64 : g->i32, a));
}
static inline Value emit_as_f64(LlvmGen *g, Value a) {
  return gen_bitcast(g, a, gen_type_like(g->f64, a));
}
static inline Value emit_as_float(LlvmGen *g, Value a) {
  return gen_bitcast(g, a, gen_type_like(g->f32, a));
}
static inline Value emit_zext(LlvmGen *g, Value a, Type element) {
  return LLVMBuildZExt(g->builder, a, gen_type_like(element, a), "");
}
static inline Value emit_sext(LlvmGen *g, Value a, Type element) {
  return LLVMBuildSExt(g->builder, a, gen_type_like(element, a), "");
}
static inline Value emit_trunc(LlvmGen *g, Value a, Type element) {
  return LLVMBuildTrunc(g->builder, a, gen_type_like(element, a), "");
}

// a * b + c: fused where the target has it, rounded twice where not (never a call).
static inline Value emit_fma(LlvmGen *g, Value a, Value b, Value c) {
  if (!g->target->has_fma) return emit_fadd(g, emit_fmul(g, a, b), c);
  Value args[] = {a, b, c};
  return gen_intrinsic(g, "llvm.fma", LLVMTypeOf(a), 3, args);
}
static inline Value emit_fma_cc(LlvmGen *g, Value a, double b, double c) {
  return emit_fma(g, a, gen_float_like(g, a, b), gen_float_like(g, a, c));
}
