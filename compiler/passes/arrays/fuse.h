// SPDX-License-Identifier: Apache-2.0
// What the fuse pass and the code generator agree on about clusters (OP_FUSE).
#pragma once
#include "ir/core/ir.h"

// Reductions of so many elements to one, some 10 us, go by rows first (by_rows.c), which end a
// cluster: threads can share those, and not the one.
enum { FUSE_MANY_ELEMENTS = 1 << 18 };

// Whether an op can be computed inside a cluster's walks.
bool fuse_takes(const IrOp *op);
// Whether it is a reshape of what is spread: no strides say that, so that outside of a cluster all
// its elements are memory; the walks of one look at what they are spread from.
bool fuse_reshapes_spread(const IrOp *op);
// Whether all that becomes of a value in a cluster (`count` ops, in order), up to its stores and
// reductions, stays at the element's own place.
bool fuse_stays_in_place(Arena *arena, IrOp *const *ops, size_t count, const IrValue *value);
