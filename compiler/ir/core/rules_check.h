// SPDX-License-Identifier: Apache-2.0
// The rules of ops that are there under check alone, for rules.c, and the modes of `turn`.
#pragma once
#include "ir.h"

// As ir_op_rules, of an op that tells of memory or of iterations.
bool ir_rules_of_check(const IrOp *op, Buf *why);

// What an OP_TURN is, by its mode, in the order of the runtime's PRT_TURN_ numbers; TURN_MODES:
// there is no such mode.
typedef enum TurnMode {
  TURN_ENTER,
  TURN_NEXT,
  TURN_LEAVE,
  TURN_SUM,
  TURN_SUMMED,
  TURN_MODES
} TurnMode;
TurnMode ir_turn_mode(const IrOp *op);
