// SPDX-License-Identifier: Apache-2.0
// Reductions, cumulative ops, dot, sort, gather and scatter on known data: plain loops in the order
// that ops.def gives.
#include "base/checked.h"
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/ir.h"
#include "cells.h"
#include "evaluate.h"
#include "ir/core/index_mode.h"

#include <math.h>
#include <string.h>

#define MAX_DOT ((int64_t)1 << 30) // multiplications; beyond: "too large"

// ---- reductions --------------------------------------------------------------------------------
// A running value: floats in what the type is computed in, integers modulo 2^64 or exact.
typedef struct Running {
  double f;
  int64_t i;
  bool is_set;
} Running;

static void running_add(Running *running, OpCode step, DType dtype, const char *element) {
  bool is_float = dtype_is_float(dtype);
  double f = is_float ? evaluate_operand(dtype, element) : 0;
  int64_t i = is_float ? 0 : dtype_load_i64(dtype, element);
  if (!running->is_set) {
    running->f = f;
    running->i = i;
    running->is_set = true;
  } else if (is_float) {
    running->f = evaluate_float_binary(step, dtype_computed_in(dtype), running->f, f);
  } else {
    running->i = evaluate_int_binary(step, dtype, running->i, i);
  }
}

static void running_store(const Running *running, DType dtype, char *out) {
  if (dtype_is_float(dtype))
    dtype_store_f64(dtype, out, running->f);
  else
    dtype_store_i64(dtype, out, running->i);
}

// The set of reduced dimensions, and what a step along each dimension of the operand is in the
// result.
static unsigned reduced_steps(const IrOp *op, const IrType *x, const IrType *result,
                              int64_t steps[IR_MAX_RANK]) {
  IrInts axes = ir_attr_ints(op, ATTR_AXES);
  int64_t strides[IR_MAX_RANK];
  unsigned reduced = 0;
  evaluate_strides(result, strides);
  for (size_t i = 0; i < axes.count; i++) reduced |= 1u << axes.items[i];
  for (int i = 0, kept = 0; i < x->rank; i++) steps[i] = reduced >> i & 1 ? 0 : strides[kept++];
  return reduced;
}

// What goes into one element of the result.
typedef struct Along {
  IrType type;                // of the reduced dimensions
  int64_t steps[IR_MAX_RANK]; // between elements of the operand
  int lane; // of these, the operand's last one that is not one; -1: it is not reduced
} Along;

static Along along_of(const IrType *x, unsigned reduced) {
  Along along = {.lane = -1};
  int64_t strides[IR_MAX_RANK];
  evaluate_strides(x, strides);
  for (int i = 0; i < x->rank; i++) {
    if (x->dims[i] != 1) along.lane = reduced >> i & 1 ? along.type.rank : -1;
    if (!(reduced >> i & 1)) continue;
    along.steps[along.type.rank] = strides[i];
    along.type.dims[along.type.rank++] = x->dims[i];
  }
  return along;
}

static int64_t place_along(const Along *along, const Walk *walk) {
  int64_t place = 0;
  for (int i = 0; i < walk->rank; i++) place += walk->at[i] * along->steps[i];
  return place;
}

// Sums and products of floats, in the order that docs/numbers.md says.
static void reduce_floats(const IrOp *op, const Cells *x, const Along *along, int64_t base,
                          char *out) {
  OpCode step = arithmetic_of(op->code)->step;
  DType computed = dtype_computed_in(x->dtype);
  double partial[SUM_LANES];
  for (int i = 0; i < SUM_LANES; i++)
    partial[i] = arithmetic_float(arithmetic_neutral(op->code, x->dtype), x->dtype);
  Walk walk;
  for (bool go = evaluate_walk_start(&walk, &along->type); go; go = evaluate_walk_next(&walk)) {
    double *to = &partial[along->lane < 0 ? 0 : walk.at[along->lane] % SUM_LANES];
    const char *element = cell_at(x, base + place_along(along, &walk));
    *to = evaluate_float_binary(step, computed, *to, evaluate_operand(x->dtype, element));
  }
  for (int n = SUM_LANES / 2; n && along->lane >= 0; n /= 2)
    for (int i = 0; i < n; i++)
      partial[i] = evaluate_float_binary(step, computed, partial[i], partial[i + n]);
  dtype_store_f64(op->results[0]->type->dtype, out, partial[0]);
}

