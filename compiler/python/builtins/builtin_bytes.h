// SPDX-License-Identifier: Apache-2.0
// bytes, and the encodings between it and str: utf-8, ascii, latin-1 (builtin_bytes.c).
#pragma once
#include "python/objects/evaluator.h"

Str text_encode(Eval *ev, Str text, Value encoding, Value errors); // V_UNBOUND: utf-8, strict
Str text_decode(Eval *ev, Str bytes, Value encoding, Value errors);
Str take_bytes(Eval *ev, Value v); // bytes(v) for a bytes object or an iterable of ints
extern const struct IndexWords bytearray_words;
extern const struct NativeType bytes_type; // its slots and methods serve bytearray, too
void builtin_bytes_init(Eval *ev);
