// SPDX-License-Identifier: Apache-2.0
// Plans as text: what is printed reads back as itself, for every construct; what is no plan of the
// module is refused.
#define _GNU_SOURCE
#include <check.h>
#include <glob.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/text/read.h"
#include "passes/pass.h"
#include "plan/plan_module.h"
#include "suite.h"

// What the text of a plan may hold.
static const char *const words[] = {
    " rows [",  " result",     " scalar",  " strides [", " reduced [", " ordered",
    " split",   " along rows", " outer [", " cross ",    " store ",    " keep ",
    " reduce ", " mask ",      " other ",  " twin ",     " wrap ",     " last ",
    " iota ",   " const ",     " load ",   " given ",    " copy",      " streams ",
    " shared ", " pieces ",    " share ",  " group ",    " lookup ",   " steps [",
};

static IrModule *read_module(Session *session, const char *path) {
  SourceFile *file = source_read(session, str_from_c(path), (Span){0});
  ck_assert_ptr_nonnull(file);
  return ir_read(session, file);
}

static Str text_of(Session *session, const ModulePlan *plans) {
  Buf out;
  buf_init(&out, session->arena);
  plan_print(session->arena, plans, &out);
  return buf_view(&out);
}

static bool read_text(Session *session, const IrModule *module, Str text, ModulePlan *plans) {
  SourceFile *file = source_add(session, STR("plan"), text, false);
  return plan_read(session, file, module, session->arena, plans);
}

static void find_cluster(IrOp *op, void *data) { *(bool *)data |= op->code == OP_FUSE; }

// The passes of check run before there are clusters.
static bool has_clusters(const IrModule *module) {
  bool found = false;
  for (const IrFunc *func = module->first; func; func = func->next)
    ir_walk(func->body, find_cluster, &found);
  return found;
}

// What the cluster keeps and reads again as a scalar; the text has the value alone. Counts them.
static int check_scalars(const Plan *plan) {
  int found = 0;
  for (size_t w = 0; w < plan->walks.count; w++)
    for (size_t n = 0; n < plan->walks.items[w]->nodes.count; n++) {
      const Node *node = plan->walks.items[w]->nodes.items[n];
      const Kept *kept = NULL;
      for (size_t k = 0; node->kind == NODE_SCALAR && k < plan->kept.count; k++)
        if (plan->kept.items[k]->value == node->value) kept = plan->kept.items[k];
      ck_assert_ptr_eq(node->kept, kept);
      found += kept != NULL;
    }
  return found;
}

static int scalars_of(const ModulePlan *plans) {
  int found = 0;
  for (size_t f = 0; f < plans->funcs.count; f++)
    for (size_t c = 0; c < plans->funcs.items[f].clusters.count; c++)
      found += check_scalars(plans->funcs.items[f].clusters.items[c].plan);
  return found;
}

static void round_trip(Session *session, const char *path, const CodegenOptions *options, Buf *all,
                       int *scalars) {
  IrModule *module = read_module(session, path);
  if (!module) return; // a case of the reader's mistakes
  if (options->check && has_clusters(module)) return;
  PassOptions passes = {.opt_level = 2, .check = options->check, .stop_after = PASS_COUNT};
  ModulePlan plans, again;
  if (!passes_run(session, module, &passes)) return;
  ck_assert_msg(codegen_plan(session, module, options, session->arena, &plans), "%s", path);
  Str text = text_of(session, &plans);
  if (!read_text(session, module, text, &again)) {
    diag_flush(session);
    ck_abort_msg("%s is not read back:\n%.*s", path, STR_FMT(text));
  }
  Str printed = text_of(session, &again);
  ck_assert_msg(str_equal(printed, text), "%s:\n%.*s\nis read as\n%.*s", path, STR_FMT(text),
                STR_FMT(printed));
  buf_str(all, text);
  scalars_of(&plans);
  *scalars += scalars_of(&again);
}

