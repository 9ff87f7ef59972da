// SPDX-License-Identifier: Apache-2.0
// Keywords that many of JAX's functions have.
#pragma once
#include "python/values/evaluator.h"

// Raises NotImplementedError if a keyword was given a value that is not supported.
void refuse_keyword(Eval *ev, const char *function, const char *keyword, Value v);

// Raises NotImplementedError if a keyword of NumPy's ufuncs was given a value.
void refuse_ufunc_keyword(Eval *ev, const char *function, const char *keyword, Value v);

// What a function has made where its keywords want it: a device or a sharding, or None.
Value array_made_at(Eval *ev, const char *function, Value made, Value device, Value out_sharding);
