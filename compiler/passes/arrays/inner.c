// SPDX-License-Identifier: Apache-2.0
// inner: products in which nothing is left of either side, or nothing is added up, become
// multiplications and sums.
//   takes:  any IR, before products are put together with sums
//   makes:  multiply, reduce_sum in place of dots whose dimensions are all contracted or batches,
//           multiply in place of those that contract none
//   breaks: nothing
//   not:    products that ask for a way of rounding of their own
//
// Such a product reads each element once, or writes each product once, so panels would not help it.
// The order of its sums is that of reduce_sum, at every level of optimisation.
#include <stdlib.h>

#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "base/compare.h"
#include "ir/core/region.h"
#include "passes/arrays/product.h"
#include "passes/pass.h"

static bool is_inner(const IrOp *dot) {
  size_t used =
      ir_attr_ints(dot, ATTR_LHS_CONTRACT).count + ir_attr_ints(dot, ATTR_LHS_BATCH).count;
  return dot->operands[0]->type->rank == used && dot->operands[1]->type->rank == used;
}

static bool is_outer(const IrOp *dot) { return ir_attr_ints(dot, ATTR_LHS_CONTRACT).count == 0; }

static IrValue *permute(IrBuilder *b, IrValue *value, const int64_t *perm) {
  for (int64_t i = 0; i < value->type->rank; i++)
    if (perm[i] != i) return ir_transpose(b, value, perm);
  return value;
}

// The right side with its dimensions in the order of the left one's.
static IrValue *aligned(IrBuilder *b, const IrOp *dot, IrValue *y) {
  static const AttrName pairs[2][2] = {{ATTR_LHS_CONTRACT, ATTR_RHS_CONTRACT},
                                       {ATTR_LHS_BATCH, ATTR_RHS_BATCH}};
  int64_t perm[IR_MAX_RANK];
  for (size_t k = 0; k < 2; k++) {
    IrInts left = ir_attr_ints(dot, pairs[k][0]), right = ir_attr_ints(dot, pairs[k][1]);
    for (size_t i = 0; i < left.count; i++) perm[left.items[i]] = right.items[i];
  }
  return permute(b, y, perm);
}

// The sums have the batches as they stand in the left side; the result has them as they are listed.
static IrValue *listed(IrBuilder *b, const IrOp *dot, IrValue *sums) {
  IrInts batch = ir_attr_ints(dot, ATTR_LHS_BATCH);
  int64_t perm[IR_MAX_RANK];
  for (size_t i = 0; i < batch.count; i++) {
    perm[i] = 0;
    for (size_t k = 0; k < batch.count; k++) perm[i] += batch.items[k] < batch.items[i];
  }
  return permute(b, sums, perm);
}

// The value with its dimension i at place at[i] of the result, and the same along the others.
static IrValue *placed(IrBuilder *b, IrValue *value, const IrType *result, const int64_t *at) {
  int64_t perm[IR_MAX_RANK], dims[IR_MAX_RANK];
  for (int64_t i = 0; i < value->type->rank; i++) {
    int64_t before = 0;
    for (int64_t k = 0; k < value->type->rank; k++) before += at[k] < at[i];
    perm[before] = i;
    dims[before] = at[i];
  }
  value = permute(b, value, perm);
  return ir_broadcast(b, value, ir_type_with_dtype(b->module, result, value->type->dtype), dims);
}

// A side's batches are the result's first dimensions, as they are listed; its others stand from
// `next` on.
static void places(const IrType *side, IrInts batch, int64_t next, int64_t *at) {
  for (int64_t i = 0; i < side->rank; i++) at[i] = -1;
  for (size_t k = 0; k < batch.count; k++) at[batch.items[k]] = (int64_t)k;
  for (int64_t i = 0; i < side->rank; i++)
    if (at[i] < 0) at[i] = next++;
}

static IrValue *multiplied(IrBuilder *b, const IrOp *dot, IrValue *x, IrValue *y) {
  IrInts left = ir_attr_ints(dot, ATTR_LHS_BATCH), right = ir_attr_ints(dot, ATTR_RHS_BATCH);
  const IrType *result = dot->results[0]->type;
  int64_t at[IR_MAX_RANK];
  places(x->type, left, (int64_t)left.count, at);
  IrValue *spread = placed(b, x, result, at);
  places(y->type, right, x->type->rank,
         at); // the right side's own are behind all of the left one's
  return ir_binary(b, OP_MUL, spread, placed(b, y, result, at));
}

static IrValue *added_up(IrBuilder *b, const IrOp *dot, IrValue *x, IrValue *y) {
  IrInts contract = ir_attr_ints(dot, ATTR_LHS_CONTRACT);
  int64_t axes[IR_MAX_RANK];
  for (size_t i = 0; i < contract.count; i++) axes[i] = contract.items[i];
  qsort(axes, contract.count, sizeof *axes, compare_i64);
  IrValue *products = ir_binary(b, OP_MUL, x, aligned(b, dot, y));
  return listed(b, dot, ir_reduce(b, OP_REDUCE_SUM, products, contract.count, axes));
}

static void expand(IrOp *dot, void *data UNUSED) {
  DType type;
  if (dot->code != OP_DOT || dot->operand_count != 2 || !(is_outer(dot) || is_inner(dot)) ||
      !product_type(dot, &type) || !product_has_usual_precision(dot))
    return;
  IrBuilder b = ir_builder_before(dot);
  IrValue *x = ir_convert(&b, dot->operands[0], type), *y = ir_convert(&b, dot->operands[1], type);
  IrValue *result = is_outer(dot) ? multiplied(&b, dot, x, y) : added_up(&b, dot, x, y);
  result = ir_convert(&b, result, dot->results[0]->type->dtype);
  ir_replace_uses(dot->parent, dot->results[0], result);
  ir_op_remove(dot);
}

bool pass_inner(PassContext *ctx) {
  ir_walk_module(ctx->module, expand, NULL);
  return true;
}
