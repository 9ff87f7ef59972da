// SPDX-License-Identifier: Apache-2.0
// across: reductions of pairs along the last dimension go along the one before it.
//   takes:  any IR without launches, not clustered yet
//   makes:  the same elements with their last two dimensions exchanged; their reduction
//   breaks: nothing
//   not:    sums and products of floats, whose order is fixed (docs/numbers.md); positions of an
//           extreme; operands that have elements of their own along both dimensions; elements that
//           something else looks at
//
// `(x[:, :, None] < x[:, None, :]).sum(-1)`: vectors along the last dimension are folded into one
// element for each result. Across the results they need no folding, and whatever is spread over
// the pairs may as well be spread the other way.
#include "base/map.h"
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum {
  MOST_OPS = 2 * FULL_VECTOR, // for each element: as many values as the registers of AVX-512 hold
  FOLD = 2                    // what it costs to make one element of a vector, in such operations
};

typedef struct Pairs {
  IrOp *ops[MOST_OPS], *leaves[MOST_OPS]; // elementwise, operands first; what those begin with
  int count, leaf_count;
  bool is_across; // something has elements along the results
} Pairs;

static bool is_ordered(const IrOp *op) {
  return (op->code == OP_REDUCE_SUM || op->code == OP_REDUCE_PROD) &&
         dtype_is_float(op->results[0]->type->dtype);
}

static bool is_along_last(const IrOp *op) {
  if (op_info(op->code)->op_class != CLASS_REDUCE || arithmetic_of(op->code)->step == OP_COUNT)
    return false;
  IrInts axes = ir_attr_ints(op, ATTR_AXES);
  int rank = op->operands[0]->type->rank;
  return rank >= 2 && axes.count == 1 && axes.items[0] == rank - 1;
}

// Whether vectors across the results are fewer than those along the sums, each of which is folded.
static bool pays(const IrType *type) {
  int64_t sums = type->dims[type->rank - 1], results = type->dims[type->rank - 2];
  return results >= FULL_VECTOR && (results + FULL_VECTOR - 1) / FULL_VECTOR * sums <=
                                       results * ((sums + FULL_VECTOR - 1) / FULL_VECTOR + FOLD);
}

// Whether the broadcast's operand has several elements along `dim` of the result.
static bool has_elements_along(const IrOp *broadcast, int dim) {
  IrInts dims = ir_attr_ints(broadcast, ATTR_DIMS);
  for (size_t i = 0; i < dims.count; i++)
    if (dims.items[i] == dim) return broadcast->operands[0]->type->dims[i] > 1;
  return false;
}

static bool is_splat(const IrOp *op) {
  return op->code == OP_CONST && ir_attr_data(op, ATTR_DATA)->count == 1;
}

static bool is_among(IrOp *const *ops, int count, const IrOp *op) {
  for (int i = 0; i < count; i++)
    if (ops[i] == op) return true;
  return false;
}

// Whether the leaf can as well be made with both dimensions exchanged.
static bool note_leaf(Pairs *pairs, IrOp *op) {
  int last = op->results[0]->type->rank - 1;
  bool along = false, across = false;
  if (op->code == OP_BROADCAST) {
    along = has_elements_along(op, last);
    across = has_elements_along(op, last - 1);
  } else if (op->code == OP_IOTA) {
    across = ir_attr_int(op, ATTR_DIM) == last - 1;
  } else if (!is_splat(op)) {
    return false;
  }
  if ((along && across) || pairs->leaf_count == MOST_OPS) return false;
  pairs->is_across |= across;
  pairs->leaves[pairs->leaf_count++] = op;
  return true;
}

static bool note_elements(Pairs *pairs, const IrValue *value, const IrRegion *region) {
  IrOp *op = value->def;
  if (!op) return false;
  if (is_among(pairs->ops, pairs->count, op) || is_among(pairs->leaves, pairs->leaf_count, op))
    return true;
  if (!op_is_elementwise(op->code)) return note_leaf(pairs, op);
  if (op->result_count != 1 || op->parent != region) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!note_elements(pairs, op->operands[i], region)) return false;
  if (pairs->count == MOST_OPS) return false;
  pairs->ops[pairs->count++] = op;
  return true;
}

