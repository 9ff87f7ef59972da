// SPDX-License-Identifier: Apache-2.0
// Statements (stmt.c).
#pragma once
#include "python/values/evaluator.h"

Flow eval_block(Eval *ev, const StmtList *body, Value *result); // result is set for FLOW_RETURN
Flow eval_stmt(Eval *ev, Stmt *stmt, Value *result);            // the same
Value eval_return(Eval *ev, const Stmt *stmt);                  // what a return statement gives
Value *eval_decorators(Eval *ev, const ExprList *decorators);
Value decorate(Eval *ev, const ExprList *decorators, const Value *evaluated, Value value);
