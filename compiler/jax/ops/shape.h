// SPDX-License-Identifier: Apache-2.0
// Operations that move elements, by JAX's arguments.
#pragma once
#include "jax/array/array.h"

Value array_reshaped(Eval *ev, Value a, Value shape, Value order);
Value array_permuted(Eval *ev, Value a, Value axes);
NORETURN void array_raise_no_permutation(Eval *ev, Value axes, const Aval *aval);
Value array_transposed(Eval *ev, Value self, bool matrix); // .T, .mT