START_TEST(printed_reads_back_as_itself) {
  static const CodegenOptions options[] = {
      {.opt_level = 2, .target_cpu = {"x86-64-v3", 9}},
      {.opt_level = 2, .target_cpu = {"x86-64-v4", 9}, .eager = true},
      {.opt_level = 2, .target_cpu = {"x86-64", 6}, .check = true}};
  Session *kept = session_new(0);
  int scalars = 0;
  Buf all;
  buf_init(&all, kept->arena);
  glob_t found = {0};
  ck_assert_int_eq(glob(PALLASC_TESTS "/golden/lowered/*.lowered", 0, NULL, &found), 0);
  ck_assert_int_eq(glob(PALLASC_TESTS "/golden/ir/*.ir", GLOB_APPEND, NULL, &found), 0);
  ck_assert_int_eq(glob(PALLASC_TESTS "/golden/plan/*.ir", GLOB_APPEND, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++)
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
      Session *session = session_new(0);
      round_trip(session, found.gl_pathv[i], &options[k], &all, &scalars);
      session_free(session);
    }
  globfree(&found);
  ck_assert_int_gt(scalars, 0);
  buf_c(&all, "");
  Buf missing;
  buf_init(&missing, kept->arena);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!memmem(all.data, all.len, words[i], strlen(words[i]))) buf_c(&missing, words[i]);
  ck_assert_msg(missing.len == 0, "no plan has%.*s", STR_FMT(buf_view(&missing)));
  session_free(kept);
}
END_TEST

// Cut off anywhere, with another character anywhere: a diagnostic, or a plan that prints; no more.
START_TEST(damaged_text_is_refused) {
  static const char *const path = PALLASC_TESTS "/golden/plan/copies_and_starts.ir";
  static const CodegenOptions options = {.opt_level = 2, .target_cpu = {"x86-64-v3", 9}};
  Session *session = session_new(0);
  IrModule *module = read_module(session, path);
  ModulePlan plans;
  ck_assert(codegen_plan(session, module, &options, session->arena, &plans));
  Str text = text_of(session, &plans);
  for (size_t i = 0; i + 1 < text.len; i++) {
    ck_assert_msg(!read_text(session, module, (Str){text.data, i}, &plans), "cut at %zu", i);
    Str changed = str_copy(session->arena, text);
    ((char *)(uintptr_t)changed.data)[i] = "9%{-x"[i % 5];
    if (read_text(session, module, changed, &plans)) text_of(session, &plans);
  }
  ck_assert_uint_gt(session->error_count, 0);
  session_free(session);
}
END_TEST

// ---- what no plan says -------------------------------------------------------------------------
typedef struct Mistake {
  const char *from, *to; // in the text of the plans of `mistaken`, the first there is
  const char *message;   // NULL: it may say so
} Mistake;

static const char mistaken[] =
    "module tpu v5p devices 1\n"
    "func @f(%x: hbm f32[8,100], out %s: hbm f32[8], out %t: hbm f32[100,8]) {\n"
    "%v = load %x[:, :] : f32[8,100]\n%r = reduce_sum %v axes [1] : f32[8]\n"
    "%n = neg %r : f32[8]\nstore %n, %s[:]\n}\n"
    "func @g(%x: hbm f32[8,100], out %t: hbm f32[100,8]) {\n"
    "%v = load %x[:, :] : f32[8,100]\n%t1 = transpose %v dims [1, 0] : f32[100,8]\n"
    "%e = exp %t1 : f32[100,8]\nstore %e, %t[:, :]\n}\n";

static const Mistake mistakes[] = {
    {"plan @f", "plan @h", "expected"},
    {"plan @f {\n  cluster 0", "plan @f {\n  cluster 9", "there is no such cluster"},
    {"of reduce_sum neg", "of reduce_max neg", "expected"},
    {"rows [8]",
     "rows [8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
     "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
     "expected the end of the list"},
    {"keep %r scalar", "", "the value is not kept"},
    {"keep %r scalar", "keep %q scalar", "there is no such value"},
    {"keep %r scalar", "keep 5 scalar", "expected a value"},
    {"walk stage", "walk state", "expected"},
    {"lane 1", "lane one", "expected"},
    {"outer []", "outer [7]", "there is no such dimension"},
    {"outer []", "outer [-1]", "there is no such dimension"},
    {"cross 0", "cross 7", "there is no such dimension"},
    {"      0 load", "      1 load", "nodes are numbered one after another"},
    {"1 neg", "1 abs", "the value is not made by such an op"},
    {"neg %n of [0]", "neg %n of [7]", "there is no such node"},
    {"neg %n of [0]", "neg %n of [1]", "there is no such node"}, // but itself
    {"neg %n of [0]", "neg %n of [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
     "expected the end of the list"},
    {"reduce 0 to %r", "reduce 0 to %x", "the value is not kept"},
    {"reduce 0 to", "remove 0 to", "expected"},
    {"to %s op", "to %x op", "the op is no store into this value"},
    {"to %s op 2", "to %s op 1", "the op is no store into this value"},
    {"to %s op 2", "to %s op 77", "there is no such op"},
    {"store 1 to", "store 77 to", "there is no such node"},
    {"cost 1 {\n      dims row 8 of 0 by 1, reduced",
     "cost 1 {\n      dims rows 8 of 0 by 1, reduced", "expected"},
    {"lanes 8", "lanes 4", NULL},
    {"unroll 8", "unroll 4", NULL},
};

