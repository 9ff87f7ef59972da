// SPDX-License-Identifier: Apache-2.0
// Arrays from Python's values.
#pragma once
#include "jax/array/array.h"

// jnp.array(object, dtype, ndmin); DT_COUNT: the dtype that follows from the object.
Value array_make(Eval *ev, Value object, DType dtype, int64_t ndmin);
// An array of v for functions that take array-likes: jnp.asarray.
Value array_from(Eval *ev, Value v);
