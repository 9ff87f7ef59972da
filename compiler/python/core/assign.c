// SPDX-License-Identifier: Apache-2.0
// Targets: assignment, unpacking, augmented assignment, deletion.
#include <string.h>

#include "python/objects/fresh.h"
#include "python/values/evaluator_state.h"
#include "assign.h"
#include "expr.h"
#include "python/objects/attribute.h"
#include "python/objects/attribute_at.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/numbers/quick.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"

// ---- unpacking ----------------------------------------------------------------------------------
static size_t find_star(const ExprList *targets) {
  for (size_t i = 0; i < targets->count; i++)
    if (targets->items[i]->kind == EX_STARRED) return i;
  return SIZE_MAX;
}

enum { FEW_TARGETS = 4 };

// The items of a list, in `few` if they are that, or tuple; *items is NULL for any other iterable.
static size_t direct_items(Eval *ev, Value v, Value *few, const Value **items) {
  *items = NULL;
  if (is_a(v, ev->types.tuple)) {
    const Tuple *tuple = (const Tuple *)v.o;
    *items = tuple->items;
    return tuple->count;
  }
  if (is_a(v, ev->types.list)) {
    const List *list = (const List *)v.o;
    // A copy: assigning to a target may change the list.
    if (list->count > FEW_TARGETS) few = arena_alloc(ev->arena, list->count * sizeof(Value));
    if (list->count) memcpy(few, list->items, list->count * sizeof(Value));
    *items = few;
    return list->count;
  }
  return 0;
}

// Up to `most` items of an iterable and whether there is one more; NULL-kind of error for what
// cannot be iterated.
static List *take_items(Eval *ev, Value v, size_t most) {
  if (!value_is_iterable(ev, v))
    eval_raise(ev, ev->types.TypeError, "cannot unpack non-iterable %s object",
               value_type_name(ev, v));
  List *items = list_new(ev, 4);
  Walk walk;
  walk_start(ev, &walk, v);
  for (Value item; items->count < most && walk_next(ev, &walk, &item);) list_push(ev, items, item);
  return items;
}

static void unpack_star(Eval *ev, const ExprList *targets, size_t star, Value value) {
  const Tuple *items = (const Tuple *)value.o;
  size_t after = targets->count - star - 1, needed = targets->count - 1;
  if (items->count < needed)
    eval_raise(ev, ev->types.ValueError,
               "not enough values to unpack (expected at least %zu, got %zu)", needed,
               items->count);
  for (size_t i = 0; i < star; i++) eval_assign(ev, targets->items[i], items->items[i]);
  List *rest = list_new(ev, items->count - needed);
  for (size_t i = star; i < items->count - after; i++) list_push(ev, rest, items->items[i]);
  eval_assign(ev, targets->items[star]->starred, v_object(rest));
  for (size_t i = 0; i < after; i++)
    eval_assign(ev, targets->items[star + 1 + i], items->items[items->count - after + i]);
}

// A tuple, or an instance of a class derived from it that is iterated as a tuple is; else NULL.
static const Tuple *tuple_walked_plainly(Eval *ev, Value v) {
  if (v.o->type == ev->types.tuple) return (const Tuple *)v.o;
  const Tuple *tuple = v.o->type->payload ? value_as_tuple(v) : NULL;
  return tuple && value_is(type_lookup(ev, v.o->type, ev->names->iter),
                           type_lookup(ev, ev->types.tuple, ev->names->iter))
             ? tuple
             : NULL;
}

static void eval_unpack(Eval *ev, const Expr *target, Value value) {
  const ExprList *targets = &target->elements;
  if (target->is_plain && value.kind == V_OBJECT) {
    const Tuple *tuple = tuple_walked_plainly(ev, value);
    if (tuple && tuple->count == targets->count) {
      for (size_t i = 0; i < tuple->count; i++) eval_assign(ev, targets->items[i], tuple->items[i]);
      return;
    }
  }
  size_t star = find_star(targets);
  if (star != SIZE_MAX) {
    if (!value_is_iterable(ev, value))
      eval_raise(ev, ev->types.TypeError, "cannot unpack non-iterable %s object",
                 value_type_name(ev, value));
    unpack_star(ev, targets, star, v_object(value_to_tuple(ev, value)));
    return;
  }
  Value few[FEW_TARGETS];
  const Value *items;
  size_t count = direct_items(ev, value, few, &items);
  if (!items) {
    const List *list = take_items(ev, value, targets->count + 1);
    items = list->items;
    count = list->count;
  }
  if (count < targets->count)
    eval_raise(ev, ev->types.ValueError, "not enough values to unpack (expected %zu, got %zu)",
               targets->count, count);
  if (count > targets->count)
    eval_raise(ev, ev->types.ValueError, "too many values to unpack (expected %zu)",
               targets->count);
  for (size_t i = 0; i < count; i++) eval_assign(ev, targets->items[i], items[i]);
}

bool assign_next_items(Eval *ev, Walk *walk, Expr *target) {
  Value items[FEW_TARGETS];
  const ExprList *targets = &target->elements;
  bool is_apart = (target->kind == EX_TUPLE || target->kind == EX_LIST) && target->is_plain &&
                  targets->count == walk->width && walk->width <= FEW_TARGETS;
  if (!is_apart) {
    if (!walk_next(ev, walk, items)) return false;
    count_step(ev);
    eval_assign(ev, target, items[0]);
    return true;
  }
  if (!type_of(ev, walk->source)->slots.next_items(ev, walk->source, items)) return false;
  count_step(ev);
  ev->span = target->span;
  for (size_t i = 0; i < targets->count; i++) eval_assign(ev, targets->items[i], items[i]);
  return true;
}

