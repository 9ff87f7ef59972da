// SPDX-License-Identifier: Apache-2.0
// Builders of statements. A compound statement's span ends with its last inner statement.
#include <stddef.h>
#include <string.h>

#include "build.h"
#include "layout.h"

#define SIZE_WITH(member) (offsetof(Stmt, member) + sizeof((Stmt){0}.member))

// ---- lists and the whole -----------------------------------------------------------------------
StmtList build_stmts_push(Parser *parser, StmtList list, Stmt *stmt) {
  if (parser->as_count) {
    build__syntax_error(
        parser, parser->as_item,
        "'as' has no meaning here; it belongs to 'with', 'import', 'except' and 'case'");
    parser->as_count = 0;
  }
  if (list.count == 0 || (list.count >= 2 && (list.count & (list.count - 1)) == 0)) {
    Stmt **items = ARENA_ARRAY(parser->arena, Stmt *, list.count ? list.count * 2 : 2);
    if (list.count) memcpy(items, list.items, list.count * sizeof *items);
    list.items = items;
  }
  list.items[list.count++] = stmt;
  return list;
}

StmtList build_stmts_one(Parser *parser, Stmt *stmt) {
  return build_stmts_push(parser, (StmtList){0}, stmt);
}

StmtList build_stmts_join(Parser *parser, StmtList list, StmtList more) {
  for (size_t i = 0; i < more.count; i++) list = build_stmts_push(parser, list, more.items[i]);
  return list;
}

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

// As with expressions, a node takes no more than its kind needs.
static size_t size_of_kind(StmtKind kind) {
  switch (kind) {
  case ST_FUNCTION_DEF: return SIZE_WITH(function);
  case ST_CLASS_DEF: return SIZE_WITH(class_def);
  case ST_TRY: return SIZE_WITH(try_stmt);
  default: return SIZE_WITH(for_loop); // and all that need no more
  case ST_RETURN:
  case ST_EXPR:
  case ST_DELETE:
  case ST_ASSIGN:
  case ST_RAISE:
  case ST_ASSERT:
  case ST_GLOBAL:
  case ST_NONLOCAL:
  case ST_PASS:
  case ST_BREAK:
  case ST_CONTINUE:
  case ST_ERROR: return SIZE_WITH(assign);
  }
}
_Static_assert(sizeof((Stmt){0}.for_loop) >= sizeof((Stmt){0}.type_alias) &&
                   sizeof((Stmt){0}.for_loop) >= sizeof((Stmt){0}.import_from) &&
                   sizeof((Stmt){0}.for_loop) >= sizeof((Stmt){0}.aug_assign),
               "ST_FOR is the largest of the middle kinds");

Stmt *build_stmt(Parser *parser, StmtKind kind, Span span) {
  Stmt *stmt = arena_alloc(parser->arena, size_of_kind(kind));
  stmt->kind = kind;
  stmt->span = span;
  return stmt;
}

// A compound statement from its keyword to the end of its body.
static Stmt *compound(Parser *parser, StmtKind kind, Span keyword, StmtList last_block) {
  return build_stmt(parser, kind, span_join(keyword, last_block.items[last_block.count - 1]->span));
}

// ---- mistakes in the structure -----------------------------------------------------------------
Stmt *build_recovered(Parser *parser, Span span) {
  parser->as_count = 0;
  parser->recovered_column = layout_ended_line(parser->layout)->column + 1;
  return build_stmt(parser, ST_ERROR, span);
}

StmtList build_unexpected_indent(Parser *parser, StmtList body) {
  // Not through build__syntax_error: the line now being read is the one after the block.
  if (body.items[0]->kind != ST_ERROR)
    mistake_report(parser->session, MISTAKE_INDENTATION, body.items[0]->span, "unexpected indent");
  return body;
}

