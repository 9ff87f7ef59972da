// SPDX-License-Identifier: Apache-2.0
// Binary operators and comparisons as expressions (operation.c).
#pragma once
#include "python/values/evaluator.h"

Value eval_binary(Eval *ev, Expr *e);      // any operator
Value eval_comparisons(Eval *ev, Expr *e); // a < b < c

// Those that most programs do with numbers.
Value eval_add(Eval *ev, Expr *e);
Value eval_sub(Eval *ev, Expr *e);
Value eval_mul(Eval *ev, Expr *e);
Value eval_div(Eval *ev, Expr *e);
Value eval_floor_div(Eval *ev, Expr *e);
Value eval_mod(Eval *ev, Expr *e);
Value eval_and(Eval *ev, Expr *e);
Value eval_or(Eval *ev, Expr *e);
Value eval_xor(Eval *ev, Expr *e);
#define COMPARE(id, text, method) Value eval_##method(Eval *ev, Expr *e);
#include "syntax/operators.def"
Value eval_is(Eval *ev, Expr *e);
Value eval_is_not(Eval *ev, Expr *e);
Value eval_in(Eval *ev, Expr *e);
Value eval_not_in(Eval *ev, Expr *e);
