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
  return dtype == DT_BOOL ? 1 : dtype_is_float(dtype) ? 32 : dtype_bits(dtype);
}

Type gen_compute_type(LlvmGen *g, DType dtype, unsigned lanes) {
  return widen(dtype_is_float(dtype) ? g->f32 : gen_int_type(g, gen_compute_bits(dtype)), lanes);
}

Type gen_storage_type(LlvmGen *g, DType dtype, unsigned lanes) {
  return widen(dtype == DT_F32 ? g->f32 : gen_int_type(g, (unsigned)dtype_size(dtype) * 8), lanes);
}

unsigned gen_lanes(Value value) {
  Type type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

bool gen_is_float_type(Type type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

Type gen_type_like(Type element, Value like) { return widen(element, gen_lanes(like)); }

// ---- numbers of the runtime
// ----------------------------------------------------------------------
static const int dtype_numbers[] = {
#define PRT_DTYPE(id, number, short_name, name, bytes, kind, c_type, descr) [DT_##id] = number,
#include "prt_dtype.def"
#undef PRT_DTYPE
};

int gen_dtype_number(DType dtype) { return dtype_numbers[dtype]; }
