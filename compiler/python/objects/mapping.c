// SPDX-License-Identifier: Apache-2.0
// Dicts and sets by any key: what the keys' own hash and == say.
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "python/values/dict.h"
#include "mapping.h"
#include "operators.h"
#include "protocol.h"
#include "value_call.h"

#define NO_ENTRY UINT32_MAX

static bool keys_equal(Eval *ev, Value a, Value b) {
  if (value_is(a, b)) return true;
  if (is_a(a, ev->types.string) && is_a(b, ev->types.string)) {
    const StrObject *x = (const StrObject *)a.o, *y = (const StrObject *)b.o;
    return x->name == y->name; // both have been hashed, so both are interned
  }
  return value_equal(ev, a, b);
}

static DictEntry *find(Eval *ev, const Dict *dict, Value key, uint64_t hash) {
  DictEntry *entries = dict->entries;
  if (!dict->index) {
    size_t used = dict->used;
    for (size_t i = 0; i < used; i++) {
      DictEntry *entry = &entries[i];
      if (entry->hash == hash && entry->key.kind != V_UNBOUND && keys_equal(ev, entry->key, key))
        return entry;
    }
    return NULL;
  }
  const uint32_t *index = dict->index;
  size_t mask = dict->index_size - 1, at = (size_t)(hash * 0x9E3779B97F4A7C15u >> 32) & mask;
  for (; index[at] != NO_ENTRY; at = (at + 1) & mask) {
    DictEntry *entry = &entries[index[at]];
    if (entry->hash == hash && entry->key.kind != V_UNBOUND && keys_equal(ev, entry->key, key))
      return entry;
  }
  return NULL;
}

Value dict_get(Eval *ev, const Dict *dict, Value key) {
  const DictEntry *entry = find(ev, dict, key, value_hash(ev, key));
  return entry ? entry->value : v_unbound();
}

void dict_set(Eval *ev, Dict *dict, Value key, Value value) {
  uint64_t hash = value_hash(ev, key);
  DictEntry *entry = find(ev, dict, key, hash);
  if (entry)
    entry->value = value;
  else
    dict_append(ev, dict, key, hash, value);
}

bool dict_remove(Eval *ev, Dict *dict, Value key) {
  DictEntry *entry = find(ev, dict, key, value_hash(ev, key));
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
