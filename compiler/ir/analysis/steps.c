// SPDX-License-Identifier: Apache-2.0
// Conditions on grid steps: in, a scalar of a launch's body and a range for each grid index; out,
// whether it holds in all of that box, in none of it, or maybe in some. Integers are followed as
// intervals and bools as one of three truths, so that the order of ops, nesting and the comparison
// that is used do not matter.
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "steps.h"

#include "effects.h"

enum { DEEPEST = 64 }; // ops followed behind one condition

static StepTruth truth_of(const Steps *steps, const IrValue *value, int depth);

Steps steps_of(const IrRegion *body, size_t rank, const int64_t *grid) {
  Steps steps = {.body = body, .rank = rank};
  for (size_t i = 0; i < rank; i++)
    steps.dims[i] = (Range){0, grid[i] < 0 ? INT32_MAX : grid[i] > 0 ? grid[i] - 1 : 0};
  return steps;
}

static bool is_index(const Steps *steps, const IrValue *value) {
  return !value->def && value->region == steps->body && value->index < steps->rank;
}

// ---- numbers -----------------------------------------------------------------------------------
static Range number_of(const Steps *steps, const IrValue *value, int depth);

static Range limited(Range r, const IrValue *value) {
  Range all = bounds_of(value);
  return r.low < all.low || r.high > all.high ? all : r;
}

static Range combined(OpCode code, Range x, Range y) {
  if (code == OP_ADD) return range_sum(x, y);
  if (code == OP_SUB) return range_difference(x, y);
  return range_product(x, y);
}

static Range number_of(const Steps *steps, const IrValue *value, int depth) {
  if (is_index(steps, value)) return steps->dims[value->index];
  const IrOp *op = value->def;
  if (!op || depth == DEEPEST) return bounds_of(value);
  if (op->code == OP_ADD || op->code == OP_SUB || op->code == OP_MUL) {
    Range x = number_of(steps, op->operands[0], depth + 1),
          y = number_of(steps, op->operands[1], depth + 1);
    return limited(combined(op->code, x, y), value);
  }
  if (op->code == OP_CONVERT && op->operands[0]->type->dtype == DT_BOOL) {
    StepTruth truth = truth_of(steps, op->operands[0], depth + 1);
    return (Range){truth == STEPS_ALL, truth != STEPS_NONE};
  }
  if (op->code == OP_CONVERT && !dtype_is_float(op->operands[0]->type->dtype))
    return limited(number_of(steps, op->operands[0], depth + 1), value);
  return bounds_of(value);
}

// ---- truths ------------------------------------------------------------------------------------
static StepTruth opposite(StepTruth t) {
  return t == STEPS_SOME ? t : t == STEPS_ALL ? STEPS_NONE : STEPS_ALL;
}

static StepTruth said(bool always, bool never) {
  return always ? STEPS_ALL : never ? STEPS_NONE : STEPS_SOME;
}

static StepTruth compared(OpCode code, Range x, Range y) {
  switch (code) {
  case OP_EQ:
    return said(x.low == x.high && y.low == y.high && x.low == y.low,
                x.high < y.low || y.high < x.low);
  case OP_NE: return opposite(compared(OP_EQ, x, y));
  case OP_LT: return said(x.high < y.low, x.low >= y.high);
  case OP_GE: return opposite(compared(OP_LT, x, y));
  case OP_GT: return compared(OP_LT, y, x);
  case OP_LE: return opposite(compared(OP_LT, y, x));
  default: return STEPS_SOME;
  }
}

static StepTruth joined(OpCode code, StepTruth x, StepTruth y) {
  switch (code) {
  case OP_MUL:
  case OP_AND: return said(x == STEPS_ALL && y == STEPS_ALL, x == STEPS_NONE || y == STEPS_NONE);
  case OP_ADD:
  case OP_OR: return said(x == STEPS_ALL || y == STEPS_ALL, x == STEPS_NONE && y == STEPS_NONE);
  case OP_EQ:
    if (x == STEPS_SOME || y == STEPS_SOME) return STEPS_SOME;
    return x == y ? STEPS_ALL : STEPS_NONE;
  case OP_NE:
  case OP_XOR: return opposite(joined(OP_EQ, x, y));
  default: return STEPS_SOME;
  }
}

static StepTruth truth_of(const Steps *steps, const IrValue *value, int depth) {
  const IrOp *op = value->def;
  int64_t known;
  if (ir_const_int(value, &known)) return known ? STEPS_ALL : STEPS_NONE;
  if (!op || depth == DEEPEST || op->operand_count == 0) return STEPS_SOME;
  DType from = op->operands[0]->type->dtype;
  if (op->code == OP_NOT) return opposite(truth_of(steps, op->operands[0], depth + 1));
  if (op->code == OP_CONVERT && !dtype_is_float(from))
    return compared(OP_NE, number_of(steps, op->operands[0], depth + 1), (Range){0, 0});
  OpClass op_class = op_info(op->code)->op_class;
  if ((op_class != CLASS_BINARY && op_class != CLASS_COMPARE) || dtype_is_float(from) ||
      from == DT_U64)
    return STEPS_SOME;
  if (from == DT_BOOL)
    return joined(op->code, truth_of(steps, op->operands[0], depth + 1),
                  truth_of(steps, op->operands[1], depth + 1));
  return compared(op->code, number_of(steps, op->operands[0], depth + 1),
                  number_of(steps, op->operands[1], depth + 1));
}

StepTruth steps_truth(const Steps *steps, const IrValue *condition) {
  return truth_of(steps, condition, 0);
}

bool steps_are_exactly(const Steps *steps, const IrValue *condition, size_t dim, int64_t step) {
  Range all = steps->dims[dim];
  const struct {
    Range range;
    StepTruth truth;
  } parts[] = {{{step, step}, STEPS_ALL},
               {{all.low, step - 1}, STEPS_NONE},
               {{step + 1, all.high}, STEPS_NONE}};
  for (size_t i = 0; i < COUNT_OF(parts); i++) {
    Steps some = *steps;
    some.dims[dim] = parts[i].range;
    if (parts[i].range.low <= parts[i].range.high &&
        steps_truth(&some, condition) != parts[i].truth)
      return false;
  }
  return true;
}

bool steps_is_test(const Steps *steps, const IrOp *op) {
  if (!op_is_elementwise(op->code) || op->result_count != 1 || op->results[0]->type->rank)
    return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrValue *operand = op->operands[i];
    if (is_index(steps, operand) || (operand->def && operand->def->code == OP_CONST)) continue;
    if (!operand->def || !steps_is_test(steps, operand->def)) return false;
  }
  return true;
}
