// SPDX-License-Identifier: Apache-2.0
// Builders of simple statements, and of lists of statements.
#include <stddef.h>
#include <string.h>

#include "build_expr.h"
#include "build_node.h"
#include "build_stmt.h"
#include "build_target.h"
#include "layout.h"

#define SIZE_WITH(member) (offsetof(Stmt, member) + sizeof((Stmt){0}.member))

// ---- lists -----------------------------------------------------------------------
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

// As with expressions, a node takes no more than its kind needs.
static size_t size_of_kind(StmtKind kind) {
  switch (kind) {
  case ST_FUNCTION_DEF: return SIZE_WITH(function);
  case ST_CLASS_DEF: return SIZE_WITH(class_def);
  case ST_TRY: return SIZE_WITH(try_stmt);
  case ST_TYPE_ALIAS: return SIZE_WITH(type_alias);
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
_Static_assert(sizeof((Stmt){0}.for_loop) >= sizeof((Stmt){0}.import_from) &&
                   sizeof((Stmt){0}.for_loop) >= sizeof((Stmt){0}.aug_assign),
               "ST_FOR is the largest of the middle kinds");

Stmt *build_stmt(Parser *parser, StmtKind kind, Span span) {
  Stmt *stmt = arena_alloc(parser->arena, size_of_kind(kind));
  stmt->kind = kind;
  stmt->span = span;
  return stmt;
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

Stmt *build_type_alias(Parser *parser, Span span, Name name, const ParamVec *params, Expr *value) {
  Stmt *stmt = build_stmt(parser, ST_TYPE_ALIAS, span);
  stmt->type_alias.name = name;
  stmt->type_alias.bind = (NameRef){.name = name, .index = NO_SLOT};
  stmt->type_alias.type_params = build__type_params(parser, params);
  stmt->type_alias.value = build__of_type_params(parser, params, value);
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
  stmt->ann_assign.is_generic = parser->generic_depth > 0;
  return stmt;
}

Stmt *build_delete(Parser *parser, Span span, ExprList targets) {
  for (size_t i = 0; i < targets.count; i++)
    if (!build__target(parser, targets.items[i], TARGET_DELETE)) break;
  Stmt *stmt = build_stmt(parser, ST_DELETE, span);
  stmt->targets = targets;
  return stmt;
}
