// SPDX-License-Identifier: Apache-2.0
// Virtual refs: a bitcast between widths, a reshape of memory with holes, and views of those. An
// element is found through the ref it was made from, in as many steps as there are.
//
// A bitcast to another width follows the chip's layout: rows (the second-last dimension) are
// packed, the first of them into the low bits. So element (i, j) of a ref of a type `ratio` times
// as wide holds rows ratio * i, ratio * i + 1, … of column j.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_virtual.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "gen_check.h"
#include "gen_race.h"
#include "gen_ref_index.h"

void ref_bind_virtual(LlvmGen *g, IrOp *op) {
  const Binding *source = value_binding(g, op->operands[0]);
  Binding *kept = ARENA_NEW(g->arena, Binding); // the operand's own binding may end before this one
  *kept = *source;
  VirtualRef *v = ARENA_NEW(g->arena, VirtualRef);
  *v = (VirtualRef){.code = op->code,
                    .op = op,
                    .source = kept,
                    .type = op->results[0]->type,
                    .source_type = op->operands[0]->type};
  Value *sizes = NULL;
  if (op->code == OP_VIEW) {
    const IrIndex *index = ir_attr_index(op);
    ref_index_mem(g, op, source, &sizes);
    for (int i = 0; i < index->rank; i++) v->starts[i] = ref_dim_start(g, op, i);
  }
  frame_keep(source->buffer);
  Mem mem = source->mem;
  mem.dtype = v->type->dtype;
  mem.rank = v->type->rank;
  for (int i = 0; i < mem.rank; i++) mem.dims[i] = v->type->dims[i], mem.strides[i] = 0;
  value_bind_ref(g, op->results[0], &mem, sizes, source->buffer)->virtual_ref = v;
}

static void view_index(LlvmGen *g, const VirtualRef *v, Value const *index, Value *out) {
  const IrIndex *by = ir_attr_index(v->op);
  int next = 0;
  for (int i = 0; i < by->rank; i++) {
    out[i] = v->starts[i];
    if (by->dims[i].kind == INDEX_SLICE)
      out[i] = gen_add(g, out[i], gen_mul_const(g, index[next++], by->dims[i].stride));
  }
}

static void reshape_index(LlvmGen *g, const VirtualRef *v, Value const *index, Value *out) {
  Value linear = gen_i64(g, 0);
  for (int i = 0; i < v->type->rank; i++)
    linear = emit_add(g, emit_mul(g, linear, gen_i64(g, v->type->dims[i])), index[i]);
  for (int i = v->source_type->rank; i-- > 0;) {
    Value dim = gen_i64(g, v->source_type->dims[i]);
    out[i] = LLVMBuildURem(g->builder, linear, dim, "");
    linear = LLVMBuildUDiv(g->builder, linear, dim, "");
  }
}

// The dimension that a bitcast between widths scales.
static int packed_dim(const IrType *type) {
  return type->rank >= 2 ? type->rank - 2 : type->rank - 1;
}

static Value bits_of(LlvmGen *g, DType dtype, Value value, Type wide) {
  Value bits = convert_to_bits(g, dtype, value);
  return LLVMBuildZExtOrBitCast(g->builder, bits, wide, "");
}

static Type bits_type(LlvmGen *g, DType dtype) {
  return LLVMIntTypeInContext(g->context, dtype_bits(dtype));
}

static void copy_index(const IrType *type, Value const *index, Value *out) {
  for (int i = 0; i < type->rank; i++) out[i] = index[i];
}

// A wide element out of narrow ones.
static Value load_packed(LlvmGen *g, const VirtualRef *v, Value const *index) {
  DType narrow = v->source_type->dtype, wide = v->type->dtype;
  unsigned ratio = dtype_bits(wide) / dtype_bits(narrow);
  int dim = packed_dim(v->type);
  Type type = bits_type(g, wide);
  Value at[IR_MAX_RANK], bits = LLVMConstNull(type);
  copy_index(v->type, index, at);
  Value first = emit_mul(g, index[dim], gen_i64(g, ratio));
  for (unsigned i = 0; i < ratio; i++) {
    at[dim] = emit_add_c(g, first, i);
    Value part = bits_of(g, narrow, ref_load_element(g, v->source, at), type);
    bits = emit_or(g, bits, emit_shl_c(g, part, i * dtype_bits(narrow)));
  }
  return convert_from_bits(g, wide, bits);
}

