// SPDX-License-Identifier: Apache-2.0
// What the variables of the program say of the values they are bound to: names of refs for
// messages, and, where places are kept, scalars and grid indices for debuggers.
#pragma once
#include "python/values/evaluator.h"

// Hooks of calls and assignments (CallHooks).
void variables_bound(Eval *ev, const Function *f, const Value *slots);
void variable_assigned(Eval *ev, Name variable, Value value);
