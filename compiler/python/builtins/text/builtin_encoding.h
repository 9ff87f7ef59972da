// SPDX-License-Identifier: Apache-2.0
// The encodings between bytes and str: utf-8, utf-16, utf-32, ascii, latin-1, cp1252
// (builtin_encoding.c).
#pragma once
#include "python/values/evaluator.h"

Str text_encode(Eval *ev, Str text, Value encoding, Value errors); // V_UNBOUND: utf-8, strict
Str text_decode(Eval *ev, Str bytes, Value encoding, Value errors);
