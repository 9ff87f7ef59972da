// SPDX-License-Identifier: Apache-2.0
// Parameters of functions and arguments of calls: the grammar reads items in any order, here they
// are judged.
#include "base/map.h"
#include "build_args.h"
#include "build_display.h"
#include "build_expr.h"
#include "build_node.h"
#include "build_target.h"

// ---- parameters --------------------------------------------------------------------------------
ParamVec *build_param(Parser *parser, ParamKind kind, Span span, Name name, Span name_span,
                      Expr *annotation, Expr *default_value) {
  ParamVec *params = ARENA_NEW(parser->scratch, ParamVec);
  Param param = {name, name_span, annotation, default_value};
  VEC_PUSH(parser->scratch, params, ((ParamItem){kind, span, param}));
  return params;
}

ParamVec *build_params_join(Parser *parser, ParamVec *params, const ParamVec *one) {
  VEC_PUSH(parser->scratch, params, one->items[0]);
  return params;
}

typedef struct ParamState {
  bool has_slash, has_star, has_star_star, is_star_bare, has_default;
  size_t keyword_only;
} ParamState;

// What is wrong with an item at this place of the list, or NULL.
static const char *param_mistake(const ParamState *state, const ParamItem *item, size_t before) {
  if (state->has_star_star) return "nothing can follow the '**' parameter";
  switch (item->kind) {
  case PARAM_SLASH:
    if (state->has_slash) return "'/' can occur only once";
    if (state->has_star) return "'/' must come before '*'";
    return before == 0 ? "'/' needs a parameter before it" : NULL;
  case PARAM_STAR:
  case PARAM_BARE_STAR: return state->has_star ? "'*' can occur only once" : NULL;
  case PARAM_STAR_STAR:
    return state->is_star_bare && state->keyword_only == 0
               ? "a bare '*' needs a named parameter after it"
               : NULL;
  case PARAM_PLAIN:
    if (state->has_star || !state->has_default || item->param.default_value) return NULL;
    return "a parameter without a default follows one with a default";
  }
  return NULL;
}

static void follow_param(ParamState *state, const ParamItem *item) {
  switch (item->kind) {
  case PARAM_SLASH: state->has_slash = true; break;
  case PARAM_BARE_STAR:
    state->is_star_bare = true;
    state->has_star = true;
    break;
  case PARAM_STAR: state->has_star = true; break;
  case PARAM_STAR_STAR: state->has_star_star = true; break;
  case PARAM_PLAIN:
    if (state->has_star) state->keyword_only++;
    if (item->param.default_value) state->has_default = true;
  }
}

Params build__params(Parser *parser, const ParamVec *items) {
  Params params = {0};
  if (!items) return params;
  params.items = ARENA_ARRAY(parser->arena, Param, items->count);
  ParamState state = {0};
  for (size_t i = 0; i < items->count; i++) {
    const ParamItem *item = &items->items[i];
    const char *mistake = param_mistake(&state, item, i);
    if (mistake) {
      build__syntax_error(parser, item->span, "%s", mistake);
      return params;
    }
    follow_param(&state, item);
    if (item->kind == PARAM_SLASH) params.positional_only = params.count;
    if (item->kind == PARAM_SLASH || item->kind == PARAM_BARE_STAR) continue;
    params.items[params.count++] = item->param;
    if (!state.has_star && !state.has_star_star) params.positional = params.count;
    if (item->kind == PARAM_STAR) params.has_varargs = true;
    if (item->kind == PARAM_STAR_STAR) params.has_kwargs = true;
  }
  const ParamItem *last = &items->items[items->count - 1];
  if (last->kind == PARAM_BARE_STAR)
    build__syntax_error(parser, last->span, "a bare '*' needs a named parameter after it");
  return params;
}

static uint32_t params_depth(const Params *params) {
  uint32_t depth = 0;
  for (size_t i = 0; i < params->count; i++) {
    uint32_t one = build__depth(params->items[i].default_value);
    if (one > depth) depth = one;
  }
  return depth;
}

Expr *build_lambda(Parser *parser, Span span, const ParamVec *params, Expr *body) {
  Expr *expr = build__expr(parser, EX_LAMBDA, span);
  expr->lambda.params = build__params(parser, params);
  Refusal refusal;
  if (build__take_refusal(parser, &refusal)) body = build__refused(parser, refusal);
  expr->lambda.body = body;
  uint32_t depth = params_depth(&expr->lambda.params);
  return build__deepen(parser, expr, body->depth > depth ? body->depth : depth);
}

// ---- type parameters ----------------------------------------------------------------------------
TypeParams build__type_params(Parser *parser, const ParamVec *items) {
  static const char *const makers[] = {
      [PARAM_PLAIN] = "TypeVar", [PARAM_STAR] = "TypeVarTuple", [PARAM_STAR_STAR] = "ParamSpec"};
  TypeParams params = {0};
  if (!items) return params;
  params.items = ARENA_ARRAY(parser->arena, TypeParam, items->count);
  for (; params.count < items->count; params.count++) {
    const ParamItem *item = &items->items[params.count];
    params.items[params.count] =
        (TypeParam){item->param.name, makers[item->kind], item->kind != PARAM_STAR};
  }
  return params;
}

