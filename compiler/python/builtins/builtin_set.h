// SPDX-License-Identifier: Apache-2.0
// set and frozenset: tables as of dict (dict.c) whose values are None (builtin_set.c).
#pragma once
#include "python/values/evaluator.h"

Dict *value_as_set(Value v); // set, frozenset and classes derived from them; else NULL
void set_add(Eval *ev, Dict *set, Value item);
Dict *set_from(Eval *ev, Value iterable); // a new set
Dict *set_or_from(Eval *ev, Value v);     // a set itself, else the items of an iterable
// a op b as sets, into a new one.
Dict *set_combine(Eval *ev, BinaryOp op, const Dict *a, const Dict *b, bool frozen);
void builtin_set_init(Eval *ev);
