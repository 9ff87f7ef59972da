// SPDX-License-Identifier: Apache-2.0
// float (builtin_float.c).
#pragma once
#include "python/values/evaluator.h"

// float or int as a double: unwraps; false if it is neither. An int that is too large raises
// OverflowError.
bool float_operand(Eval *ev, Value v, double *out);
// __float__ or __index__ of an object; false if it has neither.
bool float_of_object(Eval *ev, Value v, double *out);
// Of anything float() takes except text: __float__, __index__. Raises "must be real number, not x".
double take_real(Eval *ev, Value v);
void builtin_float_init(Eval *ev);