static void reduce_others(const IrOp *op, const Cells *x, const Along *along, int64_t base,
                          char *out) {
  DType dtype = op->results[0]->type->dtype;
  Running running = {.is_set = false};
  Walk walk;
  for (bool go = evaluate_walk_start(&walk, &along->type); go; go = evaluate_walk_next(&walk))
    running_add(&running, arithmetic_of(op->code)->step, x->dtype,
                cell_at(x, base + place_along(along, &walk)));
  if (running.is_set)
    running_store(&running, dtype, out);
  else
    arithmetic_store(arithmetic_neutral(op->code, dtype), dtype, out);
}

// The operand's position of the first element that goes into each element of the result, then along
// the reduced dimensions in row-major order: the order in which the whole operand is walked anyway.
static void reduce(const IrOp *op, const Cells *x, Cells *result) {
  int64_t steps[IR_MAX_RANK], strides[IR_MAX_RANK], outer[IR_MAX_RANK];
  unsigned reduced = reduced_steps(op, x->type, result->type, steps);
  bool is_ordered =
      dtype_is_float(x->dtype) && (op->code == OP_REDUCE_SUM || op->code == OP_REDUCE_PROD);
  Along along = along_of(x->type, reduced);
  evaluate_strides(x->type, strides);
  for (int i = 0, kept = 0; i < x->type->rank; i++)
    if (!(reduced >> i & 1)) outer[kept++] = strides[i];
  Walk walk;
  for (bool more = evaluate_walk_start(&walk, result->type); more;
       more = evaluate_walk_next(&walk)) {
    int64_t base = 0;
    for (int i = 0; i < walk.rank; i++) base += walk.at[i] * outer[i];
    (is_ordered ? reduce_floats : reduce_others)(op, x, &along, base, cell_at(result, walk.linear));
  }
}

static int compare_integers(DType dtype, const char *a, const char *b) {
  int64_t x = dtype_load_i64(dtype, a), y = dtype_load_i64(dtype, b);
  if (dtype == DT_U64) return ((uint64_t)x > (uint64_t)y) - ((uint64_t)x < (uint64_t)y);
  return (x > y) - (x < y);
}

// Whether `a` comes before `b` for argmax or argmin; a NaN before everything else.
static bool is_better(OpCode code, DType dtype, const char *a, const char *b) {
  if (dtype_is_float(dtype)) {
    double x = evaluate_operand(dtype, a), y = evaluate_operand(dtype, b);
    if (y != y) return false;
    if (x != x) return true;
    return code == OP_ARGMAX ? x > y : x < y;
  }
  int order = compare_integers(dtype, a, b);
  return code == OP_ARGMAX ? order > 0 : order < 0;
}

static void reduce_arg(const IrOp *op, const Cells *x, Cells *result) {
  int64_t axis = ir_attr_ints(op, ATTR_AXES).items[0], strides[IR_MAX_RANK];
  evaluate_strides(x->type, strides);
  Walk walk;
  for (bool more = evaluate_walk_start(&walk, result->type); more;
       more = evaluate_walk_next(&walk)) {
    int64_t base = 0, best = 0;
    for (int i = 0; i < walk.rank; i++) base += walk.at[i] * strides[i < axis ? i : i + 1];
    for (int64_t i = 1; i < x->type->dims[axis]; i++)
      if (is_better(op->code, x->dtype, cell_at(x, base + i * strides[axis]),
                    cell_at(x, base + best * strides[axis])))
        best = i;
    dtype_store_i64(result->dtype, cell_at(result, walk.linear), best);
  }
}

// log(exp(x) + exp(y)), each step rounded to the type.
static double log_add_exp(DType dtype, double x, double y) {
  if (x != x || y != y) return x + y;
  double high = x > y ? x : y, low = x > y ? y : x;
  if (isinf(high)) return high;
  double part = evaluate_round(dtype, exp(evaluate_round(dtype, low - high)));
  return evaluate_round(dtype, high + evaluate_round(dtype, log1p(part)));
}

static double next_sum(const IrOp *op, double sum, double element) {
  DType dtype = op->results[0]->type->dtype;
  if (op->code == OP_CUMLOGSUMEXP) return log_add_exp(dtype, sum, element);
  double next =
      evaluate_float_binary(arithmetic_of(op->code)->step, dtype_computed_in(dtype), sum, element);
  return evaluate_round(dtype, next);
}

