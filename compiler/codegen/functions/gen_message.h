// SPDX-License-Identifier: Apache-2.0
// debug_print and check.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void gen_message_op(LlvmGen *g, IrOp *op);
