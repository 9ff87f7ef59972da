// SPDX-License-Identifier: Apache-2.0
// Arguments bound to parameters, with Python's own errors (bind.c).
#pragma once
#include "python/values/evaluator.h"

// Binds arguments to parameters: `slots`, one for each, are V_UNBOUND before; so are those of
// missing arguments afterwards if `absent_allowed`, else that is an error.
void params_bind(Eval *ev, Str function, const Params *params, const Value *defaults,
                 const Args *args, Value *slots, bool absent_allowed);
void params_check(Eval *ev, Str function, const Params *params, const Value *slots);
