// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers, and the remainder.
#include "ir/core/ops.h"
#include "gen_round.h"
#include "codegen/emit/gen_function.h"
#include "gen_poly.h"

// From here on all numbers are whole.
static double first_whole(Value x) { return gen_is_f64(x) ? 0x1p52 : 0x1p23; }

// Without SSE4.1 there is no instruction; LLVM would call libm.
static Value trunc_by_conversion(LlvmGen *g, Value x) {
  // Larger ones, infinities and NaN are whole.
  Value is_small = emit_fcmp_c(g, LLVMRealOLT, emit_abs(g, x), first_whole(x));
  Value safe = emit_select(g, is_small, x, gen_float_like(g, x, 0.0));
  Type type = gen_type_like(gen_is_f64(x) ? g->i64 : g->i32, x);
  Value whole =
      LLVMBuildSIToFP(g->builder, LLVMBuildFPToSI(g->builder, safe, type, ""), LLVMTypeOf(x), "");
  return emit_select(g, is_small, emit_copysign(g, whole, x), x);
}

static Value toward(LlvmGen *g, OpCode code, Value x) {
  Value whole = trunc_by_conversion(g, x);
  bool down = code == OP_FLOOR;
  Value wrong = emit_fcmp(g, down ? LLVMRealOGT : LLVMRealOLT, whole, x);
  Value moved = emit_fadd_c(g, whole, down ? -1.0 : 1.0);
  return emit_copysign(g, emit_select(g, wrong, moved, whole), x);
}

static Value even_by_addition(LlvmGen *g, Value x) {
  Value magnitude = emit_abs(g, x);
  double whole = first_whole(x);
  Value rounded = emit_fsub_c(g, emit_fadd_c(g, magnitude, whole), whole);
  Value is_small = emit_fcmp_c(g, LLVMRealOLT, magnitude, whole);
  return emit_select(g, is_small, emit_copysign(g, rounded, x), x);
}

static Value truncated(LlvmGen *g, Value x) {
  return g->target->has_sse41 ? gen_intrinsic1(g, "llvm.trunc", x) : trunc_by_conversion(g, x);
}

// Halves away from zero: trunc(x + the number below 1/2 with x's sign), which does not carry
// 0.49999997 over, and leaves whole numbers that have no bits behind the point what they are.
static Value away(LlvmGen *g, Value x) {
  Value below_half = gen_float_like(g, x, gen_is_f64(x) ? 0.5 - 0x1p-54 : 0.5 - 0x1p-25);
  return truncated(g, emit_fadd(g, x, emit_copysign(g, below_half, x)));
}

Value math_round(LlvmGen *g, OpCode code, Value x) {
  bool has_instruction = g->target->has_sse41;
  switch (code) {
  case OP_FLOOR: return has_instruction ? gen_intrinsic1(g, "llvm.floor", x) : toward(g, code, x);
  case OP_CEIL: return has_instruction ? gen_intrinsic1(g, "llvm.ceil", x) : toward(g, code, x);
  case OP_TRUNC: return truncated(g, x);
  case OP_ROUND_EVEN:
    return has_instruction ? gen_intrinsic1(g, "llvm.roundeven", x) : even_by_addition(g, x);
  default: return away(g, x);
  }
}

// ---- remainder ----------------------------------------------------------------------------------
// |x| is reduced in steps, in f64: by the divisor times a power of two that leaves a quotient of
// few bits, so that what is subtracted is exact. One step is enough unless the quotient has more.
enum { QUOTIENT_OF_F32 = 26, QUOTIENT_OF_F64 = 22 }; // bits, and one or two

// floor(log2 of the magnitude) of positive doubles.
static Value exponent_of(LlvmGen *g, Value x) { return emit_lshr_c(g, emit_as_int(g, x), 52); }

// rest - quotient * divisor, exactly. An f64 divisor has so many bits that it takes a fused
// multiply-add, or two products with its halves.
static Value subtract_multiple(LlvmGen *g, Value rest, Value quotient, Value divisor, bool is_f64) {
  if (!is_f64) return emit_fsub(g, rest, emit_fmul(g, quotient, divisor));
  if (g->target->has_fma) return emit_fma(g, emit_fneg(g, quotient), divisor, rest);
  Value high = emit_as_f64(g, emit_and_c(g, emit_as_int(g, divisor), -((int64_t)1 << 27)));
  Value low = emit_fsub(g, divisor, high);
  rest = emit_fsub(g, rest, emit_fmul(g, quotient, high));
  return emit_fsub(g, rest, emit_fmul(g, quotient, low));
}

