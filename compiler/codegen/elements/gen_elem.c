// SPDX-License-Identifier: Apache-2.0
// Elementwise operations on one vector of elements. Floats narrower than f32 are computed in it and
// rounded to their type after every operation.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_elem.h"
#include <math.h>
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "ir/core/arithmetic.h"
#include "gen_int.h"
#include "gen_math.h"

// ---- floats -------------------------------------------------------------------------------------
static Value first_if_less(LlvmGen *g, Value x, Value y) {
  return emit_as_int(g, emit_select(g, emit_fcmp(g, LLVMRealOLT, x, y), x, y));
}

// The hardware's minimum is its second operand if either is NaN, or both are zeros: of both orders
// together, bit by bit, a NaN stays one and -0.0 the lesser zero.
static Value float_min(LlvmGen *g, Value x, Value y) {
  Value either = emit_or(g, first_if_less(g, x, y), first_if_less(g, y, x));
  return gen_is_f64(x) ? emit_as_f64(g, either) : emit_as_float(g, either);
}

static Value first_if_greater(LlvmGen *g, Value x, Value y) {
  return emit_as_int(g, emit_select(g, emit_fcmp(g, LLVMRealOGT, x, y), x, y));
}

// Likewise of the maximum: what both orders have in common is the greater zero. A NaN is put into
// it.
static Value float_max_of_orders(LlvmGen *g, Value x, Value y) {
  Value both = emit_and(g, first_if_greater(g, x, y), first_if_greater(g, y, x));
  Value is_nan = emit_sext(g, emit_fcmp(g, LLVMRealUNO, x, y), gen_is_f64(x) ? g->i64 : g->i32);
  Value bits = emit_or(g, both, is_nan);
  return gen_is_f64(x) ? emit_as_f64(g, bits) : emit_as_float(g, bits);
}

// max(0.0, x), for which the hardware's maximum gives NaN and -0.0 as they are: adding 0.0 makes
// the latter 0.0, and nothing of anything else.
static Value float_max_of_zero(LlvmGen *g, Value zero, Value x) {
  return emit_fadd(g, emit_select(g, emit_fcmp(g, LLVMRealOGT, zero, x), zero, x), zero);
}

bool elem_has_greater(const LlvmGen *g, Value x) {
  return gen_lanes(x) * (gen_is_f64(x) ? 8 : 4) == 64 && g->target->has_masks;
}

// By vrange, whose immediate says what is wanted: the greater one, with its own sign.
Value elem_greater(LlvmGen *g, Value x, Value y) {
  enum { GREATER = 5, CURRENT_ROUNDING = 4 }; // Intel's manual, VRANGEPS
  bool is_f64 = gen_is_f64(x);
  Value args[] = {x,
                  y,
                  gen_i32(g, GREATER),
                  x,
                  LLVMConstAllOnes(is_f64 ? g->i8 : g->i16),
                  gen_i32(g, CURRENT_ROUNDING)};
  return gen_intrinsic(
      g, is_f64 ? "llvm.x86.avx512.mask.range.pd.512" : "llvm.x86.avx512.mask.range.ps.512", NULL,
      6, args);
}

static Value float_max(LlvmGen *g, Value x, Value y) {
  return emit_select(g, emit_fcmp(g, LLVMRealUNO, x, y), emit_fadd(g, x, y), elem_greater(g, x, y));
}

// A register of which the lowest lane counts.
static Value lowest_lane(LlvmGen *g, Value scalar) {
  Value whole = LLVMGetUndef(LLVMVectorType(LLVMTypeOf(scalar), gen_is_f64(scalar) ? 2 : 4));
  return LLVMBuildInsertElement(g->builder, whole, scalar, gen_i32(g, 0), "");
}

