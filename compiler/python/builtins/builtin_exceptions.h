// SPDX-License-Identifier: Apache-2.0
// The exceptions of the builtins that the evaluator itself does not raise
// (builtin_exceptions.c).
#pragma once
#include "python/values/evaluator.h"

// What an encoding cannot express: `object` is the text or the bytes, of whose elements [start,
// end) it is.
typedef struct UnicodeFault {
  const char *encoding;
  Value object;
  size_t start, end;
  const char *reason;
} UnicodeFault;
NORETURN void raise_unicode_error(Eval *ev, const char *type, const UnicodeFault *fault);
void builtin_exceptions_init(Eval *ev);
