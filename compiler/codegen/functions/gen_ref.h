// SPDX-License-Identifier: Apache-2.0
// Refs: allocations, views, loads and stores that are not part of a cluster.
#pragma once
#include "codegen/emit/gen.h"

bool gen_ref_op(LlvmGen *g, IrOp *op); // false if it is none of these
