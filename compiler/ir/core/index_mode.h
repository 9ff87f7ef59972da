// SPDX-License-Identifier: Apache-2.0
// What gathers and scatters do with windows that do not lie in the operand.
#pragma once
#include "attr.h"
#include "ir.h"

// Whether such a window is moved into the operand; else it is filled, or dropped. A promise that
// there is none is kept by moving.
static inline bool ir_clips_windows(const IrOp *op) {
  return ir_attr_int(op, ATTR_MODE) != WINDOW_FILL;
}
