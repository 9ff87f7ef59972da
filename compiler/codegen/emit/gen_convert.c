// SPDX-License-Identifier: Apache-2.0
// Element types: storage to registers and back, rounding to narrow floats, conversions. All
// rounding is to nearest, halves to even, with subnormals and NaN kept; where the instruction set
// has no conversion it is done in integers, and where it has one that flushes (vcvtneps2bf16), of
// all that is not the result of arithmetic, which has been flushed.
#include "gen_convert.h"
#include <string.h>
#include "emit.h"
#include "gen_build.h"

// A binary format narrower than f32.
typedef struct Format {
  int exponent_bits, mantissa_bits, bias;
  bool has_infinity; // else the numbers go on where infinities would be
  bool nan_is_minus_zero;
  bool saturates; // there are only numbers: what is beyond becomes the greatest, NaN becomes -0
  double max;
} Format;

static Format format_of(DType dtype) {
  FloatFormat f = dtype_float_format(dtype);
  return (Format){f.exponent_bits,       f.mantissa_bits,  f.bias,
                  f.special == 'i',      f.special == 'z', f.special == 's',
                  dtype_float_max(dtype)};
}

static double power_of_two(int exponent) { return __builtin_ldexp(1.0, exponent); }

static Type half_like(LlvmGen *g, Value like) {
  return gen_type_like(LLVMHalfTypeInContext(g->context), like);
}

// ---- narrow floats from and to their bits -------------------------------------------------------
// Whether the fields, moved to where f16 has its own, are an f16 that is less by a power of two, of
// all but what is special.
static bool lies_in_f16(const Format *f) {
  return f->exponent_bits < 5 || (f->exponent_bits == 5 && f->has_infinity && f->bias == 15);
}

// What of a format's codes is a number is one of f16, whose conversion takes subnormal ones as
// well, times a power of two.
static Value narrow_by_f16(LlvmGen *g, const Format *f, Value bits) {
  int width = f->exponent_bits + f->mantissa_bits;
  Value code = emit_trunc(g, bits, g->i16);
  Value magnitude = emit_and_c(g, code, (1 << width) - 1);
  Value sign = emit_and_c(g, emit_shl_c(g, code, 15 - width), -0x8000);
  Value half = emit_or(g, emit_shl_c(g, magnitude, 10 - f->mantissa_bits), sign);
  half = gen_bitcast(g, half, half_like(g, half));
  Value result = LLVMBuildFPExt(g->builder, half, gen_type_like(g->f32, half), "");
  if (f->bias < 15) result = emit_fmul_c(g, result, power_of_two(15 - f->bias));
  Value nan = gen_float_like(g, result, __builtin_nan(""));
  int64_t top = (int64_t)((1 << f->exponent_bits) - 1) << f->mantissa_bits;
  if (f->nan_is_minus_zero)
    return emit_select(g, emit_icmp_c(g, LLVMIntEQ, code, (int64_t)1 << width), nan, result);
  if (f->has_infinity && f->exponent_bits < 5) {
    Value infinity = emit_copysign(g, gen_float_like(g, result, __builtin_inf()), result);
    result = emit_select(g, emit_icmp_c(g, LLVMIntEQ, magnitude, top), infinity, result);
    return emit_select(g, emit_icmp_c(g, LLVMIntUGT, magnitude, top), nan, result);
  }
  if (f->has_infinity || f->saturates) return result;
  return emit_select(g, emit_icmp_c(g, LLVMIntEQ, magnitude, (1 << width) - 1), nan, result);
}

