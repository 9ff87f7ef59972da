// SPDX-License-Identifier: Apache-2.0
// What operations cost, roughly: plans compare it with what memory costs.
#include "ir/core/attr.h"
#include "element_cost.h"

// Of one element, in additions; roughly. What costs more than CHEAP is not computed twice
// (plan_stage.c).
int cost_of_element(const IrOp *op) {
  DType dtype = op->result_count ? op->results[0]->type->dtype : DT_I32;
  int rounding = dtype_computed_in(dtype) != dtype ? 4 : 0;
  switch (op->code) {
  case OP_EXP:
  case OP_EXP2:
  case OP_LOGISTIC:
  case OP_TANH: return 16 + rounding;
  case OP_DIV:
  case OP_RECIPROCAL:
  case OP_SQRT:
  case OP_RSQRT: return 8 + rounding;
  case OP_REM:
  case OP_MOD:
  case OP_FLOORDIV: return 30 + rounding;
  case OP_POW:
  case OP_LGAMMA:
  case OP_THREEFRY: return 80 + rounding;
  case OP_NEG:
  case OP_ABS:
  case OP_SELECT:
  case OP_MAX:
  case OP_MIN:
  case OP_NOT: return 1;
  default: break;
  }
  if (op->code >= OP_EXPM1 && op->code <= OP_ERF_INV) return 25 + rounding;
  return 1 + rounding;
}

bool cost_is_polynomial(OpCode code) {
  switch (code) {
  case OP_EXP:
  case OP_EXP2:
  case OP_EXPM1:
  case OP_LOG:
  case OP_LOG1P:
  case OP_LOG2:
  case OP_LOGISTIC:
  case OP_TANH:
  case OP_ERF:
  case OP_ERFC: return true;
  default: return false;
  }
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
