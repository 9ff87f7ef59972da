// SPDX-License-Identifier: Apache-2.0
// The language alone: this program links nothing above it, so that a call upwards does not link.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "python/values/evaluator.h"
#include "python/eval.h"
#include "suite.h"

static Session *session;
static char *printed, *said;

// Runs a program in so much memory (0: the default); what it prints and its diagnostics are kept.
static bool run_within(size_t memory, const char *text) {
  size_t printed_size, said_size;
  session = session_new(memory);
  FILE *out = open_memstream(&printed, &printed_size), *err = open_memstream(&said, &said_size);
  session->diag_out = err;
  Module *module = syntax_parse(session, source_add(session, STR("a.pk"), str_from_c(text), false));
  EvalOptions options = {.run = true};
  Eval *ev = eval_new(session, &options);
  ev->out = out;
  bool good = eval_main(ev, module);
  diag_flush(session);
  fclose(out);
  fclose(err);
  return good;
}

static bool run(const char *text) { return run_within(0, text); }

static void teardown(void) {
  session_free(session);
  free(printed);
  free(said);
}

START_TEST(test_runs_without_arrays) {
  ck_assert(run("import dataclasses, functools, itertools, math, re, typing\n"
                "@dataclasses.dataclass\n"
                "class P:\n"
                "  x: int\n"
                "  y: list = dataclasses.field(default_factory=list)\n"
                "def f(n, /, *rest, key=1, **more):\n"
                "  match n:\n"
                "    case 0: return [key, *rest, more]\n"
                "    case _: return f(n - 1, n, *rest, key=key + 1, **more)\n"
                "try:\n"
                "  {}['k']\n"
                "except KeyError as e:\n"
                "  print(repr(e), f(3, z=2), P(1, [2]))\n"
                "print(partial(max, 3)(2), sorted('cab'), 2**100, math.sqrt(2))\n"));
  ck_assert_str_eq(printed,
                   "KeyError('k') [4, 1, 2, 3, {'z': 2}] P(x=1, y=[2])\n"
                   "3 ['a', 'b', 'c'] 1267650600228229401496703205376 1.4142135623730951\n");
}
END_TEST

START_TEST(test_knows_no_names_of_arrays) {
  ck_assert(!run("print(jnp)\n"));
  ck_assert_msg(strstr(said, "NameError: name 'jnp' is not defined"), "%s", said);
}
END_TEST

// Text of 10,000 levels that is copied once a level takes some 100 MiB and more.
// Opaque to the optimiser, so that the stores of the compound literal stay.
__attribute__((noinline)) static void store_bool(Value *at) { *at = v_bool(true); }

START_TEST(test_no_byte_of_a_value_is_left_as_it_was) {
  Value value;
  memset(&value, 0x7f, sizeof value);
  store_bool(&value);
  int64_t words[2];
  memcpy(words, &value, sizeof words);
  ck_assert_int_eq(words[0], V_BOOL);
  ck_assert_int_eq(words[1], 1);
}
END_TEST

START_TEST(test_repr_of_what_is_nested_is_linear) {
  static const char *const values[] = {"(v,)", "[v]", "{1: v}", "P(v)", "L([v])"};
  char program[512];
  snprintf(program, sizeof program,
           "import dataclasses\n"
           "@dataclasses.dataclass\n"
           "class P:\n"
           "  x: object\n"
           "class L(list): pass\n"
           "v = 0\n"
           "for i in range(10000): v = %s\n"
           "print(len(repr(v)) > 20000)\n",
           values[_i]);
  ck_assert_msg(run_within((size_t)24 << 20, program), "%s: %s", values[_i], said);
  ck_assert_str_eq(printed, "True\n");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("python");
  TCase *language = tcase_create("language");
  tcase_add_checked_fixture(language, NULL, teardown);
  tcase_add_test(language, test_runs_without_arrays);
  tcase_add_test(language, test_knows_no_names_of_arrays);
  tcase_add_test(language, test_no_byte_of_a_value_is_left_as_it_was);
  tcase_add_loop_test(language, test_repr_of_what_is_nested_is_linear, 0, 5);
  suite_add_tcase(suite, language);
  return suite_run(suite);
}
