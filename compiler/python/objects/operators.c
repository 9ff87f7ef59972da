// SPDX-License-Identifier: Apache-2.0
// Operators, as Python dispatches them: the left operand first, unless the right one's class
// derives from the left one's and has a reflected method of its own.
#include "python/values/evaluator_state.h"
#include "attribute.h"
#include "python/numbers/number.h"
#include "operators.h"
#include "protocol.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "type_lookup.h"

// Calls a method found on self's type with one operand.
static Value call_operator(Eval *ev, Value self, Name name, Value operand) {
  Value method;
  bool bound;
  if (!method_lookup(ev, self, name, &method, &bound) || v_is_none(method))
    return v_not_implemented();
  return call_special(ev, self, method, bound, 1, &operand);
}

// ---- binary -------------------------------------------------------------------------------------
static Value try_left(Eval *ev, Type *type, BinaryOp op, Value a, Value b) {
  if (type->slots.binary) return type->slots.binary(ev, op, a, b);
  return call_operator(ev, a, ev->names->binary[op], b);
}

static Value try_right(Eval *ev, Type *type, BinaryOp op, Value a, Value b) {
  if (type->slots.binary) return type->slots.binary(ev, op, a, b);
  return call_operator(ev, b, ev->names->reflected[op], a);
}

// Whether `derived` finds another method than `base` under the name.
static bool overrides(Eval *ev, Type *derived, Type *base, Name name) {
  if (derived->slots.binary) return derived->slots.binary != base->slots.binary;
  Value a = type_lookup(ev, derived, name), b = type_lookup(ev, base, name);
  return a.kind != V_UNBOUND && !value_is(a, b);
}

static bool is_sequence(const Eval *ev, const Type *type) {
  return type_is_subtype(type, ev->types.string) || type_is_subtype(type, ev->types.list) ||
         type_is_subtype(type, ev->types.tuple) || type_is_subtype(type, ev->types.bytes) ||
         type_is_subtype(type, ev->types.bytearray);
}

// A sequence's repetition is no number's multiplication: the other operand is asked first.
static bool repeats(const Eval *ev, BinaryOp op, const Type *left, const Type *right) {
  return op == BIN_MUL && right->is_heap && is_sequence(ev, left) && !is_sequence(ev, right);
}

static Value binary_try(Eval *ev, BinaryOp op, Value a, Value b) {
  Type *left = type_of(ev, a), *right = type_of(ev, b);
  if (left == right) return try_left(ev, left, op, a, b);
  Value result;
  bool right_first =
      repeats(ev, op, left, right) ||
      (type_is_subtype(right, left) && overrides(ev, right, left, ev->names->reflected[op]));
  if (right_first) {
    result = try_right(ev, right, op, a, b);
    if (result.kind != V_NOT_IMPLEMENTED) return result;
  }
  result = try_left(ev, left, op, a, b);
  if (result.kind != V_NOT_IMPLEMENTED || right_first) return result;
  return try_right(ev, right, op, a, b);
}

NORETURN static void raise_binary(Eval *ev, BinaryOp op, const char *text, Value a, Value b) {
  const Type *left = type_of(ev, a), *right = type_of(ev, b);
  if (op == BIN_ADD && is_sequence(ev, left)) {
    if (type_is_subtype(left, ev->types.bytes) || type_is_subtype(left, ev->types.bytearray))
      eval_raise(ev, ev->types.TypeError, "can't concat %s to %s", type_shown(right),
                 type_shown(left));
    const char *kind = type_is_subtype(left, ev->types.string) ? "str"
                       : type_is_subtype(left, ev->types.list) ? "list"
                                                               : "tuple";
    const char *hint =
        kind[0] == 's' ? "str() of a value is its text, as '{…}' of an f-string is" : "";
    raise_hinted(ev, ev->types.TypeError, hint, "can only concatenate %s (not \"%s\") to %s", kind,
                 type_shown(right), kind);
  }
  if (op == BIN_MUL && (is_sequence(ev, left) || is_sequence(ev, right)))
    eval_raise(ev, ev->types.TypeError, "can't multiply sequence by non-int of type '%s'",
               is_sequence(ev, left) ? type_shown(right) : type_shown(left));
  const char *hint = "";
  if (left == ev->types.method || right == ev->types.method)
    hint = "a method is called by '()' behind its name";
  else if (left == ev->types.function || right == ev->types.function)
    hint = "a function is called by '(...)' behind its name";
  else if (v_is_none(a) || v_is_none(b))
    hint = "a function without 'return' gives None";
  raise_hinted(ev, ev->types.TypeError, hint, "unsupported operand type(s) for %s: '%s' and '%s'",
               text, type_shown(left), type_shown(right));
}

Value value_binary(Eval *ev, BinaryOp op, Value a, Value b) {
  Value result;
  if (a.kind != V_OBJECT && b.kind != V_OBJECT && number_binary(ev, op, a, b, &result))
    return result;
  result = binary_try(ev, op, a, b);
  if (result.kind != V_NOT_IMPLEMENTED) return result;
  raise_binary(ev, op, op == BIN_POW ? "** or pow()" : binary_op_text(op), a, b);
}

