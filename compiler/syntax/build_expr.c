// SPDX-License-Identifier: Apache-2.0
// Builders of expressions.
#include <string.h>

#include "build_expr.h"
#include "build_node.h"
#include "build_target.h"

Expr *build__deepen(Parser *parser, Expr *expr, uint32_t depth) {
  expr->depth = depth + 1;
  if (expr->depth <= AST_MAX_DEPTH) return expr;
  build__syntax_error(parser, expr->span, "an expression nested more than %d levels deep",
                      AST_MAX_DEPTH);
  return build__expr(parser, EX_ERROR, expr->span);
}

void build__no_star(Parser *parser, const Expr *expr) {
  if (expr && expr->kind == EX_STARRED)
    build__syntax_error(parser, expr->span,
                        "a starred expression must stand in a list, a tuple, a set or a call");
}

bool build__is_parenthesised(const Expr *expr, Span place) {
  return place.begin != expr->span.begin;
}

// The storage of a list under construction doubles whenever its count is a power of two, from 2 on.
ExprList build_exprs_push(Parser *parser, ExprList list, Expr *expr) {
  if (list.count == 0 || (list.count >= 2 && (list.count & (list.count - 1)) == 0)) {
    Expr **items = ARENA_ARRAY(parser->arena, Expr *, list.count ? list.count * 2 : 2);
    if (list.count) memcpy(items, list.items, list.count * sizeof *items);
    list.items = items;
  }
  list.items[list.count++] = expr;
  return list;
}

ExprList build_exprs_one(Parser *parser, Expr *expr) {
  return build_exprs_push(parser, (ExprList){0}, expr);
}

// ---- atoms -------------------------------------------------------------------------------------
Expr *build_name(Parser *parser, Span span, Name name) {
  Expr *expr = build__expr(parser, EX_NAME, span);
  expr->name = (NameRef){.name = name, .index = NO_SLOT};
  return expr;
}

Expr *build_constant(Parser *parser, ExprKind kind, Span span, bool value) {
  Expr *expr = build__expr(parser, kind, span);
  expr->boolean = value;
  return expr;
}

static bool is_literal(const Expr *expr) {
  switch (expr->kind) {
  case EX_INT:
  case EX_FLOAT:
  case EX_STR:
  case EX_BYTES:
  case EX_BOOL:
  case EX_NONE: return true;
  case EX_UNARY:
    return expr->unary.op == UN_NEG &&
           (expr->unary.operand->kind == EX_INT || expr->unary.operand->kind == EX_FLOAT);
  case EX_TUPLE: return expr->is_literal;
  default: return false;
  }
}

Expr *build_elements(Parser *parser, ExprKind kind, Span span, ExprList list, Expr *last) {
  if (last) list = build_exprs_push(parser, list, last);
  Expr *expr = build__expr(parser, kind, span);
  expr->elements = list;
  expr->is_plain = expr->is_literal = true;
  for (size_t i = 0; i < list.count; i++) {
    if (list.items[i]->kind == EX_STARRED) expr->is_plain = false;
    if (!is_literal(list.items[i])) expr->is_literal = false;
  }
  return build__deepen(parser, expr, build__list_depth(list));
}

Expr *build_tuple(Parser *parser, Span span, ExprList list, Expr *last) {
  return build_elements(parser, EX_TUPLE, span, list, last);
}

Expr *build_group(Parser *parser, Expr *item) {
  build__no_star(parser, item);
  return item;
}

// An EX_ERROR that remembers its halves in `named`, for build_with_head.
Expr *build_as_item(Parser *parser, Span span, Span as, Expr *context, Expr *target) {
  Expr *expr = build__expr(parser, EX_ERROR, span);
  expr->named.target = target;
  expr->named.value = context;
  if (parser->as_count++ == 0) parser->as_item = as;
  return build__deepen(parser, expr, build__deeper(context, target));
}

Expr *build_starred(Parser *parser, Span span, Expr *value) {
  Expr *expr = build__expr(parser, EX_STARRED, span);
  expr->starred = value;
  return build__deepen(parser, expr, value->depth);
}

// ---- what is refused by name -------------------------------------------------------------------
// Reports what the language leaves out, or keeps it for the function around it (defers_refusals).
static void refuse(Parser *parser, Span place, const char *why) {
  if (!parser->defers_refusals)
    build__syntax_error(parser, place, "%s", why);
  else if (!parser->refused.why)
    parser->refused = (Refusal){place, why};
}

Expr *build__refused(Parser *parser, Refusal refusal) {
  Expr *expr = build__expr(parser, EX_REFUSED, refusal.place);
  expr->refused = refusal.why;
  return expr;
}

bool build__take_refusal(Parser *parser, Refusal *refusal) {
  *refusal = parser->refused;
  parser->refused = (Refusal){.why = NULL};
  return refusal->why;
}

Expr *build_yield(Parser *parser, ExprKind kind, Span span, Expr *value) {
  Expr *expr = build__expr(parser, kind, span);
  expr->yielded = value;
  return build__deepen(parser, expr, build__depth(value));
}

Expr *build_await(Parser *parser, Span span, Span keyword) {
  refuse(parser, keyword, "'await' is not supported: pallasc has no coroutines");
  return build__expr(parser, EX_ERROR, span);
}

