// SPDX-License-Identifier: Apache-2.0
// Types, constants, addresses, intrinsics and calls: the small change of the generator.
#include <string.h>
#include "codegen/gen.h"

static Type widen(Type element, unsigned lanes) {
  return lanes == 1 ? element : LLVMVectorType(element, lanes);
}

static Type int_type(LlvmGen *g, unsigned bits) {
  switch (bits) {
  case 1: return g->i1;
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
  return widen(dtype_is_float(dtype) ? g->f32 : int_type(g, gen_compute_bits(dtype)), lanes);
}

Type gen_storage_type(LlvmGen *g, DType dtype, unsigned lanes) {
  return widen(dtype == DT_F32 ? g->f32 : int_type(g, (unsigned)dtype_size(dtype) * 8), lanes);
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

// ---- constants ----------------------------------------------------------------------------------
Value gen_i64(LlvmGen *g, int64_t value) {
  return LLVMConstInt(g->i64, (unsigned long long)value, true);
}
Value gen_i32(LlvmGen *g, int64_t value) { return gen_const_int(g->i32, value); }

static Value const_splat(Value element, unsigned lanes) {
  if (lanes == 1) return element;
  Value items[MAX_LANES];
  if (lanes > MAX_LANES) BUG("%u lanes", lanes);
  for (unsigned i = 0; i < lanes; i++) items[i] = element;
  return LLVMConstVector(items, lanes);
}

// LLVM takes only what fits the type, read as signed.
static Value int_constant(Type type, int64_t value) {
  if (LLVMGetIntTypeWidth(type) > 64) return LLVMConstInt(type, (unsigned long long)value, true);
  unsigned drop = 64 - LLVMGetIntTypeWidth(type);
  value = (int64_t)((uint64_t)value << drop) >> drop;
  return LLVMConstInt(type, (unsigned long long)value, true);
}

Value gen_const_int(Type type, int64_t value) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return int_constant(type, value);
  return const_splat(int_constant(LLVMGetElementType(type), value), LLVMGetVectorSize(type));
}

Value gen_int_like(LlvmGen *g, Value like, int64_t value) {
  (void)g;
  return gen_const_int(LLVMTypeOf(like), value);
}

Value gen_const_f32(LlvmGen *g, unsigned lanes, double value) {
  // Through the bits: LLVMConstReal would quiet a NaN and round twice.
  float rounded = (float)value;
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof bits);
  return const_splat(LLVMConstBitCast(LLVMConstInt(g->i32, bits, false), g->f32), lanes);
}

Value gen_float_like(LlvmGen *g, Value like, double value) {
  return gen_const_f32(g, gen_lanes(like), value);
}

Value gen_const_element(LlvmGen *g, DType dtype, const void *element, unsigned lanes) {
  if (dtype_is_float(dtype)) {
    if (dtype == DT_F32) {
      float value;
      memcpy(&value, element, sizeof value);
      uint32_t bits;
      memcpy(&bits, element, sizeof bits);
      return const_splat(LLVMConstBitCast(LLVMConstInt(g->i32, bits, false), g->f32), lanes);
    }
    return gen_const_f32(g, lanes, dtype_load_f64(dtype, element));
  }
  int64_t value = dtype_load_i64(dtype, element);
  if (dtype == DT_BOOL) value = value != 0;
  return const_splat(int_constant(int_type(g, gen_compute_bits(dtype)), value), lanes);
}

Value gen_splat(LlvmGen *g, Value scalar, unsigned lanes) {
  if (lanes == 1) return scalar;
  if (LLVMIsConstant(scalar)) return const_splat(scalar, lanes);
  Type type = LLVMVectorType(LLVMTypeOf(scalar), lanes);
  Value one = LLVMBuildInsertElement(g->builder, LLVMGetPoison(type), scalar, gen_i32(g, 0), "");
  return LLVMBuildShuffleVector(g->builder, one, LLVMGetPoison(type),
                                LLVMConstNull(LLVMVectorType(g->i32, lanes)), "");
}

// ---- addresses ----------------------------------------------------------------------------------
Value gen_address(LlvmGen *g, Value base, int64_t bytes) {
  if (bytes == 0) return base;
  Value offset = gen_i64(g, bytes);
  return LLVMBuildGEP2(g->builder, g->i8, base, &offset, 1, "");
}

