// SPDX-License-Identifier: Apache-2.0
// The scalar types of jax.numpy, and dtypes as its functions take them (scalar_type.c).
#pragma once
#include "array.h"

// The same, with a warning where an x64 type was asked for by name.
DType take_requested_dtype(Eval *ev, Value v, const char *what);
Value scalar_type(Eval *ev, DType dtype); // a new jnp.float32
bool value_is_scalar_type(Eval *ev, Value v);
bool dtype_is_subdtype(Eval *ev, Value a, Value b);   // jnp.issubdtype
void dtype_info_init(Eval *ev, ModuleObject *module); // dtype_info.c: jnp.finfo, jnp.iinfo
void scalar_type_init(Eval *ev);
