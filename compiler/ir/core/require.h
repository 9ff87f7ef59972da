// SPDX-License-Identifier: Apache-2.0
// What an op asks of its operands: where it does not hold, whoever builds the op has a bug.
#pragma once
#include "base/checked.h"
#include "ir.h"

#define REQUIRE(condition, code)                                                                   \
  do {                                                                                             \
    if (!(condition)) BUG("'%s' does not take these operands: " #condition, op_info(code)->name);  \
  } while (0)

static inline bool is_scalar_value(const IrValue *x, DType dtype) {
  return !x->type->is_ref && x->type->rank == 0 && x->type->dtype == dtype;
}
