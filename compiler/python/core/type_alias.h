// SPDX-License-Identifier: Apache-2.0
// `type X = …`: a name for a type whose value is evaluated when it is asked for; and
// the variables that type parameters stand for.
#pragma once
#include "python/values/evaluator.h"
#include "syntax/ast.h"

void type_alias_init(Eval *ev);
Tuple *make_type_variables(Eval *ev, TypeParams params);
Value make_type_alias(Eval *ev, Stmt *stmt);
