// SPDX-License-Identifier: Apache-2.0
// A walk as loops.
#pragma once
#include "gen_eval.h"

// Where [0, size) in steps starts and ends for a share of it, in elements; both are multiples of
// the step.
typedef struct Bounds {
  Value lower, upper;
  bool may_be_empty;
} Bounds;
Bounds share_bounds(LlvmGen *g, const Share *share, int64_t size, int64_t step);

// Emits the loops. `row_index`: of the dimensions walked outside. `share`: of several threads, or
// no share. Whether something went past the caches: somebody must fence before others read it.
bool walk_emit(const WalkCode *w, Value const *row_index, const Share *share);
