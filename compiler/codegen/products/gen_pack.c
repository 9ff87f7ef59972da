// SPDX-License-Identifier: Apache-2.0
// Packing the factors of a product: into the order in which the micro-kernel reads them, and into
// cells.
#include "gen_pack.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_vector.h"
#include "gen_cell.h"
#include "gen_kernel.h"

static void store_cells(LlvmGen *g, Value cells, Value address, unsigned align) {
  gen_set_align(LLVMBuildStore(g->builder, cells, address), align);
}

// The cells [k0, k0 + count) of a row or column: those that are whole, and whether one more follows
// that is not.
typedef struct CellSpan {
  Value k0, whole, has_rest; // has_rest: i1, or NULL for never
  unsigned rest;             // elements in the one that is not whole
} CellSpan;

static CellSpan span_of(LlvmGen *g, const Gemm *gemm, Value k0, Value count) {
  int64_t group = cell_group(gemm);
  CellSpan span = {.k0 = k0, .whole = count, .rest = (unsigned)(gemm->k % group)};
  if (!span.rest) return span;
  Value left = emit_sub(g, gen_i64(g, gemm->k / group), k0);
  span.has_rest = emit_icmp(g, LLVMIntSGT, count, left);
  span.whole = gen_intrinsic2(g, "llvm.smin", count, left);
  return span;
}

static Value k_offset(LlvmGen *g, const Gemm *gemm, const Factor *f, Value base, Value k) {
  return gen_offset(g, base, f->dtype, gen_mul_const(g, k, f->k_step * cell_group(gemm)));
}

// ---- panels of b --------------------------------------------------------------------------------
typedef struct Panel {
  const Gemm *gemm;
  const GemmShape *shape;
  Value to, from; // the panel's first cell on both sides, at the span's first k
  CellSpan span;
  int64_t columns; // that exist
} Panel;

static Value target_of(LlvmGen *g, const Panel *p, Value k, int64_t column) {
  DType cell = cell_dtype(p->gemm);
  return gen_offset_const(g, gen_offset(g, p->to, cell, gen_mul_const(g, k, p->shape->panel)), cell,
                          column);
}

static unsigned columns_from(const Panel *p, int64_t column) {
  int64_t left = p->columns - column;
  return left <= 0 ? 0 : left < p->shape->lanes ? (unsigned)left : p->shape->lanes;
}

// The next panel's columns of the row are fetched to the second level, while this one's are
// multiplied: rows far apart are seen by no prefetcher.
static void prefetch_next_panel(LlvmGen *g, const Panel *p, Value row) {
  const Factor *b = &p->gemm->b;
  int64_t bytes = p->shape->panel * (int64_t)dtype_size(b->dtype);
  if (b->step != 1 || columns_from(p, p->shape->panel - 1) == 0) return;
  for (int64_t at = 0; at < bytes; at += LINE_BYTES)
    gen_prefetch_far(g, gen_address(g, row, bytes + at));
}

static void copy_row(LlvmGen *g, const Panel *p, Value k, unsigned valid) {
  const Factor *b = &p->gemm->b;
  unsigned lanes = p->shape->lanes;
  Value row = k_offset(g, p->gemm, b, p->from, k);
  for (int64_t column = 0; column < p->shape->panel; column += lanes) {
    unsigned active = columns_from(p, column);
    Value from = gen_offset_const(g, row, b->dtype, column * b->step);
    Value cells = cell_across(g, p->gemm, b, from, lanes, active, valid);
    store_cells(g, cells, target_of(g, p, k, column), lanes * 4);
  }
  prefetch_next_panel(g, p, row);
}

// Whether an element is a cell as it lies in memory.
static bool is_cell_as_it_lies(const Gemm *gemm) {
  return gemm->kind == DOT_F32 && gemm->b.dtype == DT_F32 && !gemm->b.to_bf16;
}

// Where each of a square's columns starts; NULL for those behind the active ones.
static void column_starts(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value address,
                          unsigned active, Value *starts) {
  const Factor *b = &gemm->b;
  for (unsigned i = 0; i < shape->lanes; i++)
    starts[i] = i < active ? gen_offset_const(g, address, b->dtype, i * b->step) : NULL;
}

// A square of elements of four bytes from each of the columns.
static void load_square(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Type element,
                        Value address, unsigned active, Value *columns) {
  const Factor *b = &gemm->b;
  unsigned lanes = shape->lanes;
  Value rows[MAX_LANES];
  column_starts(g, gemm, shape, address, active, rows);
  gen_load_transposed(g, element, (unsigned)dtype_size(b->dtype), rows, lanes, !shape->is_crowded,
                      columns);
}

