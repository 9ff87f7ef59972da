// SPDX-License-Identifier: Apache-2.0
// Dicts and sets by any key: what the keys' own hash and == say.
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "python/numbers/digits.h"
#include "python/values/dict.h"
#include "python/values/dict_entry.h"
#include "mapping.h"
#include "operators.h"
#include "protocol.h"
#include "type_lookup.h"
#include "value_call.h"

#define NO_ENTRY UINT32_MAX

// Of keys whose hashes are equal.
static inline bool are_strings(const Eval *ev, Value a, Value b) {
  return is_a(a, ev->types.string) && is_a(b, ev->types.string);
}
static inline bool strings_equal(Value a, Value b) {
  return same_texts((StrObject *)a.o, (StrObject *)b.o);
}

static bool is_entry_of(Eval *ev, const DictEntry *entry, Value key, uint64_t hash) {
  if (entry->hash != hash || entry->key.kind == V_UNBOUND) return false;
  if (entry->key.kind == key.kind && entry->key.i == key.i) return true;
  return are_strings(ev, entry->key, key) ? strings_equal(entry->key, key)
                                          : value_equal(ev, entry->key, key);
}

static inline uint64_t key_hash(Eval *ev, Value key) {
  if (key.kind == V_INT && is_own_hash(key.i)) return (uint64_t)key.i;
  if (key.kind == V_OBJECT && key.o->type == ev->types.string) {
    uint64_t hash = ((const StrObject *)key.o)->hash;
    return hash ? hash : str_hash((StrObject *)key.o);
  }
  return value_hash(ev, key);
}

// From a place on, where keys are asked whether they are equal, which may change the dict.
NOINLINE static DictEntry *find_equal(Eval *ev, const Dict *dict, Value key, uint64_t hash,
                                      size_t at) {
  DictEntry *entries = dict->entries;
  const uint32_t *index = dict->index;
  size_t end = index ? index_size(dict) : dict->used;
  for (;;) {
    if (index ? index[at] == NO_ENTRY : at == end) return NULL;
    DictEntry *entry = &entries[index ? index[at] : at];
    if (is_entry_of(ev, entry, key, hash)) return entry;
    at++;
    if (index) at &= end - 1;
  }
}

typedef enum KeyMatch { KEY_DIFFERS, KEY_EQUAL, KEY_UNKNOWN } KeyMatch;

// Mostly a key is found as the very object, or as the same text: nothing is called for that.
static inline KeyMatch match_key(const Eval *ev, const DictEntry *entry, Value key, uint64_t hash) {
  if (entry->hash != hash || entry->key.kind == V_UNBOUND) return KEY_DIFFERS;
  if (entry->key.kind == key.kind && entry->key.i == key.i) return KEY_EQUAL;
  if (!are_strings(ev, entry->key, key)) return KEY_UNKNOWN;
  return strings_equal(entry->key, key) ? KEY_EQUAL : KEY_DIFFERS;
}

DictEntry *dict_find_hashed(Eval *ev, const Dict *dict, Value key, uint64_t hash) {
  DictEntry *entries = dict->entries;
  const uint32_t *index = dict->index;
  if (!index) {
    for (size_t i = 0; i < dict->used; i++) {
      KeyMatch match = match_key(ev, &entries[i], key, hash);
      if (match == KEY_UNKNOWN) return find_equal(ev, dict, key, hash, i);
      if (match == KEY_EQUAL) return &entries[i];
    }
    return NULL;
  }
  size_t mask = index_size(dict) - 1;
  for (size_t at = dict_place(hash, mask); index[at] != NO_ENTRY; at = (at + 1) & mask) {
    DictEntry *entry = &entries[index[at]];
    KeyMatch match = match_key(ev, entry, key, hash);
    if (match == KEY_UNKNOWN) return find_equal(ev, dict, key, hash, at);
    if (match == KEY_EQUAL) return entry;
  }
  return NULL;
}

Value dict_get(Eval *ev, const Dict *dict, Value key) {
  const DictEntry *entry = dict_find_hashed(ev, dict, key, key_hash(ev, key));
  return entry ? entry->value : v_unbound();
}

void dict_set(Eval *ev, Dict *dict, Value key, Value value) {
  dict_set_hashed(ev, dict, key, key_hash(ev, key), value);
}

void dict_set_hashed(Eval *ev, Dict *dict, Value key, uint64_t hash, Value value) {
  DictEntry *entry = dict_find_hashed(ev, dict, key, hash);
  if (entry)
    entry->value = value;
  else
    dict_append(ev, dict, key, hash, value);
}

bool dict_remove(Eval *ev, Dict *dict, Value key) {
  DictEntry *entry = dict_find_hashed(ev, dict, key, key_hash(ev, key));
  if (!entry) return false;
  dict_drop(dict, entry);
  return true;
}

void raise_key_error(Eval *ev, Value key) { raise_with(ev, ev->types.KeyError, key); }

bool dict_has(Eval *ev, const Dict *dict, Value key) {
  return !v_is_unbound(dict_get(ev, dict, key));
}

void dict_clear(Dict *dict) {
  uint64_t version = dict->version + 1;
  *dict = (Dict){.base = dict->base, .version = version};
}

bool dict_is_walked_plainly(Eval *ev, Type *type) {
  Name iter = ev->builtin->names.dunder_iter;
  return !type->is_heap || type->slots.iter ||
         value_is(type_lookup(ev, type, iter), type_lookup(ev, ev->types.dict, iter));
}
