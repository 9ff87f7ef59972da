// SPDX-License-Identifier: Apache-2.0
// What a value is, without running anything of the program: instances of classes derived from int,
// str, … count as what they derive from.
#include "evaluator_state.h"
#include "values.h"

Value value_unwrap(Value v) {
  if (v.kind != V_OBJECT || !v.o->type->payload) return v;
  Value payload = ((const Instance *)v.o)->payload;
  return payload.kind == V_UNBOUND ? v : payload;
}

static Object *as_layout(Value v, LayoutTag layout) {
  v = value_unwrap(v);
  return v.kind == V_OBJECT && v.o->type->layout == layout ? v.o : NULL;
}

bool value_as_str(Value v, Str *out) {
  const StrObject *str = (const StrObject *)as_layout(v, LAYOUT_STR);
  if (str) *out = str->text;
  return str != NULL;
}

bool type_is_subtype(const Type *type, const Type *base) {
  for (size_t i = 0; i < type->mro_count; i++)
    if (type->mro[i] == base) return true;
  return false;
}

Tuple *value_as_tuple(Value v) { return (Tuple *)as_layout(v, LAYOUT_TUPLE); }

List *value_as_list(Value v) { return (List *)as_layout(v, LAYOUT_LIST); }

Dict *value_as_dict(Value v) { return (Dict *)as_layout(v, LAYOUT_DICT); }
