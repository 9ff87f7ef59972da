// SPDX-License-Identifier: Apache-2.0
// Refs: memory with strides, views of it, loads and stores that are not part of a cluster, copies.
//
// Whole accesses with static shapes become walks or, for loads, no code at all (the value is the ref's own memory). What strides cannot say
// (index arrays, dynamic sizes, virtual refs) goes element by element.
#include "ref.h"

// ---- indices -----------------------------------------------------------------------------------------
Value ref_dim_start(LlvmGen *g, const IrOp *op, const IndexDim *dim) {
  if (dim->start_operand < 0) return gen_i64(g, dim->start);
  return value_index(g, op->operands[dim->start_operand]);
}

static bool has_index_arrays(const IrIndex *index) {
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind == INDEX_ARRAY) return true;
  return false;
}

static bool has_dynamic_sizes(const IrIndex *index) {
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind == INDEX_SLICE && index->dims[i].size_operand >= 0) return true;
  return false;
}

// How many elements of a slice there are: what the index says, within what the ref has.
static Value slice_size(LlvmGen *g, const IrOp *op, const IndexDim *dim, Value ref_size) {
  Value size = dim->size_operand >= 0 ? value_index(g, op->operands[dim->size_operand]) : gen_i64(g, dim->size);
  if (ref_size) {
    Value room = emit_sub(g, ref_size, ref_dim_start(g, op, dim));
    if (dim->stride != 1) room = LLVMBuildSDiv(g->builder, emit_add_c(g, room, dim->stride - 1), gen_i64(g, dim->stride), "");
    size = gen_intrinsic2(g, "llvm.smin", size, room);
  }
  if (!ref_size && dim->size_operand < 0) return size;
  size = gen_intrinsic2(g, "llvm.smin", size, gen_i64(g, dim->size));
  return gen_intrinsic2(g, "llvm.smax", size, gen_i64(g, 0));
}

// The memory that an index without arrays names, and its sizes if some are dynamic (else NULL).
static Mem index_mem(LlvmGen *g, const IrOp *op, const Binding *ref, Value **sizes) {
  const IrIndex *index = ir_attr_index(op);
  Mem out = ref->mem;
  out.rank = 0;
  Value offset = NULL;
  Value found[IR_MAX_RANK];
  bool is_dynamic = false;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    int64_t stride = ref->mem.strides[i];
    if (dim->start || dim->start_operand >= 0) offset = gen_add(g, offset, gen_mul_const(g, ref_dim_start(g, op, dim), stride));
    if (dim->kind == INDEX_SCALAR) continue;
    Value ref_size = ref->sizes && !LLVMIsAConstantInt(ref->sizes[i]) ? ref->sizes[i] : NULL;
    out.dims[out.rank] = dim->size;
    out.strides[out.rank] = stride * dim->stride;
    found[out.rank] = slice_size(g, op, dim, ref_size);
    if (!LLVMIsAConstantInt(found[out.rank])) is_dynamic = true;
    out.rank++;
  }
  *sizes = NULL;
  if (is_dynamic) {
    *sizes = ARENA_ARRAY(g->arena, Value, out.rank + 1);
    for (int i = 0; i < out.rank; i++) (*sizes)[i] = found[i];
  }
  if (offset) {
    out.base = gen_offset(g, ref->mem.base, ref->mem.dtype, offset);
    out.align = (unsigned)dtype_size(out.dtype);
  }
  return out;
}

// ---- element by element --------------------------------------------------------------------------------
typedef struct ElementAccess {
  const IrOp *op;
  const Binding *ref;
  const IrIndex *index;
  bool is_store, arrays_first;
  int array_rank;
  Mem arrays[IR_MAX_RANK]; // index arrays, by dimension of the ref
  Mem values;              // what is stored, or where what is loaded goes
  const Mem *mask, *other;
} ElementAccess;

static bool is_split(const IrIndex *index) {
  int runs = 0;
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind != INDEX_SLICE && (i == 0 || index->dims[i - 1].kind == INDEX_SLICE)) runs++;
  return runs > 1;
}

// From coordinates of the value to coordinates of the ref.
static void ref_coordinates(LlvmGen *g, const ElementAccess *a, Value const *at, Value *out) {
  int next = 0;
  Value const *array_at = NULL;
  if (a->arrays_first) {
    array_at = at;
    next = a->array_rank;
  }
  for (int i = 0; i < a->index->rank; i++) {
    const IndexDim *dim = &a->index->dims[i];
    if (dim->kind == INDEX_SLICE) {
      out[i] = gen_add(g, ref_dim_start(g, a->op, dim), gen_mul_const(g, at[next++], dim->stride));
      continue;
    }
    if (!array_at && a->array_rank >= 0) {
      array_at = at + next;
      next += a->array_rank;
    }
    if (dim->kind == INDEX_SCALAR) {
      out[i] = ref_dim_start(g, a->op, dim);
    } else {
      Value element = mem_load(g, &a->arrays[i], array_at);
      out[i] = dtype_is_signed(a->arrays[i].dtype) ? emit_sext(g, element, g->i64) : emit_zext(g, element, g->i64);
    }
  }
}

