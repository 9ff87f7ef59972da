// SPDX-License-Identifier: Apache-2.0
// What Python's traceback and frame objects tell (builtin_traceback.c).
#pragma once
#include "python/objects/traceback.h"

// (file, line, function, text of the line); None in preludes.
Value trace_entry_tuple(Eval *ev, Span span, FrameName function);
// The calls that are running as a frame object, with those around it behind f_back; without
// preludes' own.
Value running_frames(Eval *ev);
void builtin_traceback_init(Eval *ev);
