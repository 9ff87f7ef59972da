// SPDX-License-Identifier: Apache-2.0
// Addresses, intrinsics and calls.
#include "gen_build.h"
#include <string.h>
#include "emit.h"

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

// `locality` as llvm.prefetch has it: 3 is all levels, 2 the second and those behind it.
static void prefetch(LlvmGen *g, Value address, bool to_write, int locality) {
  const int data = 1;
  Value args[] = {address, gen_i32(g, to_write), gen_i32(g, locality), gen_i32(g, data)};
  gen_intrinsic(g, "llvm.prefetch", g->ptr, COUNT_OF(args), args);
}

void gen_prefetch(LlvmGen *g, Value address, bool to_write) { prefetch(g, address, to_write, 3); }

void gen_prefetch_far(LlvmGen *g, Value address) { prefetch(g, address, false, 2); }

Value gen_lanes_of(LlvmGen *g, Value vector, unsigned from, unsigned count) {
  Value order[MAX_LANES];
  for (unsigned i = 0; i < count; i++)
    order[i] = from + i < gen_lanes(vector) ? gen_i32(g, from + i) : LLVMGetPoison(g->i32);
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(order, count), "");
}

Value gen_joined(LlvmGen *g, Value low, Value high) {
  Value order[MAX_LANES];
  unsigned lanes = 2 * gen_lanes(low);
  for (unsigned i = 0; i < lanes; i++) order[i] = gen_i32(g, i);
  return LLVMBuildShuffleVector(g->builder, low, high, LLVMConstVector(order, lanes), "");
}

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

Value gen_cpu_intrinsic(LlvmGen *g, const char *name, unsigned count, Value const *args,
                        Type result) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  if (!id) BUG("no intrinsic %s", name);
  Value function = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0), cast[4];
  Type type = LLVMGlobalGetValueType(function), params[4];
  LLVMGetParamTypes(type, params);
  for (unsigned i = 0; i < count; i++)
    cast[i] = LLVMTypeOf(args[i]) == params[i] ? args[i] : gen_bitcast(g, args[i], params[i]);
  Value value = LLVMBuildCall2(g->builder, type, function, cast, count, "");
  return LLVMTypeOf(value) == result ? value : gen_bitcast(g, value, result);
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

Value gen_bring_inside(LlvmGen *g, Value start, int64_t wrap, int64_t last) {
  if (wrap)
    start = emit_select(g, emit_icmp_c(g, LLVMIntSLT, start, 0), emit_add_c(g, start, wrap), start);
  start = gen_intrinsic2(g, "llvm.smin", start, gen_i64(g, last));
  return gen_intrinsic2(g, "llvm.smax", start, gen_i64(g, 0));
}
