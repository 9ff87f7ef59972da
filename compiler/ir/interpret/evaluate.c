// SPDX-License-Identifier: Apache-2.0
// The meaning of ops on known data, for constant folding and as the reference of tests. Splats stay
// splats where that is evident, so that folding costs nothing on them.
#include "ir/core/attr.h"
#include "cells.h"
#include "evaluate.h"

#include <string.h>

#define MAX_ELEMENTS ((int64_t)1 << 26) // beyond: "too large"

// ---- walking -----------------------------------------------------------------------------------
bool evaluate_walk_start(Walk *walk, const IrType *type) {
  *walk = (Walk){.rank = type->rank, .dims = type->dims};
  return ir_type_count(type) > 0;
}

bool evaluate_walk_next(Walk *walk) {
  walk->linear++;
  for (int i = walk->rank - 1; i >= 0; i--) {
    if (++walk->at[i] < walk->dims[i]) return true;
    walk->at[i] = 0;
  }
  return false;
}

void evaluate_strides(const IrType *type, int64_t strides[IR_MAX_RANK]) {
  int64_t stride = 1;
  for (int i = type->rank - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= type->dims[i];
  }
}

// ---- shape -------------------------------------------------------------------------------------
// The result's position `at` is the operand's start + sum of at[i] * strides[i].
static void move_strided(const Cells *x, Cells *result, int64_t start, const int64_t *strides) {
  Walk walk;
  for (bool more = evaluate_walk_start(&walk, result->type); more;
       more = evaluate_walk_next(&walk)) {
    int64_t from = start;
    for (int i = 0; i < walk.rank; i++) from += walk.at[i] * strides[i];
    memcpy(cell_at(result, walk.linear), cell_at(x, from), x->size);
  }
}

static void shape_broadcast(const IrOp *op, const Cells *x, Cells *result) {
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  int64_t strides[IR_MAX_RANK], steps[IR_MAX_RANK] = {0};
  evaluate_strides(x->type, strides);
  for (size_t i = 0; i < dims.count; i++)
    if (x->type->dims[i] != 1) steps[dims.items[i]] = strides[i];
  move_strided(x, result, 0, steps);
}

static void shape_transpose(const IrOp *op, const Cells *x, Cells *result) {
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  int64_t strides[IR_MAX_RANK], steps[IR_MAX_RANK];
  evaluate_strides(x->type, strides);
  for (size_t i = 0; i < dims.count; i++) steps[i] = strides[dims.items[i]];
  move_strided(x, result, 0, steps);
}

static void shape_slice(const IrOp *op, const Cells *x, Cells *result) {
  IrInts starts = ir_attr_ints(op, ATTR_STARTS), steps = ir_attr_ints(op, ATTR_STRIDES);
  int64_t strides[IR_MAX_RANK], start = 0;
  evaluate_strides(x->type, strides);
  for (size_t i = 0; i < starts.count; i++) {
    start += starts.items[i] * strides[i];
    strides[i] *= steps.items[i];
  }
  move_strided(x, result, start, strides);
}

