// SPDX-License-Identifier: Apache-2.0
// Of a cluster that the fuse pass closes: what is computed before it.
#pragma once
#include "ir/core/ir.h"

typedef VEC(IrOp *) FuseOps;
// Of the cluster's `count` ops, in order, those that make dear values which its loops would compute
// again and again, and all that these need of it; none if such a value needs a reduction or memory.
// `again`: those of them that the rest needs as well, and that are cheaper computed once more there
// than read from memory.
FuseOps fuse_spread(Arena *arena, IrOp *const *ops, size_t count, FuseOps *again);
