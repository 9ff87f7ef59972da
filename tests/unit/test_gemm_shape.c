// SPDX-License-Identifier: Apache-2.0
// How products are cut: what each CPU's registers and caches lead to, and that it fits into them.
#include <check.h>
#include "base/session.h"
#include "codegen/products/gemm_shape.h"

enum { SIZE = 4096 };

static Gemm square(DotKind kind, bool b_is_along_k) {
  DType dtype = kind == DOT_I8 ? DT_I8 : DT_F32;
  return (Gemm){
      .m = SIZE,
      .n = SIZE,
      .k = SIZE,
      .a = {.dtype = dtype, .step = SIZE, .k_step = 1},
      .b = {.dtype = dtype, .step = b_is_along_k ? SIZE : 1, .k_step = b_is_along_k ? 1 : SIZE},
      .is_float = kind == DOT_F32,
      .kind = kind};
}

typedef struct Expected {
  const char *cpu;
  unsigned vectors, rows;
  int64_t k_block, group;
} Expected;

static const Expected expected[] = {
    {"haswell", 2, 6, 512, 90},          // 32 KB, 256 KB
    {"znver3", 2, 6, 512, 186},          // 32 KB, 512 KB
    {"alderlake", 2, 6, 688, 312},       // 48 KB, 1,280 KB: 768 cells, in blocks of one size
    {"znver4", 4, 6, 512, 510},          // 32 registers, 1 MB
    {"sapphirerapids", 4, 6, 1024, 510}, // 2 MB
};

START_TEST(shapes_follow_from_the_cpu) {
  const Expected *e = &expected[_i];
  Session *session = session_new(0);
  const Target *target = target_find(session, session->arena, str_from_c(e->cpu));
  ck_assert_ptr_nonnull(target);
  Gemm gemm = square(DOT_F32, true);
  GemmShape s = gemm_shape(target, &gemm, false);
  ck_assert_uint_eq(s.vectors, e->vectors);
  ck_assert_uint_eq(s.rows, e->rows);
  ck_assert_int_eq(s.k_block, e->k_block);
  ck_assert_int_eq(s.group, e->group);
  session_free(session);
}
END_TEST

static const char *const cpus[] = {
    "x86-64", "x86-64-v3",      "x86-64-v4",      "nehalem",        "haswell", "alderlake",
    "znver1", "skylake-avx512", "icelake-client", "sapphirerapids", "znver5",  "native"};

START_TEST(blocks_fit_the_caches) {
  Session *session = session_new(0);
  const Target *t = target_find(session, session->arena, str_from_c(cpus[_i / 4]));
  ck_assert_ptr_nonnull(t);
  Gemm gemm = square(_i & 1 ? DOT_I8 : DOT_F32, _i & 2);
  GemmShape s = gemm_shape(t, &gemm, false);
  ck_assert_uint_le(s.rows * s.vectors + s.vectors + 1, t->registers);
  int64_t panel = s.k_block * s.panel * 4;
  ck_assert_msg(panel <= t->l1_bytes || panel <= t->l2_bytes / 8, "%s: a panel has %lld bytes",
                cpus[_i / 4], (long long)panel);
  ck_assert_int_le(s.group * s.k_block * 4, t->l2_bytes);
  ck_assert_int_ge(s.group, s.rows);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("gemm shape");
  TCase *tcase = tcase_create("shapes");
  tcase_add_loop_test(tcase, shapes_follow_from_the_cpu, 0, (int)COUNT_OF(expected));
  tcase_add_loop_test(tcase, blocks_fit_the_caches, 0, 4 * (int)COUNT_OF(cpus));
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
