// SPDX-License-Identifier: Apache-2.0
// What arrays offer that is made of operations: given to them by ops/ (array_ops), which stands
// above them.
#pragma once
#include "array.h"

typedef struct ArrayOps {
  const NativeDef *methods;
  Value (*matmul)(Eval *ev, Value a, Value b, Value precision, Value preferred);
  Value (*transposed)(Eval *ev, Value self, bool matrix); // .T, .mT
  Value (*reshaped)(Eval *ev, Value a, Value shape, Value order);
  Value (*make)(Eval *ev, Value object, DType dtype, int64_t ndmin); // jnp.array
} ArrayOps;
static inline const ArrayOps *ops_of_arrays(const Eval *ev) { return ev->trace->arrays->ops; }

extern const ArrayOps array_ops; // ops/array_methods.c
