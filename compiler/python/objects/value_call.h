// SPDX-License-Identifier: Apache-2.0
// Calling any value (value_call.c).
#pragma once
#include "python/values/evaluator.h"

Value value_call(Eval *ev, Value f, const Args *args);
Value value_call_n(Eval *ev, Value f, size_t count, const Value *items);
Value value_call_method(Eval *ev, Value self, const char *name, size_t count, const Value *items);
// f(self, *args).
Value call_with_self(Eval *ev, Value f, Value self, const Args *args);
NORETURN void raise_with(Eval *ev, Type *type, Value argument); // raise type(argument)
