// SPDX-License-Identifier: Apache-2.0
// How often a loop runs.
#include "ir/core/constant.h"
#include "trips.h"

bool trips_of(const IrOp *op, IrTrips *out) {
  int64_t upper;
  if (op->code != OP_FOR || !ir_const_int(op->operands[0], &out->lower) ||
      !ir_const_int(op->operands[1], &upper) || !ir_const_int(op->operands[2], &out->step) ||
      out->step < 1)
    return false;
  out->count = upper > out->lower ? (upper - out->lower - 1) / out->step + 1 : 0;
  return true;
}
