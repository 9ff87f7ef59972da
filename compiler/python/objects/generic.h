// SPDX-License-Identifier: Apache-2.0
// Types as annotations write them: list[int] (GenericAlias) and int | None (UnionType).
#pragma once
#include "python/values/evaluator_state.h"
#include "python/values/values.h"

typedef struct GenericAlias {
  Object base;
  Value origin;
  Tuple *args;
  Tuple *parameters; // the type variables among args; NULL: not gathered yet
} GenericAlias;

typedef struct Union {
  Object base;
  Tuple *args; // types; None is its type
} Union;

static inline bool is_generic_alias(const Eval *ev, Value v) {
  return is_a(v, ev->types.generic_alias);
}
static inline bool is_union_type(const Eval *ev, Value v) { return is_a(v, ev->types.union_type); }
static inline Tuple *union_args(Value self) { return ((Union *)value_unwrap(self).o)->args; }

Value make_generic_alias(Eval *ev, Value origin, Value arguments); // list[int]
Value make_union(Eval *ev, Value left, Value right);               // int | None
// Values of the type `also` stand for types, too.
Value make_union_also(Eval *ev, Value left, Value right, const Type *also);
