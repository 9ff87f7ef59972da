// SPDX-License-Identifier: Apache-2.0
// The format mini-language on numbers and texts: what Python refuses is refused here, the
// rest is runtime/text's (builtin_format.c).
#pragma once
#include "python/values/evaluator.h"

// One format spec on a number or a string; raises ValueError as Python does.
Str format_int(Eval *ev, Value v, Str spec);
Str format_float(Eval *ev, double x, Str spec);
Str format_complex(Eval *ev, Complex z, Str spec); // without a spec: its repr
Str format_text(Eval *ev, Str text, Str spec);
