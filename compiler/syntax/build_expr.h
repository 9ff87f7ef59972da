// SPDX-License-Identifier: Apache-2.0
// Builders of expressions.
#pragma once
#include "parser.h"

ExprList build_exprs_one(Parser *parser, Expr *expr);
ExprList build_exprs_push(Parser *parser, ExprList list, Expr *expr);
Expr *build_name(Parser *parser, Span span, Name name);
Expr *build_number(Parser *parser, Span span); // numbers.c
Expr *build_constant(Parser *parser, ExprKind kind, Span span, bool value);
Expr *build_tuple(Parser *parser, Span span, ExprList list, Expr *last); // last may be NULL
Expr *build_elements(Parser *parser, ExprKind kind, Span span, ExprList list, Expr *last);
Expr *build_group(Parser *parser, Expr *item);
Expr *build_as_item(Parser *parser, Span span, Span as, Expr *context, Expr *target);
Expr *build_starred(Parser *parser, Span span, Expr *value);
Expr *build_yield(Parser *parser, ExprKind kind, Span span, Expr *value); // or NULL
Expr *build_await(Parser *parser, Span span, Span keyword);
Expr *build_named(Parser *parser, Span span, Expr *target, Span target_place, Expr *value);
Expr *build_if_exp(Parser *parser, Span span, Expr *test, Expr *body, Expr *orelse);
Expr *build_bool_op(Parser *parser, Span span, bool is_and, Expr *left, Span left_place,
                    Expr *right);
Expr *build_unary(Parser *parser, Span span, UnaryOp op, Expr *operand);
Expr *build_binary(Parser *parser, Span span, BinaryOp op, Span op_span, Expr *left, Expr *right);
Expr *build_compare(Parser *parser, Span span, Expr *left, Span left_place, CompareOp op,
                    Expr *right);
Expr *build_attribute(Parser *parser, Span span, Expr *value, Name attr, Span attr_span);
Expr *build_subscript(Parser *parser, Span span, Expr *value, Expr *index);
Expr *build_single_subscript(Parser *parser, Expr *index);
// Sets *place, which bison has begun at the '[' where there is no lower bound.
Expr *build_slice(Parser *parser, Span *place, Span begin, Span end, Expr *lower, Expr *upper,
                  Expr *step);
