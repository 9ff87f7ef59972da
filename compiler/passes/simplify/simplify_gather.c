// SPDX-License-Identifier: Apache-2.0
// Gathers whose indices say less than they have room for: one index vector that is known takes a
// slice, index vectors that are the same along a dimension of batches, or go one further with each
// of its places, fetch windows along it, integers that were widened are read as they are, and
// places in all dimensions are counted in one.
#include "ir/analysis/bounds.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "simplify.h"

enum { LEAST_WINDOW = 8 }; // shorter ones take as long as their elements

// Index vectors as they come: [reshape of] a broadcast, or of a conversion.
static const IrOp *source_of(const IrValue *indices, OpCode code) {
  const IrOp *def = indices->def;
  if (def && def->code == OP_RESHAPE) def = def->operands[0]->def;
  return def && def->code == code && def->results[0]->use_count == 1 ? def : NULL;
}

// ---- a slice ------------------------------------------------------------------------------------
// One window, at a place that is known and inside.
static IrValue *as_slice(IrBuilder *b, const IrOp *op) {
  const IrType *type = op->operands[0]->type, *result = op->results[0]->type;
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP), sizes = ir_attr_ints(op, ATTR_SIZES);
  Range place = bounds_of(op->operands[1]);
  if (place.low != place.high || ir_type_count(op->operands[1]->type) != (int64_t)map.count ||
      ir_attr_ints(op, ATTR_OPERAND_BATCH).count)
    return NULL;
  int64_t starts[IR_MAX_RANK] = {0}, limits[IR_MAX_RANK], strides[IR_MAX_RANK];
  for (size_t i = 0; i < map.count; i++) starts[map.items[i]] = place.low;
  for (int i = 0; i < type->rank; i++) {
    limits[i] = starts[i] + sizes.items[i];
    strides[i] = 1;
    if (starts[i] < 0 || limits[i] > type->dims[i]) return NULL;
  }
  IrValue *slice = ir_slice(b, op->operands[0], starts, limits, strides);
  return ir_reshape(b, slice, (size_t)result->rank, result->dims);
}

// ---- windows instead of batches -----------------------------------------------------------------
static bool is_vectors_of(const IrType *indices, const IrType *spread) {
  if (indices == spread) return true;
  if (indices->rank != spread->rank + 1 || indices->dims[spread->rank] != 1) return false;
  for (int i = 0; i < spread->rank; i++)
    if (indices->dims[i] != spread->dims[i]) return false;
  return true;
}

static bool contains(IrInts ints, int64_t item, size_t *at) {
  for (size_t i = 0; i < ints.count; i++)
    if (ints.items[i] == item) {
      *at = i;
      return true;
    }
  return false;
}

// What is left of a gather when one of its batch dimensions has become one of the windows.
typedef struct Windowed {
  int64_t operand_dim, spread_dim; // it was among those, or collapsed; of the indices
  int result_dim;                  // where the windows have it
  int64_t size;                    // of the windows, there
} Windowed;

static int result_dim_of(const IrOp *op, int64_t index_dim) {
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS);
  size_t at;
  for (int i = 0; i < op->results[0]->type->rank; i++)
    if (!contains(offset, i, &at) && index_dim-- == 0) return i;
  BUG("a gather without a dimension of its indices");
}

// The windows' dimensions stay in the operand's order.
static bool keeps_order(const IrOp *op, int64_t operand_dim, int result_dim) {
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS),
         collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS),
         batch = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  size_t next = 0, at;
  for (int i = 0; i < op->operands[0]->type->rank; i++) {
    if (contains(collapsed, i, &at) || contains(batch, i, &at)) continue;
    if ((i < operand_dim) != (offset.items[next++] < result_dim)) return false;
  }
  return true;
}

static bool find_windowed(const IrOp *op, const IrOp *spread, Windowed *out) {
  IrInts batch = ir_attr_ints(op, ATTR_OPERAND_BATCH), at = ir_attr_ints(op, ATTR_INDEX_BATCH),
         dims = ir_attr_ints(spread, ATTR_DIMS);
  size_t found;
  for (size_t i = 0; i < batch.count; i++) {
    int64_t dim = at.items[i];
    if (dim >= spread->results[0]->type->rank || contains(dims, dim, &found)) continue;
    *out = (Windowed){batch.items[i], dim, result_dim_of(op, dim),
                      op->operands[0]->type->dims[batch.items[i]]};
    if (keeps_order(op, out->operand_dim, out->result_dim)) return true;
  }
  return false;
}

