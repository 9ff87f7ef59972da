// SPDX-License-Identifier: Apache-2.0
// Products of arrays (dot.c).
#pragma once
#include "ir/core/ir.h"
#include "jax/array/array.h"

typedef struct DotDims { // lax.dot_general's dimension numbers
  size_t contract_count, batch_count;
  int64_t lhs_contract[IR_MAX_RANK], rhs_contract[IR_MAX_RANK], lhs_batch[IR_MAX_RANK],
      rhs_batch[IR_MAX_RANK];
} DotDims;
// The op's precision attribute of a precision argument.
DotPrecision take_precision(Eval *ev, Value v);
Value array_matmul(Eval *ev, Value a, Value b, Value precision, Value preferred); // jnp.matmul
