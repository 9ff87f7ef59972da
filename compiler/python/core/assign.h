// SPDX-License-Identifier: Apache-2.0
// Targets: assignment, unpacking, augmented assignment, deletion (assign.c).
#pragma once
#include "python/values/evaluator.h"

void assign_target(Eval *ev, Expr *target, Value value); // of any kind
// A subscript. `fresh`: the value where nobody else has it (fresh.h), or NULL.
void assign_item(Eval *ev, Expr *target, Value value, Object *fresh);
static inline void eval_assign(Eval *ev, Expr *target, Value value) {
  if (target->form == FORM_LOCAL && !ev->hooks.assigned)
    ev->frame->env->slots[target->name.index] = value;
  else
    assign_target(ev, target, value);
}
void eval_delete(Eval *ev, Expr *target);
void eval_aug_assign(Eval *ev, Stmt *stmt); // assign.c
