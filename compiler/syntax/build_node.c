// SPDX-License-Identifier: Apache-2.0
// Nodes of expressions: their memory and their depth.
#include <stddef.h>

#include "build_node.h"

#define SIZE_WITH(member) (offsetof(Expr, member) + sizeof((Expr){0}.member))

// Large tables are large trees: a node takes no more than its kind needs.
static size_t size_of_kind(ExprKind kind) {
  switch (kind) {
  case EX_ATTRIBUTE: return SIZE_WITH(attribute);
  case EX_CALL: return SIZE_WITH(call);
  case EX_BINARY: return SIZE_WITH(binary);
  case EX_BOOL_OP: return SIZE_WITH(bool_op);
  case EX_COMPARE: return SIZE_WITH(compare);
  case EX_DICT: return SIZE_WITH(dict);
  case EX_LIST_COMP:
  case EX_SET_COMP:
  case EX_DICT_COMP:
  case EX_GENERATOR: return SIZE_WITH(comp);
  case EX_LAMBDA: return SIZE_WITH(lambda);
  default: return SIZE_WITH(name); // and all that need no more
  }
}
_Static_assert(sizeof((Expr){0}.name) >= sizeof((Expr){0}.int_literal) &&
                   sizeof((Expr){0}.name) >= sizeof((Expr){0}.slice) &&
                   sizeof((Expr){0}.name) >= sizeof((Expr){0}.if_exp),
               "EX_NAME is the largest of the small kinds");

Expr *build__expr(Parser *parser, ExprKind kind, Span span) {
  Expr *expr = arena_alloc(parser->arena, size_of_kind(kind));
  expr->kind = kind;
  expr->form = (uint32_t)kind;
  expr->depth = 1;
  expr->span = span;
  return expr;
}

uint32_t build__depth(const Expr *expr) { return expr ? expr->depth : 0; }

uint32_t build__deeper(const Expr *a, const Expr *b) {
  uint32_t depth_a = build__depth(a), depth_b = build__depth(b);
  return depth_a > depth_b ? depth_a : depth_b;
}

uint32_t build__list_depth(ExprList list) {
  uint32_t depth = 0;
  for (size_t i = 0; i < list.count; i++)
    if (build__depth(list.items[i]) > depth) depth = build__depth(list.items[i]);
  return depth;
}
