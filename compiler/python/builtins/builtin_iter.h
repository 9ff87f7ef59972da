// SPDX-License-Identifier: Apache-2.0
// The iterators that are builtins: enumerate, zip, map, filter, reversed, and iter(callable,
// sentinel) (builtin_iter.c).
#pragma once
#include "python/values/evaluator.h"

void builtin_iter_init(Eval *ev);
