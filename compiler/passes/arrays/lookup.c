// SPDX-License-Identifier: Apache-2.0
// lookup: gathers whose elements go on being computed with become lookups, which are part of loops.
//   takes:  any IR without launches
//   makes:  lookups; the arithmetic that brings their indices inside, or that fills
//   breaks: nothing
//   not:    copies: of rows alone, along a short last dimension, of places that are known
//
// As a gather, `x[i] * w` is three loops: index vectors are written, what they choose is written,
// and both are read again.
#include "ir/analysis/bounds.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/core/cpu.h"
#include "ir/core/index_mode.h"
#include "ir/core/ir.h"
#include "ir/analysis/effects.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum {
  LEAST_ROW = FULL_VECTOR / 2, // elements side by side: half of a vector
  MOST_INDICES = 4,            // of a lookup, computed at each point (MAX_NODE_OPERANDS of plan.h)
};

// ---- what pays ----------------------------------------------------------------------------------
static bool is_offset(const IrOp *gather, int64_t dim) {
  return ir_ints_have(ir_attr_ints(gather, ATTR_OFFSET_DIMS), dim);
}

// The last dimension of the result with more than one element; -1: none.
static int last_wide_dim(const IrType *type) {
  int dim = type->rank - 1;
  while (dim >= 0 && type->dims[dim] == 1) dim--;
  return dim;
}

// The indices before reshapes, and as parts of vectors, that are put together.
static bool is_computed(const IrValue *value) {
  const IrOp *op = value->def;
  while (op && (op->code == OP_RESHAPE || op->code == OP_BROADCAST)) op = op->operands[0]->def;
  if (!op) return false;
  if (op->code != OP_CONCAT) return op_is_elementwise(op->code) && op->results[0]->type->rank;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (is_computed(op->operands[i])) return true;
  return false;
}

typedef struct Users {
  const IrValue *value;
  bool of_rows; // whose elements lie side by side
  bool found;   // one that computes
} Users;

static void note_users(const IrOp *op, void *data);

// Whether what the value is, or views of it, goes on being computed with. Views are made behind
// what they look at.
static bool is_computed_with(const IrRegion *region, const IrValue *value, bool of_rows) {
  Users users = {.value = value, .of_rows = of_rows};
  if (value->use_count) ir_walk_const(region, note_users, &users);
  return users.found;
}

// Whether elements of a row do not lie side by side behind the op: they are rather copied as rows
// first.
static bool turns_rows(const IrOp *op) {
  int last = op->results[0]->type->rank - 1;
  return op->code == OP_TRANSPOSE && ir_attr_ints(op, ATTR_DIMS).items[last] != last;
}

static void note_users(const IrOp *op, void *data) {
  Users *users = data;
  for (uint32_t i = 0; i < op->operand_count && !users->found; i++) {
    if (op->operands[i] != users->value) continue;
    if (op_is_elementwise(op->code) ||
        (op_is_reduction(op->code) && op->code != OP_ARGMAX && op->code != OP_ARGMIN))
      users->found = true;
    else if (op_is_view(op->code) && op->code != OP_DYNAMIC_SLICE &&
             !(users->of_rows && turns_rows(op)))
      users->found = is_computed_with(op->parent, op->results[0], users->of_rows);
  }
}

static bool is_index_type(DType dtype) {
  return dtype_is_integer(dtype) && dtype != DT_BOOL && (dtype_bits(dtype) < 32 || dtype == DT_I32);
}

// Whether indices that are written are not in the caches any more when they are read.
static bool is_far(const IrValue *indices) {
  return ir_type_bytes(indices->type) > SECOND_LEVEL_BYTES;
}

static bool is_wanted(const IrOp *op) {
  const IrValue *table = op->operands[0], *indices = op->operands[1], *result = op->results[0];
  int last = last_wide_dim(result->type);
  bool is_known = indices->def && indices->def->code == OP_CONST;
  if (last < 0 || is_known || !is_index_type(indices->type->dtype) ||
      dtype_bits(table->type->dtype) < 8 || table->type->rank == 0 ||
      ir_attr_ints(op, ATTR_INDEX_MAP).count > MOST_INDICES || ir_type_count(table->type) <= 1 ||
      (table->def && table->def->code == OP_CONST && ir_const_splat(table)))
    return false;
  if (is_offset(op, last) && result->type->dims[last] < LEAST_ROW) return false;
  return (!is_offset(op, last) && is_far(indices) && is_computed(indices)) ||
         is_computed_with(op->parent, result, is_offset(op, last));
}

// ---- indices ------------------------------------------------------------------------------------
typedef struct Lookup {
  IrBuilder b;
  const IrOp *op;
  const IrType *batch;             // of the indices, without their vectors
  int64_t batch_dims[IR_MAX_RANK]; // of the result
  IrValue *inside;                 // where windows lie in the operand; NULL: everywhere
  IrValue *operands[1 + 3 * IR_MAX_RANK];
  int64_t map[3 * IR_MAX_RANK];
  uint32_t count; // of indices
} Lookup;

static void add_index(Lookup *l, IrValue *index, int64_t dim) {
  l->operands[1 + l->count] = index;
  l->map[l->count++] = dim;
}

static IrValue *reshaped(IrBuilder *b, IrValue *x, const IrType *like) {
  const IrOp *def = x->def;
  if (def && def->code == OP_RESHAPE && ir_same_dims(def->operands[0]->type, like))
    return def->operands[0];
  return ir_reshape(b, x, (size_t)like->rank, like->dims);
}