// The sums of a line in its own place: of its blocks, to each of which that of all blocks before
// it, or behind it, is added.
static void scan_line(Arena *arena, const IrOp *op, double *line, int64_t size) {
  bool reverse = ir_attr_int(op, ATTR_REVERSE);
  int64_t blocks = (size + SCAN_BLOCK - 1) / SCAN_BLOCK;
  double start = arithmetic_float(arithmetic_neutral(op->code, op->results[0]->type->dtype),
                                  op->results[0]->type->dtype);
  double *sums = ARENA_ARRAY(arena, double, (size_t)blocks + 1);
  for (int64_t b = 0; b < blocks; b++) {
    double *block = line + b * SCAN_BLOCK, sum = start;
    int64_t count = size - b * SCAN_BLOCK < SCAN_BLOCK ? size - b * SCAN_BLOCK : SCAN_BLOCK;
    for (int64_t i = 0; i < count; i++) {
      if (reverse) sum = start;
      for (int64_t k = i; k < (reverse ? count : i + 1); k++) sum = next_sum(op, sum, block[k]);
      block[i] = sum;
    }
    sums[b] = block[reverse ? 0 : count - 1];
  }
  if (blocks <= 1) return;
  scan_line(arena, op, sums, blocks);
  for (int64_t i = 0; i < size; i++) {
    int64_t before = i / SCAN_BLOCK + (reverse ? 1 : -1);
    line[i] = next_sum(op, line[i], before < 0 || before == blocks ? start : sums[before]);
  }
}

static void cumulate(Arena *arena, const IrOp *op, const Cells *x, Cells *result) {
  int64_t dim = ir_attr_int(op, ATTR_DIM), strides[IR_MAX_RANK];
  bool reverse = ir_attr_int(op, ATTR_REVERSE),
       in_blocks = arithmetic_in_blocks(op->code, x->dtype);
  int64_t size = x->type->dims[dim];
  evaluate_strides(x->type, strides);
  double *line = ARENA_ARRAY(arena, double, in_blocks ? (size_t)size + 1 : 1);
  Walk walk;
  for (bool more = evaluate_walk_start(&walk, x->type); more; more = evaluate_walk_next(&walk)) {
    if (walk.at[dim]) continue; // one run for each line along the dimension
    Running running = {.is_set = false};
    for (int64_t i = 0; i < size; i++) {
      int64_t at = walk.linear + (reverse && !in_blocks ? size - 1 - i : i) * strides[dim];
      if (in_blocks) {
        line[i] = evaluate_operand(x->dtype, cell_at(x, at));
        continue;
      }
      running_add(&running, arithmetic_of(op->code)->step, x->dtype, cell_at(x, at));
      running_store(&running, result->dtype, cell_at(result, at));
    }
    if (!in_blocks) continue;
    ArenaMark mark = arena_mark(arena);
    scan_line(arena, op, line, size);
    arena_release(arena, mark);
    for (int64_t i = 0; i < size; i++)
      dtype_store_f64(result->dtype, cell_at(result, walk.linear + i * strides[dim]), line[i]);
  }
}

bool evaluate_reduce(Arena *arena, const IrOp *op, const Cells *operands, Cells *result) {
  OpClass op_class = op_info(op->code)->op_class;
  if (op_class == CLASS_CUMULATIVE) {
    cumulate(arena, op, operands, result);
    return true;
  }
  if (op_class != CLASS_REDUCE) return false;
  if (op->code == OP_ARGMAX || op->code == OP_ARGMIN)
    reduce_arg(op, operands, result);
  else
    reduce(op, operands, result);
  return true;
}

// ---- dot ---------------------------------------------------------------------------------------
// Strides of the result's dimensions in one operand: `first` of them are batch, then `before` are
// the other's.
static void dot_steps(const IrType *x, IrInts contract, IrInts batch, size_t skip, int64_t *steps,
                      int64_t *contract_steps) {
  int64_t strides[IR_MAX_RANK];
  unsigned used = 0;
  evaluate_strides(x, strides);
  for (size_t i = 0; i < contract.count; i++) {
    used |= 1u << contract.items[i];
    contract_steps[i] = strides[contract.items[i]];
  }
  for (size_t i = 0; i < batch.count; i++) {
    used |= 1u << batch.items[i];
    steps[i] = strides[batch.items[i]];
  }
  size_t at = batch.count + skip;
  for (int i = 0; i < x->rank; i++)
    if (!(used >> i & 1)) steps[at++] = strides[i];
}

