// SPDX-License-Identifier: Apache-2.0
// The evaluator's own C stack (stack.c).
#pragma once
#include "evaluator.h"

// Runs body on a stack of its own, large enough for the deepest recursion that max_depth allows.
void stack_run(Eval *ev, void (*body)(Eval *, void *), void *data);
