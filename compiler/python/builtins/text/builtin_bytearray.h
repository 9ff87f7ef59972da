// SPDX-License-Identifier: Apache-2.0
// bytearray (builtin_bytearray.c).
#pragma once
#include "python/values/evaluator.h"

void builtin_bytearray_init(Eval *ev);