// Inputs as the precision has them: bf16 where its name says so.
static double dot_input(const Cells *x, int64_t i, bool in_bf16) {
  double value = dtype_load_f64(x->dtype, cell_at(x, i));
  return in_bf16 ? evaluate_round(DT_BF16, value) : value;
}

static bool dot(const IrOp *op, const Cells *operands, Cells *result) {
  const Cells *x = &operands[0], *y = &operands[1];
  const DotSides s = ir_dot_sides(op);
  IrInts xc = s.contract[0], yc = s.contract[1], xb = s.batch[0], yb = s.batch[1];
  size_t x_free = x->type->rank - xc.count - xb.count;
  int64_t x_steps[2 * IR_MAX_RANK] = {0}, y_steps[2 * IR_MAX_RANK] = {0};
  int64_t xc_steps[IR_MAX_RANK], yc_steps[IR_MAX_RANK], work;
  dot_steps(x->type, xc, xb, 0, x_steps, xc_steps);
  dot_steps(y->type, yc, yb, x_free, y_steps, yc_steps);
  IrType inner = {.rank = (uint8_t)xc.count};
  for (size_t i = 0; i < xc.count; i++) inner.dims[i] = x->type->dims[xc.items[i]];
  if (!mul_i64(result->count, ir_type_count(&inner), &work) || work > MAX_DOT) return false;
  bool in_bf16 = ir_attr_int(op, ATTR_PRECISION) == PRECISION_BF16;
  DType sums = ir_dot_summed_in(op);
  bool is_float = dtype_is_float(sums);
  int64_t block = ir_dot_sum_block(op);
  Walk walk, along;
  for (bool more = evaluate_walk_start(&walk, result->type); more;
       more = evaluate_walk_next(&walk)) {
    int64_t x_base = 0, y_base = 0;
    double sum = 0, before = -0.0; // the blocks that are done
    int64_t terms = 0;             // of this one
    uint64_t total = 0;            // modulo 2^64, which is modulo 2^32 as well
    if (op->operand_count == 3 && is_float)
      before = dtype_load_f64(sums, cell_at(&operands[2], walk.linear));
    else if (op->operand_count == 3)
      total = (uint64_t)dtype_load_i64(sums, cell_at(&operands[2], walk.linear));
    for (int i = 0; i < walk.rank; i++) {
      x_base += walk.at[i] * x_steps[i];
      y_base += walk.at[i] * y_steps[i];
    }
    for (bool go = evaluate_walk_start(&along, &inner); go; go = evaluate_walk_next(&along)) {
      int64_t a = x_base, b = y_base;
      if (terms++ == block) {
        before = evaluate_round(sums, before + sum);
        sum = 0;
        terms = 1;
      }
      for (int i = 0; i < along.rank; i++) {
        a += along.at[i] * xc_steps[i];
        b += along.at[i] * yc_steps[i];
      }
      if (sums == DT_F64)
        sum = fma(dot_input(x, a, in_bf16), dot_input(y, b, in_bf16), sum);
      else if (is_float)
        sum = (double)fmaf((float)dot_input(x, a, in_bf16), (float)dot_input(y, b, in_bf16),
                           (float)sum);
      else
        total += (uint64_t)dtype_load_i64(x->dtype, cell_at(x, a)) *
                 (uint64_t)dtype_load_i64(y->dtype, cell_at(y, b));
    }
    if (is_float)
      dtype_store_f64(result->dtype, cell_at(result, walk.linear),
                      evaluate_round(sums, before + sum));
    else
      dtype_store_i64(result->dtype, cell_at(result, walk.linear),
                      sums == DT_I64 ? (int64_t)total : (int64_t)(int32_t)total);
  }
  return true;
}

// ---- sort --------------------------------------------------------------------------------------
// NaN is the greatest, zeros are equal.
static int compare_elements(DType dtype, const char *a, const char *b) {
  if (dtype_is_float(dtype)) {
    double x = dtype_load_f64(dtype, a), y = dtype_load_f64(dtype, b);
    if (x != x || y != y) return (x != x) - (y != y);
    return (x > y) - (x < y);
  }
  return compare_integers(dtype, a, b);
}

