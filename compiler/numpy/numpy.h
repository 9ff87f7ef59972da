// SPDX-License-Identifier: Apache-2.0
// Arrays of the host as a floor: what it adds to the language.
#pragma once
#include "python/values/evaluator.h"

void numpy_init(Eval *ev); // after eval_new, before jax_init
