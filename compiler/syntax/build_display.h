// SPDX-License-Identifier: Apache-2.0
// Builders of dictionaries and comprehensions.
#pragma once
#include "parser.h"

typedef struct DictItems {
  ExprList keys, values;
} DictItems;
typedef VEC(Comprehension) CompClauses;

Expr *build_dict(Parser *parser, Span span, const DictItems *items);
DictItems *build_dict_item(Parser *parser, Expr *key, Expr *value);
DictItems *build_dict_join(Parser *parser, DictItems *items, const DictItems *one);
Expr *build_comp(Parser *parser, ExprKind kind, Span span, Expr *element, Expr *value,
                 const CompClauses *clauses);
CompClauses *build_clause(Parser *parser, CompClauses *clauses, Expr *target, Expr *iter);
CompClauses *build_condition(Parser *parser, CompClauses *clauses, Expr *condition);
