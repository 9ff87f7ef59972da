// SPDX-License-Identifier: Apache-2.0
// Sorting: a stable merge sort that asks nothing but `<` (builtin_sort.c).
#pragma once
#include "python/values/evaluator.h"

bool value_less(Eval *ev, Value a, Value b); // the truth of a < b
// Sorts in place, stable; key and reverse as list.sort.
void list_sort(Eval *ev, List *list, Value key, bool reverse);
