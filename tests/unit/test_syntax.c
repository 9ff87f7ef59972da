// SPDX-License-Identifier: Apache-2.0
// Limits of the front end, hostile sources, and memory that runs out anywhere.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "syntax/ast.h"
#include "suite.h"

static Session *session;

static void setup(void) { session = session_new(0); }

static void teardown(void) { session_free(session); }

static const Module *parse(Str text) {
  return syntax_parse(session, source_add(session, STR("a.pk"), text, false));
}

static Str repeat(const char *before, const char *piece, size_t count, const char *after) {
  Buf buf;
  buf_init(&buf, session->arena);
  buf_c(&buf, before);
  for (size_t i = 0; i < count; i++) buf_c(&buf, piece);
  buf_c(&buf, after);
  return buf_view(&buf);
}

static void check_fine(Str text) {
  size_t before = session->error_count;
  parse(text);
  diag_flush(session);
  ck_assert_uint_eq(session->error_count, before);
}

static void check_one_error(Str text, const char *message) {
  size_t before = session->error_count;
  parse(text);
  ck_assert_msg(session->error_count == before + 1, "%zu errors where '%s' is meant",
                session->error_count - before, message);
  ck_assert_msg(strstr(session->last_diag->message.data, message) != NULL, "%.*s, not %s",
                STR_FMT(session->last_diag->message), message);
}

START_TEST(deep_but_allowed) {
  Buf buf;
  buf_init(&buf, session->arena);
  buf_c(&buf, "x = ");
  buf_pad(&buf, '(', AST_MAX_BRACKETS);
  buf_char(&buf, '1');
  buf_pad(&buf, ')', AST_MAX_BRACKETS);
  buf_char(&buf, '\n');
  check_fine(buf_view(&buf));
  check_fine(repeat("x = ", "-", AST_MAX_DEPTH - 1, "1\n"));
  check_fine(repeat("x = ", "1 + ", AST_MAX_DEPTH - 1, "1\n"));
  check_fine(repeat("x = a", ".b", AST_MAX_DEPTH - 1, "\n"));
  check_fine(repeat("x = ", "a if b else ", AST_MAX_DEPTH - 1, "c\n"));
  check_fine(repeat("x = ", "a and ", 100000, "b\n"));
  check_fine(repeat("x = ", "a < ", 100000, "b\n"));
  check_fine(repeat("x = [", "1, ", 100000, "]\n"));
  check_fine(repeat("", "a = ", 100000, "1\n"));
  check_fine(repeat("x = ", "'a' ", 100000, "\n"));
  check_fine(repeat("if a: b\n", "elif c: d\n", 1000, ""));
  buf_init(&buf, session->arena);
  for (size_t i = 0; i < AST_MAX_INDENTS; i++) {
    buf_pad(&buf, ' ', i);
    buf_c(&buf, "if x:\n");
  }
  buf_pad(&buf, ' ', AST_MAX_INDENTS);
  buf_c(&buf, "y\n");
  check_fine(buf_view(&buf));
}
END_TEST

START_TEST(too_deep_is_one_error) {
  check_one_error(repeat("x = ", "(", 100000, ""), "nested brackets");
  check_one_error(repeat("x = ", "-", AST_MAX_DEPTH, "1\n"), "levels deep");
  check_one_error(repeat("x = ", "-", 100000, "1\n"), "nested too deeply");
  check_one_error(repeat("x = ", "not ", 100000, "1\n"), "nested too deeply");
  check_one_error(repeat("x = ", "1 + ", 100000, "1\n"), "levels deep");
  check_one_error(repeat("x = ", "2 ** ", 100000, "1\n"), "nested too deeply");
  check_one_error(repeat("x = a", ".b", 100000, "\n"), "levels deep");
  check_one_error(repeat("x = a", "[0]", 100000, "\n"), "levels deep");
  check_one_error(repeat("x = a", "()", 100000, "\n"), "levels deep");
  check_one_error(repeat("x = ", "lambda: ", 100000, "1\n"), "nested too deeply");
  check_one_error(repeat("x = ", "a if b else ", 100000, "c\n"), "nested too deeply");
  check_one_error(repeat("x = ", "f'{", 100000, ""), "nested brackets");
  check_one_error(repeat("if a: b\n", "elif c: d\n", 1001, ""), "'elif'");
  check_one_error(repeat("import ", ".", 100000, "a\n"), "expected a name");
  check_one_error(repeat("from ", ".", 100000, " import a\n"), "relative import");
  check_one_error(repeat("x = ", "lambda: ", 300, "1\n"), "inside each other");
  Buf buf;
  buf_init(&buf, session->arena);
  for (size_t i = 0; i < 1000; i++) {
    buf_pad(&buf, ' ', i);
    buf_c(&buf, "if x:\n");
  }
  check_one_error(buf_view(&buf), "levels of indentation");
}
END_TEST

