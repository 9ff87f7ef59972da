// SPDX-License-Identifier: Apache-2.0
// functools.partial (partial.c).
#pragma once
#include "evaluator.h"

void partial_init(Eval *ev); // partial.c
