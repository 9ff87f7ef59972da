// SPDX-License-Identifier: Apache-2.0
// import and from … import as statements; finding modules is import.c's (import_stmt.c).
#pragma once
#include "python/values/evaluator.h"

void eval_import(Eval *ev, Stmt *stmt);      // import.c
void eval_import_from(Eval *ev, Stmt *stmt); // import.c
