// SPDX-License-Identifier: Apache-2.0
// Copies from ref to ref.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

// Copies all elements, at once.
void ref_copy(LlvmGen *g, const IrOp *op);
