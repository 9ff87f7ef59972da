// SPDX-License-Identifier: Apache-2.0
// What a function gives for zeros, infinities and NaN, put to its results by one instruction.
#pragma once
#include "codegen/emit/gen.h"

// Classes of f32s; subnormal ones are zeros.
enum {
  FIXUP_QUIET_NAN,
  FIXUP_SIGNALLING_NAN,
  FIXUP_ZERO,
  FIXUP_ONE,
  FIXUP_MINUS_INFINITY,
  FIXUP_INFINITY,
  FIXUP_NEGATIVE,
  FIXUP_POSITIVE
};
// What arguments of a class have as results; of classes that a table does not name, the result.
enum { GIVES_ARGUMENT = 1, GIVES_NAN = 3, GIVES_MINUS_INFINITY = 4, GIVES_INFINITY = 5 };
#define FIXUP(class, gives) ((int64_t)(gives) << 4 * (class))

// Whether there is such an instruction for vectors like `x`.
bool fixup_is_there(const LlvmGen *g, Value x);
Value fixup(LlvmGen *g, Value x, Value result, int64_t table);
