// SPDX-License-Identifier: Apache-2.0
// The format mini-language on ints, floats and texts: what Python refuses is refused here, the
// rest is runtime/text's (builtin_format.c).
#pragma once
#include "python/objects/evaluator.h"

// One format spec on a number or a string; raises ValueError as Python does.
Str format_int(Eval *ev, Value v, Str spec);
Str format_float(Eval *ev, double x, Str spec);
Str format_text(Eval *ev, Str text, Str spec);