static void store_packed(LlvmGen *g, const VirtualRef *v, Value const *index, Value element) {
  DType narrow = v->source_type->dtype, wide = v->type->dtype;
  unsigned ratio = dtype_bits(wide) / dtype_bits(narrow);
  int dim = packed_dim(v->type);
  Value at[IR_MAX_RANK], bits = convert_to_bits(g, wide, element);
  copy_index(v->type, index, at);
  Value first = emit_mul(g, index[dim], gen_i64(g, ratio));
  for (unsigned i = 0; i < ratio; i++) {
    at[dim] = emit_add_c(g, first, i);
    Value part = LLVMBuildTrunc(g->builder, emit_lshr_c(g, bits, i * dtype_bits(narrow)),
                                bits_type(g, narrow), "");
    ref_store_element(g, v->source, at, convert_from_bits(g, narrow, part));
  }
}

// Where a narrow element lies: the wide one that holds it, and the bit it starts at there.
static Value narrow_place(LlvmGen *g, const VirtualRef *v, Value const *index, Value *at,
                          Type wide_type) {
  DType narrow = v->type->dtype, wide = v->source_type->dtype;
  unsigned ratio = dtype_bits(wide) / dtype_bits(narrow);
  int dim = packed_dim(v->type);
  copy_index(v->type, index, at);
  at[dim] = LLVMBuildUDiv(g->builder, index[dim], gen_i64(g, ratio), "");
  Value part = LLVMBuildURem(g->builder, index[dim], gen_i64(g, ratio), "");
  return LLVMBuildTrunc(g->builder, emit_mul(g, part, gen_i64(g, dtype_bits(narrow))), wide_type,
                        "");
}

static Value load_part(LlvmGen *g, const VirtualRef *v, Value const *index) {
  DType narrow = v->type->dtype, wide = v->source_type->dtype;
  Type type = bits_type(g, wide);
  Value at[IR_MAX_RANK], shift = narrow_place(g, v, index, at, type);
  Value bits = convert_to_bits(g, wide, ref_load_element(g, v->source, at));
  Value part = LLVMBuildTrunc(g->builder, LLVMBuildLShr(g->builder, bits, shift, ""),
                              bits_type(g, narrow), "");
  return convert_from_bits(g, narrow, part);
}

static void store_part(LlvmGen *g, const VirtualRef *v, Value const *index, Value element) {
  DType narrow = v->type->dtype, wide = v->source_type->dtype;
  Type type = bits_type(g, wide);
  Value at[IR_MAX_RANK], shift = narrow_place(g, v, index, at, type);
  Value bits = convert_to_bits(g, wide, ref_load_element(g, v->source, at));
  Value ones = gen_const_int(type, (int64_t)((UINT64_C(1) << dtype_bits(narrow)) - 1));
  Value cleared = emit_and(g, bits, emit_not(g, LLVMBuildShl(g->builder, ones, shift, "")));
  Value part = LLVMBuildShl(g->builder, bits_of(g, narrow, element, type), shift, "");
  ref_store_element(g, v->source, at, convert_from_bits(g, wide, emit_or(g, cleared, part)));
}

static int width_change(const VirtualRef *v) {
  return (int)dtype_bits(v->type->dtype) - (int)dtype_bits(v->source_type->dtype);
}

Value ref_load_element(LlvmGen *g, const Binding *ref, Value const *index) {
  const VirtualRef *v = ref->virtual_ref;
  if (!v) return mem_load(g, &ref->mem, index);
  Value at[IR_MAX_RANK];
  switch (v->code) {
  case OP_VIEW: view_index(g, v, index, at); return ref_load_element(g, v->source, at);
  case OP_REF_RESHAPE: reshape_index(g, v, index, at); return ref_load_element(g, v->source, at);
  default: break;
  }
  if (width_change(v) > 0) return load_packed(g, v, index);
  if (width_change(v) < 0) return load_part(g, v, index);
  Value element = ref_load_element(g, v->source, index);
  return convert_from_bits(g, v->type->dtype, convert_to_bits(g, v->source_type->dtype, element));
}

