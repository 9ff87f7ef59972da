// SPDX-License-Identifier: Apache-2.0
// How much arithmetic programs ask for.
#include <check.h>
#include <stdint.h>
#include "base/session.h"
#include "ir/analysis/cost.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "suite.h"

typedef struct Case {
  const char *text;
  int64_t flops, transcendentals;
} Case;

static const Case cases[] = {
    // Of each step three operations and a sum on 8 x 128 elements, then ten trips.
    {"func @f(%x: hbm f32[32,128], out %o: hbm f32[32,128]) {\n"
     "  %m = alloc : hbm f32[32,128]\n"
     "  launch \"k\" grid [4] {arbitrary} {\n"
     "    block %xb: vmem f32[8,128] of %x at (%i, 0) buffers 2\n"
     "    block %ob: vmem f32[8,128] to %m at (%i, 0) buffers 2\n"
     "  } body (%i, %xb, %ob) {\n"
     "    %0 = load %xb[:, :] : f32[8,128]\n"
     "    %1 = exp %0 : f32[8,128]\n"
     "    %2 = mul %1, %0 : f32[8,128]\n"
     "    %3 = add %1, %2 : f32[8,128]\n"
     "    %4 = reduce_sum %0 axes [0, 1] : f32\n"
     "    %5 = broadcast %4 : f32[8,128]\n"
     "    %6 = add %3, %5 : f32[8,128]\n"
     "    store %6, %ob[:, :]\n"
     "  }\n"
     "  %7 = load %m[:, :] : f32[32,128]\n"
     "  %8 = const 0 : i32\n  %9 = const 10 : i32\n  %10 = const 1 : i32\n"
     "  %11 = for %12 = %8 to %9 step %10 carry (%13 = %7 : f32[32,128]) {\n"
     "    %14 = tanh %13 : f32[32,128]\n    yield %14\n  }\n"
     "  store %11, %o[:, :]\n}\n",
     (int64_t)4 * 4 * 1024, (int64_t)4 * 1024 + (int64_t)10 * 4096},
    // The dearest branch: a product of 8 x 16 x 4.
    {"func @f(%x: hbm f32[8,16], %i: hbm i32, %n: hbm i32[8], out %o: hbm f32[8,4], out %p: hbm "
     "i32[8]) {\n"
     "  %0 = load %x[:, :] : f32[8,16]\n  %1 = load %i[] : i32\n  %2 = load %n[:] : i32[8]\n"
     "  %3 = const 0 : i32\n  %4 = gt %1, %3 : bool\n"
     "  %5 = if %4 : f32[8,4] {\n"
     "    %6 = const 1 : f32[16,4]\n"
     "    %7 = dot %0, %6 lhs_contract [1] rhs_contract [0] precision default : f32[8,4]\n"
     "    yield %7\n"
     "  } else {\n"
     "    %8 = slice %0 starts [0, 0] limits [8, 4] strides [1, 1] : f32[8,4]\n"
     "    %9 = sin %8 : f32[8,4]\n    yield %9\n  }\n"
     "  %10 = broadcast %1 : i32[8]\n  %11 = and %2, %10 : i32[8]\n"
     "  %12 = const 3 : i32[8]\n  %13 = xor %2, %12 : i32[8]\n  %14 = or %11, %13 : i32[8]\n"
     "  store %5, %o[:, :]\n  store %14, %p[:]\n}\n",
     8 * 16 * 4 * 2 + 3 * 8, 0},
    // Of running sums an operation an element.
    {"func @f(%x: hbm f32[4,8], out %o: hbm f32[4,8]) {\n"
     "  %0 = load %x[:, :] : f32[4,8]\n  %1 = cumsum %0 dim 1 : f32[4,8]\n"
     "  store %1, %o[:, :]\n}\n",
     4 * 8, 0},
    // More than there are numbers for.
    {"func @f(%x: hbm f32[4096], out %o: hbm f32[4096]) {\n"
     "  %0 = load %x[:] : f32[4096]\n"
     "  %1 = const 0 : i32\n  %2 = const 2147483647 : i32\n  %3 = const 1 : i32\n"
     "  %4 = for %5 = %1 to %2 step %3 carry (%6 = %0 : f32[4096]) {\n"
     "    %7 = for %8 = %1 to %2 step %3 carry (%9 = %6 : f32[4096]) {\n"
     "      %10 = tanh %9 : f32[4096]\n      %11 = add %10, %9 : f32[4096]\n      yield %11\n    "
     "}\n"
     "    yield %7\n  }\n"
     "  store %4, %o[:]\n}\n",
     INT64_MAX, INT64_MAX},
};

START_TEST(costs_follow_from_the_program) {
  const Case *c = &cases[_i];
  Session *session = session_new(0);
  Str text = str_format(session->arena, "module tpu v5p devices 1\n%s", c->text);
  const IrModule *module = ir_read(session, source_add(session, STR("cost.ir"), text, false));
  if (!module) diag_flush(session);
  ck_assert_ptr_nonnull(module);
  IrCost cost = cost_of(module->first);
  ck_assert_int_eq(cost.flops, c->flops);
  ck_assert_int_eq(cost.transcendentals, c->transcendentals);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cost");
  TCase *tcase = tcase_create("cost");
  tcase_add_loop_test(tcase, costs_follow_from_the_program, 0, sizeof cases / sizeof *cases);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