// The indices without that dimension, along which they are all the same.
static IrValue *without_dim(IrBuilder *b, const IrValue *indices, const IrOp *spread, int64_t dim) {
  IrInts from = ir_attr_ints(spread, ATTR_DIMS);
  int64_t dims[IR_MAX_RANK], map[IR_MAX_RANK];
  int rank = 0;
  for (int i = 0; i < indices->type->rank; i++)
    if (i != dim) dims[rank++] = indices->type->dims[i];
  bool has_vectors = indices->type == spread->results[0]->type;
  for (size_t i = 0; i < from.count; i++) map[i] = from.items[i] - (from.items[i] > dim);
  int spread_rank = has_vectors ? rank : rank - 1;
  const IrType *type = ir_type_with_dims(b->module, indices->type, spread_rank, dims);
  IrValue *rest = ir_broadcast(b, spread->operands[0], type, map);
  return has_vectors ? rest : ir_reshape(b, rest, (size_t)rank, dims);
}

static void put_sorted(int64_t *items, size_t count, int64_t item) {
  for (; count > 0 && items[count - 1] > item; count--) items[count] = items[count - 1];
  items[count] = item;
}

// The gather with windows along the operand's dimension, from indices without theirs.
static IrValue *build_windowed(IrBuilder *b, const IrOp *op, IrValue *indices, const Windowed *w) {
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS), sizes = ir_attr_ints(op, ATTR_SIZES),
         batch = ir_attr_ints(op, ATTR_OPERAND_BATCH), at = ir_attr_ints(op, ATTR_INDEX_BATCH),
         collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS), map = ir_attr_ints(op, ATTR_INDEX_MAP);
  int64_t offsets[IR_MAX_RANK], full[IR_MAX_RANK], left[IR_MAX_RANK], left_at[IR_MAX_RANK],
      gone[IR_MAX_RANK];
  for (size_t i = 0; i < offset.count; i++) offsets[i] = offset.items[i];
  put_sorted(offsets, offset.count, w->result_dim);
  for (size_t i = 0; i < sizes.count; i++) full[i] = sizes.items[i];
  full[w->operand_dim] = w->size;
  size_t count = 0, gone_count = 0;
  for (size_t i = 0; i < batch.count; i++) {
    if (batch.items[i] == w->operand_dim) continue;
    left[count] = batch.items[i];
    left_at[count++] = at.items[i] - (at.items[i] > w->spread_dim);
  }
  for (size_t i = 0; i < collapsed.count; i++)
    if (collapsed.items[i] != w->operand_dim) gone[gone_count++] = collapsed.items[i];
  IrModule *m = b->module;
  const IrData *fill = ir_attr_data(op, ATTR_FILL);
  IrOp *made =
      ir_build(b, OP_GATHER, 2, (IrValue *[]){op->operands[0], indices}, 1, &op->results[0]->type);
  ir_set_ints(m, made, ATTR_OFFSET_DIMS, offset.count + 1, offsets);
  ir_set_ints(m, made, ATTR_COLLAPSED_DIMS, gone_count, gone);
  ir_set_ints(m, made, ATTR_INDEX_MAP, map.count, map.items);
  ir_set_ints(m, made, ATTR_OPERAND_BATCH, count, left);
  ir_set_ints(m, made, ATTR_INDEX_BATCH, count, left_at);
  ir_set_ints(m, made, ATTR_SIZES, sizes.count, full);
  ir_set_int(m, made, ATTR_MODE, ir_attr_int(op, ATTR_MODE));
  ir_set_data(m, made, ATTR_FILL, fill->dtype, fill->count, fill->bytes);
  return made->results[0];
}

static IrValue *as_windows(IrBuilder *b, const IrOp *op) {
  const IrOp *spread = source_of(op->operands[1], OP_BROADCAST);
  Windowed w;
  if (!spread || !is_vectors_of(op->operands[1]->type, spread->results[0]->type) ||
      !find_windowed(op, spread, &w))
    return NULL;
  return build_windowed(b, op, without_dim(b, op->operands[1], spread, w.spread_dim), &w);
}

