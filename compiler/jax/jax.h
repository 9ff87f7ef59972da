// SPDX-License-Identifier: Apache-2.0
// What is recorded, as a floor: what it adds to the language.
#pragma once
#include "python/values/evaluator.h"

void jax_init(Eval *ev); // after numpy_init
