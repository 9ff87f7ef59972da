// SPDX-License-Identifier: Apache-2.0
// Which update of an array takes what is made for it in place: the array may not be looked at in
// between, and where the part lies must be known.
#include <check.h>
#include <stdlib.h>
#include "ir/core/ir.h"
#include "ir_case.h"
#include "plan/plan_module.h"
#include "suite.h"

typedef struct Case {
  const char *ops; // of %x: f32[8,64] and %y: f32[2,64]; the maker is the `mul`
  bool is_in_place;
} Case;

#define UPDATE "  %u = dynamic_update_slice %x, %m, %i, %z : f32[8,64]\n"

static const Case cases[] = {
    {"  %m = mul %y, %y : f32[2,64]\n" UPDATE, true},
    {"  %m = mul %y, %y : f32[2,64]\n  %n = exp %y : f32[2,64]\n" UPDATE, true},
    {"  %m = mul %y, %y : f32[2,64]\n  %n = exp %x : f32[8,64]\n" UPDATE, false},
    {"  %m = mul %y, %y : f32[2,64]\n"
     "  %n = slice %x starts [0, 0] limits [1, 64] strides [1, 1] : f32[1,64]\n" UPDATE,
     false},
    {"  %m = mul %y, %y : f32[2,64]\n  %j = add %i, %i : i32\n"
     "  %u = dynamic_update_slice %x, %m, %j, %z : f32[8,64]\n",
     false},
    {"  %m = mul %y, %y : f32[2,64]\n  %j = const 3 : i32\n"
     "  %u = dynamic_update_slice %x, %m, %j, %z : f32[8,64]\n",
     true},
    {"  %m = mul %y, %y : f32[2,64]\n  %j = add %i, %i : i32\n" UPDATE, true},
    // used twice, not by an update, or as what is updated
    {"  %m = mul %y, %y : f32[2,64]\n  %n = exp %m : f32[2,64]\n" UPDATE, false},
    {"  %m = mul %y, %y : f32[2,64]\n  %n = exp %m : f32[2,64]\n", false},
    {"  %m = mul %x, %x : f32[8,64]\n"
     "  %u = dynamic_update_slice %m, %y, %i, %z : f32[8,64]\n",
     false},
    // made of the array itself: of the part that is overwritten, or another one
    {"  %v = slice %x starts [3, 0] limits [5, 64] strides [1, 1] : f32[2,64]\n"
     "  %m = mul %v, %y : f32[2,64]\n  %j = const 3 : i32\n"
     "  %u = dynamic_update_slice %x, %m, %j, %z : f32[8,64]\n",
     true},
    {"  %v = slice %x starts [2, 0] limits [4, 64] strides [1, 1] : f32[2,64]\n"
     "  %m = mul %v, %y : f32[2,64]\n  %j = const 3 : i32\n"
     "  %u = dynamic_update_slice %x, %m, %j, %z : f32[8,64]\n",
     false},
    {"  %v = slice %x starts [3, 0] limits [7, 64] strides [2, 1] : f32[2,64]\n"
     "  %m = mul %v, %y : f32[2,64]\n  %j = const 3 : i32\n"
     "  %u = dynamic_update_slice %x, %m, %j, %z : f32[8,64]\n",
     false},
    {"  %v = dynamic_slice %x, %i, %z sizes [2, 64] : f32[2,64]\n"
     "  %m = mul %v, %y : f32[2,64]\n" UPDATE,
     true},
    {"  %o = const 1 : i32\n  %j = add %i, %o : i32\n"
     "  %v = dynamic_slice %x, %j, %z sizes [2, 64] : f32[2,64]\n"
     "  %m = mul %v, %y : f32[2,64]\n" UPDATE,
     false},
    {"  %v = slice %x starts [3, 0] limits [5, 64] strides [1, 1] : f32[2,64]\n"
     "  %r = rev %v dims [0] : f32[2,64]\n  %m = mul %r, %y : f32[2,64]\n  %j = const 3 : i32\n"
     "  %u = dynamic_update_slice %x, %m, %j, %z : f32[8,64]\n",
     false},
    {"  %v = slice %x starts [6, 0] limits [8, 64] strides [1, 1] : f32[2,64]\n"
     "  %m = mul %v, %y : f32[2,64]\n  %j = const 7 : i32\n" // which is moved inside
     "  %u = dynamic_update_slice %x, %m, %j, %z : f32[8,64]\n",
     true},
};

START_TEST(updates) {
  const Case *c = &cases[_i];
  Session *session = session_new(0);
  Str ops = str_format(session->arena,
                       "  %%x = load %%p[:, :] : f32[8,64]\n  %%y = load %%q[:, :] : f32[2,64]\n"
                       "  %%i = load %%s[] : i32\n  %%z = const 0 : i32\n%s",
                       c->ops);
  IrModule *module =
      ir_case_read(session, "%p: hbm f32[8,64], %q: hbm f32[2,64], %s: hbm i32", ops.data);
  const IrOp *maker = module->first->body->first, *update = NULL;
  while (maker->code != OP_MUL) maker = maker->next;
  for (const IrOp *op = maker; op; op = op->next)
    if (op->code == OP_DYNAMIC_UPDATE_SLICE) update = op;
  ck_assert_msg(plan_update_of(maker) == (c->is_in_place ? update : NULL), "%s", c->ops);
  session_free(session);
}
END_TEST

// A store takes what is made for it in another shape; what else is reshaped on the way is others'.
START_TEST(stores_of_reshapes) {
  Session *session = session_new(0);
  IrModule *module = ir_case_read(
      session, "%p: hbm f32[8,32], %y: hbm f32[16,32], out %o: hbm f32[512], out %q: hbm f32[512]",
      "  %x = load %p[:, :] : f32[8,32]\n"
      "  %z = load %y[:, :] : f32[16,32]\n"
      "  %c = concat %x, %x dim 0 : f32[16,32]\n"
      "  %r = reshape %z : f32[512]\n"
      "  store %r, %o[:]\n"
      "  %s = reshape %c : f32[512]\n"
      "  store %s, %q[:]\n");
  const IrOp *maker = module->first->body->first;
  while (maker->code != OP_CONCAT) maker = maker->next;
  ck_assert_ptr_null(plan_store_of(maker));
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("plan_product");
  TCase *tests = tcase_create("plan_product");
  tcase_add_loop_test(tests, updates, 0, COUNT_OF(cases));
  tcase_add_test(tests, stores_of_reshapes);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
