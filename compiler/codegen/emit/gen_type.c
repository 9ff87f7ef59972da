// SPDX-License-Identifier: Apache-2.0
// LLVM types of elements, in registers and in memory.
#include "gen_type.h"

static Type widen(Type element, unsigned lanes) {
  return lanes == 1 ? element : LLVMVectorType(element, lanes);
}

Type gen_int_type(LlvmGen *g, unsigned bits) {
  switch (bits) {
  case 1: return g->i1;
  case 2: return g->i2;
  case 4: return g->i4;
  case 8: return g->i8;
  case 16: return g->i16;
  case 32: return g->i32;
  case 64: return g->i64;
  default: BUG("no integer type of %u bits", bits);
  }
}

unsigned gen_compute_bits(DType dtype) {
  return dtype == DT_BOOL ? 1 : dtype_bits(dtype_computed_in(dtype));
}

static Type gen_float_type(LlvmGen *g, DType dtype) {
  return dtype_computed_in(dtype) == DT_F64 ? g->f64 : g->f32;
}

Type gen_compute_type(LlvmGen *g, DType dtype, unsigned lanes) {
  Type element =
      dtype_is_float(dtype) ? gen_float_type(g, dtype) : gen_int_type(g, gen_compute_bits(dtype));
  return widen(element, lanes);
}

Type gen_storage_type(LlvmGen *g, DType dtype, unsigned lanes) {
  bool as_float = dtype == DT_F32 || dtype == DT_F64;
  return widen(as_float ? gen_float_type(g, dtype)
                        : gen_int_type(g, (unsigned)dtype_size(dtype) * 8),
               lanes);
}

unsigned gen_lanes(Value value) {
  Type type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

bool gen_is_f64(Value value) {
  Type type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

Type gen_type_like(Type element, Value like) { return widen(element, gen_lanes(like)); }

// ---- numbers of the runtime --------------------------------------------------------------------
static const int dtype_numbers[] = {
#define PRT_DTYPE(id, number, short_name, name, bytes, kind, c_type, descr) [DT_##id] = number,
#include "prt_dtype.def"
#undef PRT_DTYPE
};

int gen_dtype_number(DType dtype) { return dtype_numbers[dtype]; }
