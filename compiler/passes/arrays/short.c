// SPDX-License-Identifier: Apache-2.0
// short: reductions along a short last dimension become operations on its places.
//   takes:  any IR without launches
//   makes:  slices, one for each place, and a tree of operations between them
//   breaks: nothing
//   not:    few results; more than MOST_PLACES; positions of an extreme (argmax)
//
// A vector that lies along such a dimension is mostly empty, and to fold it takes longer than to
// load it: vectors that lie across the results are full. The order of sums is that of reductions
// (docs/numbers.md), at every level of optimisation: place i takes place i + half, for every half.
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum {
  MOST_PLACES = FULL_VECTOR / 2, // a vector along them is half empty at the least
  LEAST_RESULTS = FULL_VECTOR,   // one across the results is full
};

// The dimension that is reduced, if it is the only one, is short, and nothing lies behind it; or
// -1.
static int short_dim(const IrOp *op) {
  if (op_info(op->code)->op_class != CLASS_REDUCE || arithmetic_of(op->code)->step == OP_COUNT)
    return -1;
  const IrType *type = op->operands[0]->type;
  IrInts axes = ir_attr_ints(op, ATTR_AXES);
  if (axes.count != 1) return -1;
  int dim = (int)axes.items[0];
  for (int d = dim + 1; d < type->rank; d++)
    if (type->dims[d] != 1) return -1;
  if (type->dims[dim] < 2 || type->dims[dim] > MOST_PLACES) return -1;
  return ir_type_count(op->results[0]->type) < LEAST_RESULTS ? -1 : dim;
}

// The elements at one place of the dimension, in the shape of the result.
static IrValue *elements_at(IrBuilder *b, const IrOp *op, int dim, int64_t place, DType dtype) {
  IrValue *x = op->operands[0];
  int64_t starts[IR_MAX_RANK] = {0}, limits[IR_MAX_RANK], strides[IR_MAX_RANK];
  for (int d = 0; d < x->type->rank; d++) limits[d] = x->type->dims[d], strides[d] = 1;
  starts[dim] = place;
  limits[dim] = place + 1;
  IrValue *part = ir_slice(b, x, starts, limits, strides);
  const IrType *result = op->results[0]->type;
  return ir_convert(b, ir_reshape(b, part, result->rank, result->dims), dtype);
}

static void spread_out(IrOp *op, void *data UNUSED) {
  int dim = short_dim(op);
  if (dim < 0) return;
  IrBuilder b = ir_builder_before(op);
  DType result = op->results[0]->type->dtype, dtype = result;
  bool is_ordered = op->code == OP_REDUCE_SUM || op->code == OP_REDUCE_PROD;
  if (is_ordered && dtype_is_float(result)) dtype = dtype_computed_in(result);
  IrValue *parts[MOST_PLACES];
  int64_t count = op->operands[0]->type->dims[dim], half = MOST_PLACES;
  for (int64_t i = 0; i < count; i++) parts[i] = elements_at(&b, op, dim, i, dtype);
  // Sums start from zero, which has no sign.
  if (op->code == OP_REDUCE_SUM && dtype_is_float(dtype))
    parts[0] = ir_binary(&b, OP_ADD, ir_const_f64(&b, parts[0]->type, 0.0), parts[0]);
  while (half /= 2) // a power of two, and those below it
    for (int64_t i = 0; i < half && i + half < count; i++)
      parts[i] = ir_binary(&b, arithmetic_of(op->code)->step, parts[i], parts[i + half]);
  ir_replace_uses(op->parent, op->results[0], ir_convert(&b, parts[0], result));
  ir_op_remove(op);
}

bool pass_short(PassContext *ctx) {
  ir_walk_module(ctx->module, spread_out, NULL);
  return true;
}
