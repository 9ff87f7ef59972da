// SPDX-License-Identifier: Apache-2.0
// Live ranges of the values of a region.
#pragma once
#include "codegen/memory/gen_frame.h"
#include "ir/core/ir.h"

typedef struct Region Region;

// What the region's ops are the last users of is found; until live_close, g->region is it.
Region *live_open(LlvmGen *g, IrRegion *ir);
void live_close(LlvmGen *g, const Region *region);
// The op has been emitted: values that end with it are dropped.
void live_end_op(LlvmGen *g, const Region *region, const IrOp *op);
// After a region's yield has been dealt with: its values end.
void live_drop_yielded(LlvmGen *g, const IrRegion *ir);
// The store that an op makes its result for, and that it is emitted with (plan_store_of); NULL:
// none, or checks want each op where it stands.
IrOp *live_store_of(const LlvmGen *g, const IrOp *maker);
// Why a load's value may not be the ref's own memory: the op that writes there while it is needed,
// or behind which it is still needed. NULL: it may.
const IrOp *live_load_obstacle(LlvmGen *g, const IrOp *load);
// Whether a slice had better be a copy than a view: a view would keep the last user of what it is a
// small part of from writing its result there.
bool live_slice_hinders(LlvmGen *g, const IrOp *slice);
// The buffer of a dense value that nothing needs after `op`, which may write its result there; NULL
// if there is none.
Buffer *live_take_over(LlvmGen *g, const IrValue *value, const IrOp *op, Mem *mem);
// Likewise for `op`, which comes behind `maker`, if `maker` may write there already: nobody but
// `op` has a use of the buffer after it.
Buffer *live_take_over_early(LlvmGen *g, const IrValue *value, const IrOp *op, const IrOp *maker,
                             Mem *mem);
