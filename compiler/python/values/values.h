// SPDX-License-Identifier: Apache-2.0
// What a value is, without running anything of the program: instances of classes derived from
// int, str, … count as what they derive from (values.c).
#pragma once
#include "evaluator.h"

bool type_is_subtype(const Type *type, const Type *base); // by the MRO: itself included
bool value_as_str(Value v, Str *out);                     // str and classes derived from it
Tuple *value_as_tuple(Value v); // tuple and classes derived from it (NamedTuple), else NULL
List *value_as_list(Value v);
Dict *value_as_dict(Value v); // dict and classes derived from it
Value value_unwrap(
    Value v); // of an instance of a class derived from int, str, …: the underlying value
