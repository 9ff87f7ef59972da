// SPDX-License-Identifier: Apache-2.0
// Refs: allocations, views, loads and stores that are not part of a cluster.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

bool gen_ref_op(LlvmGen *g, IrOp *op); // false if it is none of these
// Where that part is (i32) of the memory that an OP_PART is about.
Value ref_part(LlvmGen *g, const IrOp *part, Value which);
