// SPDX-License-Identifier: Apache-2.0
// What ops that are there under check alone demand: they inform the runtime of memory, steps and
// iterations.
#include "base/buf.h"
#include "attr.h"
#include "rules_check.h"
#include "rule.h"

// Between steps of parallel dimensions: a number, semaphores.
static bool check_parallel(const IrOp *op, Buf *why) {
  uint32_t first = op->code == OP_PARALLEL_STEP ? 1 : 0;
  RULE(!first || (op->operand_count && is_scalar(operand_type(op, 0), DT_I32)),
       "the step's number is no i32");
  for (uint32_t i = first; i < op->operand_count; i++)
    RULE(operand_type(op, i)->is_ref && operand_type(op, i)->space == SPACE_SEM,
         "operand %u is no ref to semaphores", i);
  return true;
}

static bool check_turn(const IrOp *op, Buf *why) {
  bool is_next = ir_attr_int(op, ATTR_STAGE) == TURN_NEXT;
  RULE(op->operand_count == is_next, "only the next iteration has a number");
  RULE(!is_next || is_scalar(operand_type(op, 0), DT_I32), "the number is no i32");
  return true;
}

bool ir_rules_of_check(const IrOp *op, Buf *why) {
  const IrType *x = op->operand_count ? operand_type(op, 0) : NULL;
  switch (op->code) {
  case OP_TURN: return check_turn(op, why);
  case OP_PARALLEL_STEP:
  case OP_PARALLEL_END: return check_parallel(op, why);
  case OP_PARALLEL_WRITE:
    RULE(operand_type(op, 1)->is_ref && operand_type(op, 1)->space != SPACE_SEM,
         "operand 1 is no ref of elements");
    RULE(is_scalar(operand_type(op, 2), DT_I32), "the step's number is no i32");
    break;
  case OP_PARALLEL_READ:
    RULE(is_scalar(operand_type(op, 1), DT_I32), "the step's number is no i32");
    break;
  case OP_FETCH_AHEAD:
  case OP_WRITE_BEHIND: RULE(is_semaphore(operand_type(op, 1)), "operand 1 is no semaphore"); break;
  case OP_BEGIN:
  case OP_ENTER:
  case OP_RELEASE:
  case OP_DIES:
  case OP_OVER:
  case OP_COPY_INDEX:
  case OP_CHECK_WRITTEN: break;
  default: BUG("no rule for '%s'", op_info(op->code)->name);
  }
  RULE(x->is_ref && x->space != SPACE_SEM, "operand 0 is no ref of elements");
  return true;
}