static const char *said_of(Session *session, const char *from, const char *to, bool *is_read) {
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), STR(mistaken), false));
  static const CodegenOptions options = {.opt_level = 2, .target_cpu = {"x86-64-v3", 9}};
  PassOptions passes = {.opt_level = 2, .stop_after = PASS_COUNT};
  ModulePlan plans;
  Buf changed, said;
  buf_init(&changed, session->arena);
  buf_init(&said, session->arena);
  ck_assert_ptr_nonnull(module);
  ck_assert(passes_run(session, module, &passes));
  ck_assert(codegen_plan(session, module, &options, session->arena, &plans));
  Str text = text_of(session, &plans);
  const char *at = memmem(text.data, text.len, from, strlen(from));
  ck_assert_msg(at != NULL, "'%s' is not in\n%.*s", from, STR_FMT(text));
  size_t before = (size_t)(at - text.data), behind = before + strlen(from);
  buf_str(&changed, (Str){text.data, before});
  buf_c(&changed, to);
  buf_str(&changed, (Str){text.data + behind, text.len - behind});
  *is_read = read_text(session, module, buf_view(&changed), &plans);
  for (const Diag *diag = session->first_diag; diag; diag = diag->next)
    diag_render(session, diag, &said);
  return str_copy(session->arena, buf_view(&said)).data;
}

START_TEST(mistakes_are_reported) {
  const Mistake *m = &mistakes[_i];
  Session *session = session_new(0);
  bool is_read;
  const char *said = said_of(session, m->from, m->to, &is_read);
  ck_assert_msg(is_read == !m->message, "'%s' for '%s': %s", m->to, m->from, said);
  ck_assert_msg(!m->message || strstr(said, m->message), "'%s' for '%s': %s", m->to, m->from, said);
  session_free(session);
}
END_TEST

// As tests ask for it: little work is shared as large work is, but not what one thread must do.
START_TEST(eager_plans_share_little_work) {
  static const char text[] =
      "module tpu v5p devices 1\nfunc @f(%x: hbm f32[4,40], out %o: hbm f32[4,40]) "
      "{\n%v = load %x[:, :] : f32[4,40]\n%n = neg %v : f32[4,40]\nstore %n, %o[:, :]\n}\n"
      "func @g(%x: hbm f32[40], out %s: hbm f32[1]) {\n%v = load %x[:] : f32[40]\n"
      "%r = reduce_sum %v axes [0] : f32\n%b = broadcast %r dims [] : f32[1]\nstore %b, %s[:]\n}\n";
  for (int eager = 0; eager < 2; eager++) {
    Session *session = session_new(0);
    IrModule *module = ir_read(session, source_add(session, STR("t.ir"), STR(text), false));
    ck_assert_ptr_nonnull(module);
    CodegenOptions options = {.opt_level = 2, .target_cpu = {"x86-64-v3", 9}, .eager = eager};
    PassOptions passes = {.opt_level = 2, .stop_after = PASS_COUNT};
    ModulePlan plans;
    ck_assert(passes_run(session, module, &passes));
    ck_assert(codegen_plan(session, module, &options, session->arena, &plans));
    Str printed = text_of(session, &plans);
    const char *first = memmem(printed.data, printed.len, "pieces 5 share walk", 19);
    ck_assert_int_eq(first != NULL, eager);
    ck_assert_int_eq(memmem(printed.data, printed.len, "pieces", 6) != NULL, eager);
    const char *g = memmem(printed.data, printed.len, "plan @g", 7);
    ck_assert_ptr_nonnull(g);
    ck_assert_ptr_null(memmem(g, (size_t)(printed.data + printed.len - g), "pieces", 6));
    session_free(session);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("plan_text");
  TCase *cases = tcase_create("plan_text");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, printed_reads_back_as_itself);
  tcase_add_test(cases, damaged_text_is_refused);
  tcase_add_test(cases, eager_plans_share_little_work);
  tcase_add_loop_test(cases, mistakes_are_reported, 0, (int)COUNT_OF(mistakes));
  suite_add_tcase(suite, cases);
  return suite_run(suite);
}
