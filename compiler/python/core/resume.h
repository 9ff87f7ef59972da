// SPDX-License-Identifier: Apache-2.0
// Generators that need no stack of their own (resume.c).
#pragma once
#include "python/values/evaluator.h"

// The call of a function whose scope is_resumable; the arguments are in env.
Value resumable_new(Eval *ev, Function *f, Env *env);
