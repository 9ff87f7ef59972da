// SPDX-License-Identifier: Apache-2.0
// Builders of simple statements, and of lists of statements.
#pragma once
#include "build_args.h"
#include "parser.h"

Stmt *build_stmt(Parser *parser, StmtKind kind, Span span);
StmtList build_stmts_one(Parser *parser, Stmt *stmt);
StmtList build_stmts_push(Parser *parser, StmtList list, Stmt *stmt);
StmtList build_stmts_join(Parser *parser, StmtList list, StmtList more);
StmtList build_unexpected_indent(Parser *parser, StmtList body);
StmtList build_missing_block(Parser *parser, Span span);
Stmt *build_recovered(Parser *parser, Span span);
Stmt *build_expr_stmt(Parser *parser, Span span, Expr *value);
Stmt *build_return(Parser *parser, Span span, Expr *value);
Stmt *build_raise(Parser *parser, Span span, Expr *exc, Expr *cause);
Stmt *build_global(Parser *parser, StmtKind kind, Span span, NameList names);
Stmt *build_assert(Parser *parser, Span span, Expr *test, Expr *message);
Stmt *build_type_alias(Parser *parser, Span span, Name name, const ParamVec *params, Expr *value);
Stmt *build_assign(Parser *parser, Span span, ExprList chain);
Stmt *build_aug_assign(Parser *parser, Span span, Expr *target, BinaryOp op, Span op_span,
                       Expr *value);
Stmt *build_ann_assign(Parser *parser, Span span, Expr *target, Expr *annotation, Expr *value);
Stmt *build_delete(Parser *parser, Span span, ExprList targets);
