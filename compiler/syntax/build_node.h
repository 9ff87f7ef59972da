// SPDX-License-Identifier: Apache-2.0
// What builders share: nodes of expressions, and mistakes that they report.
//
// What the parser's actions call: one builder an action. Builders check what the grammar leaves
// open, report it, and return a node in any case (EX_ERROR or ST_ERROR in place of what makes no
// sense). Spans follow Python's ast: brackets around an expression do not belong to it, those of a
// tuple do.
#pragma once
#include "mistake.h"
#include "parser.h"

Expr *build__expr(Parser *parser, ExprKind kind, Span span);
uint32_t build__depth(const Expr *expr);              // 0 for NULL
uint32_t build__deeper(const Expr *a, const Expr *b); // the depth of the deeper one
uint32_t build__list_depth(ExprList list);
// Reports, once a logical line, as the parser itself does.
void build__mistake(Parser *parser, MistakeKind kind, Span span, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
#define build__syntax_error(parser, ...) build__mistake((parser), MISTAKE_SYNTAX, __VA_ARGS__)

// The node, or EX_ERROR if it is too deep. `depth` is that of its deepest child.
Expr *build__deepen(Parser *parser, Expr *expr, uint32_t depth);
// Reports a starred expression that is not an element of something.
void build__no_star(Parser *parser, const Expr *expr);
// Whether the expression that a grammar symbol at `place` gave stands in parentheses of its own.
bool build__is_parenthesised(const Expr *expr, Span place);

// What stands for a refusal: an expression that raises when it is evaluated.
Expr *build__refused(Parser *parser, Refusal refusal);
// The first refusal that no function has taken yet. False if there is none.
bool build__take_refusal(Parser *parser, Refusal *refusal);