// ---- operators ---------------------------------------------------------------------------------
Expr *build_named(Parser *parser, Span span, Expr *target, Span target_place, Expr *value) {
  if (target->kind != EX_NAME || build__is_parenthesised(target, target_place)) {
    if (target->kind != EX_ERROR)
      build__syntax_error(parser, target_place, "':=' assigns to a plain name only, not to %s",
                          target->kind == EX_NAME ? "one in parentheses" : build__describe(target));
    return build__expr(parser, EX_ERROR, span);
  }
  Expr *expr = build__expr(parser, EX_NAMED, span);
  expr->named.target = target;
  expr->named.value = value;
  return build__deepen(parser, expr, build__deeper(target, value));
}

Expr *build_if_exp(Parser *parser, Span span, Expr *test, Expr *body, Expr *orelse) {
  Expr *expr = build__expr(parser, EX_IF_EXP, span);
  expr->if_exp.test = test;
  expr->if_exp.body = body;
  expr->if_exp.orelse = orelse;
  uint32_t depth = build__deeper(test, body);
  return build__deepen(parser, expr, orelse->depth > depth ? orelse->depth : depth);
}

Expr *build_bool_op(Parser *parser, Span span, bool is_and, Expr *left, Span left_place,
                    Expr *right) {
  if (left->kind == EX_BOOL_OP && left->bool_op.is_and == is_and &&
      !build__is_parenthesised(left, left_place)) {
    left->span = span;
    left->bool_op.values = build_exprs_push(parser, left->bool_op.values, right);
    return right->depth < left->depth ? left : build__deepen(parser, left, right->depth);
  }
  Expr *expr = build__expr(parser, EX_BOOL_OP, span);
  expr->bool_op.is_and = is_and;
  expr->bool_op.values = build_exprs_push(parser, build_exprs_one(parser, left), right);
  return build__deepen(parser, expr, build__deeper(left, right));
}

Expr *build_unary(Parser *parser, Span span, UnaryOp op, Expr *operand) {
  Expr *expr = build__expr(parser, EX_UNARY, span);
  expr->unary.op = op;
  expr->unary.operand = operand;
  return build__deepen(parser, expr, operand->depth);
}

Expr *build_binary(Parser *parser, Span span, BinaryOp op, Span op_span, Expr *left, Expr *right) {
  Expr *expr = build__expr(parser, EX_BINARY, span);
  expr->form = FORM_BINARY + (uint32_t)op;
  expr->binary.op = op;
  expr->binary.op_span = op_span;
  expr->binary.left = left;
  expr->binary.right = right;
  return build__deepen(parser, expr, build__deeper(left, right));
}

static void push_comparison(Parser *parser, Expr *expr, CompareOp op, Expr *right) {
  size_t count = expr->compare.count;
  ExprList list = {expr->compare.comparators, count};
  if (count == 0 || (count >= 2 && (count & (count - 1)) == 0)) {
    CompareOp *ops = ARENA_ARRAY(parser->arena, CompareOp, count ? count * 2 : 2);
    if (count) memcpy(ops, expr->compare.ops, count * sizeof *ops);
    expr->compare.ops = ops;
  }
  expr->compare.ops[count] = op;
  expr->compare.comparators = build_exprs_push(parser, list, right).items;
  expr->compare.count++;
}

Expr *build_compare(Parser *parser, Span span, Expr *left, Span left_place, CompareOp op,
                    Expr *right) {
  if (left->kind == EX_COMPARE && !build__is_parenthesised(left, left_place)) {
    left->span = span;
    left->form = EX_COMPARE;
    push_comparison(parser, left, op, right);
    return right->depth < left->depth ? left : build__deepen(parser, left, right->depth);
  }
  Expr *expr = build__expr(parser, EX_COMPARE, span);
  expr->form = FORM_COMPARE + (uint32_t)op;
  expr->compare.left = left;
  push_comparison(parser, expr, op, right);
  return build__deepen(parser, expr, build__deeper(left, right));
}

// ---- trailers ----------------------------------------------------------------------------------
Expr *build_attribute(Parser *parser, Span span, Expr *value, Name attr, Span attr_span) {
  Expr *expr = build__expr(parser, EX_ATTRIBUTE, span);
  expr->attribute.value = value;
  expr->attribute.attr = attr;
  expr->attribute.attr_span = attr_span;
  return build__deepen(parser, expr, value->depth);
}

Expr *build_subscript(Parser *parser, Span span, Expr *value, Expr *index) {
  Expr *expr = build__expr(parser, EX_SUBSCRIPT, span);
  expr->subscript.value = value;
  expr->subscript.index = index;
  return build__deepen(parser, expr, build__deeper(value, index));
}

// x[*a] is x[(*a,)].
Expr *build_single_subscript(Parser *parser, Expr *index) {
  if (index->kind != EX_STARRED) return index;
  return build_tuple(parser, index->span, (ExprList){0}, index);
}

Expr *build_slice(Parser *parser, Span *place, Span begin, Span end, Expr *lower, Expr *upper,
                  Expr *step) {
  *place = span_join(begin, end);
  Expr *expr = build__expr(parser, EX_SLICE, *place);
  expr->slice.lower = lower;
  expr->slice.upper = upper;
  expr->slice.step = step;
  uint32_t depth = build__deeper(lower, upper);
  return build__deepen(parser, expr, build__depth(step) > depth ? step->depth : depth);
}
