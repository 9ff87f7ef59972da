// SPDX-License-Identifier: Apache-2.0
// raise, try and with (try.c).
#pragma once
#include "python/values/evaluator.h"

Flow eval_try_stmt(Eval *ev, Stmt *stmt, Value *result); // try.c
Flow eval_with(Eval *ev, Stmt *stmt, Value *result);     // try.c
NORETURN void eval_raise_stmt(Eval *ev, Stmt *stmt);     // try.c
