// SPDX-License-Identifier: Apache-2.0
// Products of arrays. Operands that do not fit are the caller's bug.
#include "build_dot.h"
#include "attr.h"
#include "require.h"

// Appends to dims the sizes of x that neither list names.
static void free_dims(const IrType *x, IrInts contract, IrInts batch, int64_t *dims, size_t *rank) {
  unsigned used = 0;
  for (size_t i = 0; i < contract.count; i++) used |= 1u << contract.items[i];
  for (size_t i = 0; i < batch.count; i++) used |= 1u << batch.items[i];
  for (int i = 0; i < x->rank; i++)
    if (!(used >> i & 1)) dims[(*rank)++] = x->dims[i];
}

static bool dims_in_range(IrInts dims, const IrType *x) {
  for (size_t i = 0; i < dims.count; i++)
    if (dims.items[i] < 0 || dims.items[i] >= x->rank) return false;
  return true;
}

DType ir_dot_summed_in(const IrOp *dot) {
  DType found = dtype_summed_in(dot->results[0]->type->dtype);
  for (uint32_t i = 0; i < 2; i++) {
    DType of_factor = dtype_computed_in(dot->operands[i]->type->dtype);
    if (dtype_is_float(of_factor) && (!dtype_is_float(found) || of_factor == DT_F64))
      found = of_factor;
  }
  return found;
}

bool ir_dot_includes(DType wide, DType narrow) {
  FloatFormat w = dtype_float_format(wide), n = dtype_float_format(narrow);
  if (!dtype_is_float(wide) || dtype_bits(wide) < 16) return false;
  if (dtype_is_float(narrow))
    return n.exponent_bits <= w.exponent_bits && n.mantissa_bits <= w.mantissa_bits;
  // A least integer is a power of two: it needs no more bits than those below it.
  int digits = (int)dtype_bits(narrow) - dtype_is_signed(narrow);
  return dtype_is_integer(narrow) && digits <= w.mantissa_bits + 1 && digits < w.bias;
}

int64_t ir_dot_sum_block(const IrOp *dot) {
  bool is_along_one = ir_attr_ints(dot, ATTR_LHS_CONTRACT).count == 1;
  if (!is_along_one || !dtype_is_float(ir_dot_summed_in(dot))) return INT64_MAX;
  int64_t block = ir_attr_int(dot, ATTR_SUM_BLOCK);
  return block ? block : DOT_SUM_BLOCK;
}

// What the attributes of a product's sides are called.
static const AttrName contracts[2] = {ATTR_LHS_CONTRACT, ATTR_RHS_CONTRACT},
                      batches[2] = {ATTR_LHS_BATCH, ATTR_RHS_BATCH};

DotSides ir_dot_sides(const IrOp *dot) {
  DotSides sides;
  for (int i = 0; i < 2; i++) {
    sides.contract[i] = ir_attr_ints(dot, contracts[i]);
    sides.batch[i] = ir_attr_ints(dot, batches[i]);
  }
  return sides;
}

size_t ir_dot_dims(const IrType *x, const IrType *y, const DotSides *sides,
                   int64_t dims[2 * IR_MAX_RANK]) {
  size_t rank = 0;
  IrInts batch = sides->batch[0];
  for (size_t i = 0; i < batch.count; i++) dims[rank++] = x->dims[batch.items[i]];
  free_dims(x, sides->contract[0], sides->batch[0], dims, &rank);
  free_dims(y, sides->contract[1], sides->batch[1], dims, &rank);
  return rank;
}

// Whether both lists name dimensions of the same sizes.
static bool dims_agree(const IrType *x, IrInts of_x, const IrType *y, IrInts of_y) {
  if (of_x.count != of_y.count || !dims_in_range(of_x, x) || !dims_in_range(of_y, y)) return false;
  for (size_t i = 0; i < of_x.count; i++)
    if (x->dims[of_x.items[i]] != y->dims[of_y.items[i]]) return false;
  return true;
}

IrValue *ir_dot(IrBuilder *b, IrValue *x, IrValue *y, const DotSides *sides, DType result,
                DotPrecision precision) {
  REQUIRE(dims_agree(x->type, sides->contract[0], y->type, sides->contract[1]), OP_DOT);
  REQUIRE(dims_agree(x->type, sides->batch[0], y->type, sides->batch[1]), OP_DOT);
  int64_t dims[2 * IR_MAX_RANK];
  size_t rank = ir_dot_dims(x->type, y->type, sides, dims);
  const IrType *type = ir_array_type(b->module, result, rank, dims);
  if (!type) BUG("the result of a product has no type: too large?");
  IrOp *op = ir_build(b, OP_DOT, 2, (IrValue *[]){x, y}, 1, &type);
  for (int i = 0; i < 2; i++)
    ir_set_ints(b->module, op, contracts[i], sides->contract[i].count, sides->contract[i].items);
  for (int i = 0; i < 2; i++)
    ir_set_ints(b->module, op, batches[i], sides->batch[i].count, sides->batch[i].items);
  ir_set_int(b->module, op, ATTR_PRECISION, precision);
  ir_set_int(b->module, op, ATTR_SUM_BLOCK, 0);
  return op->results[0];
}
