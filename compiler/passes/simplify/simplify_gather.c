// SPDX-License-Identifier: Apache-2.0
// Gathers whose indices say less than they have room for: index vectors that are the same along a
// dimension of batches fetch windows along it, and integers that were widened are read as they are.
#include "simplify.h"

// Index vectors as they come: [reshape of] a broadcast, or of a conversion.
static const IrOp *source_of(const IrValue *indices, OpCode code) {
  const IrOp *def = indices->def;
  if (def && def->code == OP_RESHAPE) def = def->operands[0]->def;
  return def && def->code == code && def->results[0]->use_count == 1 ? def : NULL;
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
  size_t pair;                     // of the batch dimensions
  int64_t operand_dim, spread_dim; // they are
  int result_dim;                  // where the windows have it
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
    *out = (Windowed){i, batch.items[i], dim, result_dim_of(op, dim)};
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

static IrValue *as_windows(IrBuilder *b, const IrOp *op) {
  const IrOp *spread = source_of(op->operands[1], OP_BROADCAST);
  Windowed w;
  if (!spread || !is_vectors_of(op->operands[1]->type, spread->results[0]->type) ||
      !find_windowed(op, spread, &w))
    return NULL;
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS), sizes = ir_attr_ints(op, ATTR_SIZES),
         batch = ir_attr_ints(op, ATTR_OPERAND_BATCH), at = ir_attr_ints(op, ATTR_INDEX_BATCH);
  int64_t offsets[IR_MAX_RANK], full[IR_MAX_RANK], left[IR_MAX_RANK], left_at[IR_MAX_RANK];
  for (size_t i = 0; i < offset.count; i++) offsets[i] = offset.items[i];
  put_sorted(offsets, offset.count, w.result_dim);
  for (size_t i = 0; i < sizes.count; i++) full[i] = sizes.items[i];
  full[w.operand_dim] = op->operands[0]->type->dims[w.operand_dim];
  size_t count = 0;
  for (size_t i = 0; i < batch.count; i++) {
    if (i == w.pair) continue;
    left[count] = batch.items[i];
    left_at[count++] = at.items[i] - (at.items[i] > w.spread_dim);
  }
  IrModule *m = b->module;
  IrValue *indices = without_dim(b, op->operands[1], spread, w.spread_dim);
  const IrData *fill = ir_attr_data(op, ATTR_FILL);
  IrInts collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS), map = ir_attr_ints(op, ATTR_INDEX_MAP);
  IrOp *made =
      ir_build(b, OP_GATHER, 2, (IrValue *[]){op->operands[0], indices}, 1, &op->results[0]->type);
  ir_set_ints(m, made, ATTR_OFFSET_DIMS, offset.count + 1, offsets);
  ir_set_ints(m, made, ATTR_COLLAPSED_DIMS, collapsed.count, collapsed.items);
  ir_set_ints(m, made, ATTR_INDEX_MAP, map.count, map.items);
  ir_set_ints(m, made, ATTR_OPERAND_BATCH, count, left);
  ir_set_ints(m, made, ATTR_INDEX_BATCH, count, left_at);
  ir_set_ints(m, made, ATTR_SIZES, sizes.count, full);
  ir_set_str(m, made, ATTR_MODE, ir_attr_str(op, ATTR_MODE));
  ir_set_data(m, made, ATTR_FILL, fill->dtype, fill->count, fill->bytes);
  return made->results[0];
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

IrValue *simplify_gather(IrBuilder *b, IrOp *op) {
  IrValue *windows = as_windows(b, op);
  if (!windows) as_narrow(b, op);
  return windows;
}
