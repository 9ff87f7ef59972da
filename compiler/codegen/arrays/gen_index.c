// SPDX-License-Identifier: Apache-2.0
// Gather and scatter: for each index vector a window of the operand, copied or combined as a whole;
// or, where windows have no elements side by side, one element each of a vector of windows.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "gen_index.h"
#include <string.h>
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_report.h"
#include "codegen/memory/gen_picked.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_live.h"
#include "codegen/values/gen_parallel_each.h"
#include "codegen/values/gen_value.h"
#include "gen_columns.h"
#include "ir/analysis/bounds.h"
#include "ir/core/index_mode.h"

typedef struct Windows {
  const IrOp *op;
  Mem operand, indices, values; // values: gather's result, scatter's updates
  int64_t sizes[IR_MAX_RANK];   // of a window, along the operand's dimensions
  bool is_offset[IR_MAX_RANK];  // of the values' dimensions
  int operand_dim[IR_MAX_RANK]; // of an offset dimension
  int outer; // so many offset dimensions come before all others, and are gone through outside of
             // the index vectors: the result is written from its start to its end
  bool clip;
  Range range; // of the indices
  ScatterCombine combine;
} Windows;

static void windows_init(LlvmGen *g, Windows *w, const IrOp *op) {
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS),
         collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS);
  IrInts batch = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  w->op = op;
  w->indices = value_mem(g, op->operands[1]);
  w->range = bounds_of(op->operands[1]);
  w->clip = ir_clips_windows(op);
  for (int i = 0; i < w->operand.rank; i++) w->sizes[i] = 1;
  int dim = 0;
  for (size_t i = 0; i < offset.count; i++) {
    while (ir_ints_have(collapsed, dim) || ir_ints_have(batch, dim)) dim++;
    w->is_offset[offset.items[i]] = true;
    w->operand_dim[offset.items[i]] = dim;
    w->sizes[dim++] = w->values.dims[offset.items[i]];
  }
}

// Whether windows lie in the operand along a dimension whatever the indices are.
static bool is_surely_inside(const Windows *w, int64_t dim) {
  return w->range.low >= 0 && w->range.high <= w->operand.dims[dim] - w->sizes[dim];
}

// Where the window of the index vector at `batch` starts; *inside: whether it lies in the operand
// (NULL if it always does).
static void window_starts(LlvmGen *g, const Windows *w, Value const *batch, size_t batch_rank,
                          Value *starts, Value *inside) {
  IrInts map = ir_attr_ints(w->op, ATTR_INDEX_MAP);
  IrInts operand_batch = ir_attr_ints(w->op, ATTR_OPERAND_BATCH),
         index_batch = ir_attr_ints(w->op, ATTR_INDEX_BATCH);
  Value at[IR_MAX_RANK];
  for (size_t i = 0; i < batch_rank; i++) at[i] = batch[i];
  for (int i = 0; i < w->operand.rank; i++) starts[i] = gen_i64(g, 0);
  for (size_t i = 0; i < map.count; i++) {
    at[batch_rank] = gen_i64(g, (int64_t)i);
    Value index = mem_load(g, &w->indices, at);
    starts[map.items[i]] = convert_dtype(g, index, w->indices.dtype, DT_I64);
  }
  for (size_t i = 0; i < operand_batch.count; i++)
    starts[operand_batch.items[i]] = batch[index_batch.items[i]];
  *inside = NULL;
  for (size_t i = 0; i < map.count; i++) {
    int64_t d = map.items[i], last = w->operand.dims[d] - w->sizes[d];
    if (is_surely_inside(w, d)) continue;
    if (w->clip) {
      starts[d] = gen_intrinsic2(g, "llvm.smax",
                                 gen_intrinsic2(g, "llvm.smin", starts[d], gen_i64(g, last)),
                                 gen_i64(g, 0));
      continue;
    }
    Value fits = emit_and(g, emit_icmp_c(g, LLVMIntSGE, starts[d], 0),
                          emit_icmp_c(g, LLVMIntSLE, starts[d], last));
    *inside = *inside ? emit_and(g, *inside, fits) : fits;
  }
}

