// SPDX-License-Identifier: Apache-2.0
// The memory that an index names, its start brought inside of the ref.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/analysis/access.h"
#include "gen_ref_index.h"
#include "codegen/emit/emit.h"
#include "ir/analysis/bounds.h"
#include "plan/plan_start.h"

const IrType *ref_type_of(const IrOp *op) { return access_ref(op)->type; }

Value ref_dim_named(LlvmGen *g, const IrOp *op, int i) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  if (dim->start_operand < 0) return gen_i64(g, dim->start);
  return value_index(g, op->operands[dim->start_operand]);
}

Value ref_dim_start(LlvmGen *g, const IrOp *op, int i) {
  Start start = start_of_index(op, i);
  if (!start.value) return gen_i64(g, start.number);
  Value value = value_index(g, start.value);
  return start.last < 0 ? value : gen_bring_inside(g, value, start.wrap, start.last);
}

static bool has_index_arrays(const IrIndex *index) {
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind == INDEX_ARRAY) return true;
  return false;
}

bool ref_has_dynamic_sizes(const IrIndex *index) {
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind == INDEX_SLICE && index->dims[i].size_operand >= 0) return true;
  return false;
}

// How many elements of a slice there are: what the index says, within what the ref has.
static Value slice_size(LlvmGen *g, const IrOp *op, int i, Value ref_size) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  if (!ref_size && dim->size_operand >= 0 && !bounds_dim_inside(op, i))
    ref_size = gen_i64(g, ref_type_of(op)->dims[i]);
  Value size = dim->size_operand >= 0 ? value_index(g, op->operands[dim->size_operand])
                                      : gen_i64(g, dim->size);
  if (ref_size) {
    Value room = emit_sub(g, ref_size, ref_dim_start(g, op, i));
    if (dim->stride != 1)
      room = LLVMBuildSDiv(g->builder, emit_add_c(g, room, dim->stride - 1),
                           gen_i64(g, dim->stride), "");
    size = gen_intrinsic2(g, "llvm.smin", size, room);
  }
  if (!ref_size && dim->size_operand < 0) return size;
  size = gen_intrinsic2(g, "llvm.smin", size, gen_i64(g, dim->size));
  return gen_intrinsic2(g, "llvm.smax", size, gen_i64(g, 0));
}

Mem ref_index_mem(LlvmGen *g, const IrOp *op, const Binding *ref, Value **sizes) {
  const IrIndex *index = ir_attr_index(op);
  Mem out = ref->mem;
  out.rank = 0;
  Value offset = NULL;
  Value found[IR_MAX_RANK];
  bool is_dynamic = false;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    int64_t stride = ref->mem.strides[i];
    if (dim->start || dim->start_operand >= 0)
      offset = gen_add(g, offset, gen_mul_const(g, ref_dim_start(g, op, i), stride));
    if (dim->kind == INDEX_SCALAR) continue;
    Value ref_size = ref->sizes && !LLVMIsAConstantInt(ref->sizes[i]) ? ref->sizes[i] : NULL;
    out.dims[out.rank] = dim->size;
    out.strides[out.rank] = stride * dim->stride;
    found[out.rank] = slice_size(g, op, i, ref_size);
    if (!LLVMIsAConstantInt(found[out.rank])) is_dynamic = true;
    out.rank++;
  }
  *sizes = NULL;
  if (is_dynamic) {
    *sizes = ARENA_ARRAY(g->arena, Value, out.rank + 1);
    for (int i = 0; i < out.rank; i++) (*sizes)[i] = found[i];
  }
  out.base = gen_offset(g, ref->mem.base, ref->mem.dtype, offset);
  return out;
}

static bool is_without_strides(const IrOp *op, const Binding *ref) {
  const IrIndex *index = ir_attr_index(op);
  return ref->virtual_ref || ref->sizes || has_index_arrays(index) || ref_has_dynamic_sizes(index);
}

bool ref_needs_steps_alone(const LlvmGen *g, const IrOp *op, const Binding *ref) {
  return !is_without_strides(op, ref) && !g->options->check && bounds_leaves_by_steps(op);
}

bool ref_needs_elements(const LlvmGen *g, const IrOp *op, const Binding *ref) {
  if (is_without_strides(op, ref) || ref_needs_steps_alone(g, op, ref)) return true;
  // A view that may be loose is not inside, nor is an access through it.
  return access_is_masked(op) && (g->options->check || !bounds_inside(op));
}

bool ref_store_mem(LlvmGen *g, const IrOp *store, Mem *out) {
  const Binding *ref = value_binding(g, store->operands[1]);
  Value *sizes;
  if (access_is_masked(store) || ref_needs_elements(g, store, ref)) return false;
  *out = ref_index_mem(g, store, ref, &sizes);
  return true;
}

Mem ref_store_target(LlvmGen *g, const IrOp *store) {
  Value *sizes;
  return ref_index_mem(g, store, value_binding(g, store->operands[1]), &sizes);
}
