// SPDX-License-Identifier: Apache-2.0
// Padding: the operand's elements are moved, and what is around and between them is filled, each
// place of the result once where that is possible.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_pad.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_report.h"
#include "codegen/emit/gen_type.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_parallel_each.h"
#include "codegen/values/gen_value.h"

// Both sides of what is moved.
typedef struct Moved {
  int64_t from[IR_MAX_RANK], to[IR_MAX_RANK], sizes[IR_MAX_RANK], steps[IR_MAX_RANK];
} Moved;

// False if nothing is.
static bool find_moved(const IrOp *op, const Mem *to, Moved *moved) {
  IrInts low = ir_attr_ints(op, ATTR_LOW), interior = ir_attr_ints(op, ATTR_INTERIOR);
  const IrType *type = op->operands[0]->type;
  for (int i = 0; i < type->rank; i++) {
    int64_t step = interior.items[i] + 1,
            first = low.items[i] < 0 ? (-low.items[i] + step - 1) / step : 0;
    int64_t room = to->dims[i] - 1 - low.items[i], last = room < 0 ? -1 : room / step;
    if (last > type->dims[i] - 1) last = type->dims[i] - 1;
    if (last < first) return false;
    moved->from[i] = first;
    moved->sizes[i] = last - first + 1;
    moved->to[i] = low.items[i] + first * step;
    moved->steps[i] = moved->sizes[i] > 1 ? step : 1;
  }
  return true;
}

// ---- what is filled -----------------------------------------------------------------------------
// Every step-th of `rest` from `first` on along a dimension, up to `end`.
static Mem part_along(LlvmGen *g, const Mem *rest, int dim, int64_t first, int64_t end,
                      int64_t step) {
  int64_t starts[IR_MAX_RANK] = {0}, sizes[IR_MAX_RANK], steps[IR_MAX_RANK];
  for (int i = 0; i < rest->rank; i++) {
    sizes[i] = rest->dims[i];
    steps[i] = 1;
  }
  starts[dim] = first;
  sizes[dim] = (end - first + step - 1) / step;
  steps[dim] = step;
  return mem_slice(g, rest, starts, sizes, steps);
}

// All of `to` to which no element is moved: before, between and behind them in each dimension,
// within what the dimensions before left.
static void fill_around(LlvmGen *g, const Mem *to, const Moved *moved, Value element) {
  Mem rest = *to;
  for (int i = 0; i < to->rank; i++) {
    int64_t first = moved->to[i], step = moved->steps[i],
            end = first + (moved->sizes[i] - 1) * step + 1;
    Mem before = part_along(g, &rest, i, 0, first, 1),
        behind = part_along(g, &rest, i, end, rest.dims[i], 1);
    mem_fill(g, &before, element);
    mem_fill(g, &behind, element);
    for (int64_t gap = 1; gap < step; gap++) {
      Mem between = part_along(g, &rest, i, first + gap, end, step);
      mem_fill(g, &between, element);
    }
    rest = part_along(g, &rest, i, first, end, step);
  }
}

// Gaps of single elements, or so many of them that a loop for each would be much code: all of the
// result is filled before.
static bool is_filled_whole(const Mem *to, const Moved *moved) {
  for (int i = 0; i < to->rank; i++)
    if (moved->steps[i] > (i < to->rank - 1 ? MOST_TURNS : 1)) return true;
  return false;
}

// ---- rows ---------------------------------------------------------------------------------------
typedef struct PaddedRows {
  Mem from, to;   // as many rows of both
  Value element;  // as memory has it
  int64_t before; // elements before those of a row
  unsigned lanes, step;
} PaddedRows;

static Value vector_align(const PaddedRows *rows, Value access) {
  gen_set_align(access, (unsigned)dtype_size(rows->to.dtype));
  return access;
}

static void row_starts(LlvmGen *g, const PaddedRows *rows, Value const *index, Value *from,
                       Value *to) {
  int last = rows->to.rank - 1;
  Value start[IR_MAX_RANK];
  for (int i = 0; i < last; i++) start[i] = index[i];
  start[last] = gen_i64(g, 0);
  *from = mem_address(g, &rows->from, start);
  *to = mem_address(g, &rows->to, start);
}

// Lanes [first, end) from memory, the element in the others.
static Value load_padded(LlvmGen *g, const PaddedRows *rows, Value from, int64_t at, int64_t first,
                         int64_t end) {
  unsigned align = (unsigned)dtype_size(rows->to.dtype);
  Value splat = gen_splat(g, rows->element, rows->lanes), bits[MAX_LANES];
  if (first >= end) return splat;
  for (unsigned i = 0; i < rows->lanes; i++)
    bits[i] = LLVMConstInt(g->i1, i >= first && i < end, false);
  Value address = gen_offset_const(g, from, rows->to.dtype, at);
  return gen_masked_load(g, address, LLVMTypeOf(splat), align, LLVMConstVector(bits, rows->lanes),
                         splat);
}

static void short_row(LlvmGen *g, Value const *index, void *data) {
  const PaddedRows *rows = data;
  int last = rows->to.rank - 1;
  Value from, to;
  row_starts(g, rows, index, &from, &to);
  int64_t row = rows->to.dims[last], end = rows->before + rows->from.dims[last],
          lanes = rows->lanes;
  for (int64_t at = 0; at < row; at += lanes) {
    int64_t low = rows->before > at ? rows->before - at : 0,
            high = end - at < lanes ? end - at : lanes;
    Value vector = load_padded(g, rows, from, at - rows->before, low, high);
    gen_store_first(g, vector, gen_offset_const(g, to, rows->to.dtype, at), rows->to.dtype,
                    (unsigned)(row - at < lanes ? row - at : lanes));
  }
}

