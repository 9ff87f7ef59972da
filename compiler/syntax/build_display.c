// SPDX-License-Identifier: Apache-2.0
// Builders of dictionaries and comprehensions.
#include "build_display.h"
#include "build_expr.h"
#include "build_node.h"
#include "build_target.h"

Expr *build_dict(Parser *parser, Span span, const DictItems *items) {
  Expr *expr = build__expr(parser, EX_DICT, span);
  if (!items) return expr;
  expr->dict.keys = items->keys;
  expr->dict.values = items->values;
  uint32_t keys = build__list_depth(items->keys), values = build__list_depth(items->values);
  return build__deepen(parser, expr, keys > values ? keys : values);
}

DictItems *build_dict_item(Parser *parser, Expr *key, Expr *value) {
  DictItems *items = ARENA_NEW(parser->scratch, DictItems);
  items->keys = build_exprs_one(parser, key);
  items->values = build_exprs_one(parser, value);
  return items;
}

DictItems *build_dict_join(Parser *parser, DictItems *items, const DictItems *one) {
  items->keys = build_exprs_push(parser, items->keys, one->keys.items[0]);
  items->values = build_exprs_push(parser, items->values, one->values.items[0]);
  return items;
}

Expr *build_comp(Parser *parser, ExprKind kind, Span span, Expr *element, Expr *value,
                 const CompClauses *clauses) {
  if (element->kind == EX_STARRED)
    build__syntax_error(parser, element->span,
                        "a comprehension cannot unpack its element with '*'");
  Expr *expr = build__expr(parser, kind, span);
  expr->comp.element = element;
  expr->comp.value = value;
  expr->comp.clause_count = clauses->count;
  expr->comp.clauses =
      arena_dup(parser->arena, clauses->items, clauses->count * sizeof *clauses->items);
  uint32_t depth = build__deeper(element, value);
  for (size_t i = 0; i < clauses->count; i++) {
    const Comprehension *clause = &clauses->items[i];
    uint32_t head = build__deeper(clause->target, clause->iter);
    uint32_t conditions = build__list_depth(clause->conditions);
    if (conditions > head) head = conditions;
    if (head > depth) depth = head;
  }
  return build__deepen(parser, expr, depth);
}

CompClauses *build_clause(Parser *parser, CompClauses *clauses, Expr *target, Expr *iter) {
  if (!clauses) clauses = ARENA_NEW(parser->scratch, CompClauses);
  build__target(parser, target, TARGET_ASSIGN);
  VEC_PUSH(parser->scratch, clauses, ((Comprehension){.target = target, .iter = iter}));
  return clauses;
}

CompClauses *build_condition(Parser *parser, CompClauses *clauses, Expr *condition) {
  Comprehension *last = &clauses->items[clauses->count - 1];
  last->conditions = build_exprs_push(parser, last->conditions, condition);
  return clauses;
}
