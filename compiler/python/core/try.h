// SPDX-License-Identifier: Apache-2.0
// raise, try and with (try.c).
#pragma once
#include "python/values/evaluator.h"

Flow eval_try_stmt(Eval *ev, Stmt *stmt, Value *result); // try.c
Flow eval_with(Eval *ev, Stmt *stmt, Value *result);     // try.c
NORETURN void eval_raise_stmt(Eval *ev, Stmt *stmt);     // try.c

// The clause that takes the exception, or NULL. Its name, if it has one, is unbound at its end.
ExceptHandler *handler_of(Eval *ev, Stmt *stmt, Value exception);
void handler_unbind(Eval *ev, ExceptHandler *handler);

// How a block of `with` is left that was entered.
typedef struct WithExit {
  Value manager, method;
  bool is_bound;
} WithExit;
// What `as` gives.
Value with_enter(Eval *ev, const WithItem *item, WithExit *exit);
void with_leave(Eval *ev, const WithItem *item, const WithExit *exit);
// True: the exception goes no further.
bool with_leave_by(Eval *ev, const WithItem *item, const WithExit *exit, Value exception);
