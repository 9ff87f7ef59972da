// SPDX-License-Identifier: Apache-2.0
// Affine maps of walks (plan_affine.c): two are equal if each part is, so that what is loaded once
// for both is the same element.
#include <check.h>
#include <stdlib.h>
#include "plan/plan_affine.h"

static Affine map_of(AffineTerm *term) {
  return (Affine){.constant = 3, .coef = {0, 2, 1}, .term_count = 1, .terms = term};
}

START_TEST(differs_in_each_part) {
  IrValue first = {0}, second = {0};
  AffineTerm term = {.start = {.value = &first, .wrap = 8, .last = 5}, .factor = 4};
  AffineTerm same = term, others[] = {term, term, term, term};
  others[0].start.value = &second;
  others[1].start.wrap = 0;
  others[2].start.last = 4;
  others[3].factor = 2;
  Affine map = map_of(&term), equal = map_of(&same);
  ck_assert(affine_equal(&map, &equal));
  for (size_t i = 0; i < COUNT_OF(others); i++) {
    Affine other = map_of(&others[i]);
    ck_assert(!affine_equal(&map, &other));
  }
  equal.constant++;
  ck_assert(!affine_equal(&map, &equal));
  equal = map_of(&same);
  equal.coef[2]++;
  ck_assert(!affine_equal(&map, &equal));
  equal = map_of(&same);
  equal.term_count = 0;
  ck_assert(!affine_equal(&map, &equal));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("affine");
  TCase *tcase = tcase_create("affine");
  tcase_add_test(tcase, differs_in_each_part);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
