// SPDX-License-Identifier: Apache-2.0
// The calls that an exception has left, as Python's traceback objects, and back (traceback.c). They
// are made when a program asks for them: the exception itself knows only spans.
#pragma once
#include "python/values/evaluator.h"

// One line of a traceback.
typedef struct TraceEntry {
  Span span;
  FrameName function;
} TraceEntry;

typedef struct TracebackObject {
  Object base;
  TraceEntry entry;
  Value next; // None at the place where it was raised
} TracebackObject;

// From the outermost call to the place where it was raised; none if it was not raised.
TraceEntry *exception_entries(Eval *ev, const ExceptionObject *exception, size_t *count);
// Its __traceback__, without what led into the library: that is no program's.
Value exception_traceback(Eval *ev, const ExceptionObject *exception);
// What that gives, or gave of another exception; None: it is raised anew.
void exception_set_traceback(Eval *ev, ExceptionObject *exception, Value traceback);
