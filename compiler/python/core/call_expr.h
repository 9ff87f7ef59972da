// SPDX-License-Identifier: Apache-2.0
// Calls as expressions (call_expr.c).
#pragma once
#include "python/values/evaluator.h"

Value eval_call(Eval *ev, Expr *e);