typedef struct Sorter {
  const Cells *operands;
  int64_t keys, stride, base;
  bool descending;
} Sorter;

static bool is_behind(const Sorter *s, int64_t a, int64_t b) {
  for (int64_t k = 0; k < s->keys; k++) {
    const Cells *key = &s->operands[k];
    int order = compare_elements(key->dtype, cell_at(key, s->base + a * s->stride),
                                 cell_at(key, s->base + b * s->stride));
    if (order) return s->descending ? order < 0 : order > 0;
  }
  return false;
}

// Merges the sorted halves of order[0 .. count).
static void merge_sort(const Sorter *s, int64_t *order, int64_t *spare, int64_t count) {
  if (count < 2) return;
  int64_t half = count / 2, i = 0, j = half;
  merge_sort(s, order, spare, half);
  merge_sort(s, order + half, spare, count - half);
  for (int64_t k = 0; k < count; k++) {
    bool take_right = i == half || (j < count && is_behind(s, order[i], order[j]));
    spare[k] = take_right ? order[j++] : order[i++];
  }
  memcpy(order, spare, (size_t)count * sizeof *order);
}

static void sort(Arena *arena, const IrOp *op, const Cells *operands, Cells *results) {
  int64_t dim = ir_attr_int(op, ATTR_DIM), strides[IR_MAX_RANK];
  const IrType *type = operands[0].type;
  int64_t count = type->dims[dim];
  evaluate_strides(type, strides);
  Sorter s = {.operands = operands, .keys = ir_attr_int(op, ATTR_KEYS), .stride = strides[dim]};
  s.descending = ir_attr_int(op, ATTR_DESCENDING);
  int64_t *order = ARENA_ARRAY(arena, int64_t, count), *spare = ARENA_ARRAY(arena, int64_t, count);
  Walk walk;
  for (bool more = evaluate_walk_start(&walk, type); more; more = evaluate_walk_next(&walk)) {
    if (walk.at[dim]) continue;
    s.base = walk.linear;
    for (int64_t i = 0; i < count; i++) order[i] = i;
    merge_sort(&s, order, spare, count);
    for (uint32_t k = 0; k < op->operand_count; k++)
      for (int64_t i = 0; i < count; i++)
        memcpy(cell_at(&results[k], s.base + i * s.stride),
               cell_at(&operands[k], s.base + order[i] * s.stride), operands[k].size);
  }
}

// ---- gather and scatter ------------------------------------------------------------------------
// The operand's position for a position in the windows (gather's result, scatter's updates): where
// the window starts, from the indices, plus the offset inside of it.
typedef struct Windows {
  const IrOp *op;
  const Cells *x, *indices;
  int64_t sizes[IR_MAX_RANK];   // of a window, along the operand's dimensions
  bool is_offset[IR_MAX_RANK];  // of the windows' dimensions
  int operand_dim[IR_MAX_RANK]; // of an offset dimension
  bool clip;
} Windows;

static void windows_init(Windows *w, const IrOp *op, const Cells *operands, const IrType *windows) {
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS);
  IrInts collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS);
  IrInts batch = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  *w = (Windows){.op = op, .x = &operands[0], .indices = &operands[1]};
  w->clip = ir_clips_windows(op);
  int dim = 0;
  for (int i = 0; i < w->x->type->rank; i++) w->sizes[i] = 1;
  for (size_t i = 0; i < offset.count; i++) {
    while (ir_ints_have(collapsed, dim) || ir_ints_have(batch, dim)) dim++;
    w->is_offset[offset.items[i]] = true;
    w->operand_dim[offset.items[i]] = dim;
    w->sizes[dim++] = windows->dims[offset.items[i]];
  }
}

