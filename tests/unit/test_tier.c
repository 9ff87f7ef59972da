// SPDX-License-Identifier: Apache-2.0
// Which steps of a program are compiled quickly, and after how many calls they are no more.
#include <check.h>
#include <stdlib.h>
#include "driver/run/tier.h"
#include "ir/core/ir.h"
#include "ir_case.h"
#include "suite.h"

typedef struct TierCase {
  const char *params, *lines;
  int calls; // of quick code; 0: it is never quick
} TierCase;

static const TierCase cases[] = {
    // A store has 32 elements, a sum has 96; what is loaded or viewed is counted where it is read.
    {"%x: hbm f32[4,8], out %o: hbm f32[4,8]",
     "%a = load %x[:, :] : f32[4,8]\n%b = add %a, %a : f32[4,8]\nstore %b, %o[:, :]\n", 7812},
    {"%x: hbm f32[400,700], out %o: hbm f32[400,700]",
     "%a = load %x[:, :] : f32[400,700]\n%b = add %a, %a : f32[400,700]\nstore %b, %o[:, :]\n", 0},
    {"%x: hbm f32[40,50], out %o: hbm f32[40,50]",
     "%a = load %x[:, :] : f32[40,50]\n%b = exp %a : f32[40,50]\nstore %b, %o[:, :]\n", 15},
    {"%x: hbm f32[4000,5000], out %o: hbm f32[8,8]",
     "%a = load %x[:, :] : f32[4000,5000]\n%b = slice %a starts [1, 2] limits [9, 10] strides [1, "
     "1] "
     ": f32[8,8]\nstore %b, %o[:, :]\n",
     15625},
    // A product is as dear as its operands' sizes allow.
    {"%x: hbm f32[8,8], %y: hbm f32[8,8], out %o: hbm f32[8,8]",
     "%a = load %x[:, :] : f32[8,8]\n%b = load %y[:, :] : f32[8,8]\n%c = dot %a, %b lhs_contract "
     "[1] "
     "rhs_contract [0] lhs_batch [] rhs_batch [] precision highest : f32[8,8]\nstore %c, %o[:, "
     ":]\n",
     27},
    {"%x: hbm f32[8], out %o: hbm f32[8]",
     "%n = const 4 : i32\n%z = const 0 : i32\n%s = const 1 : i32\n%a = load %x[:] : f32[8]\n"
     "%r = for %i = %z to %n step %s carry (%c = %a : f32[8]) {\n%d = add %c, %a : f32[8]\nyield "
     "%d\n}\n"
     "store %r, %o[:]\n",
     0},
};

START_TEST(tiers) {
  const TierCase *c = &cases[_i];
  Session *session = session_new(0);
  IrModule *module = ir_case_read(session, c->params, c->lines);
  Tier tier = tier_of(module);
  ck_assert_int_eq(tier.is_quick, c->calls > 0);
  int calls = 0;
  while (tier.is_quick && tier_calls(&tier)) calls++;
  ck_assert_int_eq(calls, c->calls);
  tier = tier_full();
  for (int i = 0; i < 3; i++) ck_assert(tier_calls(&tier));
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tier");
  TCase *tcase = tcase_create("tiers");
  tcase_add_loop_test(tcase, tiers, 0, (int)(sizeof cases / sizeof *cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