static void pack_load_square(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value address,
                             unsigned active, Value *cells) {
  const Factor *b = &gemm->b;
  unsigned lanes = shape->lanes;
  if (is_cell_as_it_lies(gemm)) {
    load_square(g, gemm, shape, g->f32, address, active, cells);
    return;
  }
  for (unsigned i = 0; i < lanes; i++)
    cells[i] = i < active ? cell_along(g, gemm, b,
                                       gen_offset_const(g, address, b->dtype, i * b->step), lanes)
                          : LLVMConstNull(gen_storage_type(g, cell_dtype(gemm), lanes));
  gen_transpose(g, cells, lanes);
}

// Two neighbours of bf16 are turned as one; each is an f32 then by a shift or a mask.
static bool has_pairs(const Gemm *gemm) {
  return gemm->kind == DOT_F32 && gemm->b.dtype == DT_BF16;
}

unsigned pack_square_cells(const Gemm *gemm, unsigned lanes) {
  return has_pairs(gemm) ? 2 * lanes : lanes;
}

bool pack_has_words(const Gemm *gemm) { return is_cell_as_it_lies(gemm) || has_pairs(gemm); }

static void split_pairs(LlvmGen *g, Value const *pairs, unsigned count, Value *cells) {
  for (unsigned i = 0; i < count; i++) {
    cells[2 * i] = emit_as_float(g, emit_shl_c(g, pairs[i], 16));
    cells[2 * i + 1] = emit_as_float(g, emit_and_c(g, pairs[i], 0xffff0000));
  }
}

void pack_load_wide_square(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value address,
                           unsigned active, Value *cells) {
  if (!has_pairs(gemm)) {
    pack_load_square(g, gemm, shape, address, active, cells);
    return;
  }
  Value pairs[MAX_LANES];
  load_square(g, gemm, shape, g->i32, address, active, pairs);
  split_pairs(g, pairs, shape->lanes, cells);
}

void pack_load_part(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value address,
                    unsigned active, Value *cells) {
  Value rows[MAX_LANES], pairs[PART];
  unsigned align = (unsigned)dtype_size(gemm->b.dtype);
  column_starts(g, gemm, shape, address, active, rows);
  if (!has_pairs(gemm)) {
    gen_load_part(g, g->f32, align, rows, shape->lanes, 0, cells);
    return;
  }
  gen_load_part(g, g->i32, align, rows, shape->lanes, 0, pairs);
  split_pairs(g, pairs, PART, cells);
}

// Columns that lie along k in memory.
static void copy_square(LlvmGen *g, const Panel *p, Value k, int64_t column) {
  const Factor *b = &p->gemm->b;
  unsigned lanes = p->shape->lanes;
  Value cells[MAX_LANES],
      from = gen_offset_const(g, k_offset(g, p->gemm, b, p->from, k), b->dtype, column * b->step);
  pack_load_square(g, p->gemm, p->shape, from, columns_from(p, column), cells);
  for (unsigned i = 0; i < lanes; i++)
    store_cells(g, cells[i],
                gen_address(g, target_of(g, p, k, column),
                            (int64_t)i * p->shape->panel * cell_bytes(p->gemm)),
                lanes * 4);
}

static void copy_rows(LlvmGen *g, const Panel *p, Value begin) {
  Loop loop;
  loop_begin(g, &loop, begin, p->span.whole, 1, 0, NULL, true);
  copy_row(g, p, loop.index, cell_group(p->gemm));
  loop_end(g, &loop, NULL);
}

static void copy_cells(LlvmGen *g, const Panel *p) {
  if (p->gemm->b.k_step == 1) {
    unsigned lanes = p->shape->lanes;
    Value squares = emit_and_c(g, p->span.whole, -(int64_t)lanes);
    // As few rows as can be are read side by side: the CPU sees then where each goes on.
    for (int64_t column = 0; column < p->shape->panel; column += lanes) {
      Loop loop;
      loop_begin(g, &loop, gen_i64(g, 0), squares, lanes, 0, NULL, true);
      copy_square(g, p, loop.index, column);
      loop_end(g, &loop, NULL);
    }
    copy_rows(g, p, squares);
  } else {
    copy_rows(g, p, gen_i64(g, 0));
  }
  if (!p->span.has_rest) return;
  Branch branch;
  branch_begin(g, &branch, p->span.has_rest, true);
  copy_row(g, p, p->span.whole, p->span.rest);
  branch_end_then(g, &branch);
}

