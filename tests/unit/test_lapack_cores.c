// SPDX-License-Identifier: Apache-2.0
// Which kernels OpenBLAS takes: those that the CPU has, unless the user has said.
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "numpy/linalg/lapack_cores.h"
#include "suite.h"

char *gotoblas_corename(void) __attribute__((weak));
void gotoblas_dynamic_init(void) __attribute__((weak));
void gotoblas_dynamic_quit(void) __attribute__((weak));
void dpotrf_(const char *, const int *, double *, const int *, int *, size_t);

static bool can_choose(void) {
  return gotoblas_corename && gotoblas_dynamic_init && gotoblas_dynamic_quit &&
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

// As on a CPU that the library does not know.
static void choose_oldest(void) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ck_assert_str_eq(gotoblas_corename(), "Prescott");
}

START_TEST(what_the_cpu_can_do_is_taken) {
  if (!can_choose()) return;
  choose_oldest();
  unsetenv("OPENBLAS_CORETYPE");
  lapack_fit_cpu();
  ck_assert_str_eq(gotoblas_corename(),
                   __builtin_cpu_supports("avx512vl") ? "SkylakeX" : "Haswell");
  ck_assert_ptr_null(getenv("OPENBLAS_CORETYPE"));
  double a[9] = {4, 2, 2, 2, 5, 3, 2, 3, 6};
  int n = 3, info = -1;
  dpotrf_("L", &n, a, &n, &info, 1);
  ck_assert_int_eq(info, 0);
  ck_assert(a[0] == 2 && a[1] == 1 && a[2] == 1 && a[4] == 2 && a[5] == 1 && a[8] == 2);
}
END_TEST

START_TEST(what_the_user_says_stays) {
  if (!can_choose()) return;
  choose_oldest();
  lapack_fit_cpu();
  ck_assert_str_eq(gotoblas_corename(), "Prescott");
  ck_assert_str_eq(getenv("OPENBLAS_CORETYPE"), "Prescott");
}
END_TEST

START_TEST(what_is_good_enough_stays) {
  if (!can_choose()) return;
  lapack_fit_cpu();
  char *core = strdup(gotoblas_corename());
  lapack_fit_cpu();
  ck_assert_str_eq(gotoblas_corename(), core);
  free(core);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("lapack_cores");
  TCase *tests = tcase_create("lapack_cores");
  tcase_add_test(tests, what_the_cpu_can_do_is_taken);
  tcase_add_test(tests, what_the_user_says_stays);
  tcase_add_test(tests, what_is_good_enough_stays);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
