// SPDX-License-Identifier: Apache-2.0
// match: names are bound only when a whole pattern has matched (match.c).
#pragma once
#include "python/values/evaluator.h"

Flow eval_match(Eval *ev, Stmt *stmt, Value *result); // match.c
// The block of the case that matches; NULL: none does.
const StmtList *match_block(Eval *ev, Stmt *stmt);
