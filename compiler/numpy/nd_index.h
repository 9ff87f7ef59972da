// SPDX-License-Identifier: Apache-2.0
// NumPy's indexing, and shapes spread over each other.
#pragma once
#include "nd.h"

Value nd_getitem(Eval *ev, Value self, Value index); // views where NumPy gives views
void nd_setitem(Eval *ev, Value self, Value index, Value value);
NdArray *nd_broadcast(Eval *ev, const NdArray *nd, size_t rank,
                      const int64_t *dims); // a read-only view; raises if it does not fit
// The common shape of several shapes by NumPy's rule; false if there is none.
bool nd_common_shape(size_t count, NdArray *const *arrays, uint8_t *rank, int64_t *dims);
// Where an array of truth values is true: int64 places in its row-major order, and such places of a
// shape as indices of its dimension d.
NdArray *nd_places(Eval *ev, const NdArray *mask);
NdArray *nd_places_along(Eval *ev, const NdArray *places, int rank, const int64_t *dims, int d);