static void access_element(LlvmGen *g, Value const *at, void *data) {
  const ElementAccess *a = data;
  Value coordinates[IR_MAX_RANK];
  Branch branch;
  if (a->mask) branch_begin(g, &branch, mem_load(g, a->mask, at), false);
  ref_coordinates(g, a, at, coordinates);
  if (a->is_store)
    ref_store_element(g, a->ref, coordinates, mem_load(g, &a->values, at));
  else
    mem_store(g, &a->values, at, ref_load_element(g, a->ref, coordinates));
  if (!a->mask) return;
  branch_else(g, &branch);
  if (!a->is_store) mem_store(g, &a->values, at, mem_load(g, a->other, at));
  branch_end(g, &branch);
}

static void access_elements(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *values, const IrValue *mask, const IrValue *other) {
  ElementAccess a = {.op = op, .ref = ref, .index = ir_attr_index(op), .is_store = op->code == OP_STORE, .values = *values, .array_rank = -1};
  for (int i = 0; i < a.index->rank; i++) {
    if (a.index->dims[i].kind != INDEX_ARRAY) continue;
    a.arrays[i] = value_mem(g, op->operands[a.index->dims[i].start_operand]);
    a.array_rank = a.arrays[i].rank;
  }
  a.arrays_first = a.array_rank >= 0 && is_split(a.index);
  Mem mask_mem, other_mem;
  if (mask) mask_mem = value_mem(g, mask), a.mask = &mask_mem;
  if (other) other_mem = value_mem(g, other), a.other = &other_mem;
  if (a.array_rank < 0 && (ref->sizes || has_dynamic_sizes(a.index))) {
    Value *sizes;
    index_mem(g, op, ref, &sizes);
    if (sizes) {
      if (!a.is_store) mem_fill(g, values, LLVMConstNull(gen_compute_type(g, values->dtype, 1)));
      mem_each_dynamic(g, values->rank, sizes, access_element, &a);
      return;
    }
  }
  mem_each(g, values->rank, values->dims, access_element, &a);
}

// ---- loads and stores ------------------------------------------------------------------------------------
static bool is_masked(const IrOp *op) { return ir_attr_find(op, ATTR_MASKED) && ir_attr_int(op, ATTR_MASKED); }

static bool needs_elements(const IrOp *op, const Binding *ref) {
  const IrIndex *index = ir_attr_index(op);
  return ref->virtual_ref || ref->sizes || has_index_arrays(index) || has_dynamic_sizes(index);
}

static void gen_load(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  IrValue *result = op->results[0];
  if (needs_elements(op, ref)) {
    Mem mem;
    Buffer *buffer = frame_take_array(g, result->type->dtype, result->type->rank, result->type->dims, &mem);
    const IrValue *mask = is_masked(op) ? op->operands[op->operand_count - 2] : NULL;
    access_elements(g, op, ref, &mem, mask, mask ? op->operands[op->operand_count - 1] : NULL);
    if (result->type->rank) {
      value_bind_mem(g, result, &mem, buffer);
    } else {
      value_bind_scalar(g, result, mem_load(g, &mem, NULL));
      frame_give(g, buffer);
    }
    return;
  }
  if (is_masked(op)) {
    cluster_emit(g, &op, 1, 0);
    return;
  }
  Value *sizes;
  Mem mem = index_mem(g, op, ref, &sizes);
  if (result->type->rank == 0) {
    value_bind_scalar(g, result, mem_load(g, &mem, NULL));
  } else if (region_load_can_alias(g, op)) {
    frame_keep(ref->buffer);
    value_bind_mem(g, result, &mem, ref->buffer);
  } else {
    Mem copy = value_bind_new(g, result);
    mem_copy(g, &copy, &mem);
  }
}

static void gen_store(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[1]);
  const IrValue *value = op->operands[0];
  if (needs_elements(op, ref)) {
    Mem mem = value_mem(g, value);
    access_elements(g, op, ref, &mem, is_masked(op) ? op->operands[op->operand_count - 1] : NULL, NULL);
  } else if (value->type->rank == 0 && !is_masked(op)) {
    Value *sizes;
    Mem mem = index_mem(g, op, ref, &sizes);
    mem_store(g, &mem, NULL, value_scalar(g, value));
  } else {
    cluster_emit(g, &op, 1, 0);
  }
}

