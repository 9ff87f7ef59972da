// SPDX-License-Identifier: Apache-2.0
// NumPy's indexing.
#pragma once
#include "numpy/arrays/nd.h"

Value nd_getitem(Eval *ev, Value self, Value index); // views where NumPy gives views
void nd_setitem(Eval *ev, Value self, Value index, Value value);
// Where an array of truth values is true: int64 places in its row-major order, and such places of a
// shape as indices of its dimension d.
NdArray *nd_places(Eval *ev, const NdArray *mask);
NdArray *nd_places_along(Eval *ev, const NdArray *places, int rank, const int64_t *dims, int d);
