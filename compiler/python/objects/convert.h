// SPDX-License-Identifier: Apache-2.0
// Taking values apart (convert.c).
#pragma once
#include "python/values/evaluator.h"

// 'axis' of jnp.sum()") ---- Int, bool, NumPy integer, __index__; a traced value:
// TracerIntegerConversionError.
int64_t take_int(Eval *ev, Value v, const char *what);
double take_float(Eval *ev, Value v, const char *what);
bool take_bool(Eval *ev, Value v, const char *what);
Str take_str(Eval *ev, Value v, const char *what);
bool value_as_int(Eval *ev, Value v, int64_t *out); // false: not an integer (or a traced one)
bool value_as_float(Value v, double *out);          // float or int
// The number of Python that an object of a native type is (TypeSlots.number); false: none.
bool number_of_object(Eval *ev, Value v, Value *out);
