// SPDX-License-Identifier: Apache-2.0
// Which update of an array takes what is made for it in place: the array may not be looked at in
// between, and where the part lies must be known; which stores take what is made for them.
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

// ---- makers that are fused --------------------------------------------------------------------
// What may stand in a cluster that makes an update's part in place.
static const struct {
  const char *ops; // of %v: f32[2,64]; they make %w
  bool is_in_place;
} fused[] = {
    {"%w = exp %v : f32[2,64]\n", true},
    {"%c = const 2 : f32[2,64]\n%w = mul %v, %c : f32[2,64]\n", true},
    {"%c = iota dim 1 : f32[2,64]\n%w = mul %v, %c : f32[2,64]\n", true},
    {"%c = const 2 : f32\n%b = broadcast %c : f32[2,64]\n%w = mul %v, %b : f32[2,64]\n", true},
    {"%c = const 2 : f32[2,64]\n%i2 = iota dim 0 : f32[2,64]\n%a = add %c, %i2 : f32[2,64]\n%w = "
     "mul %v, %a : f32[2,64]\n",
     true},
    {"%a = rev %v dims [0] : f32[2,64]\n%w = exp %a : f32[2,64]\n", false},
    {"%c = const 2 : f32[2,64]\n%a = rev %v dims [0] : f32[2,64]\n%w = mul %a, %c : f32[2,64]\n",
     false},
    {"%a = transpose %v dims [1, 0] : f32[64,2]\n%b = transpose %a dims [1, 0] : f32[2,64]\n%w = "
     "exp %b : f32[2,64]\n",
     false},
    {"%a = slice %v starts [0, 0] limits [1, 64] strides [1, 1] : f32[1,64]\n%b = broadcast %a "
     "dims "
     "[0, 1] : f32[2,64]\n%w = exp %b : f32[2,64]\n",
     false},
    {"%a = reduce_sum %v axes [0] : f32[64]\n%b = broadcast %a dims [1] : f32[2,64]\n%w = exp %b : "
     "f32[2,64]\n",
     false},
};

START_TEST(fused_makers) {
  Session *session = session_new(0);
  Str ops = str_format(
      session->arena,
      "  %%x = load %%p[:, :] : f32[8,64]\n  %%v = load %%q[:, :] : f32[2,64]\n"
      "  %%i = load %%s[] : i32\n  %%z = const 0 : i32\n  %%m = fuse : f32[2,64] {\n%syield "
      "%%w\n}\n  %%u = dynamic_update_slice %%x, %%m, %%i, %%z : f32[8,64]\n",
      fused[_i].ops);
  IrModule *module =
      ir_case_read(session, "%p: hbm f32[8,64], %q: hbm f32[2,64], %s: hbm i32", ops.data);
  const IrOp *maker = module->first->body->first;
  while (maker->code != OP_FUSE) maker = maker->next;
  ck_assert_msg((plan_update_of(maker) != NULL) == fused[_i].is_in_place, "%s", fused[_i].ops);
  session_free(session);
}
END_TEST