// `bits`: i32, zero above the format. The value as f32, exactly.
static Value narrow_to_f32(LlvmGen *g, const Format *f, Value bits) {
  if (g->target->has_f16c && lies_in_f16(f)) return narrow_by_f16(g, f, bits);
  int width = f->exponent_bits + f->mantissa_bits;
  Value magnitude = emit_and_c(g, bits, (1 << width) - 1);
  Value shifted = emit_shl_c(g, magnitude, 23 - f->mantissa_bits);
  Value normal = emit_add_c(g, shifted, (int64_t)(127 - f->bias) << 23);
  Value small =
      emit_fmul_c(g, LLVMBuildSIToFP(g->builder, magnitude, gen_type_like(g->f32, bits), ""),
                  power_of_two(1 - f->bias - f->mantissa_bits));
  Value is_small = emit_icmp_c(g, LLVMIntULT, magnitude, 1 << f->mantissa_bits);
  Value result = emit_select(g, is_small, emit_as_int(g, small), normal);
  int64_t top = (int64_t)((1 << f->exponent_bits) - 1) << f->mantissa_bits;
  if (f->has_infinity) {
    Value special = emit_or_c(g, shifted, 0x7f800000);
    result = emit_select(g, emit_icmp_c(g, LLVMIntUGE, magnitude, top), special, result);
  } else if (!f->nan_is_minus_zero && !f->saturates) {
    result = emit_select(g, emit_icmp_c(g, LLVMIntEQ, magnitude, (1 << width) - 1),
                         gen_int_like(bits, 0x7fc00000), result);
  }
  Value sign = emit_shl_c(g, emit_lshr_c(g, bits, width), 31);
  result = emit_or(g, result, sign);
  if (f->nan_is_minus_zero)
    result = emit_select(g, emit_icmp_c(g, LLVMIntEQ, bits, (int64_t)1 << width),
                         gen_int_like(bits, 0x7fc00000), result);
  return emit_as_float(g, result);
}

// The bits (i32) of a value that the format can represent.
static Value narrow_from_f32(LlvmGen *g, const Format *f, Value value) {
  int width = f->exponent_bits + f->mantissa_bits;
  Value bits = emit_as_int(g, value);
  Value magnitude = emit_and_c(g, bits, 0x7fffffff);
  Value normal = emit_lshr_c(g, emit_sub_c(g, magnitude, (int64_t)(127 - f->bias) << 23),
                             23 - f->mantissa_bits);
  Value scaled =
      emit_fmul_c(g, emit_as_float(g, magnitude), power_of_two(f->bias - 1 + f->mantissa_bits));
  // Only read where it is small enough: clamped, as a conversion out of range has no value.
  Value limit = gen_float_like(g, scaled, 4096);
  scaled = emit_select(g, emit_fcmp(g, LLVMRealOLT, scaled, limit), scaled, limit);
  Value small = LLVMBuildFPToSI(g->builder, scaled, gen_type_like(g->i32, value), "");
  Value is_small = emit_icmp_c(g, LLVMIntULT, magnitude, (int64_t)(128 - f->bias) << 23);
  Value result = emit_select(g, is_small, small, normal);
  Value is_nan = emit_icmp_c(g, LLVMIntUGT, magnitude, 0x7f800000);
  int64_t top = (int64_t)((1 << f->exponent_bits) - 1) << f->mantissa_bits;
  if (f->has_infinity) {
    result = emit_select(g, emit_icmp_c(g, LLVMIntEQ, magnitude, 0x7f800000),
                         gen_int_like(bits, top), result);
    Value payload = emit_or_c(g,
                              emit_and_c(g, emit_lshr_c(g, magnitude, 23 - f->mantissa_bits),
                                         (1 << f->mantissa_bits) - 1),
                              top);
    result = emit_select(g, is_nan, payload, result);
  } else if (!f->nan_is_minus_zero && !f->saturates) {
    result = emit_select(g, is_nan, gen_int_like(bits, (1 << width) - 1), result);
  }
  Value sign = emit_shl_c(g, emit_lshr_c(g, bits, 31), width);
  if (!f->nan_is_minus_zero) return emit_or(g, result, sign);
  Value is_zero = emit_icmp_c(g, LLVMIntEQ, magnitude, 0);
  result = emit_select(g, is_zero, gen_int_like(bits, 0), emit_or(g, result, sign));
  return emit_select(g, is_nan, gen_int_like(bits, (int64_t)1 << width), result);
}

// Rounds the mantissa to `kept` bits by integer addition; carries run into the exponent as they
// should.
static Value round_mantissa(LlvmGen *g, Value bits, int kept, int available) {
  int dropped = available - kept;
  Value odd = emit_and_c(g, emit_lshr_c(g, bits, dropped), 1);
  Value sum = emit_add(g, emit_add_c(g, bits, ((int64_t)1 << (dropped - 1)) - 1), odd);
  return emit_and_c(g, sum, -((int64_t)1 << dropped));
}

