// SPDX-License-Identifier: Apache-2.0
// Products whose factors are other looks at arrays: they name the dimensions of the arrays
// themselves, so that no factor is moved for them.
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "simplify.h"

enum { SIDES = 2 };

static const AttrName contracts[SIDES] = {ATTR_LHS_CONTRACT, ATTR_RHS_CONTRACT},
                      batches[SIDES] = {ATTR_LHS_BATCH, ATTR_RHS_BATCH};

// Neither contracted nor a batch.
static bool is_free(const IrOp *dot, int side, int64_t dim) {
  return !ir_ints_have(ir_attr_ints(dot, contracts[side]), dim) &&
         !ir_ints_have(ir_attr_ints(dot, batches[side]), dim);
}

// The dimensions that an attribute lists, as they are called in the array that is looked at.
static void rename_dims(IrModule *module, IrOp *dot, AttrName name, const int64_t *called) {
  IrInts dims = ir_attr_ints(dot, name);
  int64_t renamed[IR_MAX_RANK];
  for (size_t i = 0; i < dims.count; i++) renamed[i] = called[dims.items[i]];
  ir_set_ints(module, dot, name, dims.count, renamed);
}

// The product with its sides exchanged, of such factors.
static IrValue *turned_product(IrBuilder *b, const IrOp *dot, IrValue *x, IrValue *y) {
  DotSides s = ir_dot_sides(dot);
  DotSides turned = {{s.contract[1], s.contract[0]}, {s.batch[1], s.batch[0]}};
  return ir_dot(b, x, y, &turned, dot->results[0]->type->dtype,
                (DotPrecision)ir_attr_int(dot, ATTR_PRECISION));
}

// ---- transposed factors -------------------------------------------------------------------------
// Whether the free dimensions come in the same order in the array: the result has them so.
static bool keeps_order(const IrOp *dot, int side, IrInts perm) {
  int64_t last = -1;
  for (size_t i = 0; i < perm.count; i++) {
    if (!is_free(dot, side, (int64_t)i)) continue;
    if (perm.items[i] < last) return false;
    last = perm.items[i];
  }
  return true;
}

static bool look_through_transpose(const Simplifier *s, IrOp *dot, int side) {
  const IrOp *turned = dot->operands[side]->def;
  if (!turned || turned->code != OP_TRANSPOSE) return false;
  IrInts perm = ir_attr_ints(turned, ATTR_DIMS);
  if (!keeps_order(dot, side, perm)) return false;
  rename_dims(s->module, dot, contracts[side], perm.items);
  rename_dims(s->module, dot, batches[side], perm.items);
  ir_set_operand(dot, (size_t)side, turned->operands[0]);
  return true;
}

// ---- converted factors --------------------------------------------------------------------------
// A product takes its factors as the wider one of their types, or as bf16 if its precision says so,
// and converts them as it packs them, or reads them once: a whole array of its own would be written
// and read again.
static bool look_through_convert(const Simplifier *s, IrOp *dot, int side) {
  const IrValue *factor = dot->operands[side];
  const IrOp *convert = factor->def;
  if (!convert || convert->code != OP_CONVERT || factor->use_count != 1) return false;
  DType wide = factor->type->dtype, narrow = convert->operands[0]->type->dtype;
  if (wide != dot->operands[!side]->type->dtype || (wide != DT_F32 && wide != DT_BF16) ||
      dtype_bits(narrow) >= dtype_bits(wide) || !ir_dot_includes(wide, narrow))
    return false;
  if (wide == DT_BF16) ir_set_int(s->module, dot, ATTR_PRECISION, PRECISION_BF16);
  ir_set_operand(dot, (size_t)side, convert->operands[0]);
  return true;
}

// ---- factors whose free dimensions were put together --------------------------------------------
// Where dimension i of a reshape's result begins in its operand; places[rank] is the operand's
// rank. False if some dimension is not made of whole ones.
static bool find_places(const IrType *from, const IrType *to, int *places) {
  int at = 0;
  for (int i = 0; i < to->rank; i++) {
    places[i] = at;
    int64_t size = 1;
    while (at < from->rank && (size < to->dims[i] || (i == to->rank - 1 && size == to->dims[i])))
      size *= from->dims[at++];
    if (size != to->dims[i]) return false;
  }
  places[to->rank] = at;
  return at == from->rank;
}

