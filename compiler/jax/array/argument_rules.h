// SPDX-License-Identifier: Apache-2.0
// Rules of the arguments of JAX's functions: hooks of calls (CallHooks).
#pragma once
#include "python/values/evaluator.h"

// What JAX says of the arguments of a function of a module that we provide; NULL if nothing.
const struct ArgumentRule *argument_rule(Eval *ev, const ModuleObject *module, Name function);
// Raises ValueError if it has no hash, which a static argument must have.
void argument_check_static(Eval *ev, Value v);
// Raises TypeError where a program gives what is no array for one. A call with complex numbers
// among its arguments, or that asks for a complex dtype, is answered by jax._complex.
bool argument_answer(Eval *ev, const struct ArgumentRule *rule, const Params *params,
                     const Value *defaults, const Value *slots, Value *result);
