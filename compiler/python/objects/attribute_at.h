// SPDX-License-Identifier: Apache-2.0
// Attributes at a place of the program, which remembers how it found the last one
// (attribute_at.c).
#pragma once
#include "python/values/dict_entry.h"
#include "python/values/evaluator_state.h"

// What a place knows of a type's instances, beside the type's state, which is a multiple of
// PLACE_KINDS.
enum PlaceKind {
  PLACE_READ = 1,    // what their own dict has is their attribute …
  PLACE_WRITTEN = 2, // … and may be given another value there
  PLACE_METHOD = 4,  // what their own dict lacks is this method, which is called with them
  PLACE_KINDS = 8
};

static inline bool place_knows(const AttributePlace *place, const Type *type, enum PlaceKind kind) {
  uint64_t others = (PLACE_KINDS - 1) & ~(uint64_t)kind;
  return (place->known & ~others) == (type->state | kind) && type->version == type->dict->version;
}

// In the dict of an instance, if it is where it was found last; else NULL.
static inline DictEntry *own_entry_at(Value v, Name name, const AttributePlace *place) {
  const Dict *dict = ((const Instance *)v.o)->dict;
  if (place->entry >= dict->used) return NULL;
  DictEntry *entry = &dict->entries[place->entry];
  return is_own_key(entry, name) ? entry : NULL;
}

// As value_getattr, of any value.
Value value_getattr_of(Eval *ev, Value v, Name name, AttributePlace *place);
// The same, where an attribute of an instance that its class knows nothing of is the likeliest.
static inline Value value_getattr_at(Eval *ev, Value v, Name name, AttributePlace *place) {
  if (v.kind == V_OBJECT && place_knows(place, v.o->type, PLACE_READ)) {
    const DictEntry *own = own_entry_at(v, name, place);
    if (own) return own->value;
  }
  return value_getattr_of(ev, v, name, place);
}
// As value_setattr, with a value.
void value_setattr_of(Eval *ev, Value v, Name name, Value value, AttributePlace *place);
static inline void value_setattr_at(Eval *ev, Value v, Name name, Value value,
                                    AttributePlace *place) {
  if (v.kind == V_OBJECT && place_knows(place, v.o->type, PLACE_WRITTEN)) {
    DictEntry *own = own_entry_at(v, name, place);
    if (own) {
      own->value = value;
      return;
    }
  }
  value_setattr_of(ev, v, name, value, place);
}
// What goes before the arguments of a call of v.name, whose callee is not bound: v or its type.
typedef enum CalleeSelf { SELF_NONE, SELF_OBJECT, SELF_TYPE } CalleeSelf;
// What such a call calls; no bound method is made for it.
Value value_callee_of(Eval *ev, Value v, Name name, AttributePlace *place, CalleeSelf *self);
// The same, where a method of the type is the likeliest.
static inline Value value_callee_at(Eval *ev, Value v, Name name, AttributePlace *place,
                                    CalleeSelf *self) {
  if (v.kind == V_OBJECT && place_knows(place, v.o->type, PLACE_METHOD) &&
      !(v.o->type->instances_have_dict && dict_may_have(((const Instance *)v.o)->dict, name))) {
    *self = SELF_OBJECT;
    return v_object((void *)~place->method);
  }
  return value_callee_of(ev, v, name, place, self);
}
