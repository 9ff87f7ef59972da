// SPDX-License-Identifier: Apache-2.0
// float; and complex, which is refused by name (builtin_float.c).
#pragma once
#include "python/objects/evaluator.h"

// Of anything float() takes except text: __float__, __index__. Raises "must be real number, not x".
double take_real(Eval *ev, Value v);
void builtin_float_init(Eval *ev);