static void shape_rev(const IrOp *op, const Cells *x, Cells *result) {
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  int64_t strides[IR_MAX_RANK], start = 0;
  evaluate_strides(x->type, strides);
  for (size_t i = 0; i < dims.count; i++) {
    int64_t dim = dims.items[i];
    start += (x->type->dims[dim] - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  move_strided(x, result, start, strides);
}

// lax clamps the start so that the slice lies inside.
static int64_t clamped_start(const Cells *start, int64_t size, int64_t extent) {
  int64_t at = dtype_load_i64(start->dtype, start->bytes);
  if (at > extent - size) at = extent - size;
  return at < 0 ? 0 : at;
}

static void shape_dynamic_slice(const IrOp *op, const Cells *operands, Cells *result) {
  IrInts sizes = ir_attr_ints(op, ATTR_SIZES);
  const Cells *x = &operands[0];
  int64_t strides[IR_MAX_RANK], start = 0;
  evaluate_strides(x->type, strides);
  for (size_t i = 0; i < sizes.count; i++)
    start += clamped_start(&operands[1 + i], sizes.items[i], x->type->dims[i]) * strides[i];
  move_strided(x, result, start, strides);
}

static void fill(Cells *cells, const char *element) {
  for (int64_t i = 0; i < cells->count; i++) memcpy(cell_at(cells, i), element, cells->size);
}

// x scattered into the result: position `at` of x goes to start + sum of at[i] * steps[i]; what
// falls outside is left.
static void place(const Cells *x, Cells *result, const int64_t *starts, const int64_t *steps) {
  Walk walk;
  int64_t strides[IR_MAX_RANK];
  evaluate_strides(result->type, strides);
  for (bool more = evaluate_walk_start(&walk, x->type); more; more = evaluate_walk_next(&walk)) {
    int64_t to = 0;
    bool inside = true;
    for (int i = 0; i < walk.rank; i++) {
      int64_t at = starts[i] + walk.at[i] * steps[i];
      inside &= at >= 0 && at < result->type->dims[i];
      to += at * strides[i];
    }
    if (inside) memcpy(cell_at(result, to), cell_at(x, walk.linear), x->size);
  }
}

static void shape_pad(const IrOp *op, const Cells *operands, Cells *result) {
  IrInts low = ir_attr_ints(op, ATTR_LOW), interior = ir_attr_ints(op, ATTR_INTERIOR);
  int64_t steps[IR_MAX_RANK];
  for (size_t i = 0; i < interior.count; i++) steps[i] = interior.items[i] + 1;
  fill(result, operands[1].bytes);
  place(&operands[0], result, low.items, steps);
}

static void shape_concat(const IrOp *op, const Cells *operands, Cells *result) {
  int64_t dim = ir_attr_int(op, ATTR_DIM), starts[IR_MAX_RANK] = {0}, steps[IR_MAX_RANK];
  for (int i = 0; i < IR_MAX_RANK; i++) steps[i] = 1;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    place(&operands[i], result, starts, steps);
    starts[dim] += operands[i].type->dims[dim];
  }
}

static void shape_update(const IrOp *op UNUSED, const Cells *operands, Cells *result) {
  const Cells *x = &operands[0], *update = &operands[1];
  int64_t starts[IR_MAX_RANK], steps[IR_MAX_RANK];
  for (int i = 0; i < x->type->rank; i++) {
    starts[i] = clamped_start(&operands[2 + i], update->type->dims[i], x->type->dims[i]);
    steps[i] = 1;
  }
  for (int64_t i = 0; i < x->count; i++) memcpy(cell_at(result, i), cell_at(x, i), x->size);
  place(update, result, starts, steps);
}

static uint64_t element_bits(const Cells *cells, int64_t i) {
  uint64_t bits = 0;
  memcpy(&bits, cell_at(cells, i), cells->size);
  return bits & UINT64_MAX >> (64 - dtype_bits(cells->dtype));
}

static void put_bits(Cells *cells, int64_t i, uint64_t bits) {
  if (dtype_is_float(cells->dtype))
    memcpy(cell_at(cells, i), &bits, cells->size);
  else
    dtype_store_i64(cells->dtype, cell_at(cells, i), (int64_t)bits);
}

// A wide element holds its narrow parts, the low one first.
static void shape_bitcast_width(const Cells *x, Cells *result) {
  unsigned from = dtype_bits(x->dtype), to = dtype_bits(result->dtype);
  int64_t ratio = from > to ? from / to : to / from;
  uint64_t mask = ((uint64_t)1 << (from > to ? to : from)) - 1;
  for (int64_t i = 0; i < result->count; i++) {
    uint64_t bits = 0;
    if (from > to) {
      bits = element_bits(x, i / ratio) >> (uint64_t)(i % ratio) * to & mask;
    } else {
      for (int64_t j = ratio - 1; j >= 0; j--)
        bits = bits << from | (element_bits(x, i * ratio + j) & mask);
    }
    put_bits(result, i, bits);
  }
}

static bool evaluate_shape(const IrOp *op, const Cells *x, Cells *result) {
  switch (op->code) {
  case OP_BROADCAST: shape_broadcast(op, x, result); return true;
  case OP_RESHAPE:
    for (int64_t i = 0; i < result->count; i++) memcpy(cell_at(result, i), cell_at(x, i), x->size);
    return true;
  case OP_TRANSPOSE: shape_transpose(op, x, result); return true;
  case OP_SLICE: shape_slice(op, x, result); return true;
  case OP_PAD: shape_pad(op, x, result); return true;
  case OP_CONCAT: shape_concat(op, x, result); return true;
  case OP_REV: shape_rev(op, x, result); return true;
  case OP_DYNAMIC_SLICE: shape_dynamic_slice(op, x, result); return true;
  case OP_DYNAMIC_UPDATE_SLICE: shape_update(op, x, result); return true;
  case OP_BITCAST_WIDTH: shape_bitcast_width(x, result); return true;
  default: return false;
  }
}

// ---- elementwise and constants -----------------------------------------------------------------
static void evaluate_iota(const IrOp *op, Cells *result) {
  Walk walk;
  int64_t dim = ir_attr_int(op, ATTR_DIM);
  for (bool more = evaluate_walk_start(&walk, result->type); more; more = evaluate_walk_next(&walk))
    dtype_store_i64(result->dtype, cell_at(result, walk.linear), walk.at[dim]);
}

static void evaluate_elements(const IrOp *op, const Cells *operands, Cells *results) {
  const char *from[4];
  char *to[2];
  for (int64_t i = 0; i < results[0].count; i++) {
    for (uint32_t j = 0; j < op->operand_count; j++) from[j] = cell_at(&operands[j], i);
    for (uint32_t j = 0; j < op->result_count; j++) to[j] = cell_at(&results[j], i);
    evaluate_element(op, from, to);
  }
}

// ---- ops ---------------------------------------------------------------------------------------
static Cells cells_of(const IrType *type, const IrData *data) {
  Cells cells = {.type = type, .dtype = type->dtype, .size = dtype_size(type->dtype)};
  cells.count = ir_type_count(type);
  if (!data) return cells;
  cells.is_splat = data->count == 1;
  cells.data = data->bytes;
  return cells;
}

// A splat counts one element, so that each family computes it as it would compute that one.
static void make_results(Arena *arena, const IrOp *op, bool splat, Cells *results) {
  for (uint32_t i = 0; i < op->result_count; i++) {
    Cells *r = &results[i];
    *r = cells_of(op->results[i]->type, NULL);
    r->is_splat = splat;
    if (splat) r->count = 1;
    r->bytes = arena_alloc_array(arena, (size_t)r->count, r->size);
  }
}

static const IrData *data_of(Arena *arena, const IrOp *op, const Cells *results) {
  IrData *data = ARENA_ARRAY(arena, IrData, op->result_count);
  for (uint32_t i = 0; i < op->result_count; i++)
    data[i] =
        (IrData){.dtype = results[i].dtype, .count = results[i].count, .bytes = results[i].bytes};
  return data;
}

static bool is_covered(const IrOp *op) {
  switch (op_info(op->code)->op_class) {
  case CLASS_CONST:
  case CLASS_UNARY:
  case CLASS_BINARY:
  case CLASS_COMPARE:
  case CLASS_ELEMENTWISE:
  case CLASS_SHAPE:
  case CLASS_REDUCE:
  case CLASS_CUMULATIVE:
  case CLASS_HEAVY: break;
  default: return false;
  }
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (ir_type_count(op->operands[i]->type) > MAX_ELEMENTS) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (ir_type_count(op->results[i]->type) > MAX_ELEMENTS) return false;
  return true;
}

const IrData *ir_evaluate(Arena *arena, const IrOp *op, const IrData *const *operands) {
  if (op->code == OP_CONST) return ir_attr_data(op, ATTR_DATA);
  if (!is_covered(op)) return NULL;
  Cells *x = ARENA_ARRAY(arena, Cells, op->operand_count);
  Cells *results = ARENA_ARRAY(arena, Cells, op->result_count);
  bool all_splats = op->operand_count > 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    x[i] = cells_of(op->operands[i]->type, operands[i]);
    all_splats &= x[i].is_splat;
  }
  bool splat = all_splats && op_keeps_splats(op->code);
  make_results(arena, op, splat, results);
  if (splat) {
    if (op_is_elementwise(op->code))
      evaluate_elements(op, x, results);
    else
      memcpy(results[0].bytes, x[0].bytes, x[0].size);
    return data_of(arena, op, results);
  }
  bool ok = true;
  if (op->code == OP_IOTA)
    evaluate_iota(op, &results[0]);
  else if (op_is_elementwise(op->code))
    evaluate_elements(op, x, results);
  else
    ok = evaluate_shape(op, x, results) || evaluate_reduce(arena, op, x, results) ||
         evaluate_heavy(arena, op, x, results);
  return ok ? data_of(arena, op, results) : NULL;
}
