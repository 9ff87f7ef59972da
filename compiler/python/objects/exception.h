// SPDX-License-Identifier: Apache-2.0
// Exceptions as objects: construction, text, attributes (exception.c).
#pragma once
#include "python/values/evaluator.h"

void exception_init(Eval *ev); // exception.c