StmtList build_missing_block(Parser *parser, Span span) {
  const Token *first = layout_ended_line(parser->layout), *found = layout_recent(parser->layout, 0);
  Span header = first->span;
  Str word = {parser->file->text.data + header.begin, header.end - header.begin};
  if (found->kind == TOK_YYEOF || found->kind == TOK_DEDENT || first->kind == '@')
    build__mistake(parser, MISTAKE_INDENTATION, header, "'%.*s' needs an indented block",
                   STR_FMT(word));
  else
    build__mistake(parser, MISTAKE_INDENTATION, found->span,
                   "expected an indented block after '%.*s' in line %u", STR_FMT(word),
                   source_line_col(parser->file, header.begin).line);
  return build_stmts_one(parser, build_stmt(parser, ST_ERROR, span));
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

// ---- simple statements -------------------------------------------------------------------------
Stmt *build_expr_stmt(Parser *parser, Span span, Expr *value) {
  build__no_star(parser, value);
  Stmt *stmt = build_stmt(parser, ST_EXPR, span);
  stmt->value = value;
  return stmt;
}

Stmt *build_return(Parser *parser, Span span, Expr *value) {
  build__no_star(parser, value);
  Stmt *stmt = build_stmt(parser, ST_RETURN, span);
  stmt->value = value;
  return stmt;
}

Stmt *build_raise(Parser *parser, Span span, Expr *exc, Expr *cause) {
  Stmt *stmt = build_stmt(parser, ST_RAISE, span);
  stmt->raise.exc = exc;
  stmt->raise.cause = cause;
  return stmt;
}

Stmt *build_global(Parser *parser, StmtKind kind, Span span, NameList names) {
  Stmt *stmt = build_stmt(parser, kind, span);
  stmt->names = names;
  return stmt;
}

Stmt *build_assert(Parser *parser, Span span, Expr *test, Expr *message) {
  if (test->kind == EX_TUPLE && test->elements.count)
    diag_warning(parser->session, WARN_HINT, test->span,
                 "an assertion of a tuple is always true; remove the parentheses?");
  Stmt *stmt = build_stmt(parser, ST_ASSERT, span);
  stmt->assert_stmt.test = test;
  stmt->assert_stmt.message = message;
  return stmt;
}

Stmt *build_type_alias(Parser *parser, Span span, Name name, Expr *value) {
  Stmt *stmt = build_stmt(parser, ST_TYPE_ALIAS, span);
  stmt->type_alias.name = name;
  stmt->type_alias.bind = (NameRef){.name = name, .index = NO_SLOT};
  stmt->type_alias.value = value;
  return stmt;
}

Stmt *build_assign(Parser *parser, Span span, ExprList chain) {
  Stmt *stmt = build_stmt(parser, ST_ASSIGN, span);
  stmt->assign.value = chain.items[chain.count - 1];
  stmt->assign.targets = (ExprList){chain.items, chain.count - 1};
  build__no_star(parser, stmt->assign.value);
  for (size_t i = 0; i < stmt->assign.targets.count; i++)
    if (!build__target(parser, stmt->assign.targets.items[i], TARGET_ASSIGN)) break;
  return stmt;
}

Stmt *build_aug_assign(Parser *parser, Span span, Expr *target, BinaryOp op, Span op_span,
                       Expr *value) {
  build__target(parser, target, TARGET_AUGMENT);
  build__no_star(parser, value);
  Stmt *stmt = build_stmt(parser, ST_AUG_ASSIGN, span);
  stmt->aug_assign.target = target;
  stmt->aug_assign.op = op;
  stmt->aug_assign.op_span = op_span;
  stmt->aug_assign.value = value;
  return stmt;
}

Stmt *build_ann_assign(Parser *parser, Span span, Expr *target, Expr *annotation, Expr *value) {
  build__target(parser, target, TARGET_ANNOTATE);
  build__no_star(parser, value);
  Stmt *stmt = build_stmt(parser, ST_ANN_ASSIGN, span);
  stmt->ann_assign.target = target;
  stmt->ann_assign.annotation = annotation;
  stmt->ann_assign.value = value;
  return stmt;
}

Stmt *build_delete(Parser *parser, Span span, ExprList targets) {
  for (size_t i = 0; i < targets.count; i++)
    if (!build__target(parser, targets.items[i], TARGET_DELETE)) break;
  Stmt *stmt = build_stmt(parser, ST_DELETE, span);
  stmt->targets = targets;
  return stmt;
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
WithItemVec *build_with_item(Parser *parser, Span place, Expr *context, Expr *target) {
  (void)place;
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

WithItemVec *build_with_head(Parser *parser, Span span, WithItemVec *items) {
  (void)span;
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

Stmt *build_decorated(Parser *parser, ExprList decorators, Stmt *stmt) {
  (void)parser;
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

Stmt *build_class(Parser *parser, Span span, Name name, Span name_span, const ArgVec *args,
                  StmtList body) {
  Stmt *stmt = compound(parser, ST_CLASS_DEF, span, body);
  stmt->class_def.name = name;
  stmt->class_def.name_span = name_span;
  stmt->class_def.bind = (NameRef){.name = name, .index = NO_SLOT};
  build__take_args(parser, args, &stmt->class_def.bases, &stmt->class_def.keywords,
                   &stmt->class_def.keyword_count);
  stmt->class_def.body = body;
  stmt->class_def.has_doc = docstring(body, &stmt->class_def.doc);
  return stmt;
}
