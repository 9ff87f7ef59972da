// SPDX-License-Identifier: Apache-2.0
// str.format: "{0.name[key]!r:>{width}}" (builtin_strformat.c).
#pragma once
#include "python/values/evaluator.h"

// text.format(*args, **names); args NULL: text.format_map(names).
Str text_format(Eval *ev, Str text, const Tuple *args, Value names);
