// SPDX-License-Identifier: Apache-2.0
// vmap of ops from arrays to arrays: the attributes that name dimensions move by one; operands that
// are not batched are broadcast where the op cannot do without.
#include <string.h>

#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/ir.h"
#include "batch_ops.h"

// items + 1, behind `first` if that is not negative. In the batch's arena.
static IrInts moved(Batcher *v, IrInts ints, int64_t first) {
  size_t lead = first >= 0;
  int64_t *items = ARENA_ARRAY(v->arena, int64_t, ints.count + 1);
  if (lead) items[0] = first;
  for (size_t i = 0; i < ints.count; i++) items[lead + i] = ints.items[i] + 1;
  return (IrInts){items, ints.count + lead};
}

// The numbers as they are, behind `first`.
static IrInts behind(Batcher *v, IrInts ints, int64_t first) {
  int64_t *items = ARENA_ARRAY(v->arena, int64_t, ints.count + 1);
  items[0] = first;
  memcpy(items + 1, ints.items, ints.count * sizeof *items);
  return (IrInts){items, ints.count + 1};
}

static void set_ints(Batcher *v, IrOp *op, AttrName name, IrInts ints) {
  ir_set_ints(v->module, op, name, ints.count, ints.items);
}

static void move_attr(Batcher *v, IrOp *with, const IrOp *op, AttrName name, int64_t first) {
  set_ints(v, with, name, moved(v, ir_attr_ints(op, name), first));
}

// The op anew on these operands, its results with the dimension in front; NULL after a diagnostic.
// The results are set.
static IrOp *rebuild(Batcher *v, IrOp *op, IrValue *const *operands) {
  const IrType **types = ARENA_ARRAY(v->arena, const IrType *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; i++) {
    types[i] = batch_type(v, op, op->results[i]->type);
    if (!types[i]) return NULL;
  }
  IrOp *with = batch_build(v, op, op->operand_count, operands, op->result_count, types);
  for (uint32_t i = 0; i < op->result_count; i++) batch_set(v, op->results[i], with->results[i]);
  return with;
}

