// SPDX-License-Identifier: Apache-2.0
// What operations cost.
#pragma once
#include "ir/core/ir.h"

int cost_of_element(const IrOp *op);  // of one element of an elementwise op, in additions
bool cost_is_polynomial(OpCode code); // one long chain of dependent operations, in f32 and inline