static Value round_narrow(LlvmGen *g, const Format *f, Value value) {
  Value magnitude = emit_abs(g, value);
  Value normal =
      emit_as_float(g, round_mantissa(g, emit_as_int(g, magnitude), f->mantissa_bits, 23));
  // Adding this makes the sum's last bit the format's last one.
  double grid = power_of_two(1 - f->bias - f->mantissa_bits + 23);
  Value small = emit_fsub_c(g, emit_fadd_c(g, magnitude, grid), grid);
  Value result = emit_select(g, emit_fcmp_c(g, LLVMRealOLT, magnitude, power_of_two(1 - f->bias)),
                             small, normal);
  Value beyond = gen_float_like(g, value,
                                f->saturates      ? f->max
                                : f->has_infinity ? __builtin_inf()
                                                  : __builtin_nan(""));
  result = emit_select(g, emit_fcmp_c(g, LLVMRealOGT, result, f->max), beyond, result);
  result = emit_copysign(g, result, value);
  if (f->nan_is_minus_zero) // there is no -0
    result = emit_fadd_c(g, result, 0.0);
  Value nan = f->saturates ? gen_float_like(g, value, -0.0) // quiet: its payload may not fit
                           : emit_as_float(g, emit_or_c(g, emit_as_int(g, value), 0x00400000));
  return emit_select(g, emit_is_nan(g, value), nan, result);
}

// Powers of two without a sign (e8m0): half way goes up; what is no positive number is NaN.
static Value round_scale(LlvmGen *g, Value value) {
  Value bits = emit_as_int(g, value);
  Value rounded = emit_and_c(g, emit_add_c(g, bits, 1 << 22), -((int64_t)1 << 23));
  Value least = gen_int_like(bits, 1 << 22); // 2^-127 is subnormal in f32
  rounded = emit_select(g, emit_icmp_c(g, LLVMIntULT, bits, 0x600000), least, rounded);
  Value is_number = emit_icmp_c(g, LLVMIntULT, emit_sub_c(g, bits, 1), 0x7f3fffff);
  return emit_as_float(g, emit_select(g, is_number, rounded, gen_int_like(bits, 0x7fc00000)));
}

static Value scale_to_f32(LlvmGen *g, Value bits) {
  Value result = emit_shl_c(g, bits, 23);
  result = emit_select(g, emit_icmp_c(g, LLVMIntEQ, bits, 0), gen_int_like(bits, 1 << 22), result);
  return emit_as_float(g, emit_select(g, emit_icmp_c(g, LLVMIntEQ, bits, 0xff),
                                      gen_int_like(bits, 0x7fc00000), result));
}

static bool is_normal_or_zero(Value constant) {
  LLVMBool loses;
  if (LLVMIsUndef(constant) || LLVMIsAConstantAggregateZero(constant)) return true;
  if (LLVMIsAConstantFP(constant)) {
    double magnitude = __builtin_fabs(LLVMConstRealGetDouble(constant, &loses));
    return !(magnitude > 0 && magnitude < 0x1p-126);
  }
  if (!LLVMIsAConstantDataVector(constant)) return false;
  for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(constant)); i++)
    if (!is_normal_or_zero(LLVMGetAggregateElement(constant, i))) return false;
  return true;
}

static bool calls(Value call, const char *const *intrinsics) {
  unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(call));
  for (; id && *intrinsics; intrinsics++)
    if (id == LLVMLookupIntrinsicID(*intrinsics, strlen(*intrinsics))) return true;
  return false;
}

static const char *const flushing[] = {"llvm.fma", "llvm.sqrt",
                                       "llvm.x86.avx512.mask.scalef.ps.512", NULL};
static const char *const moving[] = {"llvm.fabs", "llvm.copysign", NULL};

