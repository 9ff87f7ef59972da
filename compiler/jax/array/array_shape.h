// SPDX-License-Identifier: Apache-2.0
// Arguments that say shapes, as JAX reads them (NumPy's: numpy/arrays/nd_shape.h).
#pragma once
#include "python/values/evaluator.h"

// An int, or a sequence of ints; TypeError of anything else. The number of dimensions, at most
// ND_MAX_RANK.
size_t take_array_shape(Eval *ev, Value v, int64_t *dims, const char *what);
// The same without negative dimensions.
size_t take_full_shape(Eval *ev, Value v, int64_t *dims, const char *what);
// That no size of a reshape is negative.
void array_require_sizes(Eval *ev, size_t rank, const int64_t *dims);
// That an array goes into a shape, in which a size of -1 is worked out.
void array_fit_shape(Eval *ev, size_t old_rank, const int64_t *old, size_t rank, int64_t *dims);
