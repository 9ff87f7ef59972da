// SPDX-License-Identifier: Apache-2.0
// The exceptions of the builtins that the evaluator itself does not raise
// (builtin_exceptions.c).
#pragma once
#include "python/values/evaluator.h"

// An exception of the builtins by name, those that eval.h does not list included.
Type *builtin_exception(Eval *ev, const char *name);
void builtin_exceptions_init(Eval *ev);
