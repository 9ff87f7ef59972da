// SPDX-License-Identifier: Apache-2.0
// inner: products in which nothing is left of either side become multiplications and sums.
//   takes:  any IR, before products are put together with sums
//   makes:  multiply, reduce_sum in place of dots whose dimensions are all contracted or batches
//   breaks: nothing
//   not:    products that ask for a way of rounding of their own
//
// Such a product reads each element once, so panels would not help it. The order of its sums is
// that of reduce_sum, at every level of optimisation.
#include <stdlib.h>

#include "passes/arrays/product.h"
#include "passes/pass.h"

static bool is_inner(const IrOp *dot, DType *type) {
  size_t used =
      ir_attr_ints(dot, ATTR_LHS_CONTRACT).count + ir_attr_ints(dot, ATTR_LHS_BATCH).count;
  return dot->operand_count == 2 && used > 0 && dot->operands[0]->type->rank == used &&
         dot->operands[1]->type->rank == used && product_type(dot, type) &&
         product_has_usual_precision(dot);
}

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

static int by_number(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void expand(IrOp *dot, void *data) {
  PassContext *ctx = data;
  DType type;
  if (dot->code != OP_DOT || !is_inner(dot, &type)) return;
  IrBuilder b = {.module = ctx->module,
                 .region = dot->parent,
                 .before = dot,
                 .span = dot->span,
                 .frames = dot->frames};
  IrInts contract = ir_attr_ints(dot, ATTR_LHS_CONTRACT);
  int64_t axes[IR_MAX_RANK];
  for (size_t i = 0; i < contract.count; i++) axes[i] = contract.items[i];
  qsort(axes, contract.count, sizeof *axes, by_number);
  IrValue *x = ir_convert(&b, dot->operands[0], type), *y = ir_convert(&b, dot->operands[1], type);
  IrValue *result = ir_binary(&b, OP_MUL, x, aligned(&b, dot, y));
  if (contract.count) result = ir_reduce(&b, OP_REDUCE_SUM, result, contract.count, axes);
  result = ir_convert(&b, listed(&b, dot, result), dot->results[0]->type->dtype);
  ir_replace_uses(dot->parent, dot->results[0], result);
  ir_op_remove(dot);
}

bool pass_inner(PassContext *ctx) {
  ir_walk_module(ctx->module, expand, ctx);
  return true;
}