// On operands that all have the dimension.
static IrOp *rebuild_full(Batcher *v, IrOp *op) {
  IrValue **operands = ARENA_ARRAY(v->arena, IrValue *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = batch_full(v, op->operands[i]);
  return rebuild(v, op, operands);
}

static bool shift_ints(Batcher *v, IrOp *op, AttrName name, int64_t first) {
  IrOp *with = rebuild_full(v, op);
  if (with) move_attr(v, with, op, name, first);
  return with != NULL;
}

static bool shift_dim(Batcher *v, IrOp *op) {
  IrOp *with = rebuild_full(v, op);
  if (with) ir_set_int(v->module, with, ATTR_DIM, ir_attr_int(op, ATTR_DIM) + 1);
  return with != NULL;
}

// ---- shape -------------------------------------------------------------------------------------
static bool batch_slice(Batcher *v, IrOp *op) {
  IrOp *with = rebuild_full(v, op);
  if (!with) return false;
  set_ints(v, with, ATTR_STARTS, behind(v, ir_attr_ints(op, ATTR_STARTS), 0));
  set_ints(v, with, ATTR_LIMITS, behind(v, ir_attr_ints(op, ATTR_LIMITS), v->size));
  set_ints(v, with, ATTR_STRIDES, behind(v, ir_attr_ints(op, ATTR_STRIDES), 1));
  return true;
}

// What is padded with differs within the batch if it is batched: then a mask says where.
static bool batch_pad(Batcher *v, IrOp *op) {
  IrBuilder *b = &v->b;
  bool fill_batched = batch_is(v, op->operands[1]);
  IrValue *x = batch_full(v, op->operands[0]), *fill = batch_get(v, op->operands[1]);
  const IrType *scalar = op->operands[1]->type, *type = batch_type(v, op, op->results[0]->type);
  IrInts low = behind(v, ir_attr_ints(op, ATTR_LOW), 0);
  IrInts high = behind(v, ir_attr_ints(op, ATTR_HIGH), 0);
  IrInts interior = behind(v, ir_attr_ints(op, ATTR_INTERIOR), 0);
  if (!type) return false;
  IrValue *with = fill_batched ? ir_const_i64(b, scalar, 0) : fill;
  IrValue *result = ir_pad(b, x, with, low.items, high.items, interior.items);
  if (fill_batched) {
    const IrType *flag = ir_array_type(v->module, DT_BOOL, 0, NULL);
    IrValue *inside = ir_const_i64(b, ir_type_with_dtype(v->module, x->type, DT_BOOL), 1);
    IrValue *outside = ir_const_i64(b, flag, 0);
    IrValue *mask = ir_pad(b, inside, outside, low.items, high.items, interior.items);
    result = ir_select(b, mask, result, ir_broadcast(b, fill, type, (int64_t[]){0}));
  }
  batch_set(v, op->results[0], result);
  return true;
}

// Starts as the rows of an index array: [batch, number of starts].
static IrValue *start_vectors(Batcher *v, IrOp *op, uint32_t first) {
  uint32_t count = op->operand_count - first;
  IrValue *columns[IR_MAX_RANK];
  for (uint32_t i = 0; i < count; i++) {
    IrValue *start = batch_full(v, op->operands[first + i]);
    columns[i] = ir_reshape(&v->b, start, 2, (int64_t[]){v->size, 1});
  }
  return ir_concat(&v->b, count, columns, 1);
}

static bool any_batched(const Batcher *v, const IrOp *op, uint32_t first) {
  for (uint32_t i = first; i < op->operand_count; i++)
    if (batch_is(v, op->operands[i])) return true;
  return false;
}

static IrInts counting(Batcher *v, int64_t from, size_t count) {
  int64_t *items = ARENA_ARRAY(v->arena, int64_t, count);
  for (size_t i = 0; i < count; i++) items[i] = from + (int64_t)i;
  return (IrInts){items, count};
}

// The attributes that gather and scatter share, for windows of all of the operand's own dimensions
// at one index vector for each element of the batch.
static void set_window_attrs(Batcher *v, IrOp *with, size_t rank, bool operand_batched) {
  IrInts none = {NULL, 0}, zero = {(const int64_t[]){0}, 1};
  set_ints(v, with, ATTR_OFFSET_DIMS, counting(v, 1, rank));
  set_ints(v, with, ATTR_COLLAPSED_DIMS, none);
  set_ints(v, with, ATTR_INDEX_MAP, counting(v, operand_batched ? 1 : 0, rank));
  set_ints(v, with, ATTR_OPERAND_BATCH, operand_batched ? zero : none);
  set_ints(v, with, ATTR_INDEX_BATCH, operand_batched ? zero : none);
  ir_set_int(v->module, with, ATTR_MODE, WINDOW_CLIP);
}

static bool batch_dynamic_slice(Batcher *v, IrOp *op) {
  size_t rank = op->operands[0]->type->rank;
  const IrType *type = batch_type(v, op, op->results[0]->type);
  IrInts sizes = ir_attr_ints(op, ATTR_SIZES);
  bool x_batched = batch_is(v, op->operands[0]);
  IrValue *x = batch_get(v, op->operands[0]);
  if (!type) return false;
  if (!any_batched(v, op, 1)) {
    IrValue *starts[IR_MAX_RANK] = {ir_i32(&v->b, 0)};
    for (size_t i = 0; i < rank; i++) starts[1 + i] = batch_get(v, op->operands[1 + i]);
    batch_set(v, op->results[0],
              ir_dynamic_slice(&v->b, x, starts, behind(v, sizes, v->size).items));
    return true;
  }
  IrValue *operands[2] = {x, start_vectors(v, op, 1)};
  uint64_t zero = 0;
  IrOp *with = ir_build(&v->b, OP_GATHER, 2, operands, 1, &type);
  set_window_attrs(v, with, rank, x_batched);
  set_ints(v, with, ATTR_SIZES, x_batched ? behind(v, sizes, 1) : sizes);
  ir_set_data(v->module, with, ATTR_FILL, type->dtype, 1, &zero);
  batch_set(v, op->results[0], with->results[0]);
  return true;
}

static bool batch_dynamic_update(Batcher *v, IrOp *op) {
  size_t rank = op->operands[0]->type->rank;
  const IrType *type = batch_type(v, op, op->operands[0]->type);
  if (!type || !batch_type(v, op, op->operands[1]->type)) return false;
  IrValue *x = batch_full(v, op->operands[0]), *update = batch_full(v, op->operands[1]);
  if (!any_batched(v, op, 2)) {
    IrValue *starts[IR_MAX_RANK] = {ir_i32(&v->b, 0)};
    for (size_t i = 0; i < rank; i++) starts[1 + i] = batch_get(v, op->operands[2 + i]);
    batch_set(v, op->results[0], ir_dynamic_update_slice(&v->b, x, update, starts));
    return true;
  }
  IrValue *operands[3] = {x, start_vectors(v, op, 2), update};
  IrOp *with = ir_build(&v->b, OP_SCATTER, 3, operands, 1, &type);
  set_window_attrs(v, with, rank, true);
  ir_set_int(v->module, with, ATTR_COMBINE, COMBINE_SET);
  batch_set(v, op->results[0], with->results[0]);
  return true;
}

// ---- dot ---------------------------------------------------------------------------------------
// With one batched operand the batch is one more of its free dimensions, which then comes to the
// front.
static bool batch_dot(Batcher *v, IrOp *op) {
  bool x_batched = batch_is(v, op->operands[0]), y_batched = batch_is(v, op->operands[1]);
  bool both = x_batched && y_batched;
  DotSides sides = ir_dot_sides(op);
  if (!batch_type(v, op, op->results[0]->type)) return false;
  size_t at = both ? 0 : sides.batch[0].count; // where the batch stands in the result
  if (!x_batched)
    at += op->operands[0]->type->rank - sides.contract[0].count - sides.batch[0].count;
  for (int i = 0; i < 2; i++) {
    if (!batch_is(v, op->operands[i])) continue;
    sides.contract[i] = moved(v, sides.contract[i], -1);
    sides.batch[i] = moved(v, sides.batch[i], both ? 0 : -1);
  }
  IrValue *result =
      ir_dot(&v->b, batch_get(v, op->operands[0]), batch_get(v, op->operands[1]), &sides,
             op->results[0]->type->dtype, (DotPrecision)ir_attr_int(op, ATTR_PRECISION));
  if (op->operand_count == 3) {
    IrValue *operands[] = {result->def->operands[0], result->def->operands[1],
                           batch_from_front(v, batch_full(v, op->operands[2]), (int)at)};
    IrOp *with = ir_build(&v->b, OP_DOT, 3, operands, 1, (const IrType *[]){result->type});
    ir_copy_attrs(v->module, with, result->def);
    ir_op_remove(result->def);
    result = with->results[0];
  }
  batch_set(v, op->results[0], batch_to_front(v, result, (int)at));
  return true;
}

// ---- gather and scatter ------------------------------------------------------------------------
// Batched indices make the batch a dimension of the indices, paired with the operand's if that has
// one; else it is one more dimension of the windows.
static void move_window_attrs(Batcher *v, IrOp *with, const IrOp *op, bool operand_batched,
                              bool indices_batched) {
  bool paired = operand_batched && indices_batched;
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP), batch = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  IrInts collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS);
  move_attr(v, with, op, ATTR_OFFSET_DIMS, indices_batched ? -1 : 0);
  set_ints(v, with, ATTR_COLLAPSED_DIMS, operand_batched ? moved(v, collapsed, -1) : collapsed);
  set_ints(v, with, ATTR_INDEX_MAP, operand_batched ? moved(v, map, -1) : map);
  set_ints(v, with, ATTR_OPERAND_BATCH, operand_batched ? moved(v, batch, paired ? 0 : -1) : batch);
  if (indices_batched) move_attr(v, with, op, ATTR_INDEX_BATCH, paired ? 0 : -1);
}

