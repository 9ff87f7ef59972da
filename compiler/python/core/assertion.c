// SPDX-License-Identifier: Apache-2.0
// Assert statements. Where somebody explains asserts that fail (ev->core->explain_assert), the
// values of a test's parts are kept while it is evaluated, and are passed to it as a tree of
// tuples:
//   ("value", v)                          ("name", id, v, whether it is a local)
//   ("call", v, callee, (mark, part)…)    mark: "", "*", "**", "name="
//   ("attribute", v, object, name)        ("binary", op, left, right)
//   ("unary", op, operand)                ("bool", op, part…), those that were evaluated
//   ("compare", op, left, right, v_left, v_right), the comparison that decided
#include "base/buf.h"
#include "python/values/evaluator_state.h"
#include "assertion.h"
#include "call_expr.h"
#include "expr.h"
#include "python/objects/attribute_at.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

typedef struct Part {
  const Expr *e;
  Value value;
  size_t decisive; // of a chain of comparisons, the one that decided; of and, or: the last operand
} Part;

typedef struct Test {
  VEC(Part) parts;
} Test;

static const Part *part_of(const Test *test, const Expr *e) {
  for (size_t i = 0; i < test->parts.count; i++)
    if (test->parts.items[i].e == e) return &test->parts.items[i];
  BUG("a part of an assert was not evaluated");
}

// ---- evaluation ---------------------------------------------------------------------------------
static Value eval_part(Eval *ev, Expr *e, void *test);

static Value compare_parts(Eval *ev, Expr *e, Test *test, size_t *decisive) {
  Value left = eval_part(ev, e->compare.left, test);
  for (size_t i = 0;; i++) {
    Value right = eval_part(ev, e->compare.comparators[i], test);
    ev->span = e->span;
    Value result = value_compare(ev, e->compare.ops[i], left, right);
    *decisive = i;
    if (i + 1 == e->compare.count || !truth_for(ev, result, TRUTH_OPERAND)) return result;
    left = right;
  }
}

static Value bool_of_parts(Eval *ev, Expr *e, Test *test, size_t *decisive) {
  const ExprList *values = &e->bool_op.values;
  for (size_t i = 0;; i++) {
    Value value = eval_part(ev, values->items[i], test);
    *decisive = i;
    if (i + 1 == values->count) return value;
    ev->span = values->items[i]->span;
    if (truth_for(ev, value, TRUTH_OPERAND) != e->bool_op.is_and) return value;
  }
}

static Value unary_of_part(Eval *ev, Expr *e, Test *test) {
  Value operand = eval_part(ev, e->unary.operand, test);
  ev->span = e->span;
  if (e->unary.op == UN_NOT) return v_bool(!truth_for(ev, operand, TRUTH_OPERAND));
  return value_unary(ev, e->unary.op, operand);
}

static Value binary_of_parts(Eval *ev, Expr *e, Test *test) {
  Value left = eval_part(ev, e->binary.left, test);
  Value right = eval_part(ev, e->binary.right, test);
  ev->span = e->span;
  return value_binary(ev, e->binary.op, left, right);
}

static Value attribute_of_part(Eval *ev, Expr *e, Test *test) {
  Value object = eval_part(ev, e->attribute.value, test);
  ev->span = e->span;
  return value_getattr_at(ev, object, e->attribute.attr, &e->attribute.place);
}

static Value eval_part(Eval *ev, Expr *e, void *context) {
  Test *test = context;
  Part part = {.e = e};
  switch (e->kind) {
  case EX_CALL:
    part.value = eval_call_by(ev, e, eval_part(ev, e->call.func, test), eval_part, test);
    break;
  case EX_ATTRIBUTE: part.value = attribute_of_part(ev, e, test); break;
  case EX_UNARY: part.value = unary_of_part(ev, e, test); break;
  case EX_BINARY: part.value = binary_of_parts(ev, e, test); break;
  case EX_BOOL_OP: part.value = bool_of_parts(ev, e, test, &part.decisive); break;
  case EX_COMPARE: part.value = compare_parts(ev, e, test, &part.decisive); break;
  default: part.value = eval_expr(ev, e);
  }
  ev->fresh = NULL; // it is kept here
  VEC_PUSH(ev->arena, &test->parts, part);
  return part.value;
}

// ---- what is reported --------------------------------------------------------------------------
static Value reported(Eval *ev, const Test *test, const Expr *e);

