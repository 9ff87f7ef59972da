// SPDX-License-Identifier: Apache-2.0
// The random generator of a program.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

void gen_prng(LlvmGen *g, IrOp *op);
void gen_prng_open(LlvmGen *g, const IrRegion *region);
