// SPDX-License-Identifier: Apache-2.0
// The calls that an exception has left, as Python's traceback and frame objects
// (builtin_traceback.c).
#pragma once
#include "python/values/evaluator.h"

// One line of a traceback.
typedef struct TraceEntry {
  Span span;
  Str function; // without the names of classes and functions around it
} TraceEntry;

// From the outermost call to the place where it was raised; none if it was not raised.
TraceEntry *exception_entries(Eval *ev, const ExceptionObject *exception, size_t *count);
// (file, line, function, text of the line); None in preludes.
Value trace_entry_tuple(Eval *ev, Span span, Str function);
void builtin_traceback_init(Eval *ev);