START_TEST(errors_stop_at_the_limit) {
  session->max_errors = 20;
  parse(repeat("", "x y\n", 1000000, ""));
  ck_assert_uint_ge(session->error_count, 20);
  ck_assert_uint_lt(session->error_count, 30);
}
END_TEST

START_TEST(several_errors_come_out_of_one_run) {
  parse(STR(
      "x = = 1\ny = 2\nif y = 2:\n  z = )\nfor in x:\n  w = (1\ndef f(:\n  return 1 +\nclass:\n"));
  ck_assert_uint_ge(session->error_count, 7);
}
END_TEST

// What comes between mistakes is in the tree.
START_TEST(statements_between_errors_are_kept) {
  const Module *module = parse(STR("a = 1\nb c\nd = 2\ndef f(:\n  e = 3\ng = 4\n"));
  ck_assert_uint_eq(module->body.count, 5);
  static const StmtKind kinds[] = {ST_ASSIGN, ST_ERROR, ST_ASSIGN, ST_ERROR, ST_ASSIGN};
  for (size_t i = 0; i < 5; i++) ck_assert_int_eq(module->body.items[i]->kind, kinds[i]);
  ck_assert_uint_eq(session->error_count, 2);
}
END_TEST

START_TEST(expressions_alone) {
  static const struct {
    const char *source, *text;
  } cases[] = {
      {"add(f32[512,512], bm=256)", "add(f32[512, 512], bm=256)"},
      {"  \n x\n", "x"},
      {"a, b", "(a, b)"},
      {"mm(x,\n  y)", "mm(x, y)"},
      {"a\n+ b", "a + b"},
      {"lambda x: x", "lambda x: x"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    SourceFile *file = source_add(session, STR("<entry>"), str_from_c(cases[i].source), false);
    const Expr *expr = syntax_parse_expression(session, file);
    ck_assert_msg(expr != NULL, "%s", cases[i].source);
    ck_assert_str_eq(expr_text(session->arena, expr).data, cases[i].text);
  }
  const Expr *name =
      syntax_parse_expression(session, source_add(session, STR("<entry>"), STR("x"), false));
  ck_assert_int_eq(name->name.where, NAME_GLOBAL);
  static const char *const refused[] = {
      "", "a b", "x = 1", "f(", "*a", "def f(): pass", "yield 1", "1; 2", ")", "(a as b)"};
  for (size_t i = 0; i < COUNT_OF(refused); i++) {
    size_t before = session->error_count;
    ck_assert_ptr_null(syntax_parse_expression(
        session, source_add(session, STR("<entry>"), str_from_c(refused[i]), false)));
    ck_assert_msg(session->error_count == before + 1, "%s", refused[i]);
  }
}
END_TEST

static const char sample[] =
    "import a.b as c\n"
    "class D(E, metaclass=F):\n"
    "  __x: int = 1\n"
    "  def g(self, a, /, b=1, *args, d, **kw):\n"
    "    x, *y = [i for i in range(3) if (n := i)], {**a}, f'{a!r:>{b}} {c=}'\n"
    "    match x:\n"
    "      case [1, *r] | {'k': r}: pass\n"
    "      case P(q=2): return lambda: self.__x + r\n"
    "    try: raise x from y\n"
    "    except (A, B) as e: pass\n"
    "    finally: del x\n"
    "    with (a as b, c): z = 'a' b'c' if 0 else 0xff\n"
    "x = (1 +\n"
    "y y\n";

static int parse_sample(Session *s, void *data) {
  Buf *out = data;
  Module *module = syntax_parse(s, source_add(s, STR("a.pk"), STR(sample), false));
  buf_init(out, s->arena);
  ast_print(module, out);
  return (int)s->error_count;
}

START_TEST(the_nth_allocation_fails) {
  FILE *nowhere = fopen("/dev/null", "w");
  int status = 3;
  for (long n = 0; status == 3; n++) {
    ck_assert_int_lt(n, 1000);
    arena_fail_after(n);
    Session *small = session_new(0);
    if (small) {
      small->diag_out = nowhere;
      Buf out;
      status = session_run(small, parse_sample, &out);
      diag_flush(small);
    }
    arena_fail_after(-1);
    session_free(small);
  }
  ck_assert_int_gt(status, 0);
  fclose(nowhere);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("syntax");
  TCase *tests = tcase_create("syntax");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, deep_but_allowed);
  tcase_add_test(tests, too_deep_is_one_error);
  tcase_add_test(tests, errors_stop_at_the_limit);
  tcase_add_test(tests, several_errors_come_out_of_one_run);
  tcase_add_test(tests, statements_between_errors_are_kept);
  tcase_add_test(tests, expressions_alone);
  tcase_add_test(tests, the_nth_allocation_fails);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
