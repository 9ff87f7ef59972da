// SPDX-License-Identifier: Apache-2.0
// Binary operators and comparisons as expressions. Each of the usual ones is a function of its own,
// for operands that are no objects: the operator is known where the expression's form is. Operands
// of all kinds, and everything that can fail, are for operators.h.
#include "operation.h"
#include "expr.h"
#include "python/numbers/quick.h"
#include "python/objects/fresh.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include <string.h>

// ---- any operator -------------------------------------------------------------------------------
// The left operand has been evaluated.
static Value binary_of(Eval *ev, Expr *e, Value a) {
  const Expr *left = e->binary.left, *right = e->binary.right;
  Object *fresh_a = fresh_object(ev, left, a);
  bool is_same = left->form == FORM_LOCAL && right->form == FORM_LOCAL &&
                 left->name.index == right->name.index; // one read
  Value b = is_same ? a : eval_expr(ev, e->binary.right);
  Object *fresh_b = fresh_object(ev, right, b);
  ev->span = e->span;
  Value result = value_binary(ev, e->binary.op, a, b);
  if (operator_made(ev, a, b, result, fresh_a, fresh_b)) {
    take_back(ev, left, a);
    take_back(ev, right, b);
  }
  return result;
}

// Both have, and a is no object.
static Value binary_of_both(Eval *ev, Expr *e, Value a, Value b) {
  Object *fresh = fresh_object(ev, e->binary.right, b);
  ev->span = e->span;
  Value result = value_binary(ev, e->binary.op, a, b);
  if (operator_made(ev, a, b, result, NULL, fresh)) take_back(ev, e->binary.right, b);
  return result;
}

Value eval_binary(Eval *ev, Expr *e) { return binary_of(ev, e, eval_expr(ev, e->binary.left)); }

#define BINARY(name, op)                                                                           \
  Value eval_##name(Eval *ev, Expr *e) {                                                           \
    Value a = eval_expr(ev, e->binary.left), result;                                               \
    if (a.kind == V_OBJECT) return binary_of(ev, e, a);                                            \
    Value b = eval_expr(ev, e->binary.right);                                                      \
    return quick_binary(op, a, b, &result) ? result : binary_of_both(ev, e, a, b);                 \
  }
BINARY(add, BIN_ADD)
BINARY(sub, BIN_SUB)
BINARY(mul, BIN_MUL)
BINARY(div, BIN_DIV)
BINARY(floor_div, BIN_FLOOR_DIV)
BINARY(mod, BIN_MOD)
BINARY(and, BIN_AND)
BINARY(or, BIN_OR)
BINARY(xor, BIN_XOR)
#undef BINARY

// ---- comparisons --------------------------------------------------------------------------------
static Value compare_both(Eval *ev, Expr *e, Value a, Object *fresh_a, Value b) {
  Object *fresh_b = fresh_object(ev, e->compare.comparators[0], b);
  ev->span = e->span;
  Value result = value_compare(ev, e->compare.ops[0], a, b);
  if (operator_made(ev, a, b, result, fresh_a, fresh_b)) {
    take_back(ev, e->compare.left, a);
    take_back(ev, e->compare.comparators[0], b);
  }
  return result;
}

static Value compare_of(Eval *ev, Expr *e, Value a) {
  Object *fresh_a = fresh_object(ev, e->compare.left, a);
  return compare_both(ev, e, a, fresh_a, eval_expr(ev, e->compare.comparators[0]));
}

static Value compare_of_both(Eval *ev, Expr *e, Value a, Value b) {
  Object *fresh = fresh_object(ev, e->compare.comparators[0], b);
  ev->span = e->span;
  Value result = value_compare(ev, e->compare.ops[0], a, b);
  if (operator_made(ev, a, b, result, NULL, fresh)) take_back(ev, e->compare.comparators[0], b);
  return result;
}

// Of two texts: whether they are equal.
static inline bool texts_quickly(const Eval *ev, Value a, Value b, bool *equal) {
  if (!is_a(a, ev->types.string) || !is_a(b, ev->types.string)) return false;
  const StrObject *x = (const StrObject *)a.o, *y = (const StrObject *)b.o;
  *equal = x == y || (x->name && x->name == y->name);
  if (*equal || (x->name && y->name) || x->text.len != y->text.len) return true;
  size_t length = x->text.len;
  *equal = length == 0 || (x->text.data[0] == y->text.data[0] &&
                           (length == 1 || memcmp(x->text.data, y->text.data, length) == 0));
  return true;
}

