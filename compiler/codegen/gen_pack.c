// SPDX-License-Identifier: Apache-2.0
// Packing the factors of a product: into the order in which the micro-kernel reads them, and into the accumulators' type.
#include "dot.h"

Value dot_convert(LlvmGen *g, const Gemm *gemm, const Factor *factor, Value element) {
  if (!gemm->is_float) return convert_dtype(g, element, factor->dtype, DT_I32);
  if (!dtype_is_float(factor->dtype)) element = convert_dtype(g, element, factor->dtype, DT_F32);
  return factor->to_bf16 ? convert_round(g, DT_BF16, element) : element;
}

// Stage h of a transposition exchanges lanes with bit h set of one row with those without of the row h further down.
void pack_transpose(LlvmGen *g, Value *rows, unsigned count) {
  Value low[MAX_LANES], high[MAX_LANES];
  for (unsigned h = 1; h < count; h *= 2) {
    for (unsigned l = 0; l < count; l++) {
      low[l] = gen_i32(g, l & h ? count + l - h : l);
      high[l] = gen_i32(g, l & h ? count + l : l + h);
    }
    for (unsigned i = 0; i < count; i++) {
      if (i & h) continue;
      Value a = rows[i], b = rows[i + h];
      rows[i] = LLVMBuildShuffleVector(g->builder, a, b, LLVMConstVector(low, count), "");
      rows[i + h] = LLVMBuildShuffleVector(g->builder, a, b, LLVMConstVector(high, count), "");
    }
  }
}

static DType accumulator_dtype(const Gemm *gemm) { return gemm->is_float ? DT_F32 : DT_I32; }

static Value load_vector(LlvmGen *g, const Gemm *gemm, const Factor *f, Value address, unsigned lanes, unsigned active) {
  return dot_convert(g, gemm, f, mem_load_vector(g, address, f->dtype, (unsigned)dtype_size(f->dtype), lanes, active));
}

static Value load_one(LlvmGen *g, const Gemm *gemm, const Factor *f, Value address) {
  Value raw = LLVMBuildLoad2(g->builder, gen_storage_type(g, f->dtype, 1), address, "");
  gen_set_align(raw, (unsigned)dtype_size(f->dtype));
  return dot_convert(g, gemm, f, convert_from_storage(g, f->dtype, raw));
}

static void store_vector(LlvmGen *g, Value value, Value address, unsigned align) { gen_set_align(LLVMBuildStore(g->builder, value, address), align); }

// ---- panels of b -----------------------------------------------------------------------------------
typedef struct Panel {
  const Gemm *gemm;
  const GemmShape *shape;
  Value to, from; // the panel's first element on both sides
  Value count;    // of rows
  int64_t columns; // that exist
} Panel;

static Value row_of(LlvmGen *g, const Panel *p, Value k) { return gen_offset(g, p->from, p->gemm->b.dtype, gen_mul_const(g, k, p->gemm->b.k_step)); }

static Value target_of(LlvmGen *g, const Panel *p, Value k, int64_t column) {
  DType dtype = accumulator_dtype(p->gemm);
  return gen_offset_const(g, gen_offset(g, p->to, dtype, gen_mul_const(g, k, p->shape->panel)), dtype, column);
}

// The last vector of a row that is not whole; zeros where there are no columns.
static Value partial_vector(LlvmGen *g, const Panel *p, Value row, int64_t column, unsigned active) {
  const Factor *b = &p->gemm->b;
  unsigned lanes = p->shape->lanes;
  Value zero = LLVMConstNull(gen_compute_type(g, accumulator_dtype(p->gemm), lanes));
  if (active == 0) return zero;
  Value vector = zero;
  if (b->step == 1 && g->target->has_masks) {
    vector = load_vector(g, p->gemm, b, gen_offset_const(g, row, b->dtype, column), lanes, active);
    return vector; // masked lanes are read as zero, and zero converts to zero
  }
  for (unsigned i = 0; i < active; i++) {
    Value element = load_one(g, p->gemm, b, gen_offset_const(g, row, b->dtype, (column + i) * b->step));
    vector = LLVMBuildInsertElement(g->builder, vector, element, gen_i32(g, i), "");
  }
  return vector;
}

