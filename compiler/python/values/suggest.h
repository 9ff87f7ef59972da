// SPDX-License-Identifier: Apache-2.0
// The nearest of some names to one that is not there (suggest.c).
#pragma once
#include "evaluator.h"

// Fed with candidates.
typedef struct Suggestion {
  Str wanted, best;
  size_t distance;
} Suggestion;

void suggestion_init(Suggestion *s, Str wanted);
void suggestion_try(Suggestion *s, Str candidate);
void suggestion_try_dict(Suggestion *s, const Dict *dict);
Str suggestion_hint(Eval *ev, const Suggestion *s); // "did you mean 'x'?", or empty
// TypeError of a value that lacks a special method, with what to write instead where that is known.
NORETURN void raise_lacking(Eval *ev, Value v, Name method, const char *fmt, ...) PRINTF_LIKE(4, 5);
// With what is said behind the message where nothing catches it; "": nothing.
NORETURN void raise_hinted(Eval *ev, Type *type, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
