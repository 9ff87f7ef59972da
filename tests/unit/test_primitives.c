// SPDX-License-Identifier: Apache-2.0
// The table of JAX's primitives: sorted, found by name, and each function is there.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "base/session.h"
#include "jax/import/primitives.h"
#include "jax/jax.h"
#include "numpy/numpy.h"
#include "python/eval.h"
#include "python/modules/module.h"
#include "suite.h"

static const Primitive rows[] = {
#define PRIMITIVE(name, module, function, params) {name, module, function, params},
#define REFUSED(name, why)                        {name, NULL, NULL, why},
#include "jax/import/primitives.def"
#undef REFUSED
#undef PRIMITIVE
};

START_TEST(sorted) {
  for (size_t i = 1; i < COUNT_OF(rows); i++) ck_assert_str_lt(rows[i - 1].name, rows[i].name);
}
END_TEST

START_TEST(found) {
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const Primitive *row = primitive_find(str_from_c(rows[i].name));
    ck_assert_ptr_nonnull(row);
    ck_assert_str_eq(row->name, rows[i].name);
  }
  ck_assert_ptr_null(primitive_find(STR("unheard_of")));
}
END_TEST

static void look_up(Eval *ev, void *data) {
  const Primitive *row = data;
  ModuleObject *module = module_import(ev, str_from_c(row->module));
  Value function = module_getattr(ev, module, name_intern_c(ev->session->interner, row->function));
  ck_assert_msg(!v_is_unbound(function), "no %s in %s", row->function, row->module);
}

static int look_up_all(Session *session, void *data) {
  (void)data;
  EvalOptions options = {.tpu = STR("v5p")};
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    Primitive row = rows[i];
    if (row.function) ck_assert_msg(eval_protect(ev, look_up, &row), "%s", row.name);
  }
  return 0;
}

START_TEST(functions) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, look_up_all, NULL), 0);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("primitives");
  TCase *tcase = tcase_create("table");
  tcase_add_test(tcase, sorted);
  tcase_add_test(tcase, found);
  tcase_add_test(tcase, functions);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
