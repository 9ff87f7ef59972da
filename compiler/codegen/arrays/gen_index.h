// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void gen_gather(LlvmGen *g, IrOp *op);
void gen_scatter(LlvmGen *g, IrOp *op);