// The window in the operand, and the same in the values, with equal dimensions; of the outer ones,
// which come before `batch`, what is at these coordinates.
static void window_mems(LlvmGen *g, const Windows *w, Value const *batch, Value *starts,
                        Mem *in_operand, Mem *in_values) {
  *in_operand = w->operand;
  *in_values = w->values;
  Value at[IR_MAX_RANK];
  int rank = 0, next = 0;
  for (int i = 0; i < w->values.rank; i++) {
    bool is_outer = i < w->outer;
    at[i] = is_outer ? batch[i - w->outer] : w->is_offset[i] ? gen_i64(g, 0) : batch[next++];
    if (is_outer) starts[w->operand_dim[i]] = gen_add(g, starts[w->operand_dim[i]], at[i]);
    if (is_outer || !w->is_offset[i]) continue;
    in_values->dims[rank] = in_operand->dims[rank] = w->values.dims[i];
    in_values->strides[rank] = w->values.strides[i];
    in_operand->strides[rank] = w->operand.strides[w->operand_dim[i]];
    rank++;
  }
  in_operand->rank = in_values->rank = (uint8_t)rank;
  in_values->base = mem_address(g, &w->values, at);
  in_operand->base = mem_address(g, &w->operand, starts);
}

static size_t outer_dims(const Windows *w, int64_t *dims) {
  for (int i = 0; i < w->outer; i++) dims[i] = w->values.dims[i];
  return (size_t)w->outer;
}

static size_t batch_dims(const Windows *w, int64_t *dims) {
  size_t rank = 0;
  for (int i = 0; i < w->values.rank; i++)
    if (!w->is_offset[i]) dims[rank++] = w->values.dims[i];
  return rank;
}

// Whether the elements of a window lie side by side for less than a register: then they go one by
// one.
static bool has_short_runs(const LlvmGen *g, const Windows *w) {
  int64_t run = 1;
  for (int i = 0; i < w->operand.rank; i++)
    if (w->operand.strides[i] == 1) run = w->sizes[i];
  return run * (int64_t)dtype_size(w->operand.dtype) < g->target->vector_bytes;
}

static RemarkItem *report_windows(const LlvmGen *g, const Windows *w, ReasonId id, bool in_place) {
  if (!remark_is_on(g->session)) return NULL;
  int64_t count = 1;
  for (int i = 0; i < w->operand.rank; i++) count *= w->sizes[i];
  Reason why = {id, w->op->span, str_format(g->arena, "%lld", (long long)count)};
  RemarkItem *item = gen_report(g, w->op);
  if (in_place) remark_text(g->session, item, FACT_PLACE, STR("in place"));
  if (has_short_runs(g, w))
    remark_reason(g->session, item, &why);
  else
    remark_reason_of_little(g->session, item, &why);
  return item;
}

// ---- gather by vectors --------------------------------------------------------------------------
// Lanes are index vectors that follow each other: the last dimension of the result.
typedef struct LaneGather {
  const Windows *w;
  unsigned lanes;
  Value const *outer; // all coordinates of the result but the last
} LaneGather;

// Offsets in elements are counted in 32 bits, with a sign.
static bool has_small_offsets(const Windows *w) {
  int64_t last = 0;
  for (int i = 0; i < w->operand.rank; i++)
    last += (w->operand.dims[i] - 1) * w->operand.strides[i];
  return last < INT32_MAX / 8;
}

static bool can_gather_lanes(const LlvmGen *g, const Windows *w, unsigned lanes) {
  int last = w->values.rank - 1;
  return last >= 0 && !w->is_offset[last] && w->values.strides[last] == 1 &&
         w->values.dims[last] >= lanes && dtype_size(w->values.dtype) == 4 &&
         (dtype_size(w->indices.dtype) < 4 || w->indices.dtype == DT_I32) && w->operand.rank > 0 &&
         has_small_offsets(w) && has_short_runs(g, w) && g->target->vector_bytes >= 32 &&
         !g->options->check;
}