// False if the window does not lie inside of the operand and is not clipped.
static bool window_position(const Windows *w, const Walk *at, int64_t *out) {
  IrInts map = ir_attr_ints(w->op, ATTR_INDEX_MAP);
  IrInts xb = ir_attr_ints(w->op, ATTR_OPERAND_BATCH), ib = ir_attr_ints(w->op, ATTR_INDEX_BATCH);
  int64_t starts[IR_MAX_RANK] = {0}, offsets[IR_MAX_RANK] = {0}, batch[IR_MAX_RANK];
  int64_t strides[IR_MAX_RANK], index_strides[IR_MAX_RANK], vector = 0;
  int batch_rank = 0;
  const IrType *type = w->x->type;
  for (int i = 0; i < at->rank; i++) {
    if (w->is_offset[i])
      offsets[w->operand_dim[i]] = at->at[i];
    else
      batch[batch_rank++] = at->at[i];
  }
  evaluate_strides(w->indices->type, index_strides);
  for (int i = 0; i < batch_rank; i++) vector += batch[i] * index_strides[i];
  for (size_t i = 0; i < map.count; i++)
    starts[map.items[i]] =
        dtype_load_i64(w->indices->dtype, cell_at(w->indices, vector + (int64_t)i));
  for (size_t i = 0; i < xb.count; i++) starts[xb.items[i]] = batch[ib.items[i]];
  evaluate_strides(type, strides);
  *out = 0;
  for (int i = 0; i < type->rank; i++) {
    int64_t last = type->dims[i] - w->sizes[i];
    if (starts[i] < 0 || starts[i] > last) {
      if (!w->clip) return false;
      starts[i] = starts[i] < 0 ? 0 : last;
    }
    *out += (starts[i] + offsets[i]) * strides[i];
  }
  return true;
}

static void gather(const IrOp *op, const Cells *operands, Cells *result) {
  Windows w;
  Walk walk;
  const IrData *fill = ir_attr_data(op, ATTR_FILL);
  windows_init(&w, op, operands, result->type);
  for (bool more = evaluate_walk_start(&walk, result->type); more;
       more = evaluate_walk_next(&walk)) {
    int64_t from;
    bool inside = window_position(&w, &walk, &from);
    memcpy(cell_at(result, walk.linear), inside ? cell_at(w.x, from) : fill->bytes, result->size);
  }
}

static void lookup(const IrOp *op, const Cells *operands, Cells *result) {
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP);
  int64_t strides[IR_MAX_RANK];
  evaluate_strides(operands[0].type, strides);
  for (int64_t i = 0; i < result->count; i++) {
    int64_t from = 0;
    for (size_t k = 0; k < map.count; k++)
      from += dtype_load_i64(DT_I32, cell_at(&operands[k + 1], i)) * strides[map.items[k]];
    memcpy(cell_at(result, i), cell_at(&operands[0], from), result->size);
  }
}

static void combine(ScatterCombine how, DType dtype, char *to, const char *update) {
  OpCode step = ir_combine_op(how);
  if (how == COMBINE_SET) {
    memcpy(to, update, dtype_size(dtype));
  } else if (dtype_is_float(dtype)) {
    double old = dtype_load_f64(dtype, to), with = dtype_load_f64(dtype, update);
    dtype_store_f64(dtype, to, evaluate_float_binary(step, dtype, old, with));
  } else {
    int64_t old = dtype_load_i64(dtype, to), with = dtype_load_i64(dtype, update);
    if (dtype == DT_BOOL) step = arithmetic_of(step)->on_bool;
    dtype_store_i64(dtype, to, evaluate_int_binary(step, dtype, old, with));
  }
}

static void scatter(const IrOp *op, const Cells *operands, Cells *result) {
  Windows w;
  Walk walk;
  const Cells *updates = &operands[2];
  ScatterCombine how = (ScatterCombine)ir_attr_int(op, ATTR_COMBINE);
  windows_init(&w, op, operands, updates->type);
  for (int64_t i = 0; i < result->count; i++)
    memcpy(cell_at(result, i), cell_at(w.x, i), result->size);
  for (bool more = evaluate_walk_start(&walk, updates->type); more;
       more = evaluate_walk_next(&walk)) {
    int64_t to;
    if (window_position(&w, &walk, &to))
      combine(how, result->dtype, cell_at(result, to), cell_at(updates, walk.linear));
  }
}

bool evaluate_heavy(Arena *arena, const IrOp *op, const Cells *operands, Cells *results) {
  switch (op->code) {
  case OP_DOT: return dot(op, operands, results);
  case OP_SORT: sort(arena, op, operands, results); return true;
  case OP_GATHER: gather(op, operands, results); return true;
  case OP_LOOKUP: lookup(op, operands, results); return true;
  case OP_SCATTER: scatter(op, operands, results); return true;
  default: return false;
  }
}
