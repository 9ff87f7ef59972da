// SPDX-License-Identifier: Apache-2.0
// Typed PRNG keys, and the implementations that the program and the library registered.
#pragma once
#include "array.h"

void key_array_init(Eval *ev);
bool value_is_key(Eval *ev, Value v);
size_t key_dims(Eval *ev, Value key); // the dimensions of its bits
bool value_is_key_dtype(Eval *ev, Value v);
Value key_array_new(Eval *ev, Array *data, Name impl);
Value key_struct_new(Eval *ev, const Aval *data, Name impl); // a ShapeDtypeStruct of keys
bool value_as_key_struct(Eval *ev, Value v, Aval *data, Name *impl);
Name key_dtype_impl(Value dtype); // of a dtype for which value_is_key_dtype
const KeyImpl *key_impl_find(Eval *ev, Name name);
void key_impl_add(Eval *ev, Value name, Value tag, Value key_shape);
