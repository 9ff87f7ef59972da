// SPDX-License-Identifier: Apache-2.0
// Of a cluster that the fuse pass closes: what it stores is read from there afterwards.
#pragma once
#include "ir/core/ir.h"

// Arrays that the cluster (`count` ops, in order) both stores and hands on become loads of what it
// stored, before `before`, where nobody writes there until their last use: they need no memory of
// their own then. Gives the first of these loads, in front of which the cluster goes; `before` if
// there is none.
IrOp *fuse_reread(IrOp *const *ops, size_t count, IrOp *before);