// Of a text of one byte and another one: whether that holds it.
static inline bool character_quickly(const Eval *ev, Value a, Value b, bool *found) {
  if (!is_a(a, ev->types.string) || !is_a(b, ev->types.string)) return false;
  Str x = ((const StrObject *)a.o)->text, y = ((const StrObject *)b.o)->text;
  if (x.len != 1) return false;
  *found = y.len && memchr(y.data, x.data[0], y.len);
  return true;
}

// What is looked for in a set that is written out of literals: the set is made once.
static Value container(Eval *ev, Expr *e) {
  if (e->kind != EX_SET || !e->is_literal) return eval_expr(ev, e);
  if (!e->literal) e->literal = eval_expr(ev, e).o;
  return v_object(e->literal);
}

// The left operand is an object.
static Value compare_equal(Eval *ev, Expr *e, Value a, bool wanted) {
  Object *fresh_a = fresh_object(ev, e->compare.left, a);
  Value b = eval_expr(ev, e->compare.comparators[0]);
  bool equal;
  if (texts_quickly(ev, a, b, &equal)) return v_bool(equal == wanted);
  return compare_both(ev, e, a, fresh_a, b);
}

// `in` and `not in`: what is found refers to neither operand.
static bool is_in(Eval *ev, Expr *e) {
  Value a = eval_expr(ev, e->compare.left), b = container(ev, e->compare.comparators[0]);
  bool found;
  if (character_quickly(ev, a, b, &found)) return found;
  ev->span = e->span;
  if (is_a(b, ev->types.dict) || is_a(b, ev->types.set))
    found = dict_has(ev, (const Dict *)b.o, a);
  else if (is_a(b, ev->types.string))
    found = b.o->type->slots.contains(ev, b, a);
  else
    found = value_contains(ev, b, a);
  ev->fresh = NULL;
  return found;
}

Value eval_in(Eval *ev, Expr *e) { return v_bool(is_in(ev, e)); }
Value eval_not_in(Eval *ev, Expr *e) { return v_bool(!is_in(ev, e)); }

#define COMPARE(id, text, method)                                                                  \
  Value eval_##method(Eval *ev, Expr *e) {                                                         \
    Value a = eval_expr(ev, e->compare.left);                                                      \
    if (a.kind == V_OBJECT)                                                                        \
      return CMP_##id == CMP_EQ || CMP_##id == CMP_NE                                              \
                 ? compare_equal(ev, e, a, CMP_##id == CMP_EQ)                                     \
                 : compare_of(ev, e, a);                                                           \
    Value b = eval_expr(ev, e->compare.comparators[0]);                                            \
    bool holds;                                                                                    \
    return quick_compare(CMP_##id, a, b, &holds) ? v_bool(holds) : compare_of_both(ev, e, a, b);   \
  }
#include "syntax/operators.def"

static bool are_same(Eval *ev, Expr *e) {
  Value a = eval_expr(ev, e->compare.left), b = eval_expr(ev, e->compare.comparators[0]);
  take_back(ev, e->compare.left, a);
  take_back(ev, e->compare.comparators[0], b);
  return value_is(a, b);
}

Value eval_is(Eval *ev, Expr *e) { return v_bool(are_same(ev, e)); }
Value eval_is_not(Eval *ev, Expr *e) { return v_bool(!are_same(ev, e)); }

Value eval_comparisons(Eval *ev, Expr *e) {
  Value a = eval_expr(ev, e->compare.left);
  for (size_t i = 0;; i++) {
    Value b = eval_expr(ev, e->compare.comparators[i]), result;
    bool is_last = i + 1 == e->compare.count, holds;
    if (quick_compare(e->compare.ops[i], a, b, &holds)) {
      if (is_last || !holds) return v_bool(holds);
    } else {
      ev->span = e->span;
      result = value_compare(ev, e->compare.ops[i], a, b);
      ev->fresh = NULL;
      if (is_last || !truth_for(ev, result, TRUTH_OPERAND)) return result;
    }
    a = b;
  }
}
