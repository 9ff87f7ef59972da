// SPDX-License-Identifier: Apache-2.0
// memoryview (builtin_memoryview.c).
#pragma once
#include "python/values/evaluator.h"

void builtin_memoryview_init(Eval *ev);
