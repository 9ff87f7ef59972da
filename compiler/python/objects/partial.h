// SPDX-License-Identifier: Apache-2.0
// functools.partial (partial.c).
#pragma once
#include "python/values/evaluator.h"

void partial_init(Eval *ev); // partial.c
