// SPDX-License-Identifier: Apache-2.0
// Padding: the operand's elements with others around and between them.
#pragma once
#include "codegen/memory/gen_mem.h"

void gen_pad(LlvmGen *g, const IrOp *op, const Mem *to);