// Whether `value` is no subnormal number because arithmetic made it, in the mode that
// machine/prt_float.h sets. At most `depth` instructions up.
static bool is_flushed(Value value, int depth) {
  if (LLVMIsConstant(value)) return is_normal_or_zero(value);
  if (!LLVMIsAInstruction(value) || depth == 0) return false;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMSIToFP:
  case LLVMUIToFP: return true;
  case LLVMFNeg: return is_flushed(LLVMGetOperand(value, 0), depth - 1);
  case LLVMShuffleVector:
    return is_flushed(LLVMGetOperand(value, 0), depth - 1) &&
           is_flushed(LLVMGetOperand(value, 1), depth - 1);
  case LLVMSelect:
    return is_flushed(LLVMGetOperand(value, 1), depth - 1) &&
           is_flushed(LLVMGetOperand(value, 2), depth - 1);
  case LLVMCall:
    return calls(value, flushing) ||
           (calls(value, moving) && is_flushed(LLVMGetOperand(value, 0), depth - 1));
  default: return false;
  }
}

// vcvtneps2bf16 of each 16 lanes.
static Value round_bf16_by_cpu(LlvmGen *g, Value value) {
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(value));
  if (count > 16)
    return gen_joined(g, round_bf16_by_cpu(g, gen_lanes_of(g, value, 0, count / 2)),
                      round_bf16_by_cpu(g, gen_lanes_of(g, value, count / 2, count / 2)));
  Type half = LLVMVectorType(g->i16, count);
  Value bits = gen_cpu_intrinsic(g, "llvm.x86.avx512bf16.cvtneps2bf16.512", 1, &value, half);
  bits = LLVMBuildZExt(g->builder, bits, gen_type_like(g->i32, value), "");
  return emit_as_float(g, emit_shl_c(g, bits, 16));
}

static bool has_whole_vectors(Value value) {
  Type type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
  unsigned count = LLVMGetVectorSize(type);
  return count >= 16 && !(count & (count - 1));
}

// A NaN of arithmetic is quiet, which its upper half says: it stays as it is.
static Value round_bf16(LlvmGen *g, Value value) {
  bool is_made = is_flushed(value, 4);
  if (g->target->rounds_bf16 && has_whole_vectors(value) && is_made)
    return round_bf16_by_cpu(g, value);
  Value bits = emit_as_int(g, value);
  if (is_made) {
    Value odd = emit_and_c(g, emit_lshr_c(g, bits, 16), 1), zero = gen_int_like(bits, 0);
    Value more = emit_select(g, emit_is_nan(g, value), zero, emit_add_c(g, odd, 0x7fff));
    return emit_as_float(g, emit_and_c(g, emit_add(g, bits, more), (int64_t)0xffffffffffff0000u));
  }
  Value rounded = round_mantissa(g, bits, 7, 23);
  Value quiet = emit_and_c(g, emit_or_c(g, bits, 0x00400000), (int64_t)0xffffffffffff0000u);
  return emit_as_float(g, emit_select(g, emit_is_nan(g, value), quiet, rounded));
}

Value convert_round(LlvmGen *g, DType dtype, Value value) {
  if (dtype == DT_F32 || dtype == DT_F64 || !dtype_is_float(dtype)) return value;
  if (dtype == DT_BF16) return round_bf16(g, value);
  if (dtype == DT_F8E8M0FNU) return round_scale(g, value);
  if (dtype == DT_F16 && g->target->has_f16c) {
    Value half = LLVMBuildFPTrunc(g->builder, value, half_like(g, value), "");
    return LLVMBuildFPExt(g->builder, half, gen_type_like(g->f32, value), "");
  }
  Format format = format_of(dtype);
  return round_narrow(g, &format, value);
}

// ---- storage ------------------------------------------------------------------------------------
static Value from_storage(LlvmGen *g, DType dtype, Value stored) {
  switch (dtype) {
  case DT_BOOL: return emit_icmp_c(g, LLVMIntNE, stored, 0);
  case DT_I2:
  case DT_U2: return emit_trunc(g, stored, g->i2);
  case DT_I4:
  case DT_U4: return emit_trunc(g, stored, g->i4);
  case DT_BF16: return emit_as_float(g, emit_shl_c(g, emit_zext(g, stored, g->i32), 16));
  case DT_F16:
    if (g->target->has_f16c)
      return LLVMBuildFPExt(g->builder, gen_bitcast(g, stored, half_like(g, stored)),
                            gen_type_like(g->f32, stored), "");
    break;
  case DT_F8E8M0FNU: return scale_to_f32(g, emit_zext(g, stored, g->i32));
  default:
    if (dtype_bits(dtype) > 8 || !dtype_is_float(dtype)) return stored;
  }
  Format format = format_of(dtype);
  return narrow_to_f32(g, &format, emit_zext(g, stored, g->i32));
}

