// SPDX-License-Identifier: Apache-2.0
// When the roots of a walk are stored: as soon as they are evaluated, but behind all that may load
// what they write.
#define _GNU_SOURCE
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "passes/pass.h"
#include "plan/plan_module.h"
#include "suite.h"

typedef struct Case {
  const char *text; // of a function of one walk with two roots
  size_t first;     // nodes before the first root; before the second are all
} Case;

#define HEAD "module tpu v5p devices 1\nfunc @f("
static const Case cases[] = {
    // nothing else is in the memory of %o
    {HEAD "%x: hbm f32[8], %y: hbm f32[8], out %o: hbm f32[8], out %p: hbm f32[8]) {\n"
          "  %a = load %x[:] : f32[8]\n  %b = load %y[:] : f32[8]\n"
          "  %c = exp %a : f32[8]\n  store %c, %o[:]\n"
          "  %d = exp %b : f32[8]\n  store %d, %p[:]\n}\n",
     2},
    // another part of %x is loaded for the second
    {HEAD "inout %x: hbm f32[16], %y: hbm f32[8], out %p: hbm f32[8]) {\n"
          "  %a = load %y[:] : f32[8]\n  %b = load %x[8 : 8] : f32[8]\n"
          "  %c = exp %a : f32[8]\n  store %c, %x[0 : 8]\n"
          "  %d = exp %b : f32[8]\n  store %d, %p[:]\n}\n",
     3},
    // a mask is evaluated before its store
    {HEAD "%x: hbm f32[8], %y: hbm f32[8], out %o: hbm f32[8], out %p: hbm f32[8]) {\n"
          "  %a = load %x[:] : f32[8]\n  %b = load %y[:] : f32[8]\n"
          "  %m = lt %a, %b : bool[8]\n  store %a, %o[:] mask %m\n"
          "  %d = exp %b : f32[8]\n  store %d, %p[:]\n}\n",
     3},
};

static const CodegenOptions options = {.opt_level = 2, .target_cpu = {"x86-64-v3", 9}};

static IrModule *module_of(Session *session, const char *text) {
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), str_from_c(text), false));
  ck_assert_ptr_nonnull(module);
  PassOptions passes = {.opt_level = 2, .stop_after = PASS_COUNT};
  ck_assert(passes_run(session, module, &passes));
  return module;
}

START_TEST(roots_wait_for_what_may_load_their_memory) {
  const Case *c = &cases[_i];
  Session *session = session_new(0);
  ModulePlan plans;
  ck_assert(codegen_plan(session, module_of(session, c->text), &options, session->arena, &plans));
  ck_assert_uint_eq(plans.funcs.count, 1);
  ck_assert_uint_eq(plans.funcs.items[0].clusters.count, 1);
  const Plan *plan = plans.funcs.items[0].clusters.items[0].plan;
  ck_assert_uint_eq(plan->walks.count, 1);
  const Walk *walk = plan->walks.items[0];
  ck_assert_uint_eq(walk->roots.count, 2);
  ck_assert_uint_eq(plan_nodes_before(walk, walk->roots.items[0]), c->first);
  ck_assert_uint_eq(plan_nodes_before(walk, walk->roots.items[1]), walk->nodes.count);
  session_free(session);
}
END_TEST

// The first root of the first case is stored before what the second needs is loaded.
START_TEST(roots_are_stored_at_once) {
  Session *session = session_new(0);
  LlvmModule *llvm = codegen_module(session, module_of(session, cases[0].text), &options);
  ck_assert_ptr_nonnull(llvm);
  Str text;
  ck_assert(codegen_emit(session, llvm, EMIT_LLVM, session->arena, &text));
  const char *store = memmem(text.data, text.len, "store <8 x float>", 17);
  ck_assert_ptr_nonnull(store);
  size_t rest = (size_t)(text.data + text.len - store);
  ck_assert_ptr_nonnull(memmem(store, rest, "load <8 x float>", 16));
  codegen_free(llvm);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("plan_order");
  TCase *tcase = tcase_create("plan_order");
  tcase_add_loop_test(tcase, roots_wait_for_what_may_load_their_memory, 0, (int)COUNT_OF(cases));
  tcase_add_test(tcase, roots_are_stored_at_once);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