static Value reduce_step(LlvmGen *g, Value rest, Value divisor, bool is_f64) {
  Value gap = emit_sub(g, exponent_of(g, rest), exponent_of(g, divisor));
  Value excess = emit_sub_c(g, gap, is_f64 ? QUOTIENT_OF_F64 : QUOTIENT_OF_F32);
  Value shift =
      emit_select(g, emit_icmp_c(g, LLVMIntSGT, excess, 0), excess, gen_int_like(excess, 0));
  Value scaled = emit_as_f64(g, emit_add(g, emit_as_int(g, divisor), emit_shl_c(g, shift, 52)));
  Value ratio = emit_fdiv(g, rest, scaled);
  // To a whole number, by the last bit's place.
  Value rounded = emit_fadd(g, ratio, gen_float_like(g, ratio, 4503599627370496.0));
  Value quotient = emit_fsub(g, rounded, gen_float_like(g, ratio, 4503599627370496.0));
  Value next = subtract_multiple(g, rest, quotient, scaled, is_f64);
  // The quotient was rounded to nearest: one too much leaves less than nothing.
  Value is_negative = emit_fcmp(g, LLVMRealOLT, next, gen_float_like(g, next, 0.0));
  return emit_select(g, is_negative, emit_fadd(g, next, scaled), next);
}

Value gen_any(LlvmGen *g, Value bits) {
  if (gen_lanes(bits) == 1) return bits;
  Value whole = gen_bitcast(g, bits, LLVMIntTypeInContext(g->context, gen_lanes(bits)));
  return emit_icmp_c(g, LLVMIntNE, whole, 0);
}

// Of positive operands, in as many steps as the largest quotient takes.
static Value rem_by_steps(LlvmGen *g, Value x, Value y, bool is_f64) {
  Value rest = is_f64 ? x : wide_from(g, x), divisor = is_f64 ? y : wide_from(g, y);
  LLVMBasicBlockRef before = gen_here(g), loop = gen_block(g, "rem"),
                    after = gen_block(g, "rem.done");
  LLVMBuildBr(g->builder, loop);
  gen_move_to(g, loop);
  Value phi = LLVMBuildPhi(g->builder, LLVMTypeOf(rest), "");
  LLVMAddIncoming(phi, &rest, &before, 1);
  Value next = reduce_step(g, phi, divisor, is_f64);
  Value goes_on = gen_any(g, emit_fcmp(g, LLVMRealOGE, next, divisor));
  LLVMAddIncoming(phi, &next, &loop, 1);
  LLVMBuildCondBr(g->builder, goes_on, loop, after);
  gen_move_to(g, after);
  return is_f64 ? next : wide_to(g, next);
}

// The same of f32 where a fused multiply-add is exact: a quotient below 2^22 is less than a quarter
// off, so that the nearest whole number is right or one too much, and what is left is a multiple of
// the divisor's last place, which is no subnormal of a divisor from 2^-100 on.
static Value rem_by_fma(LlvmGen *g, Value x, Value y) {
  Value ratio = emit_fdiv(g, x, y);
  Value is_far = emit_or(g, emit_fcmp_c(g, LLVMRealOGE, ratio, 0x1p22),
                         emit_fcmp_c(g, LLVMRealOLT, y, 0x1p-100));
  LLVMBasicBlockRef near = gen_block(g, "rem.near"), far = gen_block(g, "rem.far"),
                    done = gen_block(g, "rem.either");
  LLVMBuildCondBr(g->builder, gen_any(g, is_far), far, near);
  gen_move_to(g, near);
  Value quotient = gen_intrinsic1(g, "llvm.roundeven", ratio);
  Value rest = emit_fma(g, emit_fneg(g, quotient), y, x);
  Value is_negative = emit_fcmp(g, LLVMRealOLT, rest, gen_float_like(g, rest, 0.0));
  Value rests[] = {emit_select(g, is_negative, emit_fadd(g, rest, y), rest), NULL};
  LLVMBasicBlockRef blocks[] = {gen_here(g), NULL};
  LLVMBuildBr(g->builder, done);
  gen_move_to(g, far);
  rests[1] = rem_by_steps(g, x, y, false);
  blocks[1] = gen_here(g);
  LLVMBuildBr(g->builder, done);
  gen_move_to(g, done);
  Value phi = LLVMBuildPhi(g->builder, LLVMTypeOf(rest), "");
  LLVMAddIncoming(phi, rests, blocks, 2);
  return phi;
}

Value math_rem(LlvmGen *g, Value x, Value y) {
  Value zero = gen_float_like(g, x, 0.0);
  Value magnitude_x = emit_abs(g, x), magnitude_y = emit_abs(g, y);
  Value has_value = emit_and(g, emit_fcmp_c(g, LLVMRealOLT, magnitude_x, __builtin_inf()),
                             emit_fcmp(g, LLVMRealUNE, y, zero));
  has_value = emit_and(g, has_value, emit_not(g, emit_is_nan(g, y)));
  Value is_work = emit_and(g, has_value, emit_fcmp(g, LLVMRealOGE, magnitude_x, magnitude_y));
  // Lanes without work divide 0 by 1.
  bool is_f64 = gen_is_f64(x);
  Value dividend = emit_select(g, is_work, magnitude_x, zero);
  Value divisor = emit_select(g, is_work, magnitude_y, gen_float_like(g, x, 1.0));
  Value rest = !is_f64 && g->target->has_fma ? rem_by_fma(g, dividend, divisor)
                                             : rem_by_steps(g, dividend, divisor, is_f64);
  Value result = emit_select(g, is_work, emit_copysign(g, rest, x), x); // |x| < |y|, or y infinite
  return emit_select(g, has_value, result, gen_float_like(g, x, __builtin_nan("")));
}