static bool batch_gather(Batcher *v, IrOp *op) {
  bool x_batched = batch_is(v, op->operands[0]), i_batched = batch_is(v, op->operands[1]);
  IrValue *operands[2] = {batch_get(v, op->operands[0]), batch_get(v, op->operands[1])};
  IrOp *with = rebuild(v, op, operands);
  if (!with) return false;
  move_window_attrs(v, with, op, x_batched, i_batched);
  IrInts sizes = ir_attr_ints(op, ATTR_SIZES);
  if (x_batched) set_ints(v, with, ATTR_SIZES, behind(v, sizes, i_batched ? 1 : v->size));
  return true;
}

// Operand and updates have the dimension always; the indices as it comes.
static bool batch_scatter(Batcher *v, IrOp *op) {
  IrValue *operands[3] = {batch_full(v, op->operands[0]), batch_get(v, op->operands[1]),
                          batch_full(v, op->operands[2])};
  IrOp *with = rebuild(v, op, operands);
  if (with) move_window_attrs(v, with, op, true, batch_is(v, op->operands[1]));
  return with != NULL;
}

// ---- all of them -------------------------------------------------------------------------------
bool batch_array_op(Batcher *v, IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!batch_type(v, op, op->operands[i]->type)) return false;
  switch (op_info(op->code)->op_class) {
  case CLASS_UNARY:
  case CLASS_BINARY:
  case CLASS_COMPARE:
  case CLASS_ELEMENTWISE: return rebuild_full(v, op) != NULL;
  case CLASS_REDUCE: return shift_ints(v, op, ATTR_AXES, -1);
  case CLASS_CUMULATIVE: return shift_dim(v, op);
  default: break;
  }
  switch (op->code) {
  case OP_BROADCAST:
  case OP_TRANSPOSE: return shift_ints(v, op, ATTR_DIMS, 0);
  case OP_REV: return shift_ints(v, op, ATTR_DIMS, -1);
  case OP_RESHAPE:
  case OP_BITCAST_WIDTH: return rebuild_full(v, op) != NULL;
  case OP_SLICE: return batch_slice(v, op);
  case OP_PAD: return batch_pad(v, op);
  case OP_CONCAT:
  case OP_SORT: return shift_dim(v, op);
  case OP_DYNAMIC_SLICE: return batch_dynamic_slice(v, op);
  case OP_DYNAMIC_UPDATE_SLICE: return batch_dynamic_update(v, op);
  case OP_DOT: return batch_dot(v, op);
  case OP_GATHER: return batch_gather(v, op);
  case OP_SCATTER: return batch_scatter(v, op);
  default: return batch_fail(v, op, "'%s' has no batching rule", op_info(op->code)->name);
  }
}
