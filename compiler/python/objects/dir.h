// SPDX-License-Identifier: Apache-2.0
// dir(v): the names of a value, sorted (dir.c).
#pragma once
#include "python/values/evaluator.h"

List *value_dir(Eval *ev, Value v);         // dir(v), sorted
List *value_default_dir(Eval *ev, Value v); // without what the class or module says itself
void names_sort(Eval *ev, List *names);     // strs, by code