// A component of the indices of these lanes.
static Value lane_indices(LlvmGen *g, const LaneGather *l, Value const *at) {
  const Mem *indices = &l->w->indices;
  DType dtype = indices->dtype;
  unsigned align = (unsigned)dtype_size(dtype);
  int64_t step = indices->strides[indices->rank - 2];
  Value address = mem_address(g, indices, at);
  if (step == 1)
    return convert_dtype(g, mem_load_vector(g, address, dtype, align, l->lanes, l->lanes), dtype,
                         DT_I32);
  Value result = LLVMGetPoison(LLVMVectorType(g->i32, l->lanes));
  for (unsigned i = 0; i < l->lanes; i++) {
    Value item =
        mem_load_vector(g, gen_offset_const(g, address, dtype, step * i), dtype, align, 1, 1);
    result = LLVMBuildInsertElement(g->builder, result, convert_dtype(g, item, dtype, DT_I32),
                                    gen_i32(g, i), "");
  }
  return result;
}

static Value offset_of(LlvmGen *g, Value index, int64_t stride) {
  return emit_mul(g, index, gen_int_like(index, stride));
}

// Adds a component to the offsets; *inside: as window_starts has it.
static Value add_component(LlvmGen *g, const Windows *w, int64_t dim, Value index, Value offsets,
                           Value *inside) {
  int64_t last = w->operand.dims[dim] - w->sizes[dim];
  bool is_inside = is_surely_inside(w, dim);
  Value first = gen_int_like(index, 0), most = gen_int_like(index, last);
  Value held = is_inside ? index
                         : gen_intrinsic2(g, "llvm.smax",
                                          gen_intrinsic2(g, "llvm.smin", index, most), first);
  if (!w->clip && !is_inside) {
    Value fits = emit_icmp(g, LLVMIntEQ, held, index);
    *inside = *inside ? emit_and(g, *inside, fits) : fits;
  }
  Value offset = offset_of(g, held, w->operand.strides[dim]);
  return offsets ? emit_add(g, offsets, offset) : offset;
}

// The address that offsets count from, and the offsets of what differs by lane alone.
static Value lane_base(LlvmGen *g, const LaneGather *l, Value const *batch, size_t batch_rank,
                       Value *offsets) {
  const Windows *w = l->w;
  IrInts operand_batch = ir_attr_ints(w->op, ATTR_OPERAND_BATCH),
         index_batch = ir_attr_ints(w->op, ATTR_INDEX_BATCH);
  Value starts[IR_MAX_RANK];
  for (int i = 0; i < w->operand.rank; i++) starts[i] = gen_i64(g, 0);
  for (int i = 0; i < w->values.rank; i++)
    if (w->is_offset[i]) starts[w->operand_dim[i]] = l->outer[i];
  for (size_t i = 0; i < operand_batch.count; i++) {
    int64_t dim = operand_batch.items[i];
    starts[dim] = batch[index_batch.items[i]];
    if (index_batch.items[i] != (int64_t)batch_rank - 1) continue;
    Value steps[64];
    for (unsigned k = 0; k < l->lanes; k++) steps[k] = gen_i32(g, w->operand.strides[dim] * k);
    *offsets = LLVMConstVector(steps, l->lanes);
  }
  return mem_address(g, &w->operand, starts);
}

// An index that is inside whatever it is goes from memory into the address.
typedef struct IndexLine {
  const Mem *indices;
  Value address;  // of the first lane's
  int64_t stride; // of the operand, along the dimension that they index
} IndexLine;