// One vector of elements and those of the gaps behind each of them, but for the last `missing`
// ones.
static void store_spread(LlvmGen *g, const PaddedRows *rows, Value from, Value to, Value at,
                         unsigned missing) {
  DType dtype = rows->to.dtype;
  unsigned lanes = rows->lanes;
  Value parts[MOST_TURNS], spread[MOST_TURNS];
  parts[0] = vector_align(rows, LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, lanes),
                                               gen_offset(g, from, dtype, at), ""));
  for (unsigned i = 1; i < rows->step; i++) parts[i] = gen_splat(g, rows->element, lanes);
  gen_take_turns(g, parts, rows->step, spread);
  Value address = gen_offset(g, to, dtype, gen_mul_const(g, at, rows->step));
  for (unsigned i = 0; i < rows->step; i++)
    gen_store_first(g, spread[i], gen_offset_const(g, address, dtype, (int64_t)i * lanes), dtype,
                    i + 1 < rows->step ? lanes : lanes - missing);
}

// The last vector begins where it ends with the row; behind its last element is no gap.
static void spread_row(LlvmGen *g, Value const *index, void *data) {
  const PaddedRows *rows = data;
  Value from, to;
  row_starts(g, rows, index, &from, &to);
  int64_t size = rows->from.dims[rows->from.rank - 1], lanes = rows->lanes,
          whole = (size - 1) / lanes * lanes;
  if (whole) {
    Loop loop;
    loop_begin_count(g, &loop, whole, lanes, 0, NULL);
    store_spread(g, rows, from, to, loop.index, 0);
    loop_end(g, &loop, NULL);
  }
  store_spread(g, rows, from, to, gen_i64(g, size - lanes), rows->step - 1);
}

static void pad_rows(LlvmGen *g, PaddedRows *rows, EachElement row) {
  Value *const places[] = {&rows->from.base, &rows->to.base, &rows->element};
  ParallelEach each = {.rank = (size_t)(rows->to.rank - 1),
                       .dims = rows->to.dims,
                       .body = row,
                       .data = rows,
                       .places = places,
                       .place_count = 3,
                       .work = mem_count(&rows->to) * (int64_t)dtype_size(rows->to.dtype)};
  parallel_each(g, &each);
}

// Rows of few vectors: what stands before and behind them is put into those in which their elements
// are moved, not filled in before.
static bool has_short_rows(const LlvmGen *g, const PaddedRows *rows, const Mem *whole) {
  enum { MOST_VECTORS = 8 }; // a choice: they are written out
  int last = whole->rank - 1;
  return g->target->has_masks && rows->step == 1 && whole->dims[last] != rows->from.dims[last] &&
         whole->dims[last] <= (int64_t)rows->lanes * MOST_VECTORS;
}

// Gaps in rows that can be put between elements as those are moved.
static bool has_spread_rows(const PaddedRows *rows) {
  return rows->step > 1 && rows->step <= MOST_TURNS &&
         rows->from.dims[rows->from.rank - 1] >= rows->lanes;
}

// Whether rows of `to` were made of whole vectors, with what is around or between their elements.
static bool pad_vectors(LlvmGen *g, const Mem *from, const Mem *to, const Moved *moved,
                        Value element) {
  int last = to->rank - 1;
  if (g->shares.all || last < 0 || to->strides[last] != 1 || from->strides[last] != 1) return false;
  PaddedRows rows = {.from = *from,
                     .element = convert_to_storage(g, to->dtype, element),
                     .lanes = g->target->vector_bytes / (unsigned)dtype_size(to->dtype),
                     .step = (unsigned)moved->steps[last]};
  if (rows.lanes > MAX_LANES) return false;
  bool is_short = has_short_rows(g, &rows, to);
  if (!is_short && !has_spread_rows(&rows)) return false;
  Moved runs = *moved;
  runs.steps[last] = 1;
  runs.sizes[last] = is_short ? to->dims[last] : (moved->sizes[last] - 1) * moved->steps[last] + 1;
  if (is_short) runs.to[last] = 0;
  if (is_filled_whole(to, &runs)) return false;
  rows.before = moved->to[last] - runs.to[last];
  rows.to = mem_slice(g, to, runs.to, runs.sizes, runs.steps);
  fill_around(g, to, &runs, element);
  pad_rows(g, &rows, is_short ? short_row : spread_row);
  return true;
}

static void fill_all(LlvmGen *g, const IrOp *op, const Mem *to, Value element) {
  int64_t pieces = parallel_fill(g, to, element);
  if (pieces) gen_report_pieces(g, gen_report(g, op), pieces);
}

// Element i of the operand goes to low + i * (interior + 1); those that fall outside are dropped.
void gen_pad(LlvmGen *g, const IrOp *op, const Mem *to) {
  Moved moved;
  Value element = value_scalar(g, op->operands[1]);
  if (!find_moved(op, to, &moved)) {
    fill_all(g, op, to, element);
    return;
  }
  Mem whole = value_mem(g, op->operands[0]),
      from = mem_slice(g, &whole, moved.from, moved.sizes, NULL);
  if (pad_vectors(g, &from, to, &moved, element)) return;
  if (is_filled_whole(&from, &moved))
    fill_all(g, op, to, element);
  else
    fill_around(g, to, &moved, element);
  Mem part = mem_slice(g, to, moved.to, moved.sizes, moved.steps);
  parallel_copy(g, &part, &from);
}