// ---- windows instead of indices that go one by one ----------------------------------------------
static bool grows_along(const IrValue *value, int64_t dim, int64_t *by);

// Through a dimension that the reshape keeps.
static bool reshape_grows(const IrOp *op, int64_t dim, int64_t *by) {
  const IrType *from = op->operands[0]->type, *to = op->results[0]->type;
  int64_t before = 1, seen = 1;
  for (int64_t i = 0; i < dim; i++) before *= to->dims[i];
  for (int i = 0; i < from->rank && seen <= before; seen *= from->dims[i++])
    if (seen == before && from->dims[i] == to->dims[dim])
      return grows_along(op->operands[0], i, by);
  return false;
}

static bool broadcast_grows(const IrOp *op, int64_t dim, int64_t *by) {
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  size_t at;
  if (contains(dims, dim, &at) && op->operands[0]->type->dims[at] > 1)
    return grows_along(op->operands[0], (int64_t)at, by);
  *by = 0;
  return true;
}

static bool elementwise_grows(const IrOp *op, int64_t dim, int64_t *by) {
  int64_t steps[2] = {0};
  for (uint32_t i = 0; i < op->operand_count; i++) {
    int64_t step;
    if (!grows_along(op->operands[i], dim, &step)) return false;
    if (step && ((op->code != OP_ADD && op->code != OP_SUB) || !bounds_never_wraps(op)))
      return false;
    if (i < 2) steps[i] = step;
  }
  *by = op->code == OP_SUB ? steps[0] - steps[1] : steps[0] + steps[1];
  return true;
}

// By how much each element is greater than the one before it along the dimension, if it is known
// that this is the same everywhere and that nothing wraps.
static bool grows_along(const IrValue *value, int64_t dim, int64_t *by) {
  const IrOp *op = value->def;
  *by = 0;
  if (value->type->dims[dim] == 1) return true;
  if (!op) return false;
  switch (op->code) {
  case OP_CONST: return ir_attr_data(op, ATTR_DATA)->count == 1;
  case OP_IOTA: *by = ir_attr_int(op, ATTR_DIM) == dim; return !*by || bounds_never_wraps(op);
  case OP_BROADCAST: return broadcast_grows(op, dim, by);
  case OP_RESHAPE: return reshape_grows(op, dim, by);
  default: return op_is_elementwise(op->code) && elementwise_grows(op, dim, by);
  }
}

static bool is_all_inside(const IrOp *op, int64_t operand_dim) {
  Range range = bounds_of(op->operands[1]);
  return range.low >= 0 && range.high < op->operands[0]->type->dims[operand_dim];
}

// `x[start[:, None] + arange(8)]`: the first of the indices says where a window is.
static IrValue *as_runs(IrBuilder *b, const IrOp *op) {
  const IrType *type = op->operands[1]->type;
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP);
  size_t at;
  int64_t by = 0;
  if (map.count != 1 || !contains(ir_attr_ints(op, ATTR_COLLAPSED_DIMS), map.items[0], &at) ||
      !is_all_inside(op, map.items[0]))
    return NULL;
  for (int dim = type->rank - 1; dim-- > 0;) {
    if (type->dims[dim] < LEAST_WINDOW || contains(ir_attr_ints(op, ATTR_INDEX_BATCH), dim, &at) ||
        !grows_along(op->operands[1], dim, &by) || by != 1)
      continue;
    Windowed w = {map.items[0], dim, result_dim_of(op, dim), type->dims[dim]};
    if (!keeps_order(op, w.operand_dim, w.result_dim)) continue;
    int64_t starts[IR_MAX_RANK] = {0}, limits[IR_MAX_RANK], strides[IR_MAX_RANK], rank = 0,
            dims[IR_MAX_RANK];
    for (int i = 0; i < type->rank; i++) {
      limits[i] = i == dim ? 1 : type->dims[i];
      strides[i] = 1;
      if (i != dim) dims[rank++] = type->dims[i];
    }
    IrValue *first = ir_slice(b, op->operands[1], starts, limits, strides);
    return build_windowed(b, op, ir_reshape(b, first, (size_t)rank, dims), &w);
  }
  return NULL;
}