// ---- assignment ---------------------------------------------------------------------------------
// The item of a list, as it mostly is.
static bool set_of_list(const Eval *ev, Value object, Value index, Value value) {
  if (!is_a(object, ev->types.list) || index.kind != V_INT) return false;
  List *list = (List *)object.o;
  if (index.i < 0 || index.i >= (int64_t)list->count) return false;
  list->items[index.i] = value;
  return true;
}

void assign_item(Eval *ev, Expr *target, Value value, const Expr *of) {
  Object *fresh = of ? fresh_object(ev, of, value) : NULL;
  Value object = eval_expr(ev, target->subscript.value);
  Value index = eval_expr(ev, target->subscript.index);
  ev->span = target->span;
  if (set_of_list(ev, object, index, value)) return;
  value_setitem(ev, object, index, value);
  if (!copies_items(object) || value_is(object, value)) return;
  take_back(ev, target->subscript.value, object);
  take_back(ev, target->subscript.index, index);
  if (of) take_back(ev, of, value);
  discard(ev, fresh);
}

void assign_target(Eval *ev, Expr *target, Value value) {
  switch (target->kind) {
  case EX_NAME: store_name(ev, &target->name, value); return;
  case EX_ATTRIBUTE: {
    Value object = eval_expr(ev, target->attribute.value);
    ev->span = target->span;
    value_setattr_at(ev, object, target->attribute.attr, value, &target->attribute.place);
    return;
  }
  case EX_SUBSCRIPT: assign_item(ev, target, value, NULL); return;
  case EX_TUPLE:
  case EX_LIST:
    ev->span = target->span;
    eval_unpack(ev, target, value);
    return;
  default: eval_raise_at(ev, target->span, ev->types.SyntaxError, "cannot assign to this");
  }
}

// The operator between numbers, of which most are + and -.
static inline bool quick_augmented(BinaryOp op, Value old, Value operand, Value *value) {
  return op == BIN_ADD   ? quick_binary(BIN_ADD, old, operand, value)
         : op == BIN_SUB ? quick_binary(BIN_SUB, old, operand, value)
                         : quick_binary(op, old, operand, value);
}

// The new value of what was `old`, where the operand has been evaluated.
static Value augmented_by(Eval *ev, const Stmt *stmt, Value old, Value operand) {
  Value value;
  Object *fresh = fresh_object(ev, stmt->aug_assign.value, operand);
  ev->span = stmt->span;
  value = value_inplace(ev, stmt->aug_assign.op, old, operand);
  if (fresh && value_is(value, old) && value.o->type == fresh->type) discard(ev, fresh);
  return value;
}

static Value augmented(Eval *ev, const Stmt *stmt, Value old) {
  Value operand = eval_expr(ev, stmt->aug_assign.value), value;
  bool is_quick = quick_augmented(stmt->aug_assign.op, old, operand, &value);
  return is_quick ? value : augmented_by(ev, stmt, old, operand);
}

static void augment_name(Eval *ev, const Stmt *stmt, Value old, Value value) {
  Expr *target = stmt->aug_assign.target;
  bool is_same = value_is(value, old) && old.kind == V_OBJECT && copies_items(old);
  bool is_there = target->form == FORM_LOCAL && !ev->hooks.assigned &&
                  value_is(ev->frame->env->slots[target->name.index], old);
  if (is_same && is_there) // in place
    take_back(ev, target, old);
  else
    eval_assign(ev, target, value);
}

void eval_aug_assign(Eval *ev, Stmt *stmt) {
  Expr *target = stmt->aug_assign.target;
  if (target->kind == EX_NAME) {
    Value old = eval_expr(ev, target), operand = eval_expr(ev, stmt->aug_assign.value), value;
    if (quick_augmented(stmt->aug_assign.op, old, operand, &value))
      eval_assign(ev, target, value);
    else
      augment_name(ev, stmt, old, augmented_by(ev, stmt, old, operand));
    return;
  }
  Value object = v_unbound(), index = v_unbound(), old;
  switch (target->kind) {
  case EX_ATTRIBUTE:
    object = eval_expr(ev, target->attribute.value);
    ev->span = target->span;
    old = value_getattr_at(ev, object, target->attribute.attr, &target->attribute.place);
    break;
  case EX_SUBSCRIPT:
    object = eval_expr(ev, target->subscript.value);
    index = eval_expr(ev, target->subscript.index);
    ev->span = target->span;
    old = value_getitem(ev, object, index);
    break;
  default: eval_raise_at(ev, target->span, ev->types.SyntaxError, "cannot assign to this");
  }
  Value value = augmented(ev, stmt, old);
  ev->span = stmt->span;
  if (target->kind == EX_ATTRIBUTE)
    value_setattr_at(ev, object, target->attribute.attr, value, &target->attribute.place);
  else if (!set_of_list(ev, object, index, value))
    value_setitem(ev, object, index, value);
}

void eval_delete(Eval *ev, Expr *target) {
  switch (target->kind) {
  case EX_NAME: delete_name(ev, &target->name, target->span); return;
  case EX_ATTRIBUTE: {
    Value object = eval_expr(ev, target->attribute.value);
    ev->span = target->span;
    value_delattr(ev, object, target->attribute.attr);
    return;
  }
  case EX_SUBSCRIPT: {
    Value object = eval_expr(ev, target->subscript.value);
    Value index = eval_expr(ev, target->subscript.index);
    ev->span = target->span;
    value_delitem(ev, object, index);
    return;
  }
  case EX_TUPLE:
  case EX_LIST:
    for (size_t i = 0; i < target->elements.count; i++) eval_delete(ev, target->elements.items[i]);
    return;
  default: eval_raise_at(ev, target->span, ev->types.SyntaxError, "cannot delete this");
  }
}
