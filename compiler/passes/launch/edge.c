// SPDX-License-Identifier: Apache-2.0
// Edges: where a block reaches over the end of its array, kernels mask what lies behind it,
//   where(program_id * size + iota < extent, x, 0)
// On the whole array there is nothing behind the end: such a mask is the value itself, and what it
// puts outside only matters to what adds up (or takes the greatest) along that dimension, which
// must not be changed by it. What a value holds outside is followed from the masks; where nothing
// is known, nothing is said.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/constant.h"
#include "edge.h"
#include "ir/core/arithmetic.h"

#include <math.h>

// DEEPEST bounds the search in expressions. Masks of more limits stay as they are: choices.
enum { DEEPEST = 16, MOST_LIMITS = 8 };

// `place < limit` along a dimension of the masked value: the place is scale * (grid index) + iota.
typedef struct Limit {
  int dim, grid; // grid: -1 for none
  int64_t size, scale, limit;
} Limit;

typedef struct Limits {
  Limit items[MOST_LIMITS];
  size_t count;
} Limits;

// ---- places -------------------------------------------------------------------------------------

static bool int_splat(const IrValue *value, int64_t *out) {
  const IrData *data = ir_const_splat(value);
  if (!data || data->dtype != DT_I32) return false;
  *out = dtype_load_i64(data->dtype, data->bytes);
  return true;
}

static bool float_splat(const IrValue *value, double *out) {
  const IrData *data = ir_const_splat(value);
  if (!data || !dtype_is_float(data->dtype)) return false;
  *out = dtype_load_f64(data->dtype, data->bytes);
  return true;
}

// scale * (grid index): the index itself, or its product with a constant.
static bool step_of(const Edges *e, const IrValue *value, Limit *out) {
  value = ir_broadcast_source(value);
  if (value->type->rank) return false;
  if (!value->def) {
    if (value->region != e->body || value->index >= e->rank) return false;
    out->grid = (int)value->index;
    out->scale = 1;
    return true;
  }
  if (value->def->code != OP_MUL) return false;
  for (int side = 0; side < 2; side++) {
    const IrValue *index = value->def->operands[side];
    if (index->def || !step_of(e, index, out)) continue;
    return int_splat(value->def->operands[1 - side], &out->scale);
  }
  return false;
}

// `dims`: which dimension of the masked value each of this one is.
static bool place_of(const Edges *e, const IrValue *value, const int *dims, int depth, Limit *out) {
  const IrOp *op = value->def;
  if (!op || depth == DEEPEST || value->type->dtype != DT_I32) return false;
  if (op->code == OP_IOTA) {
    int64_t dim = ir_attr_int(op, ATTR_DIM);
    *out = (Limit){.dim = dims[dim], .grid = -1, .size = value->type->dims[dim]};
    return true;
  }
  if (op->code == OP_BROADCAST) {
    IrInts to = ir_attr_ints(op, ATTR_DIMS);
    int inner[IR_MAX_RANK];
    for (size_t i = 0; i < to.count; i++) inner[i] = dims[to.items[i]];
    return place_of(e, op->operands[0], inner, depth + 1, out);
  }
  if (op->code != OP_ADD) return false;
  for (int side = 0; side < 2; side++) {
    Limit step = {.grid = -1};
    if (step_of(e, op->operands[side], &step) &&
        place_of(e, op->operands[1 - side], dims, depth + 1, out)) {
      if (out->grid >= 0) return false;
      if (e->grid[step.grid] == 1) return true; // of which the index is 0
      out->grid = step.grid;
      out->scale = step.scale;
      return true;
    }
  }
  return false;
}

// ---- masks --------------------------------------------------------------------------------------

static bool compared(const Edges *e, const IrOp *op, const int *dims, Limit *out) {
  bool is_below = op->code == OP_LT || op->code == OP_LE;
  if (!is_below && op->code != OP_GT && op->code != OP_GE) return false;
  const IrValue *place = op->operands[is_below ? 0 : 1], *limit = op->operands[is_below ? 1 : 0];
  int64_t number;
  if (!int_splat(limit, &number) || !place_of(e, place, dims, 0, out)) return false;
  out->limit = number + (op->code == OP_LE || op->code == OP_GE);
  return true;
}

