// SPDX-License-Identifier: Apache-2.0
// Keywords of JAX's functions that are known and not supported.
#pragma once
#include "python/values/evaluator.h"

// Raises NotImplementedError if a keyword was given a value that is not supported.
void refuse_keyword(Eval *ev, const char *function, const char *keyword, Value v);