static Value index_offset(LlvmGen *g, const void *data, unsigned lane) {
  const IndexLine *line = data;
  DType dtype = line->indices->dtype;
  int64_t step = line->indices->strides[line->indices->rank - 2];
  Value item = mem_load_vector(g, gen_offset_const(g, line->address, dtype, step * lane), dtype,
                               (unsigned)dtype_size(dtype), 1, 1);
  return offset_of(g, convert_dtype(g, item, dtype, DT_I64), line->stride);
}

// Lanes that are not inside get `fill`; their offsets are brought inside.
static Value load_lanes(LlvmGen *g, Value fill, Value base, Value offsets, Value inside) {
  Value got = gen_pick(g, LLVMTypeOf(fill), base, offsets, inside, gen_lanes(fill));
  return inside ? emit_select(g, inside, got, fill) : got;
}

static void gather_lanes(LlvmGen *g, const LaneGather *l, Value first) {
  const Windows *w = l->w;
  IrInts map = ir_attr_ints(w->op, ATTR_INDEX_MAP);
  Value batch[IR_MAX_RANK], at[IR_MAX_RANK], inside = NULL, offsets = NULL, got;
  size_t batch_rank = 0;
  for (int i = 0; i < w->values.rank; i++) {
    at[i] = i + 1 < w->values.rank ? l->outer[i] : first;
    if (!w->is_offset[i]) batch[batch_rank++] = at[i];
  }
  Value base = lane_base(g, l, batch, batch_rank, &offsets);
  Value fill = gen_splat(
      g, gen_const_element(g, w->values.dtype, ir_attr_data(w->op, ATTR_FILL)->bytes), l->lanes);
  bool is_plain = map.count == 1 && !offsets && is_surely_inside(w, map.items[0]);
  if (is_plain && !g->target->gathers_quickly) {
    batch[batch_rank] = gen_i64(g, 0);
    IndexLine line = {&w->indices, mem_address(g, &w->indices, batch),
                      w->operand.strides[map.items[0]]};
    got = gen_pick_apart(g, LLVMTypeOf(fill), base, index_offset, &line, l->lanes);
  } else {
    for (size_t i = 0; i < map.count; i++) {
      batch[batch_rank] = gen_i64(g, (int64_t)i);
      offsets = add_component(g, w, map.items[i], lane_indices(g, l, batch), offsets, &inside);
    }
    got = load_lanes(g, fill, base, offsets, inside);
  }
  mem_store_vector(g, got, mem_address(g, &w->values, at), w->values.dtype, 4, l->lanes);
}

// The last vector begins where it ends with the row.
static void gather_row(LlvmGen *g, Value const *outer, void *data) {
  LaneGather l = *(const LaneGather *)data;
  l.outer = outer;
  int64_t size = l.w->values.dims[l.w->values.rank - 1], whole = size / l.lanes * l.lanes;
  Loop loop;
  loop_begin_count(g, &loop, whole, l.lanes, 0, NULL);
  gather_lanes(g, &l, loop.index);
  loop_end(g, &loop, NULL);
  if (whole < size) gather_lanes(g, &l, gen_i64(g, size - l.lanes));
}

// ---- gather -------------------------------------------------------------------------------------
static void gather_window(LlvmGen *g, Value const *at, void *data) {
  const Windows *w = data;
  Value const *batch = at + w->outer;
  int64_t dims[IR_MAX_RANK];
  Value starts[IR_MAX_RANK], inside;
  window_starts(g, w, batch, batch_dims(w, dims), starts, &inside);
  Mem from, to;
  if (!inside) {
    window_mems(g, w, batch, starts, &from, &to);
    mem_copy(g, &to, &from);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, inside, true);
  Value kept[IR_MAX_RANK];
  memcpy(kept, starts, sizeof kept);
  window_mems(g, w, batch, starts, &from, &to);
  mem_copy(g, &to, &from);
  branch_else(g, &branch);
  window_mems(g, w, batch, kept, &from, &to);
  mem_fill(g, &to, gen_const_element(g, to.dtype, ir_attr_data(w->op, ATTR_FILL)->bytes));
  branch_end(g, &branch);
}

