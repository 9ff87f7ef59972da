// SPDX-License-Identifier: Apache-2.0
// What any object can be asked for: truth, length, items, hash, text (protocol.c).
#pragma once
#include "base/buf.h"
#include "python/values/evaluator.h"

bool exception_matches(Eval *ev, Value exception, Value type_or_tuple);
Value value_getitem(Eval *ev, Value v, Value index);
void value_setitem(Eval *ev, Value v, Value index, Value value);
void value_delitem(Eval *ev, Value v, Value index);
bool value_contains(Eval *ev, Value container, Value item);
int64_t value_len(Eval *ev, Value v);
int64_t value_len_opt(Eval *ev, Value v); // -1 if it has none
bool value_truth(
    Eval *ev,
    Value v); // of an array that is traced: TracerBoolConversionError, naming what to use instead
bool value_is(Value a, Value b); // identity; small values by value
uint64_t value_hash(Eval *ev, Value v);
Str value_repr(Eval *ev, Value v);
// The same appended to a text: what is nested is not copied once a level.
void value_put_repr(Eval *ev, Value v, Buf *out);
Str value_str(Eval *ev, Value v);
Str value_format(Eval *ev, Value v, Str spec);
bool value_is_callable(Eval *ev, Value v);
Str value_ascii(Eval *ev, Value v); // repr with escapes for all that is not ASCII
bool value_isinstance(
    Eval *ev, Value v,
    Value classes); // a class, a tuple or a union of them; __instancecheck__ is honoured
bool value_issubclass(Eval *ev, Value type, Value classes);
void protocol_init(Eval *ev);
uint64_t object_identity_hash(Value v);
