// SPDX-License-Identifier: Apache-2.0
// Sorting of host arrays along an axis (None: of all elements as one row), stable, NaN last.
#pragma once
#include "numpy/arrays/nd.h"

// What may be said of the way: any kind of sort that NumPy knows is a stable one, and arrays have no
// fields to order by.
void nd_check_sort(Eval *ev, Value kind, Value order, Value stable);
void nd_check_select(Eval *ev, Value kind, Value order);
// In place; ValueError if nd is read-only.
void nd_sort(Eval *ev, NdArray *nd, Value axis);
// A copy in order, or the places that its elements have in nd.
NdArray *nd_sorted(Eval *ev, const NdArray *nd, Value axis, bool positions);
// The same as far as the places `wanted` of each row: each has what it has in order, what is less
// lies before it, what is greater behind. ValueError for places that a row has not.
NdArray *nd_partitioned(Eval *ev, const NdArray *nd, Value wanted, Value axis, bool positions);
void nd_partition(Eval *ev, NdArray *nd, Value wanted, Value axis); // in place, as nd_sort
