// SPDX-License-Identifier: Apache-2.0
// The methods of `object` and `type` (object_type.c).
#pragma once
#include "python/values/evaluator.h"

void object_type_init(Eval *ev); // object_type.c