Value gen_offset(LlvmGen *g, Value base, DType dtype, Value index) {
  if (!index) return base;
  if (LLVMIsAConstantInt(index) && LLVMConstIntGetSExtValue(index) == 0) return base;
  return LLVMBuildGEP2(g->builder, gen_storage_type(g, dtype, 1), base, &index, 1, "");
}

Value gen_offset_const(LlvmGen *g, Value base, DType dtype, int64_t index) {
  return gen_address(g, base, index * (int64_t)dtype_size(dtype));
}

Value gen_add(LlvmGen *g, Value a, Value b) {
  if (!a) return b;
  if (!b) return a;
  return LLVMBuildAdd(g->builder, a, b, "");
}

Value gen_mul_const(LlvmGen *g, Value a, int64_t factor) {
  if (!a || factor == 0) return NULL;
  return factor == 1 ? a : LLVMBuildMul(g->builder, a, gen_i64(g, factor), "");
}

Value gen_bitcast(LlvmGen *g, Value value, Type type) {
  return LLVMBuildBitCast(g->builder, value, type, "");
}

void gen_set_align(Value access, unsigned align) { LLVMSetAlignment(access, align); }

void gen_prefetch(LlvmGen *g, Value address, bool to_write) {
  // Into all levels, data.
  Value args[] = {address, gen_i32(g, to_write), gen_i32(g, 3), gen_i32(g, 1)};
  gen_intrinsic(g, "llvm.prefetch", g->ptr, COUNT_OF(args), args);
}

// ---- calls --------------------------------------------------------------------------------------
Value gen_intrinsic(LlvmGen *g, const char *name, Type type, unsigned count, Value *args) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  if (!id) BUG("no intrinsic %s", name);
  Value function = LLVMGetIntrinsicDeclaration(g->module, id, &type, type ? 1 : 0);
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

Value gen_intrinsic1(LlvmGen *g, const char *name, Value x) {
  return gen_intrinsic(g, name, LLVMTypeOf(x), 1, &x);
}

Value gen_intrinsic2(LlvmGen *g, const char *name, Value x, Value y) {
  Value args[] = {x, y};
  return gen_intrinsic(g, name, LLVMTypeOf(x), 2, args);
}

Value gen_call_runtime(LlvmGen *g, const char *name, Type result, unsigned count, Value *args) {
  Type types[16];
  if (count > COUNT_OF(types)) BUG("too many arguments for %s", name);
  for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(args[i]);
  Type type = LLVMFunctionType(result, types, count, false);
  Value function = LLVMGetNamedFunction(g->module, name);
  if (!function) {
    function = LLVMAddFunction(g->module, name, type);
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(g->context, nounwind, 0));
  }
  return LLVMBuildCall2(g->builder, type, function, args, count, "");
}

// ---- constants in memory ------------------------------------------------------------------------
Value gen_private_constant(LlvmGen *g, Value initializer, const char *name) {
  Value global = LLVMAddGlobal(g->module, LLVMTypeOf(initializer), name);
  LLVMSetInitializer(global, initializer);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  return global;
}

Value gen_global_data(LlvmGen *g, const void *bytes, size_t size, unsigned align) {
  Value global =
      gen_private_constant(g, LLVMConstStringInContext2(g->context, bytes, size, true), "data");
  LLVMSetAlignment(global, align);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}

Value gen_string(LlvmGen *g, Str text) {
  Name key = name_intern(g->session->interner, text);
  Value found = map_get(g->globals, key);
  if (found) return found;
  Value global = gen_private_constant(
      g, LLVMConstStringInContext2(g->context, text.data, text.len, false), "str");
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  map_set(g->globals, key, global);
  return global;
}

Value gen_i64_array(LlvmGen *g, size_t count, const int64_t *items) {
  return gen_global_data(g, items, count * sizeof *items, 8);
}

// ---- blocks -------------------------------------------------------------------------------------
LLVMBasicBlockRef gen_block(LlvmGen *g, const char *name) {
  return LLVMAppendBasicBlockInContext(g->context, g->frame->function, name);
}

void gen_move_to(LlvmGen *g, LLVMBasicBlockRef block) {
  LLVMPositionBuilderAtEnd(g->builder, block);
}

LLVMBasicBlockRef gen_here(LlvmGen *g) { return LLVMGetInsertBlock(g->builder); }
