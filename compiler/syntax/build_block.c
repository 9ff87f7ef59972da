// SPDX-License-Identifier: Apache-2.0
// Builders of what has statements in it: compound statements, definitions, the module. A compound
// statement's span ends with its last inner statement.
#include "build_block.h"
#include "build_expr.h"
#include "build_node.h"
#include "build_stmt.h"
#include "build_target.h"

// The text of a docstring, if the body begins with one.
static bool docstring(StmtList body, Str *doc) {
  if (!body.count || body.items[0]->kind != ST_EXPR || body.items[0]->value->kind != EX_STR)
    return false;
  *doc = body.items[0]->value->string;
  return true;
}

void build_module(Parser *parser, StmtList body) {
  parser->module->body = body;
  parser->module->has_doc = docstring(body, &parser->module->doc);
}

void build_expression(Parser *parser, Expr *expr) {
  build__no_star(parser, expr);
  parser->expression = expr;
}

// A compound statement from its keyword to the end of its body.
static Stmt *compound(Parser *parser, StmtKind kind, Span keyword, StmtList last_block) {
  return build_stmt(parser, kind, span_join(keyword, last_block.items[last_block.count - 1]->span));
}

Stmt *build_bare_try(Parser *parser, Span span, StmtList body) {
  build__syntax_error(parser, span, "'try' has neither 'except' nor 'finally'");
  return compound(parser, ST_ERROR, span, body);
}

Stmt *build_bare_decorators(Parser *parser, Span span) {
  build__syntax_error(parser, span, "expected 'def' or 'class' after a decorator");
  return build_stmt(parser, ST_ERROR, span);
}

#define NO_COROUTINES "'async' is not supported: pallasc has no coroutines"

// Only what stands in an async function can be marked so otherwise, and that one is refused as a
// whole.
void build_async(Parser *parser, Span async) {
  if (!parser->defers_refusals) build__syntax_error(parser, async, NO_COROUTINES);
}

// ---- if, while, for ----------------------------------------------------------------------------
Branches *build_elif(Parser *parser, Branches *elifs, Span span, Expr *test, StmtList body) {
  if (!elifs) elifs = ARENA_NEW(parser->scratch, Branches);
  if (elifs->count > AST_MAX_ELIFS) return elifs;
  if (elifs->count == AST_MAX_ELIFS)
    build__syntax_error(parser, span, "more than %d 'elif' after one 'if'", AST_MAX_ELIFS);
  VEC_PUSH(parser->scratch, elifs, ((Branch){span, test, body}));
  return elifs;
}

static Stmt *one_if(Parser *parser, Span span, Expr *test, StmtList body, StmtList orelse) {
  Stmt *stmt = compound(parser, ST_IF, span, orelse.count ? orelse : body);
  stmt->if_stmt.test = test;
  stmt->if_stmt.body = body;
  stmt->if_stmt.orelse = orelse;
  return stmt;
}

Stmt *build_if(Parser *parser, Span span, Expr *test, StmtList body, const Branches *elifs,
               StmtList orelse) {
  for (size_t i = elifs ? elifs->count : 0; i-- > 0;) {
    const Branch *branch = &elifs->items[i];
    orelse =
        build_stmts_one(parser, one_if(parser, branch->span, branch->test, branch->body, orelse));
  }
  return one_if(parser, span, test, body, orelse);
}

Stmt *build_while(Parser *parser, Span span, Expr *test, StmtList body, StmtList orelse) {
  Stmt *stmt = compound(parser, ST_WHILE, span, orelse.count ? orelse : body);
  stmt->while_loop.test = test;
  stmt->while_loop.body = body;
  stmt->while_loop.orelse = orelse;
  return stmt;
}

Stmt *build_for(Parser *parser, Span span, Expr *target, Expr *iter, StmtList body,
                StmtList orelse) {
  build__target(parser, target, TARGET_ASSIGN);
  build__no_star(parser, iter);
  Stmt *stmt = compound(parser, ST_FOR, span, orelse.count ? orelse : body);
  stmt->for_loop.target = target;
  stmt->for_loop.iter = iter;
  stmt->for_loop.body = body;
  stmt->for_loop.orelse = orelse;
  return stmt;
}

// ---- try ---------------------------------------------------------------------------------------
HandlerVec *build_handler(Parser *parser, Span span, Expr *type, Name name, StmtList body) {
  HandlerVec *handlers = ARENA_NEW(parser->scratch, HandlerVec);
  ExceptHandler handler = {.type = type, .name = name, .body = body};
  handler.bind = (NameRef){.name = name, .index = NO_SLOT};
  handler.span = span_join(span, body.items[body.count - 1]->span);
  VEC_PUSH(parser->scratch, handlers, handler);
  return handlers;
}

HandlerVec *build_star_handler(Parser *parser, Span span, Expr *type, Name name, StmtList body) {
  HandlerVec *handlers = build_handler(parser, span, type, name, body);
  handlers->items[0].is_star = true;
  return handlers;
}

HandlerVec *build_handlers_join(Parser *parser, HandlerVec *handlers, const HandlerVec *one) {
  const ExceptHandler *last = &handlers->items[handlers->count - 1];
  if (!last->type)
    mistake_report(parser->session, MISTAKE_SYNTAX,
                   (Span){last->span.file, last->span.begin, last->span.begin + 6},
                   "a bare 'except' must be the last one");
  if (last->is_star != one->items[0].is_star)
    build__syntax_error(parser, one->items[0].span,
                        "cannot have both 'except' and 'except*' on the same 'try'");
  VEC_PUSH(parser->scratch, handlers, one->items[0]);
  return handlers;
}

