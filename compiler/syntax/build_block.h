// SPDX-License-Identifier: Apache-2.0
// Builders of what has statements in it: compound statements, definitions, the module.
#pragma once
#include "build_args.h"
#include "parser.h"

#define AST_MAX_ELIFS 1000 // an elif nests in the orelse of the if before it

typedef struct Branch {
  Span span; // of "elif"
  Expr *test;
  StmtList body;
} Branch;
typedef VEC(Branch) Branches;
typedef VEC(ExceptHandler) HandlerVec;
typedef VEC(WithItem) WithItemVec;

void build_module(Parser *parser, StmtList body);
void build_expression(Parser *parser, Expr *expr);
Stmt *build_if(Parser *parser, Span span, Expr *test, StmtList body, const Branches *elifs,
               StmtList orelse);
Branches *build_elif(Parser *parser, Branches *elifs, Span span, Expr *test, StmtList body);
Stmt *build_while(Parser *parser, Span span, Expr *test, StmtList body, StmtList orelse);
Stmt *build_for(Parser *parser, Span span, Expr *target, Expr *iter, StmtList body,
                StmtList orelse);
Stmt *build_try(Parser *parser, Span span, StmtList body, const HandlerVec *handlers,
                StmtList orelse, StmtList final);
Stmt *build_bare_try(Parser *parser, Span span, StmtList body);
HandlerVec *build_handler(Parser *parser, Span span, Expr *type, Name name, StmtList body);
HandlerVec *build_star_handler(Parser *parser, Span span, Expr *type, Name name, StmtList body);
HandlerVec *build_handlers_join(Parser *parser, HandlerVec *handlers, const HandlerVec *one);
Stmt *build_with(Parser *parser, Span span, const WithItemVec *items, StmtList body);
WithItemVec *build_with_head(Parser *parser, WithItemVec *items);
WithItemVec *build_with_item(Parser *parser, Expr *context, Expr *target);
WithItemVec *build_with_join(Parser *parser, WithItemVec *items, const WithItemVec *one);
void build_async(Parser *parser, Span async);
Stmt *build_async_function(Parser *parser, Span async, Stmt *function);
Stmt *build_decorated(ExprList decorators, Stmt *stmt);
Stmt *build_bare_decorators(Parser *parser, Span span);
Stmt *build_function(Parser *parser, Span span, Name name, Span name_span, const ParamVec *params,
                     Expr *returns, StmtList body);
Stmt *build_class(Parser *parser, Span span, Name name, Span name_span, const ParamVec *params,
                  const ArgVec *args, StmtList body);
