// SPDX-License-Identifier: Apache-2.0
// Attributes at a place of the program, which remembers where in a dict it found the last one
// (attribute_at.c).
#pragma once
#include "python/values/dict_entry.h"
#include "python/values/evaluator_state.h"

// What an instance has under the name, if its class is known to say nothing of that, or that it is
// one of its __slots__, and it is where it was found last; else NULL.
static inline DictEntry *own_entry_at(const Eval *ev, Value v, Name name, uint32_t at) {
  const Type *type = v.o->type;
  const TypeCache *cache = type->cache;
  const Dict *dict = ((const Instance *)v.o)->dict;
  size_t i = type_cache_place(name);
  if (!cache || cache->version != type->dict->version || cache->names[i] != name) return NULL;
  Value of_class = cache->values[i];
  bool is_own = of_class.kind == V_UNBOUND ? !type->lacks_dict
                                           : type->lacks_dict && is_a(of_class, ev->core->member);
  if (!is_own || at >= dict->used) return NULL;
  DictEntry *entry = &dict->entries[at];
  return is_own_key(entry, name) ? entry : NULL;
}

// As value_getattr, of any value.
Value value_getattr_of(Eval *ev, Value v, Name name, uint32_t *entry);
// The same, where an attribute of an instance that its class knows nothing of is the likeliest.
static inline Value value_getattr_at(Eval *ev, Value v, Name name, uint32_t *entry) {
  if (v.kind == V_OBJECT && v.o->type->instances_have_dict && !v.o->type->has_getattribute) {
    const DictEntry *own = own_entry_at(ev, v, name, *entry);
    if (own) return own->value;
  }
  return value_getattr_of(ev, v, name, entry);
}
// As value_setattr, with a value.
void value_setattr_of(Eval *ev, Value v, Name name, Value value, uint32_t *entry);
static inline void value_setattr_at(Eval *ev, Value v, Name name, Value value, uint32_t *entry) {
  if (v.kind == V_OBJECT && v.o->type->instances_have_dict && v.o->type->cache &&
      v.o->type->cache->sets_plainly) {
    DictEntry *own = own_entry_at(ev, v, name, *entry);
    if (own) {
      own->value = value;
      return;
    }
  }
  value_setattr_of(ev, v, name, value, entry);
}
// What goes before the arguments of a call of v.name, whose callee is not bound: v or its type.
typedef enum CalleeSelf { SELF_NONE, SELF_OBJECT, SELF_TYPE } CalleeSelf;
// What such a call calls; no bound method is made for it.
Value value_callee_of(Eval *ev, Value v, Name name, uint32_t *entry, CalleeSelf *self);
// The same, where a method of a native type is the likeliest.
static inline Value value_callee_at(Eval *ev, Value v, Name name, uint32_t *entry,
                                    CalleeSelf *self) {
  const TypeCache *cache = v.kind == V_OBJECT ? v.o->type->cache : NULL;
  size_t i = type_cache_place(name);
  if (cache && cache->has_methods && cache->names[i] == name &&
      cache->version == v.o->type->dict->version && is_a(cache->values[i], ev->types.native) &&
      ((const NativeFunction *)cache->values[i].o)->binding == NATIVE_METHOD) {
    *self = SELF_OBJECT;
    return cache->values[i];
  }
  return value_callee_of(ev, v, name, entry, self);
}
