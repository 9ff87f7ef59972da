// SPDX-License-Identifier: Apache-2.0
// Promotion of all pairs of element types, against the table made by JAX.
#include <check.h>
#include <stdlib.h>

#include "jax/array/array.h"
#include "jax/array/promote.h"
#include "suite.h"

typedef struct Pair {
  DType left, right, result;
  bool left_weak, right_weak, result_weak;
} Pair;

#define PAIR(l, lw, r, rw, result, w) {DT_##l, DT_##r, DT_##result, lw, rw, w},
#define NO_PAIR(l, lw, r, rw)         {DT_##l, DT_##r, DT_COUNT, lw, rw, 0},
static const Pair pairs[] = {
#include "promote_table.def"
};

// As jax_enable_x64 has it.
static void check_pair(const Pair *p, bool x64) {
  TraceState trace = {.x64 = x64};
  Eval ev = {.trace = &trace};
  bool weak = false;
  DType result = promote_dtypes(&ev, p->left, p->left_weak, p->right, p->right_weak, &weak);
  const char *left = dtype_name(p->left), *right = dtype_name(p->right);
  ck_assert_msg(result == p->result, "%s with %s gives %s", left, right,
                result == DT_COUNT ? "nothing" : dtype_name(result));
  if (result != DT_COUNT)
    ck_assert_msg(weak == p->result_weak, "%s with %s: weakness %d", left, right, weak);
}

START_TEST(test_pair) { check_pair(&pairs[_i], false); }
END_TEST

static const Pair wide_pairs[] = {
#include "promote_table_x64.def"
};

START_TEST(test_wide_pair) { check_pair(&wide_pairs[_i], true); }
END_TEST

// 64-bit types never come out while x64 is off.
START_TEST(test_narrow) {
  TraceState trace = {.x64 = false};
  const Eval ev = {.trace = &trace};
  bool weak;
  ck_assert_int_eq(promote_dtypes(&ev, DT_I32, false, DT_U32, false, &weak), DT_I32);
  ck_assert_int_eq(canonical_dtype(&ev, DT_F64), DT_F32);
  ck_assert_int_eq(canonical_dtype(&ev, DT_I64), DT_I32);
  ck_assert_int_eq(canonical_dtype(&ev, DT_U64), DT_U32);
  ck_assert_int_eq(canonical_dtype(&ev, DT_BF16), DT_BF16);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("promote");
  TCase *tests = tcase_create("pairs");
  tcase_add_loop_test(tests, test_pair, 0, (int)COUNT_OF(pairs));
  tcase_add_loop_test(tests, test_wide_pair, 0, (int)COUNT_OF(wide_pairs));
  tcase_add_test(tests, test_narrow);
  suite_add_tcase(suite, tests);
  return suite_run_as(suite, CK_NOFORK);
}
