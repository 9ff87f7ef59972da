// SPDX-License-Identifier: Apache-2.0
// Making list[int] and int | None.
#include "generic.h"

#include "python/values/builtin_state.h"
#include "python/values/new_value.h"
#include "operators.h"
#include "type_lookup.h"

Value make_generic_alias(Eval *ev, Value origin, Value arguments) {
  GenericAlias *alias = ARENA_NEW(ev->arena, GenericAlias);
  alias->base.type = ev->types.generic_alias;
  alias->origin = origin;
  Tuple *args = value_as_tuple(arguments);
  alias->args = args ? args : (Tuple *)make_tuple(ev, 1, &arguments).o;
  return v_object(alias);
}

static void add_member(Eval *ev, List *members, Value v) {
  for (size_t i = 0; i < members->count; i++)
    if (same_or_equal(ev, members->items[i], v)) return;
  list_push(ev, members, v);
}

static bool add_operand(Eval *ev, List *members, Value v, const Type *also) {
  if (is_union_type(ev, v)) {
    const Tuple *args = union_args(v);
    for (size_t i = 0; i < args->count; i++) add_member(ev, members, args->items[i]);
    return true;
  }
  if (v_is_none(v)) v = v_object(ev->types.none);
  if (!value_is_type(ev, v) && !is_generic_alias(ev, v) && !is_a(v, ev->core->unsupported) &&
      !(also && is_a(v, also)))
    return false;
  add_member(ev, members, v);
  return true;
}

Value make_union(Eval *ev, Value left, Value right) {
  return make_union_also(ev, left, right, NULL);
}

Value make_union_also(Eval *ev, Value left, Value right, const Type *also) {
  List *members = list_new(ev, 2);
  if (!add_operand(ev, members, left, also) || !add_operand(ev, members, right, also))
    return v_not_implemented();
  if (members->count == 1) return members->items[0];
  Union *made = ARENA_NEW(ev->arena, Union);
  *made =
      (Union){{ev->types.union_type}, (Tuple *)make_tuple(ev, members->count, members->items).o};
  return v_object(made);
}