// One component of all index vectors.
static IrValue *component(Lookup *l, int64_t k) {
  IrValue *vectors = l->op->operands[1];
  int last = vectors->type->rank - 1;
  const IrOp *def = vectors->def;
  if (def && def->code == OP_CONCAT && ir_attr_int(def, ATTR_DIM) == last) {
    uint32_t part = 0;
    while (k >= def->operands[part]->type->dims[last]) k -= def->operands[part++]->type->dims[last];
    vectors = def->operands[part];
  }
  if (vectors->type->dims[last] > 1) {
    int64_t starts[IR_MAX_RANK] = {0}, limits[IR_MAX_RANK], strides[IR_MAX_RANK];
    for (int i = 0; i <= last; i++) limits[i] = vectors->type->dims[i], strides[i] = 1;
    starts[last] = k;
    limits[last] = k + 1;
    vectors = ir_slice(&l->b, vectors, starts, limits, strides);
  }
  return ir_convert(&l->b, reshaped(&l->b, vectors, l->batch), DT_I32);
}

// The index of a window in [0, last], or anything there if the window is filled.
static IrValue *brought_inside(Lookup *l, IrValue *index, int64_t last) {
  IrBuilder *b = &l->b;
  Range range = bounds_of(index);
  if (range.low >= 0 && range.high <= last) return index;
  IrValue *most = ir_const_i64(b, index->type, last), *least = ir_const_i64(b, index->type, 0);
  IrValue *held = index;
  if (range.low < 0) held = ir_binary(b, OP_MAX, held, least);
  if (range.high > last) held = ir_binary(b, OP_MIN, held, most);
  if (ir_clips_windows(l->op)) return held;
  IrValue *fits = ir_binary(b, OP_EQ, held, index);
  l->inside = l->inside ? ir_binary(b, OP_AND, l->inside, fits) : fits;
  return held;
}

static IrValue *spread(Lookup *l, IrValue *x) {
  const IrType *result = l->op->results[0]->type;
  if (x->type->rank == result->rank) return x;
  const IrType *type = ir_type_with_dims(l->b.module, x->type, result->rank, result->dims);
  return ir_broadcast(&l->b, x, type, l->batch_dims);
}

static IrValue *coordinate(Lookup *l, int64_t result_dim) {
  const IrType *result = l->op->results[0]->type;
  return ir_iota(&l->b, ir_type_with_dtype(l->b.module, result, DT_I32), (int)result_dim);
}

// ---- dimensions ---------------------------------------------------------------------------------
static void add_windows(Lookup *l) {
  const IrOp *op = l->op;
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS), sizes = ir_attr_ints(op, ATTR_SIZES);
  IrInts collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS),
         batch = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  int64_t dim = 0;
  for (size_t i = 0; i < offset.count; i++, dim++) {
    while (ir_ints_have(collapsed, dim) || ir_ints_have(batch, dim)) dim++;
    if (sizes.items[dim] > 1) add_index(l, coordinate(l, offset.items[i]), dim);
  }
}

static void add_batches(Lookup *l) {
  IrInts operand = ir_attr_ints(l->op, ATTR_OPERAND_BATCH),
         index = ir_attr_ints(l->op, ATTR_INDEX_BATCH);
  for (size_t i = 0; i < operand.count; i++)
    add_index(l, coordinate(l, l->batch_dims[index.items[i]]), operand.items[i]);
}

static void add_components(Lookup *l) {
  IrInts map = ir_attr_ints(l->op, ATTR_INDEX_MAP), sizes = ir_attr_ints(l->op, ATTR_SIZES);
  const IrType *table = l->op->operands[0]->type;
  for (size_t i = 0; i < map.count; i++) {
    int64_t dim = map.items[i], last = table->dims[dim] - sizes.items[dim];
    if (last == 0 && ir_clips_windows(l->op)) continue;
    add_index(l, spread(l, brought_inside(l, component(l, (int64_t)i), last)), dim);
  }
}

static IrValue *build(Lookup *l) {
  const IrOp *op = l->op;
  const IrType *result = op->results[0]->type;
  int64_t dims[IR_MAX_RANK];
  int rank = 0;
  for (int i = 0; i < result->rank; i++) {
    if (is_offset(op, i)) continue;
    l->batch_dims[rank] = i;
    dims[rank++] = result->dims[i];
  }
  l->batch = ir_type_with_dims(l->b.module, op->operands[1]->type, rank, dims);
  l->operands[0] = op->operands[0];
  add_components(l);
  add_batches(l);
  add_windows(l);
  IrOp *made = ir_build(&l->b, OP_LOOKUP, 1 + l->count, l->operands, 1, &result);
  ir_set_ints(l->b.module, made, ATTR_INDEX_MAP, l->count, l->map);
  if (!l->inside) return made->results[0];
  const IrData *fill = ir_attr_data(op, ATTR_FILL);
  IrValue *other = ir_const(&l->b, result, fill->bytes, 1);
  return ir_select(&l->b, spread(l, l->inside), made->results[0], other);
}

// ---- the pass -----------------------------------------------------------------------------------
static void look_up(IrOp *op, void *data UNUSED) {
  if (op->code != OP_GATHER || !is_wanted(op)) return;
  Lookup l = {.b = ir_builder_before(op), .op = op};
  ir_replace_uses(op->parent, op->results[0], build(&l));
  effects_remove_unused(op);
}

bool pass_lookup(PassContext *ctx) {
  ir_walk_module(ctx->module, look_up, NULL);
  return true;
}
