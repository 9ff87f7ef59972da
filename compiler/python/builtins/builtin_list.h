// SPDX-License-Identifier: Apache-2.0
// list (builtin_list.c).
#pragma once
#include "python/values/evaluator.h"

void list_extend(Eval *ev, List *list, Value iterable);
Value make_list_reverse_iterator(Eval *ev, List *list);
void builtin_list_init(Eval *ev);
