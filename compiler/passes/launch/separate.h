// SPDX-License-Identifier: Apache-2.0
// An output that aliases an input is memory which a launch reads and writes: its array is copied
// before the launch, and its windows are copied in and out. Where every step reads and writes the
// same window, no other step has that, and all of it is written, nobody sees the difference if the
// results go to memory of their own: then the input is read where it is, as without the alias.
#pragma once
#include "ir/core/ir.h"
#include "launch.h"

void separate_aliases(PassContext *ctx, IrOp *launch);
// Whether an output shares the array of one input in this way, and each step has read it before it
// writes: operations on the whole array do the same in place.
bool separate_is_not_seen(PassContext *ctx, const IrOp *launch, const LaunchParts *parts, size_t in,
                          size_t out);