// Whether rows do not lie one behind the other: they are a part of a larger array.
static bool is_part(const IrValue *value) {
  const IrOp *op = value->def;
  return op && (op->code == OP_SLICE || (op->code == OP_LOAD && !access_is_whole(op)));
}

static const IrOp *part_put_together(const IrOp *dot, int side, int *places) {
  const IrOp *reshape = dot->operands[side]->def;
  if (!reshape || reshape->code != OP_RESHAPE || !is_part(reshape->operands[0])) return NULL;
  const IrType *from = reshape->operands[0]->type, *to = reshape->results[0]->type;
  if (from->rank <= to->rank || !find_places(from, to, places)) return NULL;
  for (int i = 0; i < to->rank; i++)
    if (places[i + 1] != places[i] + 1 && !is_free(dot, side, i)) return NULL;
  return reshape;
}

// The result's dimensions with those of the part in place of what they were put together to.
static size_t result_dims(const IrOp *dot, int side, const IrType *part, const int *places,
                          int64_t *dims) {
  size_t rank = ir_attr_ints(dot, ATTR_LHS_BATCH).count;
  for (size_t i = 0; i < rank; i++) dims[i] = dot->results[0]->type->dims[i];
  for (int which = 0; which < SIDES; which++) {
    const IrType *type = dot->operands[which]->type;
    for (int i = 0; i < type->rank; i++) {
      if (!is_free(dot, which, i)) continue;
      int first = which == side ? places[i] : i, end = which == side ? places[i + 1] : i + 1;
      for (int k = first; k < end && rank < IR_MAX_RANK; k++)
        dims[rank++] = which == side ? part->dims[k] : type->dims[k];
    }
  }
  return rank;
}

// dot (reshape %part), %y = reshape (dot %part, %y): the reshape of a result costs nothing.
static IrValue *look_through_reshape(const Simplifier *s, IrBuilder b, IrOp *dot, int side) {
  int places[IR_MAX_RANK + 1];
  int64_t dims[IR_MAX_RANK], called[IR_MAX_RANK];
  const IrType *type = dot->results[0]->type;
  const IrOp *reshape = part_put_together(dot, side, places);
  if (!reshape || type->rank + reshape->operands[0]->type->rank > IR_MAX_RANK) return NULL;
  size_t rank = result_dims(dot, side, reshape->operands[0]->type, places, dims);
  IrOp *own = ir_op_clone(&b, dot, map_new(s->arena));
  ir_set_operand(own, (size_t)side, reshape->operands[0]);
  for (int i = 0; i < reshape->results[0]->type->rank; i++) called[i] = places[i];
  rename_dims(s->module, own, contracts[side], called);
  rename_dims(s->module, own, batches[side], called);
  own->results[0]->type = ir_type_with_dims(s->module, type, rank, dims);
  if (dot->operand_count == 3) {
    b.before = own;
    ir_set_operand(own, 2, ir_reshape(&b, dot->operands[2], rank, dims));
    b.before = dot;
  }
  return ir_reshape(&b, own->results[0], (size_t)type->rank, type->dims);
}

// ---- transposed results -------------------------------------------------------------------------
static int64_t free_count(const IrOp *dot, int side) {
  const IrType *type = dot->operands[side]->type;
  int64_t count = 1;
  for (int i = 0; i < type->rank; i++) count *= is_free(dot, side, i) ? type->dims[i] : 1;
  return count;
}

static size_t free_dims(const IrOp *dot, int side, int64_t *dims) {
  size_t count = 0;
  for (int i = 0; i < dot->operands[side]->type->rank; i++)
    if (is_free(dot, side, i)) dims[count++] = i;
  return count;
}

