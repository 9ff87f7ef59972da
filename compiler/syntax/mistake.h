// SPDX-License-Identifier: Apache-2.0
// Mistakes of syntax: their messages begin with the class of Python's exception.
#pragma once
#include "base/session.h"

typedef enum MistakeKind { MISTAKE_SYNTAX, MISTAKE_INDENTATION, MISTAKE_TABS } MistakeKind;

// NULL as of diag_error.
Diag *mistake_report(Session *session, MistakeKind kind, Span span, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
// The class that a message begins with, and what follows it; NULL if it is of no mistake of syntax.
const char *mistake_class(Str message, Str *rest);
