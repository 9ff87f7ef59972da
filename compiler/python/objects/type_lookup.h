// SPDX-License-Identifier: Apache-2.0
// Types of values, and what a type and its bases have under a name (type_lookup.c).
#pragma once
#include "python/values/evaluator.h"

Type *value_type(Eval *ev, Value v);
const char *value_type_name(Eval *ev, Value v);
bool value_is_instance(Eval *ev, Value v, const Type *type);
// Raises TypeError unless v may be the self of what `owner` has under the name.
void type_check_self(Eval *ev, Value v, const Type *owner, const char *name);
// Through the MRO, V_UNBOUND if absent; no binding.
Value type_lookup(Eval *ev, Type *type, Name name);
bool value_is_type(Eval *ev, Value v); // a class
void type_changed(Eval *ev, Type *type);
static inline Type *type_subclass(const Type *type, size_t i) { // NULL: it is garbage
  return type->subclasses[i]->object;
}
void type_add_slots(Eval *ev, Type *type); // its natives and slots, as methods, into its dict
Dict *instance_dict(Value v);              // NULL if it has none
Value type_own_attribute(Eval *ev, Type *type, Name name); // of this type alone, not of its bases
// In the MRO of `type`, behind `after`.
Value type_lookup_after(Eval *ev, Type *type, const Type *after, Name name);
