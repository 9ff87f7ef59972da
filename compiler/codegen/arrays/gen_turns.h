// SPDX-License-Identifier: Apache-2.0
// Concatenations of a few arrays whose elements take turns in the result.
#pragma once
#include "codegen/memory/gen_frame.h"
#include "ir/core/ir.h"

// False, and nothing is emitted, where they do not, or do not fill vectors.
bool concat_by_turns(LlvmGen *g, const IrOp *op, const Mem *to);
