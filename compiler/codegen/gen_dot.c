// SPDX-License-Identifier: Apache-2.0
// DOT: any dot_general as loops around products of two matrices. Dimensions that lie one behind the other in memory are merged first;
// what cannot be merged becomes an outer loop, over k with the sums kept in the result.
#include "dot.h"

typedef struct Dot {
  const IrOp *op;
  Mem a, b, c;
  DotDims batch, rows, columns, inner; // inner: contracted
  bool is_float, to_bf16;
  FusedOps *fused;
} Dot;

static bool contains(IrInts ints, int64_t item) {
  for (size_t i = 0; i < ints.count; i++)
    if (ints.items[i] == item) return true;
  return false;
}

// Appends a dimension, merged with the one before it if that steps over all of it in every array.
static void append(DotDims *dims, DotDim dim) {
  if (dim.size == 1) return;
  DotDim *last = dims->count ? &dims->items[dims->count - 1] : NULL;
  if (last && last->a == dim.a * dim.size && last->b == dim.b * dim.size && last->c == dim.c * dim.size) {
    dim.size *= last->size;
    *last = dim;
    return;
  }
  dims->items[dims->count++] = dim;
}

static void find_dims(Dot *d) {
  const IrOp *op = d->op;
  IrInts lc = ir_attr_ints(op, ATTR_LHS_CONTRACT), rc = ir_attr_ints(op, ATTR_RHS_CONTRACT);
  IrInts lb = ir_attr_ints(op, ATTR_LHS_BATCH), rb = ir_attr_ints(op, ATTR_RHS_BATCH);
  int at = 0;
  for (size_t i = 0; i < lb.count; i++, at++)
    append(&d->batch, (DotDim){d->c.dims[at], d->a.strides[lb.items[i]], d->b.strides[rb.items[i]], d->c.strides[at]});
  for (int i = 0; i < d->a.rank; i++)
    if (!contains(lc, i) && !contains(lb, i)) {
      append(&d->rows, (DotDim){d->a.dims[i], d->a.strides[i], 0, d->c.strides[at]});
      at++;
    }
  for (int i = 0; i < d->b.rank; i++)
    if (!contains(rc, i) && !contains(rb, i)) {
      append(&d->columns, (DotDim){d->b.dims[i], 0, d->b.strides[i], d->c.strides[at]});
      at++;
    }
  for (size_t i = 0; i < lc.count; i++) append(&d->inner, (DotDim){d->a.dims[lc.items[i]], d->a.strides[lc.items[i]], d->b.strides[rc.items[i]], 0});
}

static DotDim take_last(DotDims *dims) { return dims->count ? dims->items[--dims->count] : (DotDim){1, 0, 0, 0}; }

typedef struct Outer {
  Dot *dot;
  DotDims dims; // outer loops, then (from `sums` on) those over k
  size_t sums;
  DotDim rows, columns, inner;
  bool is_swapped; // the factors have changed places
} Outer;

static Value moved(LlvmGen *g, Value base, DType dtype, Value index, int64_t step) { return gen_offset(g, base, dtype, gen_mul_const(g, index, step)); }

static void emit_outer(LlvmGen *g, const Outer *o, size_t at, Value a, Value b, Value c, Value is_first) {
  const Dot *d = o->dot;
  if (at < o->dims.count) {
    DotDim dim = o->dims.items[at];
    Loop loop;
    loop_begin_count(g, &loop, dim.size, 1, 0, NULL);
    Value first = is_first;
    if (at >= o->sums) {
      Value own = emit_icmp_c(g, LLVMIntEQ, loop.index, 0);
      first = first ? emit_and(g, first, own) : own;
    }
    emit_outer(g, o, at + 1, moved(g, a, d->a.dtype, loop.index, dim.a), moved(g, b, d->b.dtype, loop.index, dim.b),
               moved(g, c, d->c.dtype, loop.index, dim.c), first);
    loop_end(g, &loop, NULL);
    return;
  }
  Gemm gemm = {.m = o->rows.size, .n = o->columns.size, .k = o->inner.size, .c = c, .c_step = o->rows.c, .c_dtype = d->c.dtype, .is_float = d->is_float};
  gemm.fused = d->fused;
  Factor left = {a, d->a.dtype, o->rows.a, o->inner.a, d->to_bf16, false}, right = {b, d->b.dtype, o->columns.b, o->inner.b, d->to_bf16, false};
  if (o->is_swapped) {
    left = (Factor){b, d->b.dtype, o->rows.a, o->inner.a, d->to_bf16, false};
    right = (Factor){a, d->a.dtype, o->columns.b, o->inner.b, d->to_bf16, false};
  }
  gemm.a = left;
  gemm.b = right;
  gemm_emit(g, &gemm, is_first);
}

