// SPDX-License-Identifier: Apache-2.0
// Assert statements (assertion.c).
#pragma once
#include "python/values/evaluator.h"

void assert_stmt(Eval *ev, Stmt *stmt);
