// SPDX-License-Identifier: Apache-2.0
// Functions of one float by enumerator.
#pragma once

typedef enum FloatFunction {
#define FLOAT_FUNCTION(id, name, value) FLOAT_##id,
#include "float_function.def"
#undef FLOAT_FUNCTION
  FLOAT_FUNCTION_COUNT
} FloatFunction;

double float_function(FloatFunction function, double x);
