// SPDX-License-Identifier: Apache-2.0
// Calls as expressions (call_expr.c).
#pragma once
#include "python/values/evaluator.h"

Value eval_call(Eval *ev, Expr *e);
// A call of what e's callee was found to be, whose arguments another evaluates, and keeps.
typedef Value EvalBy(Eval *ev, Expr *e, void *context);
Value eval_call_by(Eval *ev, Expr *e, Value f, EvalBy *by, void *context);
