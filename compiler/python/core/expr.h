// SPDX-License-Identifier: Apache-2.0
// Expressions (expr.c).
#pragma once
#include "python/values/evaluator.h"

// What a function returns: fresh (fresh.h) only if it is the value of a call or an operator.
Value eval_returned(Eval *ev, const Expr *e);
Value eval_expr(Eval *ev, const Expr *expr);
Value load_name(Eval *ev, const NameRef *ref, Span span);
void store_name(Eval *ev, const NameRef *ref, Value value);
void delete_name(Eval *ev, const NameRef *ref, Span span);
bool eval_test(Eval *ev, const Expr *test);               // truth of an expression
bool mapping_update(Eval *ev, Dict *into, Value mapping); // false if it is no mapping
