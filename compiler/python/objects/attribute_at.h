// SPDX-License-Identifier: Apache-2.0
// Attributes at a place of the program, which remembers where in a dict it found the last one
// (attribute_at.c).
#pragma once
#include "python/values/dict_entry.h"
#include "python/values/evaluator_state.h"

// As value_getattr, of any value.
Value value_getattr_of(Eval *ev, Value v, Name name, uint32_t *entry);
// The same, where an attribute of an instance that its class knows nothing of is the likeliest.
static inline Value value_getattr_at(Eval *ev, Value v, Name name, uint32_t *entry) {
  if (v.kind == V_OBJECT && v.o->type->instances_have_dict && !v.o->type->has_getattribute) {
    const Type *type = v.o->type;
    const TypeCache *cache = type->cache;
    const Dict *dict = ((const Instance *)v.o)->dict;
    size_t at = name->hash % TYPE_CACHE_SIZE;
    if (cache && cache->version == type->dict->version && cache->names[at] == name &&
        cache->values[at].kind == V_UNBOUND && *entry < dict->used &&
        is_name_key(&dict->entries[*entry], name, name_hash(name)))
      return dict->entries[*entry].value;
  }
  return value_getattr_of(ev, v, name, entry);
}
// As value_setattr, with a value.
void value_setattr_at(Eval *ev, Value v, Name name, Value value, uint32_t *entry);
// What a call of v.name calls: a method found on the type goes with *self, so that no bound method
// is made; else *self stays as it is.
Value value_callee_at(Eval *ev, Value v, Name name, uint32_t *entry, Value *self);
