// SPDX-License-Identifier: Apache-2.0
// dict: slots and methods around the table of dict.c (builtin_dict.c).
#pragma once
#include "python/values/evaluator.h"

void dict_update(Eval *ev, Dict *dict, Value from); // from a mapping or an iterable of pairs
Dict *dict_copy(Eval *ev, const Dict *from);
void builtin_dict_init(Eval *ev);