static Value to_storage(LlvmGen *g, DType dtype, Value value) {
  switch (dtype) {
  case DT_BOOL:
  case DT_I2:
  case DT_U2:
  case DT_I4:
  case DT_U4: return emit_zext(g, value, g->i8);
  case DT_BF16: return emit_trunc(g, emit_lshr_c(g, emit_as_int(g, value), 16), g->i16);
  case DT_F16:
    if (g->target->has_f16c)
      return gen_bitcast(g, LLVMBuildFPTrunc(g->builder, value, half_like(g, value), ""),
                         gen_type_like(g->i16, value));
    break;
  case DT_F8E8M0FNU: // NaN: the exponent's bits are all ones
    return emit_trunc(g, emit_lshr_c(g, emit_as_int(g, value), 23), g->i8);
  default:
    if (dtype_bits(dtype) > 8 || !dtype_is_float(dtype)) return value;
  }
  Format format = format_of(dtype);
  return emit_trunc(g, narrow_from_f32(g, &format, value), dtype == DT_F16 ? g->i16 : g->i8);
}

// ---- narrow floats that are only moved ----------------------------------------------------------
// A float and the stored one that it was made of. Instructions are not erased while a module is
// emitted: none has another's address.
typedef struct Origin {
  DType dtype;
  Value stored;
} Origin;

static bool is_narrow_float(DType dtype) {
  return dtype_is_float(dtype) && dtype_bits(dtype) <= 16;
}

Value convert_from_storage(LlvmGen *g, DType dtype, Value stored) {
  Value value = from_storage(g, dtype, stored);
  if (!is_narrow_float(dtype) || !LLVMIsAInstruction(value)) return value;
  Origin *origin = ARENA_NEW(g->arena, Origin);
  *origin = (Origin){dtype, stored};
  map_set(g->origins, value, origin);
  return value;
}

static Value find_origin(LlvmGen *g, DType dtype, Value value, int depth);

// Of a number whose sign was changed; some formats of a byte have another number, or none, there.
static Value find_signed(LlvmGen *g, DType dtype, Value value, int depth) {
  static const char *const magnitude[] = {"llvm.fabs", NULL};
  bool negates = LLVMGetInstructionOpcode(value) == LLVMFNeg;
  if (dtype_bits(dtype) < 16 || (!negates && !calls(value, magnitude))) return NULL;
  Value stored = find_origin(g, dtype, LLVMGetOperand(value, 0), depth);
  if (!stored) return NULL;
  return negates ? emit_xor_c(g, stored, -0x8000) : emit_and_c(g, stored, 0x7fff);
}

// What `value` was made of, or chosen from; NULL if it was computed.
static Value find_origin(LlvmGen *g, DType dtype, Value value, int depth) {
  if (LLVMIsConstant(value)) return to_storage(g, dtype, value);
  const Origin *origin = map_get(g->origins, value);
  if (origin) return origin->dtype == dtype ? origin->stored : NULL;
  if (depth == 0) return NULL;
  if (LLVMIsAUnaryOperator(value) || LLVMIsACallInst(value))
    return find_signed(g, dtype, value, depth - 1);
  if (!LLVMIsASelectInst(value)) return NULL;
  Value yes = find_origin(g, dtype, LLVMGetOperand(value, 1), depth - 1);
  Value no = yes ? find_origin(g, dtype, LLVMGetOperand(value, 2), depth - 1) : NULL;
  return no ? emit_select(g, LLVMGetOperand(value, 0), yes, no) : NULL;
}

Value convert_to_storage(LlvmGen *g, DType dtype, Value value) {
  enum { CHOICES = 4 }; // one behind the other
  Value stored = is_narrow_float(dtype) ? find_origin(g, dtype, value, CHOICES) : NULL;
  return stored ? stored : to_storage(g, dtype, value);
}

