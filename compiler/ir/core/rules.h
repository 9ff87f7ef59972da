// SPDX-License-Identifier: Apache-2.0
// The rules of single ops, for the verifier and the builder. Private to compiler/ir.
#pragma once
#include "base/buf.h"
#include "ir.h"

// Whether operands, results, attributes and regions fit each other; if not, says why. Does not look
// into regions beyond their arguments and terminators. Survives any op whose operands, results and
// regions are not NULL.
bool ir_op_rules(const IrOp *op, Buf *why);

// The first violation in a module: `op` (NULL if a function itself is at fault) and a description.
typedef struct IrViolation {
  const IrFunc *func;
  const IrOp *op;
  Str what; // in the session's arena
} IrViolation;
bool ir_find_violation(const IrModule *module, IrViolation *out);
