// SPDX-License-Identifier: Apache-2.0
// complex (builtin_complex.c).
#pragma once
#include "python/values/evaluator.h"

// A negative number to a power that is no whole number.
Value complex_power(Eval *ev, double a, double b);
Value complex_magnitude(Eval *ev, Value v); // abs() of one
void builtin_complex_init(Eval *ev);
