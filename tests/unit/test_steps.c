// SPDX-License-Identifier: Apache-2.0
// Conditions on grid steps (steps.c) against what they are at each step: those of one index
// compared with a number, in all ways, and of two such joined in all ways, over all boxes of a
// small grid.
#include <check.h>
#include <stdlib.h>
#include "ir/analysis/steps.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/interpret/evaluate.h"
#include "suite.h"

enum { LAST = 3 }; // both indices are 0 .. 3

static const OpCode comparisons[] = {OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE};
static const OpCode joints[] = {OP_AND, OP_OR, OP_XOR, OP_EQ, OP_NE, OP_ADD, OP_MUL};

typedef struct Body { // a region with two indices
  Session *session;
  IrBuilder b;
  IrValue *x, *y;
} Body;

static Body body_new(void) {
  Session *session = session_new(0);
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  IrBuilder b = {.module = module, .region = func->body};
  IrValue *zero = ir_i32(&b, 0);
  IrOp *loop = ir_for(&b, zero, ir_i32(&b, LAST + 1), ir_i32(&b, 1), 1, &zero);
  b.region = loop->regions[0];
  b.before = NULL;
  return (Body){session, b, b.region->args[0], b.region->args[1]};
}

// Of a scalar, where the indices are x and y.
static int64_t value_at(const Body *body, const IrValue *value, int32_t x, int32_t y) {
  int64_t number;
  if (value == body->x) return x;
  if (value == body->y) return y;
  if (ir_const_int(value, &number)) return number;
  const IrOp *op = value->def;
  IrData data[2];
  const IrData *operands[2];
  for (uint32_t i = 0; i < op->operand_count; i++) {
    DType dtype = op->operands[i]->type->dtype;
    void *bytes = arena_alloc(body->session->arena, sizeof(int64_t));
    dtype_store_i64(dtype, bytes, value_at(body, op->operands[i], x, y));
    data[i] = (IrData){dtype, 1, bytes};
    operands[i] = &data[i];
  }
  const IrData *result = ir_evaluate(body->session->arena, op, operands);
  return dtype_load_i64(value->type->dtype, result->bytes);
}

// `exact`: it is said at all boxes where it always or never holds.
static void check_boxes(const Body *body, const IrValue *condition, bool exact) {
  const int64_t grid[] = {LAST + 1, LAST + 1};
  Steps steps = steps_of(body->b.region, 2, grid);
  bool holds[LAST + 1][LAST + 1];
  for (int32_t x = 0; x <= LAST; x++)
    for (int32_t y = 0; y <= LAST; y++) holds[x][y] = value_at(body, condition, x, y) != 0;
  for (int box = 0; box < 256; box++) {
    int low_x = box & 3, high_x = box >> 2 & 3, low_y = box >> 4 & 3, high_y = box >> 6 & 3, on = 0,
        off = 0;
    if (low_x > high_x || low_y > high_y) continue;
    for (int x = low_x; x <= high_x; x++)
      for (int y = low_y; y <= high_y; y++) holds[x][y] ? on++ : off++;
    steps.dims[0] = (Range){low_x, high_x};
    steps.dims[1] = (Range){low_y, high_y};
    StepTruth truth = steps_truth(&steps, condition);
    if (truth == STEPS_ALL) ck_assert_int_eq(off, 0);
    if (truth == STEPS_NONE) ck_assert_int_eq(on, 0);
    if (exact && truth == STEPS_SOME) ck_assert(on && off);
  }
}

// `exact`: that it is true at one step alone is always found.
static void check_step(const Body *body, const IrValue *condition, bool exact) {
  const int64_t grid[] = {LAST + 1, LAST + 1};
  Steps steps = steps_of(body->b.region, 2, grid);
  for (int32_t step = 0; step <= LAST; step++) {
    bool exactly = true;
    for (int32_t x = 0; x <= LAST; x++)
      exactly &= (value_at(body, condition, x, 0) != 0) == (x == step);
    bool found = steps_are_exactly(&steps, condition, 0, step);
    ck_assert(exact ? found == exactly : exactly || !found);
  }
}