static void copy_row(LlvmGen *g, const Panel *p, Value k) {
  const Factor *b = &p->gemm->b;
  unsigned lanes = p->shape->lanes;
  Value row = row_of(g, p, k);
  for (int64_t column = 0; column < p->shape->panel; column += lanes) {
    int64_t left = p->columns - column;
    Value vector;
    if (left >= lanes && b->step == 1)
      vector = load_vector(g, p->gemm, b, gen_offset_const(g, row, b->dtype, column), lanes, lanes);
    else
      vector = partial_vector(g, p, row, column, left <= 0 ? 0 : left < lanes ? (unsigned)left : lanes);
    store_vector(g, vector, target_of(g, p, k, column), lanes * 4);
  }
}

// Columns that lie along k in memory: squares of lanes by lanes, transposed.
static void copy_square(LlvmGen *g, const Panel *p, Value k, int64_t column) {
  const Factor *b = &p->gemm->b;
  unsigned lanes = p->shape->lanes;
  Value rows[MAX_LANES], row = row_of(g, p, k);
  for (unsigned i = 0; i < lanes; i++) {
    bool exists = column + i < p->columns;
    rows[i] = exists ? load_vector(g, p->gemm, b, gen_offset_const(g, row, b->dtype, (column + i) * b->step), lanes, lanes)
                     : LLVMConstNull(gen_compute_type(g, accumulator_dtype(p->gemm), lanes));
  }
  pack_transpose(g, rows, lanes);
  for (unsigned i = 0; i < lanes; i++) store_vector(g, rows[i], gen_address(g, target_of(g, p, k, column), (int64_t)i * p->shape->panel * 4), lanes * 4);
}

static void copy_transposed(LlvmGen *g, const Panel *p) {
  unsigned lanes = p->shape->lanes;
  Value whole = emit_and_c(g, p->count, -(int64_t)lanes);
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), whole, lanes, 0, NULL, true);
  for (int64_t column = 0; column < p->shape->panel; column += lanes) copy_square(g, p, loop.index, column);
  loop_end(g, &loop, NULL);
  loop_begin(g, &loop, whole, p->count, 1, 0, NULL, true);
  copy_row(g, p, loop.index);
  loop_end(g, &loop, NULL);
}

static void copy_panel(LlvmGen *g, const Panel *p) {
  if (p->gemm->b.k_step == 1 && p->gemm->b.step != 1) {
    copy_transposed(g, p);
    return;
  }
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), p->count, 1, 0, NULL, false);
  copy_row(g, p, loop.index);
  loop_end(g, &loop, NULL);
}

void pack_panels(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0, Value count, Value first_panel, Value end_panel) {
  const Factor *b = &gemm->b;
  int64_t whole = gemm->n / shape->panel, rest = gemm->n % shape->panel;
  Value start = gen_offset(g, b->base, b->dtype, gen_mul_const(g, k0, b->k_step));
  Value panel_size = gen_mul_const(g, count, shape->panel);
  Panel p = {.gemm = gemm, .shape = shape, .count = count, .columns = shape->panel};
  if (whole) {
    Loop loop;
    Value end = rest ? gen_intrinsic2(g, "llvm.smin", end_panel, gen_i64(g, whole)) : end_panel;
    loop_begin(g, &loop, first_panel, end, 1, 0, NULL, true);
    p.from = gen_offset(g, start, b->dtype, gen_mul_const(g, loop.index, shape->panel * b->step));
    p.to = gen_offset(g, to, DT_F32, emit_mul(g, loop.index, panel_size));
    copy_panel(g, &p);
    loop_end(g, &loop, NULL);
  }
  if (!rest) return;
  Branch branch;
  branch_begin(g, &branch, emit_icmp_c(g, LLVMIntSGT, end_panel, whole), true);
  p.columns = rest;
  p.from = gen_offset_const(g, start, b->dtype, whole * shape->panel * b->step);
  p.to = gen_offset(g, to, DT_F32, gen_mul_const(g, panel_size, whole));
  copy_panel(g, &p);
  branch_else(g, &branch);
  branch_end(g, &branch);
}