// All of the comparisons of which a condition is the conjunction.
static bool limits_in(const Edges *e, const IrValue *condition, const int *dims, int depth,
                      Limits *out) {
  const IrOp *op = condition->def;
  if (!op || depth == DEEPEST || out->count == MOST_LIMITS) return false;
  if (op->code == OP_AND)
    return limits_in(e, op->operands[0], dims, depth + 1, out) &&
           limits_in(e, op->operands[1], dims, depth + 1, out);
  if (op->code == OP_BROADCAST) {
    IrInts to = ir_attr_ints(op, ATTR_DIMS);
    int inner[IR_MAX_RANK];
    for (size_t i = 0; i < to.count; i++) inner[i] = dims[to.items[i]];
    return limits_in(e, op->operands[0], inner, depth + 1, out);
  }
  return compared(e, op, dims, &out->items[out->count]) && ++out->count;
}

static bool limits_of(const Edges *e, const IrOp *select, Limits *out) {
  int dims[IR_MAX_RANK];
  for (int i = 0; i < IR_MAX_RANK; i++) dims[i] = i;
  *out = (Limits){.count = 0};
  if (select->code != OP_SELECT || !select->operands[0]->type->rank) return false;
  return limits_in(e, select->operands[0], dims, 0, out);
}

// What has no effect, and gives numbers that only masks use.
static bool may_serve(const IrOp *op) {
  return op_is_elementwise(op->code) || op->code == OP_CONST || op->code == OP_IOTA ||
         op->code == OP_BROADCAST;
}

static void count_uses(Map *uses, const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    map_set(uses, value, (void *)((size_t)map_get(uses, value) + 1));
  }
}

// Backwards: an op comes before its uses.
static void find_in(Edges *e, const IrRegion *region, Map *uses) {
  for (const IrOp *op = region->last; op; op = op->prev) {
    for (int i = 0; i < op->region_count; i++) find_in(e, op->regions[i], uses);
    Limits limits;
    double fill;
    if (limits_of(e, op, &limits) && float_splat(op->operands[2], &fill)) {
      map_set(e->masks, op, e->masks);
      count_uses(uses, op);
      const IrValue *kept = op->operands[1];
      map_set(uses, kept, (void *)((size_t)map_get(uses, kept) - 1));
    } else if (may_serve(op) && op->result_count == 1 && op->results[0]->use_count &&
               (size_t)map_get(uses, op->results[0]) == op->results[0]->use_count) {
      map_set(e->masks, op, e->masks);
      count_uses(uses, op);
    }
  }
}

void edge_find(Edges *edges, Arena *arena) {
  edges->masks = map_new(arena);
  find_in(edges, edges->body, map_new(arena));
}

bool edge_is_mask(const Edges *edges, const IrOp *op) {
  return edges->masks && map_has(edges->masks, op);
}

static bool is_masking(const Edges *e, const IrOp *op) {
  return op && op->code == OP_SELECT && edge_is_mask(e, op) && op->results[0]->use_count;
}

IrValue *edge_unmasked(const Edges *edges, IrValue *value) {
  Limits limits;
  while (is_masking(edges, value->def) && limits_of(edges, value->def, &limits))
    value = value->def->operands[1];
  return value;
}

// ---- with dimensions ----------------------------------------------------------------------------

static bool is_place_in(const Limit *limit, const EdgeDim *dim) {
  if (limit->grid != dim->grid || limit->size != dim->size) return false;
  return limit->grid < 0 || limit->scale == dim->size;
}

static bool holds(const Edges *e, const IrOp *select) {
  Limits limits;
  if (!limits_of(e, select, &limits)) return true; // serves one
  for (size_t i = 0; i < limits.count; i++) {
    const Limit *limit = &limits.items[i];
    EdgeDim dim = e->dim(e->data, select->results[0], limit->dim);
    if (!is_place_in(limit, &dim) || limit->limit < dim.extent) return false;
  }
  return true;
}

