// SPDX-License-Identifier: Apache-2.0
// The encoding unicode_escape: characters as the escapes of a literal (builtin_escape.c).
#pragma once
#include "python/values/evaluator.h"

bool is_escape_encoding(Str name);
Str text_to_escapes(Eval *ev, Str text);
Str text_from_escapes(Eval *ev, Str bytes, Value errors);
