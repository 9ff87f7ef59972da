// SPDX-License-Identifier: Apache-2.0
// Concatenations along a short last dimension.
#pragma once
#include "codegen/memory/gen_mem.h"
#include "ir/core/ir.h"

// Whether the concatenation has been made in `to`: its parts are rows of a few elements each.
bool concat_short_parts(LlvmGen *g, const IrOp *op, const Mem *to);