static void emit_product(LlvmGen *g, Dot *d) {
  Outer o = {.dot = d};
  find_dims(d);
  o.rows = take_last(&d->rows);
  o.columns = take_last(&d->columns);
  o.inner = take_last(&d->inner);
  for (size_t i = 0; i < d->batch.count; i++) o.dims.items[o.dims.count++] = d->batch.items[i];
  for (size_t i = 0; i < d->rows.count; i++) o.dims.items[o.dims.count++] = d->rows.items[i];
  for (size_t i = 0; i < d->columns.count; i++) o.dims.items[o.dims.count++] = d->columns.items[i];
  o.sums = o.dims.count;
  for (size_t i = 0; i < d->inner.count; i++) o.dims.items[o.dims.count++] = d->inner.items[i];
  // A column is computed as a row, so that vectors run along it.
  if (o.columns.size == 1 && o.rows.size > 1 && o.rows.c == 1 && !d->fused) {
    o.is_swapped = true;
    DotDim rows = o.rows;
    o.rows = (DotDim){o.columns.size, o.columns.b, o.columns.a, o.columns.c};
    o.columns = (DotDim){rows.size, rows.b, rows.a, rows.c};
    o.inner = (DotDim){o.inner.size, o.inner.b, o.inner.a, 0};
  }
  if (o.columns.size == 1) o.columns.b = 1; // any step does; this one is read in place
  emit_outer(g, &o, 0, d->a.base, d->b.base, d->c.base, NULL);
}

static int64_t inner_count(const Dot *d) {
  int64_t k = 1;
  IrInts lc = ir_attr_ints(d->op, ATTR_LHS_CONTRACT);
  for (size_t i = 0; i < lc.count; i++) k *= d->a.dims[lc.items[i]];
  return k;
}

// Sums that are kept in the result between outer turns over k need the accumulators' own type.
static bool needs_wide_result(const Dot *d) {
  return d->c.dtype != (d->is_float ? DT_F32 : DT_I32) && ir_attr_ints(d->op, ATTR_LHS_CONTRACT).count > 1;
}

typedef struct Narrow {
  const Mem *from, *to;
  bool is_float;
} Narrow;

static void narrow_element(LlvmGen *g, Value const *index, void *data) {
  const Narrow *n = data;
  mem_store(g, n->to, index, convert_dtype(g, mem_load(g, n->from, index), n->is_float ? DT_F32 : DT_I32, n->to->dtype));
}

static void emit_into(LlvmGen *g, Dot *d, const Mem *to) {
  if (mem_count(to) == 0) return;
  if (inner_count(d) == 0) {
    mem_fill(g, to, LLVMConstNull(gen_compute_type(g, to->dtype, 1)));
    return;
  }
  d->c = *to;
  if (!needs_wide_result(d)) {
    emit_product(g, d);
    return;
  }
  Buffer *buffer = frame_take_array(g, d->is_float ? DT_F32 : DT_I32, to->rank, to->dims, &d->c);
  Mem wide = d->c;
  emit_product(g, d);
  Narrow narrow = {.from = &wide, .to = to, .is_float = d->is_float};
  mem_each(g, to->rank, to->dims, narrow_element, &narrow);
  frame_give(g, buffer);
}

static Dot dot_of(LlvmGen *g, const IrOp *op) {
  Dot d = {.op = op, .a = value_mem(g, op->operands[0]), .b = value_mem(g, op->operands[1])};
  d.is_float = dtype_is_float(d.a.dtype) || dtype_is_float(d.b.dtype) || dtype_is_float(op->results[0]->type->dtype);
  d.to_bf16 = str_equal(ir_attr_str(op, ATTR_PRECISION), STR("bf16_bf16_f32"));
  return d;
}

// One product of two matrices: what follows it can be evaluated with it.
bool gen_dot_fused(LlvmGen *g, IrOp *op, IrOp *const *ops, size_t count, const IrRegion *region) {
  const IrType *type = op->results[0]->type;
  if (g->options->check || type->rank != 2 || type->dims[0] * type->dims[1] == 0) return false;
  Dot d = dot_of(g, op);
  int64_t k = inner_count(&d);
  if (k == 0) return false;
  d.c = mem_dense(LLVMConstPointerNull(g->ptr), 4, type->dtype, type->rank, type->dims);
  Dot probe = d;
  find_dims(&probe);
  if (probe.batch.count || probe.rows.count > 1 || probe.columns.count != 1 || probe.inner.count > 1) return false;
  Epilogue *epilogue = epilogue_new(g, op, ops, count);
  if (!epilogue) return false;
  FusedOps fused = {.dot = op, .ops = ops, .count = count, .region = region, .only_stores = epilogue_only_stores(epilogue)};
  epilogue_abandon(epilogue);
  d.fused = &fused;
  emit_product(g, &d);
  return true;
}

void gen_dot(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  Dot d = dot_of(g, op);
  Mem to;
  Buffer *buffer = frame_take_array(g, result->type->dtype, result->type->rank, result->type->dims, &to);
  emit_into(g, &d, &to);
  if (result->type->rank) {
    value_bind_mem(g, result, &to, buffer);
    return;
  }
  value_bind_scalar(g, result, mem_load(g, &to, NULL));
  frame_give(g, buffer);
}
