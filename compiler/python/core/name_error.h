// SPDX-License-Identifier: Apache-2.0
// NameError, with the name that was probably meant (name_error.c).
#pragma once
#include "python/values/evaluator.h"

NORETURN void raise_name(Eval *ev, Type *type, Name name, const char *fmt, ...) PRINTF_LIKE(4, 5);
