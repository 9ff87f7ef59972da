// SPDX-License-Identifier: Apache-2.0
// Constants, in registers and in memory.
#include "base/map.h"
#include "gen_const.h"
#include <string.h>
#include "gen_type.h"

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

Value gen_int_like(Value like, int64_t value) { return gen_const_int(LLVMTypeOf(like), value); }

Value gen_const_struct(LlvmGen *g, Value *fields, unsigned count) {
  return LLVMConstStructInContext(g->context, fields, count, false);
}

// Through the bits: LLVMConstReal would quiet a NaN and round twice.
static Value float_of_bits(LlvmGen *g, bool is_wide, uint64_t bits, unsigned lanes) {
  Value whole = LLVMConstInt(is_wide ? g->i64 : g->i32, bits, false);
  return const_splat(LLVMConstBitCast(whole, is_wide ? g->f64 : g->f32), lanes);
}

Value gen_const_float(LlvmGen *g, DType dtype, unsigned lanes, double value) {
  DType computed = dtype_computed_in(dtype);
  uint64_t bits = 0;
  dtype_store_f64(computed, &bits, value);
  return float_of_bits(g, computed == DT_F64, bits, lanes);
}

Value gen_float_like(LlvmGen *g, Value like, double value) {
  return gen_const_float(g, gen_is_f64(like) ? DT_F64 : DT_F32, gen_lanes(like), value);
}

Value gen_const_element(LlvmGen *g, DType dtype, const void *element) {
  if (dtype_is_float(dtype)) {
    if (dtype != DT_F32 && dtype != DT_F64)
      return gen_const_float(g, dtype, 1, dtype_load_f64(dtype, element));
    uint64_t bits = 0;
    memcpy(&bits, element, dtype_size(dtype));
    return float_of_bits(g, dtype == DT_F64, bits, 1);
  }
  int64_t value = dtype_load_i64(dtype, element);
  if (dtype == DT_BOOL) value = value != 0;
  return int_constant(gen_int_type(g, gen_compute_bits(dtype)), value);
}

Value gen_splat(LlvmGen *g, Value scalar, unsigned lanes) {
  if (lanes == 1) return scalar;
  if (LLVMIsConstant(scalar)) return const_splat(scalar, lanes);
  Type type = LLVMVectorType(LLVMTypeOf(scalar), lanes);
  Value one = LLVMBuildInsertElement(g->builder, LLVMGetPoison(type), scalar, gen_i32(g, 0), "");
  return LLVMBuildShuffleVector(g->builder, one, LLVMGetPoison(type),
                                LLVMConstNull(LLVMVectorType(g->i32, lanes)), "");
}

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

Value gen_constant_lane(Value v) {
  if (!LLVMIsConstant(v)) return NULL;
  if (gen_lanes(v) == 1) return v;
  Value first = LLVMGetAggregateElement(v, 0); // constants are unique
  for (unsigned i = 1; i < gen_lanes(v); i++)
    if (LLVMGetAggregateElement(v, i) != first) return NULL;
  return first;
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

// LLVM's constants are unique in their context.
Value gen_shared_constant(LlvmGen *g, Value initializer, const char *name) {
  Value found = map_get(g->globals, initializer);
  if (!found) map_set(g->globals, initializer, found = gen_private_constant(g, initializer, name));
  return found;
}

Value gen_i64_array(LlvmGen *g, size_t count, const int64_t *items) {
  Value *numbers = ARENA_ARRAY(g->arena, Value, count + 1);
  for (size_t i = 0; i < count; i++) numbers[i] = gen_i64(g, items[i]);
  return gen_shared_constant(g, LLVMConstArray2(g->i64, numbers, count), "data");
}

Value gen_hide_constant(LlvmGen *g, Value constant) {
  Value global = map_get(g->globals, constant);
  if (!global) {
    global = LLVMAddGlobal(g->module, LLVMTypeOf(constant), "");
    LLVMSetInitializer(global, constant);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    map_set(g->globals, constant, global);
  }
  return LLVMBuildLoad2(g->builder, LLVMTypeOf(constant), global, "");
}