// ---- stores -------------------------------------------------------------------------------------
// Which ops write their result where a store behind them would put it.
static const struct {
  const char *ops; // of %x and %y: f32[4,64]; they make %r
  bool is_taken;
} makers[] = {
    {"%r = concat %x, %y dim 0 : f32[8,64]\n", true},
    {"%c = const 0 : f32\n%r = pad %x, %c low [1, 0] high [3, 0] interior [0, 0] : f32[8,64]\n",
     true},
    {"%i0 = load %i[0, 0] : i32\n%b = concat %x, %x dim 0 : f32[8,64]\n%r = dynamic_update_slice "
     "%b, %y, %i0, %i0 : f32[8,64]\n",
     true},
    {"%c = concat %x, %y dim 0 : f32[8,64]\n%r = sort %c dim 1 keys 1 stable : f32[8,64]\n", true},
    {"%c = concat %x, %y dim 0 : f32[8,64]\n%r, %p = sort %c, %c dim 1 keys 1 stable : (f32[8,64], "
     "f32[8,64])\n",
     true},
    {"%k = load %i[:, :] : i32[8,1]\n%r = gather %x, %k offset_dims [1] collapsed_dims [0] "
     "index_map "
     "[0] sizes [1, 64] mode clip fill 0 : f32[8,64]\n",
     true},
    {"%k = load %i[:, :] : i32[8,1]\n%c = concat %x, %y dim 0 : f32[8,64]\n%r = scatter %c, %k, %c "
     "offset_dims [1] collapsed_dims [0] index_map [0] mode clip combine add : f32[8,64]\n",
     true},
    {"%c = concat %x, %y dim 0 : f32[8,64]\n%r = cumsum %c dim 1 : f32[8,64]\n", true},
    {"%c = concat %x, %y dim 0 : f32[8,64]\n%r = cummax %c dim 0 : f32[8,64]\n", true},
    {"%c = concat %x, %y dim 0 : f32[8,64]\n%r = exp %c : f32[8,64]\n", false},
    {"%c = concat %x, %y dim 0 : f32[8,64]\n%r = rev %c dims [0] : f32[8,64]\n", false},
};

// What stands between a maker and its store: @ is the place.
static const struct {
  const char *between;
  bool is_taken;
} betweens[] = {
    {"", true},
    {"%e = exp %x : f32[4,64]\n", true},
    {"%l = load %xr[:, :] : f32[4,64]\n", true},
    {"%a = alloc : vmem f32[8,128]\n", true},
    {"store %x, %other[:, :]\n", true}, // an output that nothing else knows
    {"%l = load %kept[:, :] : f32[4,64]\nstore %x, %kept[:, :]\n", false},
    {"%e = exp %r : f32[8,64]\n", false},
};

static const char store_params[] =
    "%xr: hbm f32[4,64], %yr: hbm f32[4,64], %i: hbm i32[8,1], out %o: hbm f32[8,64], out %other: "
    "hbm f32[4,64], inout %kept: hbm f32[4,64]";
static const char store_loads[] =
    "%x = load %xr[:, :] : f32[4,64]\n%y = load %yr[:, :] : f32[4,64]\n";

// Of what makes %r.
static bool takes_store(Session *session, const char *ops, const char *between) {
  Str lines = str_format(session->arena, "%s%s%sstore %%r, %%o[:, :]\n", store_loads, ops, between);
  IrModule *module = ir_case_read(session, store_params, lines.data);
  const IrOp *store = module->first->body->last;
  while (store->code != OP_STORE) store = store->prev;
  IrOp *found = plan_store_of(store->operands[0]->def);
  ck_assert(!found || found == store);
  return found != NULL;
}

START_TEST(stores) {
  Session *session = session_new(0);
  ck_assert_msg(takes_store(session, makers[_i].ops, "") == makers[_i].is_taken, "%s",
                makers[_i].ops);
  session_free(session);
}
END_TEST

START_TEST(stores_behind_others) {
  Session *session = session_new(0);
  ck_assert_msg(takes_store(session, makers[0].ops, betweens[_i].between) == betweens[_i].is_taken,
                "%s", betweens[_i].between);
  session_free(session);
}
END_TEST

// A store takes what is made for it in another shape, and not what else is reshaped on the way.
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
  const IrOp *store = plan_store_of(maker);
  ck_assert_ptr_nonnull(store);
  ck_assert_ptr_eq(store->operands[0]->def->operands[0], maker->results[0]);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("plan_product");
  TCase *tests = tcase_create("plan_product");
  tcase_add_loop_test(tests, updates, 0, COUNT_OF(cases));
  tcase_add_loop_test(tests, fused_makers, 0, COUNT_OF(fused));
  tcase_add_loop_test(tests, stores, 0, COUNT_OF(makers));
  tcase_add_loop_test(tests, stores_behind_others, 0, COUNT_OF(betweens));
  tcase_add_test(tests, stores_of_reshapes);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
