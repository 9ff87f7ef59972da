// SPDX-License-Identifier: Apache-2.0
// Builders of parameters and arguments, and of what has them: calls and lambdas.
#pragma once
#include "build_display.h"
#include "parser.h"

typedef enum ParamKind {
  PARAM_PLAIN,
  PARAM_STAR,      // *args
  PARAM_STAR_STAR, // **kwargs
  PARAM_BARE_STAR, // *
  PARAM_SLASH,     // /
} ParamKind;
typedef struct ParamItem {
  ParamKind kind;
  Span span; // of all of it
  Param param;
} ParamItem;
typedef VEC(ParamItem) ParamVec;

typedef enum ArgKind {
  ARG_POSITIONAL,
  ARG_STAR,
  ARG_KEYWORD,
  ARG_STAR_STAR,
  ARG_GENERATOR
} ArgKind;
typedef struct Arg {
  ArgKind kind;
  Span span;
  Keyword keyword; // its value is the argument, of whatever kind
} Arg;
typedef VEC(Arg) ArgVec;

Params build__params(Parser *parser, const ParamVec *items);
// Fills args and keywords from what was read between the parentheses.
void build__take_args(Parser *parser, const ArgVec *from, ExprList *args, Keyword **keywords,
                      size_t *keyword_count);
TypeParams build__type_params(Parser *parser, const ParamVec *items);
// The lambda that gives `body` from type parameters; if there are none, `body`.
Expr *build__of_type_params(Parser *parser, const ParamVec *items, Expr *body);
Expr *build_lambda(Parser *parser, Span span, const ParamVec *params, Expr *body);
Expr *build_call(Parser *parser, Span span, Expr *func, Span open, const ArgVec *args);
ParamVec *build_param(Parser *parser, ParamKind kind, Span span, Name name, Span name_span,
                      Expr *annotation, Expr *default_value);
ParamVec *build_params_join(Parser *parser, ParamVec *params, const ParamVec *one);
Arg *build_arg(Parser *parser, Span span, Expr *value);
Arg *build_arg_keyword(Parser *parser, Span span, Expr *name, Span name_place, Span equals,
                       Expr *value);
Arg *build_arg_keywords(Parser *parser, Span span, Expr *value);
Arg *build_arg_generator(Parser *parser, Span span, Expr *element, const CompClauses *clauses);
ArgVec *build_args(Parser *parser, ArgVec *args, const Arg *arg);