Expr *build__of_type_params(Parser *parser, const ParamVec *items, Expr *body) {
  if (!items) return body;
  Expr *expr = build__expr(parser, EX_LAMBDA, body->span);
  Params *params = &expr->lambda.params;
  params->items = ARENA_ARRAY(parser->arena, Param, items->count);
  for (; params->count < items->count; params->count++)
    params->items[params->count] = items->items[params->count].param;
  params->positional = params->count;
  expr->lambda.body = body;
  return build__deepen(parser, expr, body->depth);
}

// ---- arguments ---------------------------------------------------------------------------------
static Arg *new_arg(Parser *parser, ArgKind kind, Span span, Expr *value) {
  Arg *arg = ARENA_NEW(parser->scratch, Arg);
  arg->kind = kind;
  arg->span = span;
  arg->keyword.value = value;
  return arg;
}

Arg *build_arg(Parser *parser, Span span, Expr *value) {
  return new_arg(parser, value->kind == EX_STARRED ? ARG_STAR : ARG_POSITIONAL, span, value);
}

Arg *build_arg_keyword(Parser *parser, Span span, Expr *name, Span name_place, Span equals,
                       Expr *value) {
  Arg *arg = new_arg(parser, ARG_KEYWORD, span, value);
  arg->keyword.span = name_place;
  if (name->kind == EX_NAME && !build__is_parenthesised(name, name_place)) {
    arg->keyword.name = name->name.name;
  } else {
    if (name->kind == EX_BOOL || name->kind == EX_NONE)
      build__syntax_error(parser, name->span, "cannot assign to %s", build__describe(name));
    else if (name->kind != EX_ERROR)
      build__syntax_error(parser, equals,
                          "'=' after an argument that is not a name; did you mean '=='?");
    arg->kind = ARG_POSITIONAL;
  }
  return arg;
}

Arg *build_arg_keywords(Parser *parser, Span span, Expr *value) {
  Arg *arg = new_arg(parser, ARG_STAR_STAR, span, value);
  arg->keyword.span = span;
  return arg;
}

Arg *build_arg_generator(Parser *parser, Span span, Expr *element, const CompClauses *clauses) {
  Expr *value = build_comp(parser, EX_GENERATOR, span, element, NULL, clauses);
  return new_arg(parser, ARG_GENERATOR, span, value);
}

ArgVec *build_args(Parser *parser, ArgVec *args, const Arg *arg) {
  if (!args) args = ARENA_NEW(parser->scratch, ArgVec);
  VEC_PUSH(parser->scratch, args, *arg);
  return args;
}

static const char *arg_mistake(const Arg *arg, bool after_keyword, bool after_star_star) {
  if (arg->kind != ARG_POSITIONAL && arg->kind != ARG_STAR) return NULL;
  if (after_star_star && arg->kind == ARG_STAR) return "a '*' argument follows a '**' argument";
  if (after_star_star) return "a positional argument follows a '**' argument";
  return after_keyword && arg->kind == ARG_POSITIONAL
             ? "a positional argument follows a keyword argument"
             : NULL;
}

void build__take_args(Parser *parser, const ArgVec *from, ExprList *args, Keyword **keywords,
                      size_t *keyword_count) {
  if (!from) return;
  Map *names = NULL;
  bool after_star_star = false;
  *keywords = ARENA_ARRAY(parser->arena, Keyword, from->count);
  for (size_t i = 0; i < from->count; i++) {
    const Arg *arg = &from->items[i];
    const char *mistake = arg_mistake(arg, *keyword_count > 0, after_star_star);
    if (arg->kind == ARG_GENERATOR && from->count > 1)
      mistake = "a generator expression beside other arguments needs parentheses";
    if (mistake) build__syntax_error(parser, arg->span, "%s", mistake);
    if (arg->kind != ARG_KEYWORD && arg->kind != ARG_STAR_STAR) {
      *args = build_exprs_push(parser, *args, arg->keyword.value);
      continue;
    }
    if (arg->kind == ARG_STAR_STAR) after_star_star = true;
    if (arg->kind == ARG_KEYWORD) {
      if (!names) names = map_new(parser->scratch);
      if (map_has(names, arg->keyword.name))
        build__syntax_error(parser, arg->keyword.span, "keyword argument '%s' is given twice",
                            arg->keyword.name->text);
      map_set(names, arg->keyword.name, NULL);
    }
    (*keywords)[(*keyword_count)++] = arg->keyword;
  }
}

Expr *build_call(Parser *parser, Span span, Expr *func, Span open, const ArgVec *args) {
  Expr *expr = build__expr(parser, EX_CALL, span);
  expr->call.func = func;
  build__take_args(parser, args, &expr->call.args, &expr->call.keywords, &expr->call.keyword_count);
  if (args && args->count == 1 &&
      args->items[0].kind == ARG_GENERATOR) // its parentheses are the call's
    args->items[0].keyword.value->span = (Span){span.file, open.begin, span.end};
  for (size_t i = 0; i < expr->call.args.count; i++)
    if (expr->call.args.items[i]->kind == EX_STARRED) expr->call.has_unpacking = true;
  uint32_t depth = func->depth, positional = build__list_depth(expr->call.args);
  if (positional > depth) depth = positional;
  for (size_t i = 0; i < expr->call.keyword_count; i++) {
    uint32_t one = expr->call.keywords[i].value->depth;
    if (!expr->call.keywords[i].name) expr->call.has_unpacking = true;
    if (one > depth) depth = one;
  }
  return build__deepen(parser, expr, depth);
}
