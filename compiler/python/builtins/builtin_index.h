// SPDX-License-Identifier: Apache-2.0
// Taking integers from whatever has __index__ (builtin_index.c).
#pragma once
#include "python/values/evaluator.h"

// The messages of a sequence's indexing.
typedef struct IndexWords {
  const char *type;  // "list indices must be integers or slices, not %s"
  const char *range; // "list index out of range"
} IndexWords;

// An int of any size from an int, bool or anything with __index__; raises "'x' object cannot be
// interpreted as an integer".
Value take_index(Eval *ev, Value v);
Value take_index_opt(Eval *ev, Value v); // V_UNBOUND if it has none
// As take_index, in an int64; OverflowError if it does not fit.
int64_t take_other_index64(Eval *ev, Value v);
static inline int64_t take_index64(Eval *ev, Value v) {
  return v.kind == V_INT ? v.i : take_other_index64(ev, v);
}
// As take_index, saturating: for the bounds of slices and repeat counts.
int64_t take_other_index_clamped(Eval *ev, Value v);
static inline int64_t take_index_clamped(Eval *ev, Value v) {
  return v.kind == V_INT ? v.i : take_other_index_clamped(ev, v);
}
