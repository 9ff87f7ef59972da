// SPDX-License-Identifier: Apache-2.0
// Calls: binding of arguments with Python's own errors, environments, frames (call.c).
#pragma once
#include "python/values/evaluator.h"

// Calls a Python function and gives its value; the frame is pushed and popped.
Value function_call(Eval *ev, Function *f, const Args *args);
// Runs its body, or makes its generator, with arguments in the slots of an environment of its own.
Value function_run(Eval *ev, Function *f, Env *env);
Str callee_name(Eval *ev, Value f);         // errors of unpacking: "__main__.f()", "len()"
void call_init(Eval *ev);                  // registers calls of functions written in Python
