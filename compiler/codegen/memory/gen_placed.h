// SPDX-License-Identifier: Apache-2.0
// Vectors whose lanes take elements of memory in any order.
#pragma once
#include "codegen/emit/gen.h"

// From the first of `span` elements in memory, which one each lane takes.
typedef struct Placed {
  int64_t span;
  int64_t places[MAX_LANES];
} Placed;

// As memory has them (gen_storage_type). Nothing but the span is read. Every lane has a place.
Value gen_load_placed(LlvmGen *g, Value first, DType dtype, const Placed *placed, unsigned lanes);
