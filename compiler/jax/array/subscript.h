// SPDX-License-Identifier: Apache-2.0
// Indexing of arrays, and the gather and scatter operations behind it (subscript.c,
// subscript_at.c).
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "subscript_plan.h"

// The arrays of an advanced index, broadcast together.
typedef struct AdvancedIndex {
  size_t axis_count;
  int axes[IR_MAX_RANK]; // which dimensions they index
  size_t rank;           // their common shape
  int64_t dims[IR_MAX_RANK];
  IrValue *indices; // i32[dims…, axis_count]
  bool
      contiguous; // side by side in the index: their dimensions stay in place, else they come first
  size_t first_item; // of the plan
} AdvancedIndex;
void index_arrays(Eval *ev, const IndexPlan *plan, AdvancedIndex *out);

// The dimension numbers of a gather. `window_dims` are the sizes along the offset dimensions of the
// result.
typedef struct GatherSpec {
  int64_t offset_dims[IR_MAX_RANK], window_dims[IR_MAX_RANK];
  size_t offset_count;
  int64_t collapsed[IR_MAX_RANK];
  size_t collapsed_count;
  int64_t map[IR_MAX_RANK];
  size_t map_count;
  int64_t operand_batch[IR_MAX_RANK], index_batch[IR_MAX_RANK];
  size_t batch_count;
  int64_t sizes[IR_MAX_RANK];
  WindowMode mode;
  const void *fill; // one element, or NULL
} GatherSpec;
IrOp *build_gather(Eval *ev, IrValue *operand, IrValue *indices, const GatherSpec *spec);
void default_fill(DType dtype, void *out); // what lax.gather puts where an index is out of bounds

// The dimension numbers that index with `adv`, all other dimensions whole.
void index_gather_spec(const IndexPlan *plan, const AdvancedIndex *adv, const IrType *type,
                       GatherSpec *spec);
// x[index]; mode and fill as in GatherSpec, NULL is x[index] itself, whose numbers must be int32.
IrValue *index_array(Eval *ev, IrValue *x, Value index, bool wrap, const WindowMode *mode,
                     const void *fill);
// ATTR_COMBINE is `how`.
IrOp *build_scatter(Eval *ev, IrValue *operand, IrValue *indices, IrValue *updates,
                    const GatherSpec *spec, ScatterCombine how);
// Of a mode argument; `absent` for None. Raises for what is no mode.
WindowMode take_gather_mode(Eval *ev, Value v, WindowMode absent);
WindowMode take_scatter_mode(Eval *ev, Value v); // no promise