Value value_inplace(Eval *ev, BinaryOp op, Value a, Value b) {
  Value result;
  if (a.kind != V_OBJECT && b.kind != V_OBJECT && number_binary(ev, op, a, b, &result))
    return result;
  Type *type = type_of(ev, a);
  if (type->slots.inplace)
    result = type->slots.inplace(ev, op, a, b);
  else if (type->slots.binary)
    result = v_not_implemented();
  else
    result = call_operator(ev, a, ev->names->inplace[op], b);
  if (result.kind != V_NOT_IMPLEMENTED) return result;
  result = binary_try(ev, op, a, b);
  if (result.kind != V_NOT_IMPLEMENTED) return result;
  raise_binary(ev, op, str_format(ev->arena, "%s=", binary_op_text(op)).data, a, b);
}

// ---- unary --------------------------------------------------------------------------------------
Value value_unary(Eval *ev, UnaryOp op, Value a) {
  if (op == UN_NOT) return v_bool(!value_truth(ev, a));
  if (a.kind == V_INT) {
    if (op == UN_INVERT) return v_int(~a.i);
    if (op == UN_POS) return a;
    if (a.i != INT64_MIN) return v_int(-a.i);
  }
  if (a.kind == V_FLOAT && op != UN_INVERT) return v_float(op == UN_NEG ? -a.f : a.f);
  if (a.kind == V_BOOL) return v_int(op == UN_INVERT ? ~a.i : op == UN_NEG ? -a.i : a.i);
  Type *type = type_of(ev, a);
  Value result = v_not_implemented();
  if (type->slots.unary) {
    result = type->slots.unary(ev, op, a);
    if (result.kind != V_NOT_IMPLEMENTED) return result;
  } else {
    Value method;
    bool bound;
    if (method_lookup(ev, a, ev->names->unary[op], &method, &bound) && !v_is_none(method))
      return call_special(ev, a, method, bound, 0, NULL);
  }
  static const char *const texts[] = {[UN_NEG] = "-", [UN_POS] = "+", [UN_INVERT] = "~"};
  eval_raise(ev, ev->types.TypeError, "bad operand type for unary %s: '%s'", texts[op],
             type_shown(type));
}

// ---- comparison ---------------------------------------------------------------------------------
static CompareOp reflected_compare(CompareOp op) {
  switch (op) {
  case CMP_LT: return CMP_GT;
  case CMP_LE: return CMP_GE;
  case CMP_GT: return CMP_LT;
  case CMP_GE: return CMP_LE;
  default: return op;
  }
}

static Value try_compare(Eval *ev, Type *type, CompareOp op, Value a, Value b) {
  if (type->slots.compare) return type->slots.compare(ev, op, a, b);
  return call_operator(ev, a, ev->names->compare[op], b);
}

static bool texts_compare(Eval *ev, CompareOp op, Value a, Value b, bool *out) {
  if (!is_a(a, ev->types.string) || !is_a(b, ev->types.string)) return false;
  const StrObject *x = (const StrObject *)a.o, *y = (const StrObject *)b.o;
  if (op == CMP_EQ || op == CMP_NE) {
    bool equal = x == y || (x->name && x->name == y->name) || str_equal(x->text, y->text);
    *out = equal == (op == CMP_EQ);
    return true;
  }
  int order = str_compare(x->text, y->text); // UTF-8 keeps the order of code points
  *out = op == CMP_LT   ? order < 0
         : op == CMP_LE ? order <= 0
         : op == CMP_GT ? order > 0
                        : order >= 0;
  return true;
}

static Value rich_compare(Eval *ev, CompareOp op, Value a, Value b) {
  bool known;
  if (a.kind == V_OBJECT ? texts_compare(ev, op, a, b, &known) : number_compare(op, a, b, &known))
    return v_bool(known);
  check_stack(ev);
  Type *left = type_of(ev, a), *right = type_of(ev, b);
  bool right_first = left != right && type_is_subtype(right, left);
  Value result;
  if (right_first) {
    result = try_compare(ev, right, reflected_compare(op), b, a);
    if (result.kind != V_NOT_IMPLEMENTED) return result;
  }
  result = try_compare(ev, left, op, a, b);
  if (result.kind != V_NOT_IMPLEMENTED) return result;
  if (!right_first) {
    result = try_compare(ev, right, reflected_compare(op), b, a);
    if (result.kind != V_NOT_IMPLEMENTED) return result;
  }
  if (op == CMP_EQ) return v_bool(value_is(a, b));
  if (op == CMP_NE) return v_bool(!value_is(a, b));
  eval_raise(ev, ev->types.TypeError, "'%s' not supported between instances of '%s' and '%s'",
             compare_op_text(op), type_shown(left), type_shown(right));
}

Value value_compare(Eval *ev, CompareOp op, Value a, Value b) {
  switch (op) {
  case CMP_IS: return v_bool(value_is(a, b));
  case CMP_IS_NOT: return v_bool(!value_is(a, b));
  case CMP_IN: return v_bool(value_contains(ev, b, a));
  case CMP_NOT_IN: return v_bool(!value_contains(ev, b, a));
  default: return rich_compare(ev, op, a, b);
  }
}

bool value_equal(Eval *ev, Value a, Value b) {
  Value result = rich_compare(ev, CMP_EQ, a, b);
  return result.kind == V_BOOL ? result.i != 0 : value_truth(ev, result);
}

bool same_or_equal(Eval *ev, Value a, Value b) { return value_is(a, b) || value_equal(ev, a, b); }
