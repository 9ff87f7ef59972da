// SPDX-License-Identifier: Apache-2.0
// slice and range; and the indexing that all sequences share (builtin_slice.c).
#pragma once
#include "python/values/evaluator.h"
#include "builtin_index.h"

// Where a slice meets a sequence of `length`: start, step, and how many items.
typedef struct SliceBounds {
  int64_t start, stop, step, count;
} SliceBounds;

// Of numbers: NULL is a bound that is not given; the step is not 0.
SliceBounds slice_of_numbers(int64_t length, const int64_t *start, const int64_t *stop,
                             int64_t step);
SliceBounds slice_bounds(Eval *ev, const SliceObject *slice, int64_t length);
// An index in [0, length); raises in the sequence's words.
int64_t sequence_index(Eval *ev, Value index, int64_t length, const IndexWords *words);
// The slice that a value is, or NULL.
const SliceObject *value_as_slice(Eval *ev, Value v);
// An optional bound of find(), index() …: None is `missing`; negative ones count from the end; the
// result is in [0, length].
int64_t take_bound(Eval *ev, Value v, int64_t length, int64_t missing);
// The count of sequence * count; false if it is no integer. At least 0; raises if the result would
// not fit memory.
bool repeat_count(Eval *ev, Value v, size_t length, size_t item_size, int64_t *out);
void builtin_slice_init(Eval *ev);
