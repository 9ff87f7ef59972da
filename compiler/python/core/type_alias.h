// SPDX-License-Identifier: Apache-2.0
// `type X = …`: a name for a type whose value is evaluated when it is asked for (type_alias.c).
#pragma once
#include "python/values/evaluator.h"

void type_alias_init(Eval *ev); // alias.c
Value make_type_alias(Eval *ev, Stmt *stmt);