static bool all_hold(const Edges *e, const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (edge_is_mask(e, op) && !holds(e, op)) return false;
    for (int i = 0; i < op->region_count; i++)
      if (!all_hold(e, op->regions[i])) return false;
  }
  return true;
}

bool edge_masks_hold(const Edges *edges) { return all_hold(edges, edges->body); }

// Whether the select takes its last operand wherever the dimension is outside.
static bool masks_outside(const Edges *e, const IrOp *select, int dim) {
  Limits limits;
  if (!limits_of(e, select, &limits)) return false;
  EdgeDim edge = e->dim(e->data, select->results[0], dim);
  for (size_t i = 0; i < limits.count; i++)
    if (limits.items[i].dim == dim && is_place_in(&limits.items[i], &edge) &&
        limits.items[i].limit <= edge.extent)
      return true;
  return false;
}

// x - m, where m is the greatest of x's elements along the dimension and others: -inf stays, unless
// all of them are NaN anyway.
static bool is_less_greatest(const IrOp *sub, int dim) {
  const IrOp *spread = sub->operands[1]->def;
  if (!spread || spread->code != OP_BROADCAST) return false;
  const IrOp *most = spread->operands[0]->def;
  while (most && most->code == OP_RESHAPE) most = most->operands[0]->def;
  if (!most || most->code != OP_REDUCE_MAX || most->operands[0] != sub->operands[0]) return false;
  IrInts axes = ir_attr_ints(most, ATTR_AXES);
  for (size_t i = 0; i < axes.count; i++)
    if (axes.items[i] == dim) return true;
  return false;
}

static bool fill_at(const Edges *e, const IrValue *value, int dim, int depth, double *fill);

static bool is_filled(const Edges *e, const IrValue *value, int dim, int depth, double with) {
  double fill;
  return fill_at(e, value, dim, depth + 1, &fill) && fill == with;
}

static bool give(double value, double *fill) {
  *fill = value;
  return true;
}

static bool fill_of_op(const Edges *e, const IrOp *op, int dim, int depth, double *fill) {
  switch (op->code) {
  case OP_SELECT:
    return masks_outside(e, op, dim) && fill_at(e, op->operands[2], dim, depth + 1, fill);
  case OP_SUB:
    return is_less_greatest(op, dim) && is_filled(e, op->operands[0], dim, depth, -INFINITY) &&
           give(-INFINITY, fill);
  case OP_EXP: return is_filled(e, op->operands[0], dim, depth, -INFINITY) && give(0, fill);
  case OP_MUL:
    return is_filled(e, op->operands[0], dim, depth, 0) &&
           is_filled(e, op->operands[1], dim, depth, 0) && give(0, fill);
  case OP_ABS: return is_filled(e, op->operands[0], dim, depth, 0) && give(0, fill);
  case OP_CONVERT: {
    bool is_float =
        dtype_is_float(op->operands[0]->type->dtype) && dtype_is_float(op->results[0]->type->dtype);
    return is_float && is_filled(e, op->operands[0], dim, depth, 0) && give(0, fill);
  }
  default: return false;
  }
}

static bool fill_at(const Edges *e, const IrValue *value, int dim, int depth, double *fill) {
  if (float_splat(value, fill)) return true;
  if (!value->def || depth == DEEPEST) return false;
  return fill_of_op(e, value->def, dim, depth, fill);
}

bool edge_fill(const Edges *edges, const IrValue *value, int dim, double *fill) {
  return fill_at(edges, value, dim, 0, fill);
}

bool edge_is_neutral(const IrOp *reduction, double fill) {
  DType dtype = reduction->operands[0]->type->dtype;
  OpClass op_class = op_info(reduction->code)->op_class;
  return op_class == CLASS_REDUCE && dtype_is_float(dtype) &&
         fill == arithmetic_float(arithmetic_neutral(reduction->code, dtype), dtype);
}
