// SPDX-License-Identifier: Apache-2.0
// The rules of ops that are there under check alone, for rules.c.
#pragma once
#include "base/buf.h"
#include "ir.h"

// As ir_op_rules, of an op that reports memory or iterations.
bool ir_rules_of_check(const IrOp *op, Buf *why);