// ---- indices as they are ------------------------------------------------------------------------
static bool holds_all_of(DType wide, DType narrow) {
  if (!dtype_is_integer(wide) || !dtype_is_integer(narrow)) return false;
  bool needs_sign = dtype_is_signed(narrow);
  return dtype_bits(narrow) < dtype_bits(wide) && dtype_bits(narrow) >= 8 &&
         (!needs_sign || dtype_is_signed(wide));
}

static void as_narrow(IrBuilder *b, IrOp *op) {
  IrValue *indices = op->operands[1];
  const IrOp *widened = source_of(indices, OP_CONVERT);
  if (!widened || indices->use_count != 1 ||
      !holds_all_of(indices->type->dtype, widened->operands[0]->type->dtype))
    return;
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < indices->type->rank; i++) dims[i] = indices->type->dims[i];
  ir_set_operand(op, 1, ir_reshape(b, widened->operands[0], (size_t)indices->type->rank, dims));
}

// ---- one index instead of several ---------------------------------------------------------------
static bool is_index_of(const IrValue *part, int64_t size) {
  Range range = bounds_of(part);
  return part->type->dims[part->type->rank - 1] == 1 && range.low >= 0 && range.high < size;
}

// Whether the index vectors are put together of one number for each of the operand's dimensions,
// which is inside. The operand, which may have to be moved, is the smaller one.
static const IrOp *whole_vectors(const IrOp *op) {
  const IrValue *indices = op->operands[1];
  const IrType *type = op->operands[0]->type;
  const IrOp *concat = indices->def;
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP);
  int64_t count = ir_type_count(type);
  if (!concat || concat->code != OP_CONCAT || indices->use_count != 1 || type->rank < 2 ||
      ir_attr_int(concat, ATTR_DIM) != indices->type->rank - 1 || map.count != type->rank ||
      concat->operand_count != map.count || indices->type->dtype != DT_I32 ||
      count > ir_type_count(op->results[0]->type) || count > INT32_MAX)
    return NULL;
  for (size_t i = 0; i < map.count; i++) {
    size_t at;
    if (map.items[i] != (int64_t)i ||
        !contains(ir_attr_ints(op, ATTR_COLLAPSED_DIMS), (int64_t)i, &at) ||
        !is_index_of(concat->operands[i], type->dims[i]))
      return NULL;
  }
  return concat;
}

// `x[i, j]` is `x.reshape(-1)[i * columns + j]`: computed by vectors, where index vectors would be
// taken apart again.
static IrValue *as_one_index(IrBuilder *b, const IrOp *op) {
  const IrOp *concat = whole_vectors(op);
  if (!concat) return NULL;
  const IrType *type = op->operands[0]->type;
  IrValue *place = concat->operands[0];
  for (int i = 1; i < type->rank; i++) {
    place = ir_binary(b, OP_MUL, place, ir_const_i64(b, place->type, type->dims[i]));
    place = ir_binary(b, OP_ADD, place, concat->operands[i]);
  }
  IrModule *m = b->module;
  const IrData *fill = ir_attr_data(op, ATTR_FILL);
  int64_t count = ir_type_count(type), first = 0, one = 1;
  IrValue *flat = ir_reshape(b, op->operands[0], 1, &count);
  IrOp *made = ir_build(b, OP_GATHER, 2, (IrValue *[]){flat, place}, 1, &op->results[0]->type);
  ir_set_ints(m, made, ATTR_OFFSET_DIMS, 0, NULL);
  ir_set_ints(m, made, ATTR_COLLAPSED_DIMS, 1, &first);
  ir_set_ints(m, made, ATTR_INDEX_MAP, 1, &first);
  ir_set_ints(m, made, ATTR_OPERAND_BATCH, 0, NULL);
  ir_set_ints(m, made, ATTR_INDEX_BATCH, 0, NULL);
  ir_set_ints(m, made, ATTR_SIZES, 1, &one);
  ir_set_int(m, made, ATTR_MODE, ir_attr_int(op, ATTR_MODE));
  ir_set_data(m, made, ATTR_FILL, fill->dtype, fill->count, fill->bytes);
  return made->results[0];
}

IrValue *simplify_gather(IrBuilder *b, IrOp *op) {
  IrValue *windows = as_slice(b, op);
  if (!windows) windows = as_windows(b, op);
  if (!windows) windows = as_runs(b, op);
  if (!windows) windows = as_one_index(b, op);
  if (!windows) as_narrow(b, op);
  return windows;
}