Value elem_max(LlvmGen *g, DType dtype, Value x, Value y, bool least) {
  if (!dtype_is_float(dtype)) return int_binary(g, least ? OP_MIN : OP_MAX, dtype, x, y);
  // Of a constant LLVM knows what it is not.
  bool is_known = LLVMIsConstant(x) || LLVMIsConstant(y);
  // Without mask registers LLVM branches by the sign of one element.
  if (!is_known && gen_lanes(x) == 1 && !g->target->has_masks) {
    Value both = elem_max(g, dtype, lowest_lane(g, x), lowest_lane(g, y), least);
    return LLVMBuildExtractElement(g->builder, both, gen_i32(g, 0), "");
  }
  if (least && !is_known && gen_lanes(x) > 1) return float_min(g, x, y);
  if (!least && !is_known && elem_has_greater(g, x)) return float_max(g, x, y);
  if (!least && !is_known && gen_lanes(x) > 1 && !g->target->has_masks)
    return float_max_of_orders(g, x, y);
  if (!least && gen_lanes(x) > 1 && LLVMIsNull(y)) return float_max_of_zero(g, y, x);
  if (!least && gen_lanes(x) > 1 && LLVMIsNull(x)) return float_max_of_zero(g, x, y);
  return gen_intrinsic2(g, least ? "llvm.minimum" : "llvm.maximum", x, y);
}

static Value float_sign(LlvmGen *g, Value x) {
  Value one = emit_copysign(g, gen_float_like(g, x, 1.0), x);
  Value zero = emit_fmul_c(g, x, 0.0); // subnormal numbers are zeros; or NaN, which it stays
  return emit_select(g, emit_fcmp_c(g, LLVMRealONE, x, 0.0), one, zero);
}

// The next number from x towards y, on the bits: their order as sign and magnitude is that of the
// numbers.
static Value next_after(LlvmGen *g, DType dtype, Value x, Value y) {
  Value bits = convert_to_bits(g, dtype, x);
  int width = (int)dtype_size(dtype) * 8;
  int64_t sign_bit = (int64_t)((uint64_t)1 << (width - 1));
  Value sign = emit_and_c(g, bits, sign_bit);
  Value is_zero = emit_fcmp_c(g, LLVMRealOEQ, x, 0.0);
  Value y_bits = convert_to_bits(g, dtype, y);
  Value tiny = emit_or_c(g, emit_and_c(g, y_bits, sign_bit), 1);
  // Away from zero if y is farther out on x's side.
  Value is_negative = emit_icmp_c(g, LLVMIntNE, sign, 0);
  Value grows = emit_xor(g, emit_fcmp(g, LLVMRealOGT, y, x), is_negative);
  Value step = emit_select(g, grows, gen_int_like(bits, 1), gen_int_like(bits, -1));
  Value next = emit_select(g, is_zero, tiny, emit_add(g, bits, step));
  next = emit_select(g, emit_fcmp(g, LLVMRealOEQ, x, y), y_bits, next);
  Value result = convert_from_bits(g, dtype, next);
  return emit_select(g, emit_fcmp(g, LLVMRealUNO, x, y), emit_fadd(g, x, y), result);
}

// jnp.remainder, in steps that are each rounded to the type.
static Value float_modulo(LlvmGen *g, DType dtype, Value x, Value y) {
  Value rest = math_binary(g, OP_REM, x, y); // exact
  Value zero = gen_float_like(g, x, 0.0);
  Value differ =
      emit_xor(g, emit_fcmp(g, LLVMRealOLT, rest, zero), emit_fcmp(g, LLVMRealOLT, y, zero));
  Value wrong = emit_and(g, differ, emit_fcmp(g, LLVMRealUNE, rest, zero));
  return emit_select(g, wrong, convert_round(g, dtype, emit_fadd(g, rest, y)), rest);
}

// jnp.floor_divide, likewise.
static Value float_floor_divide(LlvmGen *g, DType dtype, Value x, Value y) {
  Value rest = math_binary(g, OP_REM, x, y), zero = gen_float_like(g, x, 0.0);
  Value whole = emit_select(g, emit_fcmp(g, LLVMRealOEQ, y, zero), x,
                            convert_round(g, dtype, emit_fsub(g, x, rest)));
  Value ratio = convert_round(g, dtype, emit_fdiv(g, whole, y));
  Value differ = emit_fcmp(g, LLVMRealUNE, float_sign(g, y), float_sign(g, rest));
  Value less = emit_and(g, differ, emit_fcmp(g, LLVMRealUNE, rest, zero));
  ratio = emit_select(g, less, convert_round(g, dtype, emit_fsub_c(g, ratio, 1.0)), ratio);
  return math_unary(g, OP_ROUND_AWAY, ratio);
}

// The number of a float constant, the same in each lane if it is a vector.
static bool is_constant_float(Value v, double *number) {
  v = gen_constant_lane(v);
  LLVMBool loses = false;
  if (v && LLVMIsAConstantFP(v)) *number = LLVMConstRealGetDouble(v, &loses);
  return v && LLVMIsAConstantFP(v) && !loses;
}