Stmt *build_try(Parser *parser, Span span, StmtList body, const HandlerVec *handlers,
                StmtList orelse, StmtList final) {
  StmtList last = final.count    ? final
                  : orelse.count ? orelse
                                 : handlers->items[handlers->count - 1].body;
  Stmt *stmt = compound(parser, ST_TRY, span, last);
  stmt->try_stmt.body = body;
  if (handlers) {
    stmt->try_stmt.handler_count = handlers->count;
    stmt->try_stmt.handlers =
        arena_dup(parser->arena, handlers->items, handlers->count * sizeof *handlers->items);
  }
  stmt->try_stmt.orelse = orelse;
  stmt->try_stmt.final = final;
  return stmt;
}

// ---- with --------------------------------------------------------------------------------------
WithItemVec *build_with_item(Parser *parser, Expr *context, Expr *target) {
  WithItemVec *items = ARENA_NEW(parser->scratch, WithItemVec);
  VEC_PUSH(parser->scratch, items, ((WithItem){context, target}));
  return items;
}

WithItemVec *build_with_join(Parser *parser, WithItemVec *items, const WithItemVec *one) {
  VEC_PUSH(parser->scratch, items, one->items[0]);
  return items;
}

// `with (a, b):` and `with (a as x, b):` have several items; `with (a, *b):` has a tuple.
static bool is_item_group(const Parser *parser, const Expr *expr) {
  if (expr->kind != EX_TUPLE || !expr->elements.count ||
      parser->file->text.data[expr->span.begin] != '(')
    return false;
  for (size_t i = 0; i < expr->elements.count; i++) {
    ExprKind kind = expr->elements.items[i]->kind;
    if (kind == EX_STARRED || kind == EX_NAMED) return false;
  }
  return true;
}

static void take_item(Parser *parser, WithItemVec *items, Expr *expr) {
  WithItem item = {expr, NULL};
  if (expr->kind == EX_ERROR && expr->named.target) {
    item = (WithItem){expr->named.value, expr->named.target};
    parser->as_count--;
  }
  VEC_PUSH(parser->scratch, items, item);
}

WithItemVec *build_with_head(Parser *parser, WithItemVec *items) {
  WithItemVec *taken = items;
  Expr *only = items->items[0].context;
  if (items->count == 1 && !items->items[0].target) {
    bool is_as_item = only->kind == EX_ERROR && only->named.target;
    if (is_as_item || is_item_group(parser, only)) {
      taken = ARENA_NEW(parser->scratch, WithItemVec);
      if (is_as_item) take_item(parser, taken, only);
      for (size_t i = 0; !is_as_item && i < only->elements.count; i++)
        take_item(parser, taken, only->elements.items[i]);
    }
  }
  for (size_t i = 0; i < taken->count; i++)
    if (taken->items[i].target) build__target(parser, taken->items[i].target, TARGET_ASSIGN);
  return taken;
}

Stmt *build_with(Parser *parser, Span span, const WithItemVec *items, StmtList body) {
  Stmt *stmt = compound(parser, ST_WITH, span, body);
  stmt->with.items = arena_dup(parser->arena, items->items, items->count * sizeof *items->items);
  stmt->with.count = items->count;
  stmt->with.body = body;
  return stmt;
}

// ---- definitions -------------------------------------------------------------------------------
// A body that raises: of a function that holds what is refused by name.
static StmtList refused_body(Parser *parser, Refusal refusal) {
  return build_stmts_one(parser,
                         build_expr_stmt(parser, refusal.place, build__refused(parser, refusal)));
}

Stmt *build_async_function(Parser *parser, Span async, Stmt *function) {
  function->function.body = refused_body(parser, (Refusal){async, NO_COROUTINES});
  return function;
}

Stmt *build_decorated(ExprList decorators, Stmt *stmt) {
  if (stmt->kind == ST_FUNCTION_DEF)
    stmt->function.decorators = decorators;
  else
    stmt->class_def.decorators = decorators;
  return stmt;
}

Stmt *build_function(Parser *parser, Span span, Name name, Span name_span, const ParamVec *params,
                     Expr *returns, StmtList body) {
  Stmt *stmt = compound(parser, ST_FUNCTION_DEF, span, body);
  stmt->function.name = name;
  stmt->function.name_span = name_span;
  stmt->function.bind = (NameRef){.name = name, .index = NO_SLOT};
  stmt->function.params = build__params(parser, params);
  stmt->function.returns = returns;
  stmt->function.has_doc = docstring(body, &stmt->function.doc);
  Refusal refusal;
  stmt->function.body =
      build__take_refusal(parser, &refusal) ? refused_body(parser, refusal) : body;
  return stmt;
}

Stmt *build_class(Parser *parser, Span span, Name name, Span name_span, const ParamVec *params,
                  const ArgVec *args, StmtList body) {
  Stmt *stmt = compound(parser, ST_CLASS_DEF, span, body);
  stmt->class_def.name = name;
  stmt->class_def.name_span = name_span;
  stmt->class_def.bind = (NameRef){.name = name, .index = NO_SLOT};
  build__take_args(parser, args, &stmt->class_def.bases, &stmt->class_def.keywords,
                   &stmt->class_def.keyword_count);
  stmt->class_def.type_params = build__type_params(parser, params);
  ExprList bases = stmt->class_def.bases;
  for (size_t i = 0; i < bases.count; i++)
    if (bases.items[i]->kind != EX_STARRED)
      bases.items[i] = build__of_type_params(parser, params, bases.items[i]);
  stmt->class_def.body = body;
  stmt->class_def.has_doc = docstring(body, &stmt->class_def.doc);
  return stmt;
}
