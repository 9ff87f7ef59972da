// SPDX-License-Identifier: Apache-2.0
// Shapes and dtypes as objects: jax.ShapeDtypeStruct, ShapedArray, and whatever has both
// attributes.
#pragma once
#include "array.h"

void shape_struct_init(Eval *ev);
// Of a Ref, KeyArray, ShapeDtypeStruct, or any object with shape and dtype.
bool value_loose_aval(Eval *ev, Value v, Aval *out);
Value shape_dtype_struct_new(Eval *ev, const Aval *aval);
Value shaped_array_new(Eval *ev, const Aval *aval);                    // as .aval prints it
Value shaped_array_in(Eval *ev, const Aval *aval, Value memory_space); // unbound: the device's
Value ref_aval_new(Eval *ev, Value ref); // the same of a Ref: it knows its memory space
