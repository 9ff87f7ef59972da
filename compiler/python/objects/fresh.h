// SPDX-License-Identifier: Apache-2.0
// Values that nothing refers to but the expression that they are the value of, so that who drops
// them may give their memory back at once. What is certain counts alone: operators between objects
// of one native type, natives that say so of their results, and functions that return the value of
// such a call or operator.
#pragma once
#include "python/values/evaluator_state.h"
#include "python/values/values.h"
#include "protocol.h"
#include "syntax/ast.h"

static inline bool may_be_fresh(const Expr *e) {
  return e->kind == EX_CALL || e->kind == EX_BINARY || e->kind == EX_UNARY ||
         e->kind == EX_COMPARE || e->kind == EX_SUBSCRIPT || e->kind == EX_IF_EXP;
}

// v is the value of e, which has just been evaluated.
static inline Object *fresh_object(const Eval *ev, const Expr *e, Value v) {
  return v.kind == V_OBJECT && v.o == ev->fresh && may_be_fresh(e) ? v.o : NULL;
}

// NULL: nothing.
static inline void discard(Eval *ev, Object *object) {
  if (object) object->type->slots.discard(ev, v_object(object));
}

// An operand that an operator's result cannot refer to.
static inline bool is_operand_of(const Eval *ev, Value v, const Type *type) {
  return v.kind != V_OBJECT || v.o->type == type ||
         (!v.o->type->is_heap && type_of(ev, v)->slots.discard == type->slots.discard);
}

// Behind an operator: its operands that were fresh go, and its result is fresh now, if it is of a
// type whose operators make their results. False: it may refer to the operands.
static inline bool operator_made(Eval *ev, Value a, Value b, Value result, Object *fresh_a,
                                 Object *fresh_b) {
  ev->fresh = NULL;
  if (result.kind != V_OBJECT || !result.o->type->slots.discard) return false;
  if (value_is(result, a) || value_is(result, b)) return false;
  const Type *type = result.o->type;
  if (type->is_heap || !is_operand_of(ev, a, type) || !is_operand_of(ev, b, type)) return false;
  discard(ev, fresh_a);
  if (fresh_b != fresh_a) discard(ev, fresh_b);
  ev->fresh = result.o;
  return true;
}

static inline bool copies_items(Value v) {
  return v.kind == V_OBJECT && v.o->type->slots.copies_items && !v.o->type->is_heap;
}

// Behind an index: what was fresh of which an item was taken goes if that has been made anew, and
// so does an index that was fresh. False: the item is a view of it, or may be.
static inline bool item_made(Eval *ev, Value v, Value item, Object *fresh, Object *fresh_index) {
  ev->fresh = NULL;
  if (fresh_index && copies_items(v)) discard(ev, fresh_index);
  if (item.kind != V_OBJECT || v.kind != V_OBJECT || value_is(item, v)) return false;
  const Type *type = v.o->type;
  if (!type->slots.is_own || type->is_heap || item.o->type->slots.is_own != type->slots.is_own)
    return false;
  bool is_own = type->slots.is_own(item);
  if (is_own) discard(ev, fresh);
  ev->fresh = item.o;
  return is_own;
}

// The last thing that a native does: its result is new, and shares nothing with the arguments but
// what its type says that it does not own (is_own): the memory that a view looks into.
static inline Value made(Eval *ev, Value v) {
  ev->made = v.kind == V_OBJECT && v.o->type->slots.discard ? v.o : NULL;
  return v;
}

// The last thing that a native does whose result is what a call has just given.
static inline Value forwarded(Eval *ev, Value v) {
  ev->made = v.kind == V_OBJECT && v.o == ev->fresh ? v.o : NULL;
  return v;
}

// The last thing that a native does whose result is a number, and that keeps none of its arguments.
static inline Value measured(Eval *ev, const Value *arguments, Value number) {
  ev->measured = arguments;
  return number;
}
