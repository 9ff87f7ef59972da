// SPDX-License-Identifier: Apache-2.0
// Items that are written side by side, and those of what is unpacked among them (display.c).
#pragma once
#include "python/values/evaluator.h"

Value tuple_display(Eval *ev, Expr *e);
Value list_display(Eval *ev, Expr *e);
Value set_display(Eval *ev, Expr *e);
Value dict_display(Eval *ev, Expr *e);
// The items of a list of expressions; `callee` is what they are arguments of, or NULL.
void push_items(Eval *ev, List *out, const ExprList *list, const Value *callee);
void push_unpacked(Eval *ev, List *out, Value source, const Value *callee);
