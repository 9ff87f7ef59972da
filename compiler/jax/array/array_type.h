// SPDX-License-Identifier: Apache-2.0
// The type jax.Array, and those of its methods that its operators mean too.
#pragma once
#include "array.h"

void array_init(Eval *ev); // with the types of keys, shapes and x.at, after array_state_init
Value array_method_int(Eval *ev, Value *a);
Value array_method_float(Eval *ev, Value *a);
