// SPDX-License-Identifier: Apache-2.0
// What operations cost, roughly: plans compare it with what memory costs.
#include "element_cost.h"
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"

// A result that has to be rounded to a narrow type costs some additions more.
int cost_of_rounding(const IrOp *op) {
  enum { ROUNDING = 4 };
  const Arithmetic *arithmetic = arithmetic_of(op->code);
  if (!arithmetic->types || !op->result_count || arithmetic->traits & ARITHMETIC_EXACT) return 0;
  DType dtype = op->results[0]->type->dtype;
  return dtype_computed_in(dtype) != dtype ? ROUNDING : 0;
}

// A vector of elements from anywhere takes about as long as an exponential of them, by one
// instruction or by as many loads; if they lie side by side it is one load.
static int cost_of_lookup(const IrOp *op) {
  enum { ANYWHERE = 16, SIDE_BY_SIDE = 2 };
  int last = op->results[0]->type->rank - 1;
  for (uint32_t i = 1; i < op->operand_count; i++) {
    const IrOp *index = op->operands[i]->def;
    if (index && index->code == OP_IOTA && ir_attr_int(index, ATTR_DIM) == last)
      return SIDE_BY_SIDE;
  }
  return ANYWHERE;
}

int cost_of_element(const IrOp *op) {
  if (op->code == OP_LOOKUP) return cost_of_lookup(op);
  const Arithmetic *arithmetic = arithmetic_of(op->code);
  if (!arithmetic->types || !op->result_count) return 1;
  return arithmetic->cost + cost_of_rounding(op);
}

bool cost_spread_is_dear(const IrOp *broadcast, int cost) {
  // A load of what is kept costs about an addition; one element alone, as it is computed for a row
  // of vectors, costs as much as a vector of some LANES, however short the row is.
  enum { LEAST_COPIES = 4, LEAST_COST = 8, LANES = 8 };
  const IrType *from = broadcast->operands[0]->type, *to = broadcast->results[0]->type;
  int lane = to->rank - 1;
  while (lane > 0 && to->dims[lane] == 1) lane--;
  if (cost < LEAST_COST || to->dims[lane] == 1) return false;
  IrInts dims = ir_attr_ints(broadcast, ATTR_DIMS);
  for (size_t i = 0; i < dims.count; i++)
    if (dims.items[i] == lane && from->dims[i] > 1)
      return ir_type_count(to) / LEAST_COPIES >= ir_type_count(from);
  return ir_type_count(from) > 1 && (int64_t)cost * LANES >= to->dims[lane];
}