// The row in front of the cells: (a + 128) * b is too much by 128 * b.
static void compensate(LlvmGen *g, const Panel *p, Value to, Value count) {
  unsigned lanes = p->shape->lanes, vectors = (unsigned)(p->shape->panel / lanes);
  Value sums[MAX_VECTORS];
  for (unsigned v = 0; v < vectors; v++)
    sums[v] = LLVMConstNull(gen_storage_type(g, DT_I32, lanes));
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), count, 1, vectors, sums, false);
  for (unsigned v = 0; v < vectors; v++)
    sums[v] = cell_sum_bytes(
        g,
        mem_load_vector(g, target_of(g, p, loop.index, v * lanes), DT_I32, lanes * 4, lanes, lanes),
        loop.carried[v]);
  loop_end(g, &loop, sums);
  Value zero = LLVMConstNull(gen_storage_type(g, DT_I32, lanes));
  for (unsigned v = 0; v < vectors; v++)
    store_cells(g, emit_sub(g, zero, emit_shl_c(g, loop.carried[v], 7)),
                gen_offset_const(g, to, DT_I32, v * lanes), lanes * 4);
}

// The rows between the last cell and the end of a step.
static void fill_step(LlvmGen *g, const Panel *p, Value count) {
  unsigned lanes = p->shape->lanes;
  Value zero = LLVMConstNull(gen_storage_type(g, cell_dtype(p->gemm), lanes));
  Loop loop;
  loop_begin(g, &loop, count, pack_panel_rows(g, p->gemm, count), 1, 0, NULL, true);
  for (int64_t column = 0; column < p->shape->panel; column += lanes)
    store_cells(g, zero, target_of(g, p, loop.index, column), lanes * 4);
  loop_end(g, &loop, NULL);
}

static bool fills_steps(const Gemm *gemm, const GemmShape *shape) {
  return gemm->in_tiles && (shape->cells % STEP_CELLS || shape->k_block % STEP_CELLS);
}

Value pack_panel_rows(LlvmGen *g, const Gemm *gemm, Value count) {
  if (gemm->in_tiles) return emit_and_c(g, emit_add_c(g, count, STEP_CELLS - 1), -STEP_CELLS);
  return emit_add_c(g, count, cell_is_compensated(gemm));
}

void pack_panel(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0,
                Value count, Value column, int64_t columns) {
  const Factor *b = &gemm->b;
  Panel p = {.gemm = gemm,
             .shape = shape,
             .to = to,
             .columns = columns,
             .span = span_of(g, gemm, k0, count)};
  p.from =
      gen_offset(g, k_offset(g, gemm, b, b->base, k0), b->dtype, gen_mul_const(g, column, b->step));
  if (cell_is_compensated(gemm)) p.to = gen_offset_const(g, to, DT_I32, shape->panel);
  copy_cells(g, &p);
  if (cell_is_compensated(gemm)) compensate(g, &p, to, count);
  if (fills_steps(gemm, shape)) fill_step(g, &p, count);
}

void pack_panels(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0,
                 Value count, Value first, Value end) {
  int64_t whole = gemm->n / shape->panel, rest = gemm->n % shape->panel;
  Value rows = pack_panel_rows(g, gemm, count), panel_size = gen_mul_const(g, rows, shape->panel);
  if (whole) {
    Loop loop;
    Value whole_end = rest ? gen_intrinsic2(g, "llvm.smin", end, gen_i64(g, whole)) : end;
    loop_begin(g, &loop, first, whole_end, 1, 0, NULL, true);
    pack_panel(g, gemm, shape,
               gen_offset(g, to, cell_dtype(gemm), emit_mul(g, loop.index, panel_size)), k0, count,
               gen_mul_const(g, loop.index, shape->panel), shape->panel);
    loop_end(g, &loop, NULL);
  }
  if (!rest) return;
  Branch branch;
  branch_begin(g, &branch, emit_icmp_c(g, LLVMIntSGT, end, whole), true);
  pack_panel(g, gemm, shape,
             gen_offset(g, to, cell_dtype(gemm), gen_mul_const(g, panel_size, whole)), k0, count,
             gen_i64(g, whole * shape->panel), rest);
  branch_end_then(g, &branch);
}

// ---- rows of a ----------------------------------------------------------------------------------
typedef struct Rows {
  const Gemm *gemm;
  const GemmShape *shape;
  Value to, from; // row 0 of what is packed, at the span's first k
  CellSpan span;
} Rows;

static Value row_source(LlvmGen *g, const Rows *r, Value row, Value k) {
  const Factor *a = &r->gemm->a;
  return k_offset(g, r->gemm, a, gen_offset(g, r->from, a->dtype, gen_mul_const(g, row, a->step)),
                  k);
}

static Value row_target(LlvmGen *g, const Rows *r, Value row, Value k) {
  return gen_offset(g, r->to, cell_dtype(r->gemm),
                    gen_add(g, gen_mul_const(g, row, r->shape->a_pitch), k));
}

