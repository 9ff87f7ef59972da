// SPDX-License-Identifier: Apache-2.0
// What every object has besides the slots of its type: its size, and how it is copied
// (builtin_object.c).
#pragma once
#include "python/values/evaluator.h"

void builtin_object_init(Eval *ev);
// As sys.getsizeof gives it where the class has no __sizeof__ of its own.
int64_t value_size(Eval *ev, Value v);