Value convert_to_bits(LlvmGen *g, DType dtype, Value value) {
  if (dtype == DT_F32 || dtype == DT_F64) return emit_as_int(g, value);
  if (dtype_is_float(dtype)) return convert_to_storage(g, dtype, value);
  return dtype == DT_BOOL ? emit_zext(g, value, g->i8) : value;
}

Value convert_from_bits(LlvmGen *g, DType dtype, Value bits) {
  if (dtype == DT_F64) return emit_as_f64(g, bits);
  if (dtype == DT_F32) return emit_as_float(g, bits);
  if (dtype_is_float(dtype)) return convert_from_storage(g, dtype, bits);
  return dtype == DT_BOOL ? emit_icmp_c(g, LLVMIntNE, bits, 0) : bits;
}

// ---- conversions --------------------------------------------------------------------------------
static Value int_to_int(LlvmGen *g, Value value, DType from, DType to) {
  unsigned from_bits = gen_compute_bits(from), to_bits = gen_compute_bits(to);
  Type type = gen_compute_type(g, to, gen_lanes(value));
  if (from_bits == to_bits) return value;
  if (from_bits > to_bits) return LLVMBuildTrunc(g->builder, value, type, "");
  return dtype_is_signed(from) ? LLVMBuildSExt(g->builder, value, type, "")
                               : LLVMBuildZExt(g->builder, value, type, "");
}

// In what `to` is computed in.
static Value int_to_float(LlvmGen *g, Value value, DType from, DType to) {
  Type type = gen_compute_type(g, to, gen_lanes(value));
  // Narrow types go through i32: their own conversions are not worth the instructions LLVM makes of
  // them.
  if (gen_compute_bits(from) < 32) {
    value = dtype_is_signed(from) ? emit_sext(g, value, g->i32) : emit_zext(g, value, g->i32);
    return LLVMBuildSIToFP(g->builder, value, type, "");
  }
  return dtype_is_signed(from) ? LLVMBuildSIToFP(g->builder, value, type, "")
                               : LLVMBuildUIToFP(g->builder, value, type, "");
}

// The greatest float of the type that is not beyond `most`.
static double last_float(bool is_f64, uint64_t most) {
  unsigned bits = 64 - (unsigned)__builtin_clzll(most), digits = is_f64 ? 53 : 24;
  return (double)(bits > digits ? most >> (bits - digits) << (bits - digits) : most);
}

// Truncates; out of range is the nearest end, NaN is 0. (LLVM's saturating conversions of vectors
// go element by element.)
static Value float_to_int(LlvmGen *g, Value value, DType to) {
  bool is_signed = dtype_is_signed(to);
  unsigned bits = dtype_bits(to) > 32 ? 64 : 32;
  bool is_wide = dtype_bits(to) == bits;
  int64_t least = dtype_int_min(to);
  uint64_t most = dtype_int_max(to);
  double last = last_float(gen_is_f64(value), most);
  Value low = gen_float_like(g, value, (double)least), high = gen_float_like(g, value, last);
  Value clamped = emit_select(g, emit_fcmp(g, LLVMRealOGT, value, low), value, low); // NaN: low
  clamped = emit_select(g, emit_fcmp(g, LLVMRealOLT, clamped, high), clamped, high);
  Type type = gen_type_like(gen_int_type(g, bits), value);
  Value whole = is_wide && !is_signed ? LLVMBuildFPToUI(g->builder, clamped, type, "")
                                      : LLVMBuildFPToSI(g->builder, clamped, type, "");
  if ((uint64_t)last != most)
    whole = emit_select(g, emit_fcmp(g, LLVMRealOGT, value, high),
                        gen_int_like(whole, (int64_t)most), whole);
  if (least != 0) whole = emit_select(g, emit_is_nan(g, value), gen_int_like(whole, 0), whole);
  return is_wide ? whole
                 : LLVMBuildTrunc(g->builder, whole, gen_compute_type(g, to, gen_lanes(value)), "");
}

