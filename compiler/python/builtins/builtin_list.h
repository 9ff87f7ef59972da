// SPDX-License-Identifier: Apache-2.0
// list (builtin_list.c).
#pragma once
#include "python/values/evaluator.h"

void list_extend(Eval *ev, List *list, Value iterable);
void builtin_list_init(Eval *ev);