static void copy_cell(LlvmGen *g, const Rows *r, Value row, Value k, unsigned valid) {
  store_cells(g, cell_across(g, r->gemm, &r->gemm->a, row_source(g, r, row, k), 1, 1, valid),
              row_target(g, r, row, k), 4);
}

// The row's cells from `begin` on one by one, with the one that is not whole.
static void copy_row_end(LlvmGen *g, const Rows *r, Value row, Value begin) {
  Loop loop;
  loop_begin(g, &loop, begin, r->span.whole, 1, 0, NULL, true);
  copy_cell(g, r, row, loop.index, cell_group(r->gemm));
  loop_end(g, &loop, NULL);
  if (!r->span.has_rest) return;
  Branch branch;
  branch_begin(g, &branch, r->span.has_rest, true);
  copy_cell(g, r, row, r->span.whole, r->span.rest);
  branch_end_then(g, &branch);
}

static void copy_row_of_a(LlvmGen *g, const Rows *r, Value row) {
  Value begin = gen_i64(g, 0);
  if (r->gemm->a.k_step == 1) {
    unsigned lanes = r->shape->lanes;
    begin = emit_and_c(g, r->span.whole, -(int64_t)lanes);
    Loop loop;
    loop_begin(g, &loop, gen_i64(g, 0), begin, lanes, 0, NULL, true);
    store_cells(g, cell_along(g, r->gemm, &r->gemm->a, row_source(g, r, row, loop.index), lanes),
                row_target(g, r, row, loop.index), 4);
    loop_end(g, &loop, NULL);
  }
  copy_row_end(g, r, row, begin);
}

static void copy_each_row(LlvmGen *g, const Rows *r, Value rows) {
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), rows, 1, 0, NULL, true);
  copy_row_of_a(g, r, loop.index);
  loop_end(g, &loop, NULL);
}

// Rows that lie side by side in memory: squares, transposed. The last ones overlap with those
// before, so that none is partial.
static void copy_squares(LlvmGen *g, const Rows *r, Value rows) {
  unsigned lanes = r->shape->lanes;
  Value squares = emit_and_c(g, r->span.whole, -(int64_t)lanes), last = emit_sub_c(g, rows, lanes);
  Loop outer, inner, rest;
  loop_begin(g, &outer, gen_i64(g, 0), rows, lanes, 0, NULL, false);
  Value row = gen_intrinsic2(g, "llvm.smin", outer.index, last), square[MAX_LANES];
  loop_begin(g, &inner, gen_i64(g, 0), squares, lanes, 0, NULL, true);
  for (unsigned i = 0; i < lanes; i++)
    square[i] =
        cell_across(g, r->gemm, &r->gemm->a, row_source(g, r, row, emit_add_c(g, inner.index, i)),
                    lanes, lanes, cell_group(r->gemm));
  gen_transpose(g, square, lanes);
  for (unsigned i = 0; i < lanes; i++)
    store_cells(g, square[i], row_target(g, r, emit_add_c(g, row, i), inner.index), 4);
  loop_end(g, &inner, NULL);
  loop_end(g, &outer, NULL);
  loop_begin(g, &rest, gen_i64(g, 0), rows, 1, 0, NULL, false);
  copy_row_end(g, r, rest.index, squares);
  loop_end(g, &rest, NULL);
}

// The last step of each row, before the cells that there are come into it. One behind the last cell
// is in the pitch.
static void clear_steps(LlvmGen *g, const Rows *r, Value count, Value rows) {
  Value last = emit_and_c(g, count, -STEP_CELLS),
        zero = LLVMConstNull(gen_storage_type(g, cell_dtype(r->gemm), STEP_CELLS));
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), rows, 1, 0, NULL, true);
  store_cells(g, zero, row_target(g, r, loop.index, last), 4);
  loop_end(g, &loop, NULL);
}

void pack_rows(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0,
               Value count, Value begin, Value end) {
  const Factor *a = &gemm->a;
  Rows r = {.gemm = gemm, .shape = shape, .to = to, .span = span_of(g, gemm, k0, count)};
  r.from =
      gen_offset(g, k_offset(g, gemm, a, a->base, k0), a->dtype, gen_mul_const(g, begin, a->step));
  Value rows = emit_sub(g, end, begin);
  if (fills_steps(gemm, shape)) clear_steps(g, &r, count, rows);
  if (a->step != 1 || a->k_step == 1) {
    copy_each_row(g, &r, rows);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, emit_icmp_c(g, LLVMIntSGE, rows, shape->lanes), true);
  copy_squares(g, &r, rows);
  branch_else(g, &branch);
  copy_each_row(g, &r, rows);
  branch_end(g, &branch);
}
