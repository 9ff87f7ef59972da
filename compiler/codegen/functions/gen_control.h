// SPDX-License-Identifier: Apache-2.0
// Loops and branches of the IR.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void gen_control(LlvmGen *g, IrOp *op);
