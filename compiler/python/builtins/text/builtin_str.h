// SPDX-License-Identifier: Apache-2.0
// str: its slots (builtin_str.c).
#pragma once
#include "python/values/evaluator.h"

extern const NativeDef str_methods[];

Value str_share(Eval *ev, Str text); // a str on text that stays as it is: not copied
Value make_char(Eval *ev, uint32_t code);
size_t str_count(Value str); // code points of a str
Value str_new(Eval *ev, Value *a);
void builtin_str_init(Eval *ev);