// Of windows of one element, which need no branch: what the loop around them does takes as long as
// they do.
enum { WINDOWS_OF_TURN = 8 };

static bool has_simple_windows(const Windows *w, const int64_t *dims, size_t rank) {
  if (rank == 0 || (size_t)w->outer == rank || dims[rank - 1] % WINDOWS_OF_TURN) return false;
  IrInts map = ir_attr_ints(w->op, ATTR_INDEX_MAP);
  for (size_t i = 0; i < map.count; i++)
    if (!w->clip && !is_surely_inside(w, map.items[i])) return false;
  for (int i = w->outer; i < w->values.rank; i++)
    if (w->is_offset[i] && w->values.dims[i] != 1) return false;
  return true;
}

// The last coordinate counts turns.
static void gather_turn(LlvmGen *g, Value const *at, void *data) {
  const Windows *w = data;
  int64_t dims[IR_MAX_RANK];
  size_t rank = (size_t)w->outer + batch_dims(w, dims);
  Value place[IR_MAX_RANK];
  memcpy(place, at, rank * sizeof *place);
  for (int64_t i = 0; i < WINDOWS_OF_TURN; i++) {
    place[rank - 1] = emit_add_c(g, gen_mul_const(g, at[rank - 1], WINDOWS_OF_TURN), i);
    gather_window(g, place, data);
  }
}

static int64_t gather_work(const Windows *w) {
  enum { WINDOW_WORK = 10 }; // measured: lookup_clipped of tests/bench/wide
  int64_t dims[IR_MAX_RANK], windows = 1;
  for (size_t i = batch_dims(w, dims); i-- > 0;) windows *= dims[i];
  return windows * WINDOW_WORK + mem_count(&w->values) * (int64_t)dtype_size(w->values.dtype);
}

void gen_gather(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  Windows w = {.operand = value_mem(g, op->operands[0])};
  Buffer *buffer = destination_take(g, result, &w.values);
  windows_init(g, &w, op);
  LaneGather lanes = {.w = &w, .lanes = g->target->vector_bytes / 4};
  while (w.outer < w.values.rank && w.is_offset[w.outer]) w.outer++;
  int64_t dims[IR_MAX_RANK];
  size_t rank = outer_dims(&w, dims);
  rank += batch_dims(&w, dims + rank);
  Value *const places[] = {&w.operand.base, &w.indices.base, &w.values.base};
  ParallelEach each = {.rank = rank,
                       .dims = dims,
                       .body = gather_window,
                       .data = &w,
                       .places = places,
                       .place_count = 3,
                       .work = gather_work(&w)};
  unsigned known;
  if (mem_count(&w.values) == 0) {
    gen_report(g, op);
  } else if (gather_known_columns(g, op, &w.operand, &w.values, &known)) {
    remark_number(g->session, gen_report(g, op), FACT_LANES, known);
  } else if (can_gather_lanes(g, &w, lanes.lanes)) {
    RemarkItem *item = gen_report(g, op);
    remark_number(g->session, item, FACT_LANES, lanes.lanes);
    each.rank = w.values.rank - 1;
    each.dims = w.values.dims;
    each.body = gather_row;
    each.data = &lanes;
    gen_report_pieces(g, item, parallel_each(g, &each));
  } else {
    if (has_simple_windows(&w, dims, rank)) {
      dims[rank - 1] /= WINDOWS_OF_TURN;
      each.body = gather_turn;
    }
    gen_report_pieces(g, report_windows(g, &w, REASON_SCALAR_GATHER, false),
                      parallel_each(g, &each));
  }
  value_bind_result(g, result, &w.values, buffer);
}

// ---- scatter ------------------------------------------------------------------------------------
typedef struct Combine {
  Mem to, from;
  OpCode code;
  unsigned lanes; // 1 if elements do not lie side by side
} Combine;

