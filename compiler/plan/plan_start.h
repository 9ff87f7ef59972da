// SPDX-License-Identifier: Apache-2.0
// Where a part of an array starts along one dimension: a number, or a value of the program that is
// brought inside of what there is.
#pragma once
#include "ir/core/ir.h"

typedef struct Start {
  int64_t number;       // if there is no value
  const IrValue *value; // an integer scalar, or NULL
  int64_t wrap; // what is negative counts from here (the end), as JAX does it on a CPU; 0: it stays
  int64_t last; // then it is brought into [0, last]; -1: it is there for sure
} Start;

// Of two with values.
bool start_equal(const Start *a, const Start *b);
// Of a load, store or view.
Start start_of_index(const IrOp *op, int dim);
// Of a dynamic slice, as lax.dynamic_slice has it.
Start start_of_slice(const IrOp *op, int dim);
