// SPDX-License-Identifier: Apache-2.0
// Promotion of all pairs of element types, against the table made by JAX.
#include <check.h>
#include <stdlib.h>

#include "jax/array/array.h"
#include "jax/array/promote.h"

typedef struct Pair {
  DType left, right, result;
  bool left_weak, right_weak, result_weak;
} Pair;

#define PAIR(l, lw, r, rw, result, w) {DT_##l, DT_##r, DT_##result, lw, rw, w},
#define NO_PAIR(l, lw, r, rw)         {DT_##l, DT_##r, DT_COUNT, lw, rw, 0},
static const Pair pairs[] = {
#include "promote_table.def"
};

START_TEST(test_pair) {
  const Pair *p = &pairs[_i];
  bool weak = false;
  DType result = promote_dtypes(p->left, p->left_weak, p->right, p->right_weak, &weak);
  const char *left = dtype_name(p->left), *right = dtype_name(p->right);
  ck_assert_msg(result == p->result, "%s with %s gives %s", left, right,
                result == DT_COUNT ? "nothing" : dtype_name(result));
  if (result != DT_COUNT)
    ck_assert_msg(weak == p->result_weak, "%s with %s: weakness %d", left, right, weak);
}
END_TEST

// 64-bit types never come out.
START_TEST(test_narrow) {
  bool weak;
  ck_assert_int_eq(promote_dtypes(DT_I32, false, DT_U32, false, &weak), DT_I32);
  ck_assert_int_eq(canonical_dtype(DT_F64), DT_F32);
  ck_assert_int_eq(canonical_dtype(DT_I64), DT_I32);
  ck_assert_int_eq(canonical_dtype(DT_U64), DT_U32);
  ck_assert_int_eq(canonical_dtype(DT_BF16), DT_BF16);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("promote");
  TCase *tests = tcase_create("pairs");
  tcase_add_loop_test(tests, test_pair, 0, (int)COUNT_OF(pairs));
  tcase_add_test(tests, test_narrow);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
