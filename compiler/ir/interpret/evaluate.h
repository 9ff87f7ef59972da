// SPDX-License-Identifier: Apache-2.0
// The meaning of ops on known data, for constant folding and as the reference of tests.
#pragma once
#include "ir/core/ir.h"

// The fold of one op on constant data, used by simplify and by the tests as the meaning of the
// elementwise, shape, reduce ops: an array of one for each result; NULL if the op is
// not one of those or too large.
const IrData *ir_evaluate(Arena *arena, const IrOp *op, const IrData *const *operands);
