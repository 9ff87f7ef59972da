// SPDX-License-Identifier: Apache-2.0
// int and bool (builtin_int.c).
#pragma once
#include "python/values/evaluator.h"

void builtin_int_init(Eval *ev);

// int or bool of any size, derived classes included.
bool value_is_int(Value v);