START_TEST(of_one_index) {
  Body body = body_new();
  for (int32_t number = -1; number <= LAST + 1; number++) {
    IrValue *right = ir_i32(&body.b, number),
            *twice = ir_binary(&body.b, OP_MUL, body.x, ir_i32(&body.b, -2)),
            *shifted = ir_binary(&body.b, OP_ADD, body.x, ir_i32(&body.b, 1)),
            *left = ir_binary(&body.b, OP_SUB, ir_i32(&body.b, LAST), body.x);
    IrValue *numbers[] = {body.x, shifted, left, twice};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
      IrValue *condition = ir_binary(&body.b, comparisons[_i], numbers[i], right),
              *number_of = ir_convert(&body.b, condition, DT_I32);
      bool is_dense = numbers[i] != twice || (comparisons[_i] != OP_EQ && comparisons[_i] != OP_NE);
      check_boxes(&body, condition, is_dense);
      check_boxes(&body, ir_unary(&body.b, OP_NOT, condition), is_dense);
      check_boxes(&body, ir_convert(&body.b, number_of, DT_BOOL), is_dense);
      check_step(&body, condition, true);
    }
  }
  session_free(body.session);
}
END_TEST

START_TEST(of_two_joined) {
  Body body = body_new();
  for (size_t i = 0; i < COUNT_OF(comparisons); i++)
    for (int32_t number = 0; number <= LAST; number++) {
      IrValue *one = ir_binary(&body.b, comparisons[i], body.x, ir_i32(&body.b, number)),
              *other = ir_binary(&body.b, OP_LT, body.y, ir_i32(&body.b, 2)),
              *same = ir_binary(&body.b, OP_GT, body.x, ir_i32(&body.b, 1));
      check_boxes(&body, ir_binary(&body.b, joints[_i], one, other), true);
      IrValue *dependent = ir_binary(&body.b, joints[_i], one, same);
      check_boxes(&body, dependent, false);
      check_step(&body, dependent, false);
    }
  session_free(body.session);
}
END_TEST

START_TEST(of_a_difference) {
  Body body = body_new();
  IrValue *less = ir_binary(&body.b, OP_SUB, body.x, body.y);
  for (int32_t number = -LAST; number <= LAST; number++)
    check_boxes(&body, ir_binary(&body.b, comparisons[_i], less, ir_i32(&body.b, number)), true);
  session_free(body.session);
}
END_TEST

// The range of an index whose size is known, of one of nothing, and of one that is known only when
// the code runs: of that no condition but those on all numbers is decided.
START_TEST(of_any_size) {
  Body body = body_new();
  Steps steps = steps_of(body.b.region, 2, (int64_t[]){-1, 0});
  ck_assert_int_eq(steps.dims[0].low, 0);
  ck_assert_int_eq(steps.dims[0].high, INT32_MAX);
  ck_assert_int_eq(steps.dims[1].high, 0);
  IrValue *zero = ir_i32(&body.b, 0);
  ck_assert_int_eq(steps_truth(&steps, ir_binary(&body.b, OP_EQ, body.x, zero)), STEPS_SOME);
  ck_assert_int_eq(steps_truth(&steps, ir_binary(&body.b, OP_GE, body.x, zero)), STEPS_ALL);
  session_free(body.session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("steps");
  TCase *tcase = tcase_create("steps");
  tcase_add_loop_test(tcase, of_one_index, 0, COUNT_OF(comparisons));
  tcase_add_loop_test(tcase, of_two_joined, 0, COUNT_OF(joints));
  tcase_add_loop_test(tcase, of_a_difference, 0, COUNT_OF(comparisons));
  tcase_add_test(tcase, of_any_size);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
