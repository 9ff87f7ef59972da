// SPDX-License-Identifier: Apache-2.0
// Dicts and sets by any key: what the keys' own hash and == say.
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "python/values/dict.h"
#include "mapping.h"
#include "operators.h"
#include "protocol.h"
#include "type_lookup.h"
#include "value_call.h"

#define NO_ENTRY UINT32_MAX

static bool keys_equal(Eval *ev, Value a, Value b) {
  if (is_a(a, ev->types.string) && is_a(b, ev->types.string)) {
    const StrObject *x = (const StrObject *)a.o, *y = (const StrObject *)b.o;
    return x->name == y->name; // both have been hashed, so both are interned
  }
  return value_equal(ev, a, b);
}

static inline bool is_entry_of(Eval *ev, const DictEntry *entry, Value key, uint64_t hash) {
  if (entry->hash != hash || entry->key.kind == V_UNBOUND) return false;
  bool is_same = entry->key.kind == key.kind && entry->key.i == key.i; // or equal
  return is_same || keys_equal(ev, entry->key, key);
}

static inline uint64_t key_hash(Eval *ev, Value key) {
  if (key.kind == V_OBJECT && key.o->type == ev->types.string) {
    uint64_t hash = ((const StrObject *)key.o)->hash;
    if (hash) return hash;
  }
  return value_hash(ev, key);
}

DictEntry *dict_find_hashed(Eval *ev, const Dict *dict, Value key, uint64_t hash) {
  DictEntry *entries = dict->entries;
  if (!dict->index) {
    size_t used = dict->used;
    for (size_t i = 0; i < used; i++) {
      DictEntry *entry = &entries[i];
      if (is_entry_of(ev, entry, key, hash)) return entry;
    }
    return NULL;
  }
  const uint32_t *index = dict->index;
  size_t mask = dict->index_size - 1, at = (size_t)(hash * 0x9E3779B97F4A7C15u >> 32) & mask;
  for (; index[at] != NO_ENTRY; at = (at + 1) & mask) {
    DictEntry *entry = &entries[index[at]];
    if (is_entry_of(ev, entry, key, hash)) return entry;
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
