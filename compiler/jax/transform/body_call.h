// SPDX-License-Identifier: Apache-2.0
// Calls of the functions that loops and branches are given (body_call.c).
#pragma once
#include "python/values/evaluator.h"

// f(*args); if f takes another number of arguments, the message says what it gets.
Value body_call(Eval *ev, Value f, size_t count, const Value *args, const char *gets);