// The left factor with its free dimensions in the order that the result of `turned` has them in;
// NULL if that puts anything else before them than the batches and the right factor's, or if it is
// the product that is less to move.
static IrValue *left_in_order(IrBuilder *b, const IrOp *dot, IrInts turned) {
  int64_t left[IR_MAX_RANK], right[IR_MAX_RANK], perm[IR_MAX_RANK];
  size_t batch = ir_attr_ints(dot, ATTR_LHS_BATCH).count, lefts = free_dims(dot, 0, left),
         rights = free_dims(dot, 1, right);
  for (size_t i = 0; i < batch; i++)
    if (turned.items[i] != (int64_t)i) return NULL;
  for (size_t i = 0; i < rights; i++)
    if (turned.items[batch + i] != (int64_t)(batch + lefts + i)) return NULL;
  const IrType *type = dot->operands[0]->type;
  for (int i = 0; i < type->rank; i++) perm[i] = i;
  bool is_moved = false;
  for (size_t i = 0; i < lefts; i++) {
    int64_t from = turned.items[batch + rights + i] - (int64_t)batch;
    perm[left[i]] = left[from];
    is_moved |= from != (int64_t)i;
  }
  if (!is_moved) return dot->operands[0];
  bool is_larger = ir_type_count(type) > ir_type_count(dot->results[0]->type);
  return is_larger ? NULL : ir_transpose(b, dot->operands[0], perm);
}

IrValue *simplify_dot_transposed(IrBuilder b, const IrOp *transpose) {
  const IrOp *dot = transpose->operands[0]->def;
  if (!dot || dot->code != OP_DOT || dot->operand_count != 2 || dot->results[0]->use_count != 1 ||
      dot->parent != transpose->parent || ir_attr_int(dot, ATTR_SUM_BLOCK) != 0)
    return NULL;
  const IrType *left = dot->operands[0]->type, *right = dot->operands[1]->type;
  // What is left of the left factor is to fill vectors.
  if (left->dtype != right->dtype || free_count(dot, 0) < FULL_VECTOR || free_count(dot, 1) == 1)
    return NULL;
  IrValue *ordered = left_in_order(&b, dot, ir_attr_ints(transpose, ATTR_DIMS));
  if (!ordered) return NULL;
  return turned_product(&b, dot, dot->operands[1], ordered);
}

// ---- factors that are products ------------------------------------------------------------------
// Whether batches are what is left of the right factor of the product %p: they lie side by side,
// and what goes together in one product does not.
static bool has_batches_last(const IrOp *dot, int side, const IrOp *p) {
  IrInts batch = ir_attr_ints(dot, batches[side]);
  int64_t dims[IR_MAX_RANK];
  size_t lefts = free_dims(p, 0, dims), rights = free_dims(p, 1, dims);
  if (lefts == 0 || batch.count == 0 || batch.count != rights) return false;
  for (size_t i = 0; i < batch.count; i++)
    if (batch.items[i] < (int64_t)lefts) return false;
  return true;
}

// dot (dot %x, %y), … with its batches along what is left of %y = dot (dot %y, %x), …
static bool look_through_product(const Simplifier *s, IrBuilder b, IrOp *dot, int side) {
  const IrOp *p = dot->operands[side]->def;
  if (!p || p->code != OP_DOT || p->operand_count != 2 || p->results[0]->use_count != 1 ||
      p->parent != dot->parent || ir_attr_int(p, ATTR_SUM_BLOCK) != 0 ||
      ir_attr_ints(p, ATTR_LHS_BATCH).count || !has_batches_last(dot, side, p))
    return false;
  int64_t called[IR_MAX_RANK], dims[IR_MAX_RANK];
  size_t lefts = free_dims(p, 0, dims), rights = free_dims(p, 1, dims), rank = lefts + rights;
  for (size_t i = 0; i < rank; i++) called[i] = (int64_t)(i < lefts ? rights + i : i - lefts);
  IrValue *turned = turned_product(&b, p, p->operands[1], p->operands[0]);
  rename_dims(s->module, dot, contracts[side], called);
  rename_dims(s->module, dot, batches[side], called);
  ir_set_operand(dot, (size_t)side, turned);
  return true;
}

IrValue *simplify_dot(const Simplifier *s, IrBuilder b, IrOp *dot) {
  for (int side = 0; side < SIDES; side++) {
    while (look_through_transpose(s, dot, side) || look_through_convert(s, dot, side) ||
           look_through_product(s, b, dot, side)) {
    }
    IrValue *same = look_through_reshape(s, b, dot, side);
    if (same) return same;
  }
  return NULL;
}
