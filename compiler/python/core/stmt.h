// SPDX-License-Identifier: Apache-2.0
// Statements (stmt.c).
#pragma once
#include "python/values/evaluator_state.h"

// How statements of each kind are run (stmt.c). Here is what runs them: a call of the program is
// few calls of ours, so that the CPU knows where all of them return to.
extern Flow (*const stmt_ways[ST_COUNT])(Eval *ev, Stmt *stmt, Value *result);
static inline void stmt_begin(Eval *ev, const Stmt *stmt) {
  ev->span = stmt->span;
  count_step(ev);
  begin_step(ev);
}
// The result is set for FLOW_RETURN.
static inline Flow eval_stmt(Eval *ev, Stmt *stmt, Value *result) {
  stmt_begin(ev, stmt);
  return stmt_ways[stmt->kind](ev, stmt, result);
}
static inline Flow eval_block(Eval *ev, const StmtList *body, Value *result) {
  for (size_t i = 0; i < body->count; i++) {
    Flow flow = eval_stmt(ev, body->items[i], result);
    if (flow != FLOW_NEXT) return flow;
  }
  return FLOW_NEXT;
}
Value eval_return(Eval *ev, const Stmt *stmt); // what a return statement gives
Value *eval_decorators(Eval *ev, const ExprList *decorators);
Value decorate(Eval *ev, const ExprList *decorators, const Value *evaluated, Value value);