// The x of x * scale, a product by a constant power of two, of either sign; else NULL.
static Value scaled_by_power(Value product, Value *scale) {
  if (!LLVMIsAInstruction(product) || LLVMGetInstructionOpcode(product) != LLVMFMul) return NULL;
  for (unsigned i = 0; i < 2; i++) {
    double number = 0;
    int exponent;
    *scale = LLVMGetOperand(product, i);
    if (is_constant_float(*scale, &number) && fabs(frexp(number, &exponent)) == 0.5)
      return LLVMGetOperand(product, 1 - i);
  }
  return NULL;
}

// x * scale + c in one step that rounds as the two do, or NULL. The product of a power of two is
// exact, unless it leaves the range of its type: c neither brings one back that is too large, nor
// feels what one that is too small has lost, if it is of ordinary size itself.
static Value add_scaled(LlvmGen *g, DType dtype, Value product, Value c) {
  const double least = 0x1p-60, most = 0x1p60;
  if (!g->target->has_fma || (dtype != DT_F32 && dtype != DT_F64)) return NULL;
  double number = 0;
  if (!is_constant_float(c, &number) || !(fabs(number) >= least && fabs(number) <= most))
    return NULL;
  Value scale, x = scaled_by_power(product, &scale);
  return x ? emit_fma(g, x, scale, c) : NULL;
}

static Value float_add(LlvmGen *g, DType dtype, Value x, Value y) {
  Value sum = add_scaled(g, dtype, x, y);
  if (!sum) sum = add_scaled(g, dtype, y, x);
  return sum ? sum : convert_round(g, dtype, emit_fadd(g, x, y));
}

// What the op gives, as a number of the type.
static Value rounded(LlvmGen *g, OpCode code, DType dtype, Value value) {
  return arithmetic_is(code, ARITHMETIC_EXACT) ? value : convert_round(g, dtype, value);
}

static Value float_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y) {
  switch (code) {
  case OP_MAX: return elem_max(g, dtype, x, y, false);
  case OP_MIN: return elem_max(g, dtype, x, y, true);
  case OP_MOD: return float_modulo(g, dtype, x, y);
  case OP_FLOORDIV: return float_floor_divide(g, dtype, x, y);
  case OP_NEXTAFTER: return next_after(g, dtype, x, y);
  case OP_ADD: return float_add(g, dtype, x, y);
  case OP_SUB: return convert_round(g, dtype, emit_fsub(g, x, y));
  case OP_MUL: return convert_round(g, dtype, emit_fmul(g, x, y));
  case OP_DIV: return convert_round(g, dtype, emit_fdiv(g, x, y));
  default: return rounded(g, code, dtype, math_binary(g, code, x, y));
  }
}

static Value float_unary(LlvmGen *g, OpCode code, DType dtype, Value x) {
  switch (code) {
  case OP_NEG: return emit_fneg(g, x);
  case OP_ABS: return emit_abs(g, x);
  case OP_SIGN: return float_sign(g, x);
  default: return rounded(g, code, dtype, math_unary(g, code, x));
  }
}

// ---- all types ----------------------------------------------------------------------------------
static Value elem_unary(LlvmGen *g, OpCode code, DType dtype, Value x) {
  return dtype_is_float(dtype) ? float_unary(g, code, dtype, x) : int_unary(g, code, dtype, x);
}

Value elem_binary(LlvmGen *g, OpCode code, DType dtype, Value x, Value y) {
  return dtype_is_float(dtype) ? float_binary(g, code, dtype, x, y)
                               : int_binary(g, code, dtype, x, y);
}

Value elem_compare(LlvmGen *g, OpCode code, DType dtype, Value x, Value y) {
  if (dtype_is_float(dtype)) {
    static const LLVMRealPredicate predicates[] = {LLVMRealOEQ, LLVMRealUNE, LLVMRealOLT,
                                                   LLVMRealOLE, LLVMRealOGT, LLVMRealOGE};
    return emit_fcmp(g, predicates[code - OP_EQ], x, y);
  }
  static const LLVMIntPredicate predicates[][2] = {
      {LLVMIntEQ, LLVMIntEQ},   {LLVMIntNE, LLVMIntNE},   {LLVMIntULT, LLVMIntSLT},
      {LLVMIntULE, LLVMIntSLE}, {LLVMIntUGT, LLVMIntSGT}, {LLVMIntUGE, LLVMIntSGE}};
  return emit_icmp(g, predicates[code - OP_EQ][dtype_is_signed(dtype)], x, y);
}

