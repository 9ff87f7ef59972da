// SPDX-License-Identifier: Apache-2.0
// Cumulative operations, argmax and argmin.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void gen_cumulative(LlvmGen *g, IrOp *op);
void gen_arg_extreme(LlvmGen *g, IrOp *op);
