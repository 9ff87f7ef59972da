// SPDX-License-Identifier: Apache-2.0
// bytes (builtin_bytes.c).
#pragma once
#include "python/values/evaluator.h"

Str take_bytes(Eval *ev, Value v); // bytes(v) for a bytes object or an iterable of ints
Str take_bytes_for(Eval *ev, Value v, const Type *type); // the same, of one or of bytearray
Str self_bytes(Eval *ev, Value self);                    // of what a method is called on
bool as_bytes_like(Eval *ev, Value v, Str *out);         // of what holds bytes or has __buffer__
Str take_bytes_like(Eval *ev, Value v);
char take_byte(Eval *ev, Value v, const char *what); // raises that `what` is out of range
Value make_like(Eval *ev, Value self, Str bytes);    // bytes, or a bytearray where `self` is one
Value bytes_new(Eval *ev, Value *a);
Value bytes_decode(Eval *ev, Value *a);
Value bytes_hex(Eval *ev, Value *a);
Value bytes_fromhex(Eval *ev, Value *a);
extern const NativeDef bytes_methods[]; // builtin_bytesmethods.c; of bytearray, too
extern const struct IndexWords bytearray_words;
extern const struct NativeType bytes_type; // its slots serve bytearray, too
void builtin_bytes_init(Eval *ev);