static uint32_t uses_in(const Pairs *pairs, const IrValue *value) {
  uint32_t uses = 0;
  for (int i = 0; i < pairs->count; i++) uses += ir_count_operands(pairs->ops[i], value);
  return uses;
}

// Whether the elements, the last of which are what is reduced, have no other users.
static bool are_apart(const Pairs *pairs) {
  for (int i = 0; i < pairs->count; i++) {
    const IrValue *value = pairs->ops[i]->results[0];
    if (value->use_count != uses_in(pairs, value) + (i == pairs->count - 1)) return false;
  }
  return true;
}

// ---- exchanging ---------------------------------------------------------------------------------
static const IrType *exchanged_type(IrModule *m, const IrType *type) {
  int64_t dims[IR_MAX_RANK];
  for (int d = 0; d < type->rank; d++) dims[d] = type->dims[d];
  dims[type->rank - 2] = type->dims[type->rank - 1];
  dims[type->rank - 1] = type->dims[type->rank - 2];
  return ir_type_with_dims(m, type, type->rank, dims);
}

// Dimensions of one element have no place of their own in it.
static IrValue *spread(IrBuilder *b, const IrOp *broadcast, const IrType *type) {
  const IrType *from = broadcast->operands[0]->type;
  IrInts dims = ir_attr_ints(broadcast, ATTR_DIMS);
  int64_t sizes[IR_MAX_RANK], places[IR_MAX_RANK], last = type->rank - 1;
  size_t count = 0;
  for (size_t i = 0; i < dims.count; i++) {
    if (from->dims[i] == 1) continue;
    int64_t place = dims.items[i];
    sizes[count] = from->dims[i];
    places[count++] = place >= last - 1 ? 2 * last - 1 - place : place;
  }
  return ir_broadcast(b, ir_reshape(b, broadcast->operands[0], count, sizes), type, places);
}

static IrValue *exchange_leaf(IrBuilder *b, const IrOp *op) {
  const IrType *type = exchanged_type(b->module, op->results[0]->type);
  if (op->code == OP_CONST) return ir_const(b, type, ir_attr_data(op, ATTR_DATA)->bytes, 1);
  if (op->code == OP_BROADCAST) return spread(b, op, type);
  int dim = (int)ir_attr_int(op, ATTR_DIM), last = type->rank - 1;
  return ir_iota(b, type, dim >= last - 1 ? 2 * last - 1 - dim : dim);
}

static IrValue *exchange(PassContext *ctx, IrBuilder *b, const Pairs *pairs,
                         const IrOp *reduction) {
  Map *exchanged = map_new(ctx->arena);
  for (int i = 0; i < pairs->count; i++) {
    const IrOp *op = pairs->ops[i];
    for (uint32_t k = 0; k < op->operand_count; k++)
      if (!map_has(exchanged, op->operands[k]))
        map_set(exchanged, op->operands[k], exchange_leaf(b, op->operands[k]->def));
    IrOp *made = ir_op_clone(b, op, exchanged);
    made->results[0]->type = exchanged_type(b->module, op->results[0]->type);
  }
  return map_get(exchanged, reduction->operands[0]);
}

// What was exchanged, users first, and what only that used.
static void remove_old(const Pairs *pairs) {
  for (int i = pairs->count; i-- > 0;) ir_op_remove(pairs->ops[i]);
  for (int i = 0; i < pairs->leaf_count; i++)
    if (!pairs->leaves[i]->results[0]->use_count) ir_op_remove(pairs->leaves[i]);
}

static void go_across(IrOp *op, void *data) {
  PassContext *ctx = data;
  Pairs pairs = {.count = 0};
  if (!is_along_last(op) || is_ordered(op) || !pays(op->operands[0]->type) ||
      !note_elements(&pairs, op->operands[0], op->parent) || !pairs.is_across || !pairs.count ||
      !are_apart(&pairs))
    return;
  IrBuilder b = ir_builder_before(op);
  int64_t axis = op->operands[0]->type->rank - 2;
  IrValue *pair = exchange(ctx, &b, &pairs, op);
  ir_replace_uses(op->parent, op->results[0], ir_reduce(&b, op->code, pair, 1, &axis));
  ir_op_remove(op);
  remove_old(&pairs);
}

bool pass_across(PassContext *ctx) {
  ir_walk_module(ctx->module, go_across, ctx);
  return true;
}
