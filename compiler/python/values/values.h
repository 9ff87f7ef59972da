// SPDX-License-Identifier: Apache-2.0
// What a value is, without running anything of the program: instances of classes derived from
// int, str, … count as what they derive from (values.c).
#pragma once
#include "evaluator.h"

bool type_is_subtype(const Type *type, const Type *base); // by the MRO: itself included

// Of an instance of a class derived from int, str, …: the underlying value; else v.
static inline Value value_unwrap(Value v) {
  if (v.kind != V_OBJECT || !v.o->type->payload) return v;
  Value payload = ((const Instance *)v.o)->payload;
  return payload.kind == V_UNBOUND ? v : payload;
}

static inline Object *value_as_layout(Value v, LayoutTag layout) {
  v = value_unwrap(v);
  return v.kind == V_OBJECT && v.o->type->layout == layout ? v.o : NULL;
}

// str and classes derived from it.
static inline bool value_as_str(Value v, Str *out) {
  const StrObject *str = (const StrObject *)value_as_layout(v, LAYOUT_STR);
  if (str) *out = str->text;
  return str != NULL;
}

// The same of the others (of tuples: NamedTuple, …), else NULL.
static inline Tuple *value_as_tuple(Value v) { return (Tuple *)value_as_layout(v, LAYOUT_TUPLE); }
static inline List *value_as_list(Value v) { return (List *)value_as_layout(v, LAYOUT_LIST); }
static inline Dict *value_as_dict(Value v) { return (Dict *)value_as_layout(v, LAYOUT_DICT); }
