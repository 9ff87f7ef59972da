// SPDX-License-Identifier: Apache-2.0
// Dicts and sets: entries in the order they were added, found through a table of their positions
// (small dicts have none) (dict.c).
#pragma once
#include "evaluator.h"

Dict *dict_new(Eval *ev);
enum { DICT_SMALL = 8 }; // up to here entries are searched one by one
Dict *dict_new_small(Eval *ev,
                     size_t capacity); // with room for so many entries, DICT_SMALL at most
Value dict_get_name(const Dict *dict, Name name); // key is a str of that name
void dict_set_name(Eval *ev, Dict *dict, Name name, Value value);
bool dict_next(const Dict *dict, size_t *it, DictEntry **entry); // insertion order
Dict *set_new(Eval *ev, bool frozen);
void dict_reserve(Eval *ev, Dict *dict, size_t count); // of an empty one: storage for so many
// Room for the first ones of so many that may come, equal keys among them.
static inline void dict_expect(Eval *ev, Dict *dict, size_t count) {
  enum { MOST = 64 };
  if (!dict->capacity) dict_reserve(ev, dict, count < MOST ? count : MOST);
}
Dict *dict_copy_as(Eval *ev, const Dict *from, Type *type);                    // the same entries
void dict_append(Eval *ev, Dict *dict, Value key, uint64_t hash, Value value); // a new key
void dict_drop(Dict *dict, DictEntry *entry);
bool dict_remove_name(Dict *dict, Name name); // false if it is not there
uint64_t str_hash(StrObject *str);