void ref_store_element(LlvmGen *g, const Binding *ref, Value const *index, Value element) {
  const VirtualRef *v = ref->virtual_ref;
  if (!v) {
    mem_store(g, &ref->mem, index, element);
    check_element_written(g, mem_address(g, &ref->mem, index),
                          gen_i64(g, (int64_t)dtype_size(ref->mem.dtype)));
    return;
  }
  Value at[IR_MAX_RANK];
  switch (v->code) {
  case OP_VIEW:
    view_index(g, v, index, at);
    ref_store_element(g, v->source, at, element);
    return;
  case OP_REF_RESHAPE:
    reshape_index(g, v, index, at);
    ref_store_element(g, v->source, at, element);
    return;
  default: break;
  }
  if (width_change(v) > 0) {
    store_packed(g, v, index, element);
  } else if (width_change(v) < 0) {
    store_part(g, v, index, element);
  } else {
    Value bits = convert_to_bits(g, v->type->dtype, element);
    ref_store_element(g, v->source, index, convert_from_bits(g, v->source_type->dtype, bits));
  }
}

// ---- marks of what was never written (check.h) --------------------------------------------------
// The addresses behind one element of a ref.
typedef struct Places {
  Value items[64];
  size_t count;
  DType dtype;
} Places;

static void find_places(LlvmGen *g, const Binding *ref, Value const *index, Places *out) {
  const VirtualRef *v = ref->virtual_ref;
  Value at[IR_MAX_RANK];
  if (!v) {
    out->dtype = ref->mem.dtype;
    out->items[out->count++] = mem_address(g, &ref->mem, index);
    return;
  }
  int change = v->code == OP_VIEW || v->code == OP_REF_RESHAPE ? 0 : width_change(v),
      dim = packed_dim(v->type);
  copy_index(v->type, index, at);
  if (v->code == OP_VIEW) view_index(g, v, index, at);
  if (v->code == OP_REF_RESHAPE) reshape_index(g, v, index, at);
  if (change < 0) narrow_place(g, v, index, at, bits_type(g, v->source_type->dtype));
  unsigned parts = change > 0 ? dtype_bits(v->type->dtype) / dtype_bits(v->source_type->dtype) : 1;
  if (parts > 1) at[dim] = emit_mul(g, index[dim], gen_i64(g, parts));
  for (unsigned i = 0; i < parts; i++) {
    find_places(g, v->source, at, out);
    if (i + 1 < parts) at[dim] = emit_add_c(g, at[dim], 1);
  }
}

Value ref_element_unwritten(LlvmGen *g, const IrOp *op, const Binding *ref, Value const *index) {
  Places places = {.count = 0};
  find_places(g, ref, index, &places);
  Value bytes = gen_i64(g, (int64_t)dtype_size(places.dtype)), mark = gen_i32(g, 0);
  for (size_t i = 0; i < places.count; i++)
    mark = emit_or(g, mark, check_element_unwritten(g, op, places.items[i], bytes));
  return LLVMBuildTrunc(g->builder, mark, g->i8, "");
}

void ref_element_unwrite(LlvmGen *g, const Binding *ref, Value const *index, Value mark) {
  Places places = {.count = 0};
  find_places(g, ref, index, &places);
  for (size_t i = 0; i < places.count; i++)
    check_element_unwrite(g, places.items[i], gen_i64(g, (int64_t)dtype_size(places.dtype)), mark);
}

void ref_element_accessed(LlvmGen *g, const IrOp *op, const Binding *ref, Value const *index,
                          int how) {
  if (!race_is_on(g)) return;
  Places places = {.count = 0};
  find_places(g, ref, index, &places);
  for (size_t i = 0; i < places.count; i++)
    race_element(g, op, places.items[i], gen_i64(g, (int64_t)dtype_size(places.dtype)), how);
}