// Threefry-2x32, 20 rounds: four rounds of add, rotate, xor between additions of the key.
void elem_threefry(LlvmGen *g, Value const key_counter[4], Value out[2]) {
  static const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Value key[3] = {key_counter[0], key_counter[1],
                  emit_xor_c(g, emit_xor(g, key_counter[0], key_counter[1]), 0x1bd11bda)};
  Value x = emit_add(g, key_counter[2], key[0]), y = emit_add(g, key_counter[3], key[1]);
  for (int group = 0; group < 5; group++) {
    for (int i = 0; i < 4; i++) {
      int rotation = rotations[group % 2][i];
      x = emit_add(g, x, y);
      Value args[] = {y, y, gen_int_like(y, rotation)};
      y = emit_xor(g, gen_intrinsic(g, "llvm.fshl", LLVMTypeOf(y), 3, args), x);
    }
    x = emit_add(g, x, key[(group + 1) % 3]);
    y = emit_add(g, y, emit_add_c(g, key[(group + 2) % 3], group + 1));
  }
  out[0] = x;
  out[1] = y;
}

static Value reduce_precision(LlvmGen *g, const IrOp *op, DType dtype, Value x) {
  int exponent_bits = (int)ir_attr_int(op, ATTR_EXPONENT_BITS),
      mantissa_bits = (int)ir_attr_int(op, ATTR_MANTISSA_BITS);
  return convert_reduce_precision(g, dtype, x, exponent_bits, mantissa_bits);
}

// LLVM computes an operation on constants itself, with subnormal numbers, where the CPU is set to
// take them for zero: one operand is hidden from it. (Most such operations were folded before.)
static Value hidden_if_constant(LlvmGen *g, const IrOp *op, Value const *operands) {
  bool computes = dtype_is_float(op->operands[0]->type->dtype);
  for (uint32_t i = 0; computes && i < op->operand_count; i++)
    computes = LLVMIsConstant(operands[i]);
  return computes ? gen_hide_constant(g, operands[0]) : operands[0];
}

// What is known of the numbers holds for this op alone, not for others of an outlined cluster.
static bool knows_dividend(const LlvmGen *g, const IrOp *op) {
  bool divides =
      op->code == OP_DIV || op->code == OP_FLOORDIV || op->code == OP_MOD || op->code == OP_REM;
  return divides && !dtype_is_float(op->operands[0]->type->dtype) && !g->shares.all;
}

static Value quotient_of_known(LlvmGen *g, const IrOp *op, Value const *operands) {
  Range range = bounds_of(op->operands[0]);
  DType dtype = op->operands[0]->type->dtype;
  if (int_divides_small(g, op->code, dtype, operands[0], operands[1], range))
    return int_divide_small(g, op->code, operands[0], operands[1], range);
  return int_binary(g, op->code, dtype, operands[0], operands[1]);
}

Value elem_op(LlvmGen *g, const IrOp *op, Value const *operands) {
  if (knows_dividend(g, op)) return quotient_of_known(g, op, operands);
  DType from = op->operands[0]->type->dtype, to = op->results[0]->type->dtype;
  Value x = hidden_if_constant(g, op, operands);
  switch (op_info(op->code)->op_class) {
  case CLASS_UNARY:
    if (op->code == OP_REDUCE_PRECISION) return reduce_precision(g, op, from, x);
    return elem_unary(g, op->code, from, x);
  case CLASS_BINARY: return elem_binary(g, op->code, from, x, operands[1]);
  case CLASS_COMPARE: return elem_compare(g, op->code, from, x, operands[1]);
  default: break;
  }
  switch (op->code) {
  case OP_SELECT: return emit_select(g, operands[0], operands[1], operands[2]);
  case OP_CONVERT: return convert_dtype(g, operands[0], from, to);
  case OP_BITCAST: return convert_from_bits(g, to, convert_to_bits(g, from, operands[0]));
  case OP_IS_FINITE:
    return dtype_is_float(from)
               ? emit_fcmp_c(g, LLVMRealOLT, emit_abs(g, operands[0]), __builtin_inf())
               : gen_const_int(gen_type_like(g->i1, operands[0]), 1);
  default: BUG("%s is not elementwise", op_info(op->code)->name);
  }
}