// ---- rows of a -----------------------------------------------------------------------------------------
static void copy_row_of_a(LlvmGen *g, const Gemm *gemm, Value from, Value to) {
  const Factor *a = &gemm->a;
  unsigned lanes = a->k_step == 1 ? g->target->vector_bytes / 4 : 1;
  int64_t whole = gemm->k / lanes * lanes;
  for (int part = 0; part < 2; part++) {
    int64_t begin = part ? whole : 0, end = part ? gemm->k : whole;
    if (begin == end) continue;
    Loop loop;
    loop_begin(g, &loop, gen_i64(g, begin), gen_i64(g, end), part ? 1 : lanes, 0, NULL, false);
    Value source = gen_offset(g, from, a->dtype, gen_mul_const(g, loop.index, a->k_step));
    Value value = part || lanes == 1 ? load_one(g, gemm, a, source) : load_vector(g, gemm, a, source, lanes, lanes);
    store_vector(g, value, gen_offset(g, to, DT_F32, loop.index), 4);
    loop_end(g, &loop, NULL);
  }
}

// Rows that lie side by side in memory: squares, transposed; what is left one by one.
static void copy_columns_of_a(LlvmGen *g, const Gemm *gemm, Value to) {
  const Factor *a = &gemm->a;
  unsigned lanes = g->target->vector_bytes / 4;
  int64_t rows = gemm->m / lanes * lanes, ks = gemm->k / lanes * lanes;
  if (rows && ks) {
    Loop outer, inner;
    loop_begin_count(g, &outer, rows, lanes, 0, NULL);
    loop_begin_count(g, &inner, ks, lanes, 0, NULL);
    Value from = gen_offset(g, a->base, a->dtype, gen_add(g, outer.index, gen_mul_const(g, inner.index, a->k_step))), square[MAX_LANES];
    for (unsigned i = 0; i < lanes; i++) square[i] = load_vector(g, gemm, a, gen_offset_const(g, from, a->dtype, i * a->k_step), lanes, lanes);
    pack_transpose(g, square, lanes);
    Value target = gen_offset(g, to, DT_F32, gen_add(g, gen_mul_const(g, outer.index, gemm->k), inner.index));
    for (unsigned i = 0; i < lanes; i++) store_vector(g, square[i], gen_offset_const(g, target, DT_F32, i * gemm->k), 4);
    loop_end(g, &inner, NULL);
    loop_end(g, &outer, NULL);
  }
  for (int part = 0; part < 2; part++) {
    int64_t first_row = part ? rows : 0, end_row = part ? gemm->m : rows, first_k = part ? 0 : ks;
    if (first_row == end_row || first_k == gemm->k) continue;
    Loop outer, inner;
    loop_begin(g, &outer, gen_i64(g, first_row), gen_i64(g, end_row), 1, 0, NULL, false);
    loop_begin(g, &inner, gen_i64(g, first_k), gen_i64(g, gemm->k), 1, 0, NULL, false);
    Value from = gen_offset(g, a->base, a->dtype, gen_add(g, outer.index, gen_mul_const(g, inner.index, a->k_step)));
    Value target = gen_offset(g, to, DT_F32, gen_add(g, gen_mul_const(g, outer.index, gemm->k), inner.index));
    store_vector(g, load_one(g, gemm, a, from), target, 4);
    loop_end(g, &inner, NULL);
    loop_end(g, &outer, NULL);
  }
}

void pack_rows(LlvmGen *g, const Gemm *gemm, Value to, Value begin, Value end) {
  const Factor *a = &gemm->a;
  if (a->step == 1 && a->k_step != 1 && LLVMIsAConstantInt(begin) && LLVMIsAConstantInt(end)) {
    copy_columns_of_a(g, gemm, to);
    return;
  }
  Loop loop;
  loop_begin(g, &loop, begin, end, 1, 0, NULL, true);
  copy_row_of_a(g, gemm, gen_offset(g, a->base, a->dtype, gen_mul_const(g, loop.index, a->step)),
                gen_offset(g, to, DT_F32, gen_mul_const(g, loop.index, gemm->k)));
  loop_end(g, &loop, NULL);
}
