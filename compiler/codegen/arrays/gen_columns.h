// SPDX-License-Identifier: Apache-2.0
// Gathers of columns whose numbers are known.
#pragma once
#include "codegen/memory/gen_mem.h"
#include "ir/core/ir.h"

// Whether `to` has been made: the elements of a few constant columns of each row of `from`. If so,
// *lanes are those of the vectors that were stored.
bool gather_known_columns(LlvmGen *g, const IrOp *op, const Mem *from, const Mem *to,
                          unsigned *lanes);
