// SPDX-License-Identifier: Apache-2.0
// What rules of ops are written with (rules.c, rules_check.c).
#pragma once
#include "base/buf.h"
#include "ir.h"

// Says why; false.
PRINTF_LIKE(2, 3) static inline bool rule_broken(Buf *why, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  buf_vprintf(why, fmt, args);
  va_end(args);
  return false;
}

#define RULE(condition, ...)                                                                       \
  do {                                                                                             \
    if (!(condition)) return rule_broken(why, __VA_ARGS__);                                        \
  } while (0)

static inline const IrType *operand_type(const IrOp *op, uint32_t i) {
  return op->operands[i]->type;
}

static inline const IrType *result_type(const IrOp *op, uint32_t i) { return op->results[i]->type; }

static inline bool is_scalar(const IrType *type, DType dtype) {
  return !type->is_ref && type->rank == 0 && type->dtype == dtype;
}

static inline bool is_semaphore(const IrType *type) {
  return type->is_ref && type->space == SPACE_SEM && type->rank == 0;
}
