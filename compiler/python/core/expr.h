// SPDX-License-Identifier: Apache-2.0
// Expressions (expr.c).
#pragma once
#include "python/values/evaluator.h"
#include "owned.h"

// What a function returns: fresh (fresh.h) only if it is the value of a call or an operator.
Value eval_returned(Eval *ev, Expr *e);
// How expressions of each form are evaluated (expr.c).
extern Value (*const expr_ways[FORM_COUNT])(Eval *ev, Expr *e);
static inline Value eval_expr(Eval *ev, Expr *e) {
  if (e->form == FORM_INT) return v_int(e->int_literal.value);
  if (e->form == FORM_LOCAL) {
    Env *env = ev->frame->env;
    Value value = env->slots[e->name.index];
    if (value.kind == V_OBJECT) slot_read(env, e->name.index);
    if (value.kind != V_UNBOUND) return value;
  }
  return expr_ways[e->form](ev, e);
}
void store_name(Eval *ev, NameRef *ref, Value value);
void delete_name(Eval *ev, NameRef *ref, Span span);
bool eval_test(Eval *ev, Expr *test, TruthUse use); // truth of an expression
bool truth_for(Eval *ev, Value value, TruthUse use);
bool mapping_update(Eval *ev, Dict *into, Value mapping); // false if it is no mapping
