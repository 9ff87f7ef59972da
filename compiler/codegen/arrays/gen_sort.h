// SPDX-License-Identifier: Apache-2.0
// Sorting.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void gen_sort(LlvmGen *g, IrOp *op);