// f64 to what narrower types are computed in. To bytes there is one rounding, as in XLA: what an
// f32 does not hold is kept as an odd last bit, so that the rounding that follows is exact.
static Value f64_to_f32(LlvmGen *g, Value value, DType to) {
  if (dtype_bits(to) <= 8) {
    enum { DROPPED = 52 - 23 }; // bits of the fractions
    Value bits = emit_as_int(g, value);
    Value rest = emit_and_c(g, bits, ((int64_t)1 << DROPPED) - 1);
    Value odd = emit_shl_c(g, emit_zext(g, emit_icmp_c(g, LLVMIntNE, rest, 0), g->i64), DROPPED);
    Value kept = emit_as_f64(g, emit_or(g, emit_sub(g, bits, rest), odd));
    value = emit_select(g, emit_is_nan(g, value), value, kept);
  }
  return LLVMBuildFPTrunc(g->builder, value, gen_type_like(g->f32, value), "");
}

static Value float_to_float(LlvmGen *g, Value value, DType from, DType to) {
  if (from == DT_F64) value = f64_to_f32(g, value, to);
  if (to == DT_F64) return LLVMBuildFPExt(g->builder, value, gen_type_like(g->f64, value), "");
  return convert_round(g, to, value);
}

// By its bits, as in XLA, whose threads take subnormal numbers of f32 for zero: those of bf16 are
// such numbers.
static Value is_nonzero_bf16(LlvmGen *g, Value value) {
  return emit_icmp_c(g, LLVMIntNE, emit_shl_c(g, emit_as_int(g, value), 1), 0);
}

Value convert_dtype(LlvmGen *g, Value value, DType from, DType to) {
  if (from == to) return value;
  bool from_float = dtype_is_float(from), to_float = dtype_is_float(to);
  if (to == DT_BOOL && from == DT_BF16) return is_nonzero_bf16(g, value);
  if (to == DT_BOOL)
    return from_float ? emit_fcmp_c(g, LLVMRealUNE, value, 0.0)
                      : emit_icmp_c(g, LLVMIntNE, value, 0);
  if (from_float && to_float) return float_to_float(g, value, from, to);
  if (from_float) return float_to_int(g, value, to);
  if (to_float) return convert_round(g, to, int_to_float(g, value, from, to));
  return int_to_int(g, value, from, to);
}

// As XLA, on the bits of the type: the mantissa is rounded first, then numbers out of the
// exponent's range become infinity or zero.
Value convert_reduce_precision(LlvmGen *g, DType dtype, Value value, int exponent_bits,
                               int mantissa_bits) {
  // bf16 lies in the upper half of an f32.
  bool is_wide = dtype == DT_F64 || dtype == DT_F32 || dtype == DT_BF16;
  Format f = format_of(dtype == DT_BF16 ? DT_F32 : dtype);
  Value bits =
      is_wide ? emit_as_int(g, value) : emit_zext(g, convert_to_bits(g, dtype, value), g->i32);
  Value rounded = bits;
  int dropped =
      f.mantissa_bits - (mantissa_bits < f.mantissa_bits ? mantissa_bits : f.mantissa_bits);
  if (dropped > 0) rounded = round_mantissa(g, bits, f.mantissa_bits - dropped, f.mantissa_bits);
  if (exponent_bits < f.exponent_bits) {
    int bias = (1 << (exponent_bits - 1)) - 1, width = f.exponent_bits + f.mantissa_bits;
    int64_t top = (int64_t)((1 << f.exponent_bits) - 1) << f.mantissa_bits;
    Value exponent = emit_and_c(g, rounded, top);
    Value sign = emit_and_c(g, bits, (int64_t)1 << width);
    Value too_large =
        emit_icmp_c(g, LLVMIntUGT, exponent, (int64_t)(f.bias + bias) << f.mantissa_bits);
    Value too_small =
        emit_icmp_c(g, LLVMIntULE, exponent, (int64_t)(f.bias - bias) << f.mantissa_bits);
    rounded = emit_select(g, too_large, emit_or_c(g, sign, top), rounded);
    rounded = emit_select(g, too_small, sign, rounded);
  }
  Value result =
      dtype == DT_F64 ? emit_as_f64(g, rounded)
      : is_wide
          ? emit_as_float(g, rounded)
          : convert_from_bits(g, dtype, emit_trunc(g, rounded, dtype == DT_F16 ? g->i16 : g->i8));
  return emit_select(g, emit_is_nan(g, value), value, result);
}
