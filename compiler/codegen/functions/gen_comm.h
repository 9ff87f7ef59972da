// SPDX-License-Identifier: Apache-2.0
// What programs that wait do beside waiting: copies with semaphores, signals, waits.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void comm_end_while(LlvmGen *g, IrOp *op);
void gen_comm_op(LlvmGen *g, IrOp *op);
