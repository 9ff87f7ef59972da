// SPDX-License-Identifier: Apache-2.0
// Matrix products.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void gen_dot(LlvmGen *g, IrOp *op);
// Emits the product into the memory that the store behind it fills; false (and nothing emitted) if
// it cannot go there.
bool gen_dot_stored(LlvmGen *g, IrOp *dot, IrOp *store);
// Emits the product with the cluster behind it; false (and nothing emitted) if they cannot be one.
bool gen_dot_fused(LlvmGen *g, IrOp *dot, IrOp *const *ops, size_t count, const IrRegion *region);