// ---- refs ----------------------------------------------------------------------------------------------
static void gen_alloc(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  const IrType *type = result->type;
  DType dtype = type->space == SPACE_SEM ? DT_I32 : type->dtype;
  Mem mem;
  Buffer *buffer = frame_take_array(g, dtype, type->rank, type->dims, &mem);
  value_bind_ref(g, result, &mem, NULL, buffer);
}

static void gen_view(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  if (ref->virtual_ref) {
    ref_bind_virtual(g, op);
    return;
  }
  Value *sizes;
  Mem mem = index_mem(g, op, ref, &sizes);
  frame_keep(ref->buffer);
  value_bind_ref(g, op->results[0], &mem, sizes, ref->buffer);
}

static void gen_ref_reshape(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  const IrType *type = op->results[0]->type;
  Mem mem;
  if (ref->virtual_ref || ref->sizes || !mem_reshape(&ref->mem, type->rank, type->dims, &mem)) {
    ref_bind_virtual(g, op);
    return;
  }
  frame_keep(ref->buffer);
  value_bind_ref(g, op->results[0], &mem, NULL, ref->buffer);
}

static void gen_ref_bitcast(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  DType dtype = op->results[0]->type->dtype;
  if (ref->virtual_ref || dtype_size(dtype) != dtype_size(ref->mem.dtype) || dtype_bits(dtype) != dtype_bits(ref->mem.dtype)) {
    ref_bind_virtual(g, op);
    return;
  }
  Mem mem = ref->mem;
  mem.dtype = dtype;
  frame_keep(ref->buffer);
  value_bind_ref(g, op->results[0], &mem, ref->sizes, ref->buffer);
}

// ---- copies --------------------------------------------------------------------------------------------
typedef struct DynamicCopy {
  const Binding *to, *from;
  Value run; // elements in a row, or NULL
} DynamicCopy;

static void copy_one(LlvmGen *g, Value const *index, void *data) {
  const DynamicCopy *copy = data;
  if (!copy->run) {
    ref_store_element(g, copy->to, index, ref_load_element(g, copy->from, index));
    return;
  }
  Value from[IR_MAX_RANK], zero = gen_i64(g, 0);
  int rank = copy->from->mem.rank;
  for (int i = 0; i + 1 < rank; i++) from[i] = index[i];
  from[rank - 1] = zero;
  unsigned size = (unsigned)dtype_size(copy->to->mem.dtype);
  Value bytes = emit_mul(g, copy->run, gen_i64(g, size));
  LLVMBuildMemCpy(g->builder, mem_address(g, &copy->to->mem, from), size, mem_address(g, &copy->from->mem, from), size, bytes);
}

static Value dim_size(LlvmGen *g, const Binding *ref, const IrType *type, int dim) {
  return ref->sizes ? ref->sizes[dim] : gen_i64(g, type->dims[dim]);
}

static void gen_copy(LlvmGen *g, const IrValue *source, const IrValue *target) {
  const Binding *from = value_binding(g, source), *to = value_binding(g, target);
  bool is_virtual = from->virtual_ref || to->virtual_ref;
  if (!is_virtual && !from->sizes && !to->sizes) {
    mem_copy(g, &to->mem, &from->mem);
    return;
  }
  const IrType *type = source->type;
  Value sizes[IR_MAX_RANK];
  for (int i = 0; i < type->rank; i++) {
    Value a = dim_size(g, from, type, i), b = dim_size(g, to, type, i);
    sizes[i] = LLVMIsAConstantInt(a) ? b : LLVMIsAConstantInt(b) ? a : gen_intrinsic2(g, "llvm.smin", a, b);
  }
  DynamicCopy copy = {.to = to, .from = from};
  size_t rank = type->rank;
  if (!is_virtual && rank > 0 && from->mem.strides[rank - 1] == 1 && to->mem.strides[rank - 1] == 1)
    copy.run = gen_intrinsic2(g, "llvm.smax", sizes[--rank], gen_i64(g, 0));
  mem_each_dynamic(g, rank, sizes, copy_one, &copy);
}

void gen_ref_op(LlvmGen *g, IrOp *op) {
  switch (op->code) {
  case OP_ALLOC: gen_alloc(g, op); return;
  case OP_LOAD: gen_load(g, op); return;
  case OP_STORE: gen_store(g, op); return;
  case OP_VIEW: gen_view(g, op); return;
  case OP_REF_RESHAPE: gen_ref_reshape(g, op); return;
  case OP_REF_BITCAST: gen_ref_bitcast(g, op); return;
  case OP_COPY:
  // A copy may be done at any time between its start and its wait: at its start is right, and what a single core can tell no better.
  case OP_COPY_START: gen_copy(g, op->operands[0], op->operands[1]); return;
  case OP_COPY_WAIT: return;
  default: BUG("no code for %s", op_info(op->code)->name);
  }
}
