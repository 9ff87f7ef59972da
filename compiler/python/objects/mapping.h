// SPDX-License-Identifier: Apache-2.0
// Dicts and sets by any key: what the keys' own hash and == say (mapping.c).
#pragma once
#include "python/values/evaluator.h"

Value dict_get(Eval *ev, const Dict *dict, Value key); // V_UNBOUND if absent
void dict_set(Eval *ev, Dict *dict, Value key, Value value);
// With the key's hash, as another dict has it: the entry or NULL, and what adds or changes it.
DictEntry *dict_find_hashed(Eval *ev, const Dict *dict, Value key, uint64_t hash);
void dict_set_hashed(Eval *ev, Dict *dict, Value key, uint64_t hash, Value value);
bool dict_remove(Eval *ev, Dict *dict, Value key);
NORETURN void raise_key_error(Eval *ev, Value key);
void dict_clear(Dict *dict);
bool dict_has(Eval *ev, const Dict *dict, Value key);
// A class derived from dict that iterates in its own way is asked for its keys and items instead.
bool dict_is_walked_plainly(Eval *ev, Type *type);
