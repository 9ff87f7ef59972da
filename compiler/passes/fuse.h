// SPDX-License-Identifier: Apache-2.0
// What the fuse pass and the code generator agree on about clusters (OP_FUSE).
#pragma once
#include "../ir/ir.h"

// Whether an op can be computed inside a cluster's walks.
bool fuse_takes(const IrOp *op);
