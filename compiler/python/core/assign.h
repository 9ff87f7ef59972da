// SPDX-License-Identifier: Apache-2.0
// Targets: assignment, unpacking, augmented assignment, deletion (assign.c).
#pragma once
#include "python/objects/iteration.h"
#include "python/values/evaluator.h"
#include "owned.h"

void assign_target(Eval *ev, Expr *target, Value value); // of any kind
// A subscript. `of`: the expression whose value it is, which has just been evaluated; or NULL.
void assign_item(Eval *ev, Expr *target, Value value, const Expr *of);
static inline void eval_assign(Eval *ev, Expr *target, Value value) {
  if (target->form == FORM_LOCAL && !ev->hooks.assigned)
    slot_write(ev, ev->frame->env, target->name.index, value, NULL);
  else
    assign_target(ev, target, value);
}
bool assign_next_items(Eval *ev, Walk *walk, Expr *target); // of a walk that has a width
// The next item of an iterable to the target of a loop over it; false: there is none.
static inline bool assign_next(Eval *ev, Walk *walk, Expr *target) {
  if (walk->width) return assign_next_items(ev, walk, target);
  Value item;
  if (!walk_next(ev, walk, &item)) return false;
  count_step(ev);
  eval_assign(ev, target, item);
  return true;
}
void eval_delete(Eval *ev, Expr *target);
void eval_aug_assign(Eval *ev, Stmt *stmt); // assign.c