static Value reported_call(Eval *ev, const Test *test, const Expr *e) {
  List *out = list_new(ev, 8);
  list_push(ev, out, make_str_c(ev, "call"));
  list_push(ev, out, part_of(test, e)->value);
  list_push(ev, out, reported(ev, test, e->call.func));
  for (size_t i = 0; i < e->call.args.count; i++) {
    const Expr *argument = e->call.args.items[i];
    bool is_starred = argument->kind == EX_STARRED;
    Value pair[] = {make_str_c(ev, is_starred ? "*" : ""),
                    reported(ev, test, is_starred ? argument->starred : argument)};
    list_push(ev, out, make_tuple(ev, 2, pair));
  }
  for (size_t i = 0; i < e->call.keyword_count; i++) {
    const Keyword *keyword = &e->call.keywords[i];
    Buf mark;
    buf_init(&mark, ev->arena);
    buf_printf(&mark, keyword->name ? "%s=" : "**", keyword->name ? keyword->name->text : "");
    Value pair[] = {make_str(ev, buf_view(&mark)), reported(ev, test, keyword->value)};
    list_push(ev, out, make_tuple(ev, 2, pair));
  }
  return make_tuple(ev, out->count, out->items);
}

static Value reported_bool(Eval *ev, const Test *test, const Expr *e) {
  List *out = list_new(ev, 4);
  list_push(ev, out, make_str_c(ev, "bool"));
  list_push(ev, out, make_str_c(ev, e->bool_op.is_and ? "and" : "or"));
  for (size_t i = 0; i <= part_of(test, e)->decisive; i++)
    list_push(ev, out, reported(ev, test, e->bool_op.values.items[i]));
  return make_tuple(ev, out->count, out->items);
}

static Value reported_compare(Eval *ev, const Test *test, const Expr *e) {
  size_t i = part_of(test, e)->decisive;
  const Expr *left = i ? e->compare.comparators[i - 1] : e->compare.left;
  const Expr *right = e->compare.comparators[i];
  Value items[] = {make_str_c(ev, "compare"),  make_str_c(ev, compare_op_text(e->compare.ops[i])),
                   reported(ev, test, left),   reported(ev, test, right),
                   part_of(test, left)->value, part_of(test, right)->value};
  return make_tuple(ev, COUNT_OF(items), items);
}

#define REPORTED(...)                                                                              \
  make_tuple(ev, sizeof((Value[]){__VA_ARGS__}) / sizeof(Value), (Value[]){__VA_ARGS__})

static Value reported(Eval *ev, const Test *test, const Expr *e) {
  Value value = part_of(test, e)->value;
  switch (e->kind) {
  case EX_CALL: return reported_call(ev, test, e);
  case EX_BOOL_OP: return reported_bool(ev, test, e);
  case EX_COMPARE: return reported_compare(ev, test, e);
  case EX_NAME:
    return REPORTED(make_str_c(ev, "name"), make_name(ev, e->name.name), value,
                    v_bool(e->name.where == NAME_LOCAL));
  case EX_ATTRIBUTE:
    return REPORTED(make_str_c(ev, "attribute"), value, reported(ev, test, e->attribute.value),
                    make_name(ev, e->attribute.attr));
  case EX_BINARY:
    return REPORTED(make_str_c(ev, "binary"), make_str_c(ev, binary_op_text(e->binary.op)),
                    reported(ev, test, e->binary.left), reported(ev, test, e->binary.right));
  case EX_UNARY:
    return REPORTED(make_str_c(ev, "unary"), make_str_c(ev, unary_op_text(e->unary.op)),
                    reported(ev, test, e->unary.operand));
  default: return REPORTED(make_str_c(ev, "value"), value);
  }
}

// The message and, behind it, what ev->core->explain_assert says of the test, if it does.
static Value explained(Eval *ev, Value message, const Test *test, const Expr *e) {
  Value items[] = {v_object(ev->frame->module->dict), reported(ev, test, e)};
  Value text = value_call_n(ev, ev->core->explain_assert, COUNT_OF(items), items);
  if (v_is_none(text) || message.kind == V_UNBOUND) return v_is_none(text) ? message : text;
  Buf both;
  buf_init(&both, ev->arena);
  Str words;
  buf_str(&both, value_as_str(message, &words) ? words : value_repr(ev, message));
  buf_str(&both, STR("\n"));
  buf_str(&both, value_str(ev, text));
  return make_str(ev, buf_view(&both));
}

// ---- the statement ------------------------------------------------------------------------------
void assert_stmt(Eval *ev, Stmt *stmt) {
  Expr *e = stmt->assert_stmt.test;
  Test test = {0};
  bool explains = ev->core->explain_assert.kind == V_OBJECT && ev->frame->module;
  if (explains) {
    Value value = eval_part(ev, e, &test);
    ev->span = e->span;
    if (truth_for(ev, value, TRUTH_ASSERTION)) return;
  } else if (eval_test(ev, e, TRUTH_ASSERTION)) {
    return;
  }
  Value message = v_unbound();
  if (stmt->assert_stmt.message) message = eval_expr(ev, stmt->assert_stmt.message);
  if (explains) message = explained(ev, message, &test, e);
  ExceptionObject *failure = (ExceptionObject *)instance_new(ev, ev->types.AssertionError);
  if (message.kind != V_UNBOUND) failure->args = (Tuple *)make_tuple(ev, 1, &message).o;
  ev->span = e->span;
  eval_raise_value(ev, v_object(failure));
}
