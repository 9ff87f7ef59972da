// SPDX-License-Identifier: Apache-2.0
// The orders that elements lie in: rows first (C), columns first (F), as they lay (K), or F if they
// lay so and else C (A).
#pragma once
#include "nd.h"

char take_order(Eval *ev, Value v); // one of "CFAK"; None is K
// A view, the longest steps first: its axis i is axis perm[i].
NdArray *nd_by_steps(Eval *ev, const NdArray *nd, int64_t *perm);
// Axis i of nd, which nobody else has, becomes axis perm[i].
NdArray *nd_put_back(NdArray *nd, const int64_t *perm);
// Of a type, in an order: the array itself if it is that already and no copy is asked for.
NdArray *nd_in_order(Eval *ev, NdArray *nd, DType dtype, char order, bool copies);
// Zeros of a shape, laid out as `like` is for A and K (NULL: C).
NdArray *nd_new_in_order(Eval *ev, DType dtype, size_t rank, const int64_t *dims, char order,
                         const NdArray *like);
// For a result of arrays of one shape (broadcast ones have strides of 0), as NumPy lays it out
// beside them (order K): what it holds is not known.
NdArray *nd_new_beside(Eval *ev, DType dtype, size_t count, const NdArray *const *arrays);
// The same where arrays of any shapes of its rank are joined to it, or it is made like one.
NdArray *nd_new_along(Eval *ev, DType dtype, const int64_t *dims, size_t count,
                      const NdArray *const *arrays);
// A view where the strides allow one. `copy` is None, or whether there has to be a copy.
Value nd_reshape(Eval *ev, const NdArray *nd, Value shape, char order, Value copy);
