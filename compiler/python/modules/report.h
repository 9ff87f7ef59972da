// SPDX-License-Identifier: Apache-2.0
// Exceptions that nobody caught, and warnings, as diagnostics with the frames of the trace
// (report.c).
#pragma once
#include "python/values/evaluator.h"

// Where the program of an Eval is: its own line, not a prelude's. Asks for no memory.
Span eval_place(const void *ev);
// Gives the diagnostics that were set aside for an exception; false: there are none, or they have
// been given.
bool exception_report_aside(Eval *ev, Value exception);
// "TypeError: …; did you mean …", notes included.
Str exception_text(Eval *ev, ExceptionObject *exception);
// Turns an exception into a diagnostic.
void exception_report(Eval *ev, Value exception);
// Gives a diagnostic about the text of `module` the frames of the import that runs now.
void eval_frames_of_import(Eval *ev, Diag *diag, Name module);
// A warning at the current span with the frames of the trace.
void eval_warn(Eval *ev, WarningGroup group, const char *fmt, ...) PRINTF_LIKE(3, 4);
