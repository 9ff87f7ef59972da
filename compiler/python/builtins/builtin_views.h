// SPDX-License-Identifier: Apache-2.0
// The views of dicts (keys, values, items): live, and the first and last are sets; and the
// iterators over dicts (builtin_views.c).
#pragma once
#include "python/values/evaluator.h"

typedef enum ViewKind { VIEW_KEYS, VIEW_VALUES, VIEW_ITEMS } ViewKind;

Value make_view(Eval *ev, Value owner, ViewKind kind);
Value make_dict_iterator(Eval *ev, Dict *dict, ViewKind kind, bool reverse);
void builtin_views_init(Eval *ev);
