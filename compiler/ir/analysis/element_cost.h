// SPDX-License-Identifier: Apache-2.0
// What operations cost.
#pragma once
#include "ir/core/ir.h"

int cost_of_element(const IrOp *op);  // of one element of a pointwise op, in additions
int cost_of_rounding(const IrOp *op); // what is of it that the result is rounded to a narrow float
// Whether a broadcast would better read what it spreads from memory than have it computed at each
// of its elements (or, if it is the same along the last dimension, once for each row of them).
// `cost`: of an element of what it spreads, with all that this needs.
bool cost_spread_is_dear(const IrOp *broadcast, int cost);