static void combine_part(LlvmGen *g, const Combine *c, Value const *index, unsigned lanes) {
  unsigned align = (unsigned)dtype_size(c->to.dtype);
  Value to = mem_address(g, &c->to, index), from = mem_address(g, &c->from, index);
  Value sum =
      elem_binary(g, c->code, c->to.dtype, mem_load_vector(g, to, c->to.dtype, align, lanes, lanes),
                  mem_load_vector(g, from, c->from.dtype, align, lanes, lanes));
  mem_store_vector(g, sum, to, c->to.dtype, align, lanes);
}

// Along the last dimension.
static void combine_row(LlvmGen *g, Value const *outer, void *data) {
  const Combine *c = data;
  int last = c->to.rank - 1;
  int64_t size = c->to.dims[last], whole = size / c->lanes * c->lanes;
  Value index[IR_MAX_RANK];
  for (int i = 0; i < last; i++) index[i] = outer[i];
  for (int part = 0; part < 2; part++) {
    int64_t begin = part ? whole : 0, end = part ? size : whole;
    if (begin == end) continue;
    unsigned lanes = part ? 1 : c->lanes;
    Loop loop;
    loop_begin(g, &loop, gen_i64(g, begin), gen_i64(g, end), lanes, 0, NULL, false);
    index[last] = loop.index;
    combine_part(g, c, index, lanes);
    loop_end(g, &loop, NULL);
  }
}

static void combine(LlvmGen *g, Combine *c) {
  int last = c->to.rank - 1;
  if (last < 0) {
    combine_part(g, c, NULL, 1);
    return;
  }
  bool is_dense = c->to.strides[last] == 1 && c->from.strides[last] == 1;
  c->lanes = is_dense ? g->target->vector_bytes / 4 : 1;
  mem_each(g, (size_t)last, c->to.dims, combine_row, c);
}

static void put_window(LlvmGen *g, const Windows *w, Value const *batch, Value *starts) {
  Combine c = {.code = ir_combine_op(w->combine)};
  window_mems(g, w, batch, starts, &c.to, &c.from);
  if (w->combine == COMBINE_SET)
    mem_copy(g, &c.to, &c.from);
  else
    combine(g, &c);
}

static void scatter_window(LlvmGen *g, Value const *batch, void *data) {
  const Windows *w = data;
  int64_t dims[IR_MAX_RANK];
  Value starts[IR_MAX_RANK], inside;
  window_starts(g, w, batch, batch_dims(w, dims), starts, &inside);
  if (!inside) {
    put_window(g, w, batch, starts);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, inside, true);
  put_window(g, w, batch, starts);
  branch_end_then(g, &branch);
}

// Its memory may be written while it is read.
static bool is_read_elsewhere(const IrOp *op) {
  return op->operands[1] == op->operands[0] || op->operands[2] == op->operands[0];
}

void gen_scatter(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  Mem from = value_mem(g, op->operands[0]);
  Windows w = {.values = value_mem(g, op->operands[2]),
               .combine = (ScatterCombine)ir_attr_int(op, ATTR_COMBINE)};
  Buffer *buffer =
      is_read_elsewhere(op) ? NULL : live_take_over(g, op->operands[0], op, &w.operand);
  bool is_in_place = buffer;
  if (buffer) {
    frame_keep(buffer);
  } else {
    buffer = destination_take(g, result, &w.operand);
    is_in_place = w.operand.base == from.base; // of what was loaded
  }
  if (!is_in_place) mem_copy(g, &w.operand, &from);
  windows_init(g, &w, op);
  int64_t dims[IR_MAX_RANK];
  size_t rank = batch_dims(&w, dims);
  report_windows(g, &w, REASON_SCALAR_SCATTER, is_in_place);
  if (mem_count(&w.values) != 0) mem_each(g, rank, dims, scatter_window, &w);
  value_bind_result(g, result, &w.operand, buffer);
}
