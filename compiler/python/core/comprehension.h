// SPDX-License-Identifier: Apache-2.0
// Comprehensions, which run at once, and generator expressions (generator.h).
#pragma once
#include "python/values/evaluator.h"

Value eval_comprehension(Eval *ev, Expr *expr); // comprehension.c
