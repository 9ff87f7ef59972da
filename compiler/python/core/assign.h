// SPDX-License-Identifier: Apache-2.0
// Targets: assignment, unpacking, augmented assignment, deletion (assign.c).
#pragma once
#include "python/values/evaluator.h"

void eval_assign(Eval *ev, Expr *target, Value value);
void eval_delete(Eval *ev, Expr *target);
void eval_aug_assign(Eval *ev, Stmt *stmt); // assign.c
