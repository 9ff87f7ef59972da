// SPDX-License-Identifier: Apache-2.0
// Comprehensions, which run at once, and generator expressions, which are iterators
// (comprehension.c).
#pragma once
#include "python/objects/evaluator.h"

void generator_init(Eval *ev);                        // comprehension.c
Value eval_comprehension(Eval *ev, const Expr *expr); // comprehension.c
