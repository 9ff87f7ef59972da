// SPDX-License-Identifier: Apache-2.0
// Literals: what strings and numbers in a source stand for.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/ast.h"
#include "suite.h"

static Session *session;

static void setup(void) { session = session_new(0); }

static void teardown(void) { session_free(session); }

static const Expr *parse(const char *text) {
  return syntax_parse_expression(session,
                                 source_add(session, STR("a.pk"), str_from_c(text), false));
}

#define CHECK_STRING(source, value) check_string((source), EX_STR, (value), sizeof(value) - 1)
#define CHECK_BYTES(source, value)  check_string((source), EX_BYTES, (value), sizeof(value) - 1)

static void check_string(const char *source, ExprKind kind, const char *value, size_t len) {
  const Expr *expr = parse(source);
  ck_assert_msg(expr && expr->kind == kind, "%s", source);
  ck_assert_msg(str_equal(expr->string, (Str){value, len}), "%s is %.*s", source,
                STR_FMT(expr->string));
}

static void check_refused(const char *source) {
  size_t before = session->error_count;
  ck_assert_msg(parse(source) == NULL, "%s", source);
  ck_assert_uint_eq(session->error_count, before + 1);
}

START_TEST(escapes) {
  CHECK_STRING("'a\\tb\\n\\\\\\'\\\"\\a\\b\\f\\v\\r'", "a\tb\n\\'\"\a\b\f\v\r");
  CHECK_STRING("'\\x41\\u00e9\\U0001f600\\101\\0\\7x\\400'", "A\xc3\xa9\xf0\x9f\x98\x80"
                                                             "A\0\7x\xc4\x80");
  CHECK_STRING("'a\\\nb\\\r\nc\\\rd'", "abcd");
  CHECK_STRING("'\\d'", "\\d");
  CHECK_STRING("'\\8'", "\\8");
  CHECK_STRING("'\\N{BULLET}\\N{Greek Small Letter alpha}'", "\xe2\x80\xa2\xce\xb1");
  CHECK_STRING("'\\ud800'", "\xed\xa0\x80");
  CHECK_BYTES("b'\\xff\\377\\n\\u00e9'", "\xff\xff\n\\u00e9");
  ck_assert_uint_eq(session->error_count, 0);
  check_refused("'\\x4'");
  check_refused("'\\xg0'");
  check_refused("'\\u123'");
  check_refused("'\\U00110000'");
  check_refused("'\\N{BULET}'");
  check_refused("'\\N{'");
  check_refused("'\\NULL'");
  check_refused("b'\xc3\xa9'");
}
END_TEST

START_TEST(kinds_of_quotes) {
  CHECK_STRING("''", "");
  CHECK_STRING("\"\"\"\"\"\"", "");
  CHECK_STRING("'''a'b\"\"c''d'''", "a'b\"\"c''d");
  CHECK_STRING("'''a\r\nb\rc\n'''", "a\nb\nc\n");
  CHECK_STRING("r'\\n\\''", "\\n\\'");
  CHECK_STRING("R'''\\\n'''", "\\\n");
  CHECK_STRING("u'x'", "x");
  CHECK_BYTES("bR'\\x'", "\\x");
  CHECK_BYTES("Rb'''a\r\nb'''", "a\nb");
  CHECK_STRING("('a' \"b\"\n r'\\c' '''d''')", "ab\\cd");
  CHECK_BYTES("b'a' br'\\b'", "a\\b");
  ck_assert_uint_eq(session->error_count, 0);
  check_refused("'a' b'b'");
  check_refused("f'a' b'b'");
  check_refused("'a");
  check_refused("'''a");
  check_refused("'a\nb'");
}
END_TEST

static void check_text(const char *source, const char *text) {
  const Expr *expr = parse(source);
  ck_assert_msg(expr != NULL, "%s", source);
  ck_assert_str_eq(expr_text(session->arena, expr).data, text);
}

START_TEST(fstrings) {
  check_text("f'{a}'", "f'{a}'");
  check_text("f'{ a }b{{}}'", "f'{a}b{{}}'");
  check_text("f'{a!r:>{w}}'", "f'{a!r:>{w}}'");
  check_text("f'{a=}'", "f'a={a!r}'");
  check_text("f'{ a = }'", "f' a = {a!r}'");
  check_text("f'{a=:3}'", "f'a={a:3}'");
  check_text("f'{a=!s}'", "f'a={a!s}'");
  check_text("f'{a:=3}'", "f'{a:=3}'");
  check_text("f'{a!=b}'", "f'{a != b}'");
  check_text("f'{d[\"k\"]}'", "f'{d['k']}'");
  check_text("f'{'a'}{f'{1}'}'", "f'{'a'}{f'{1}'}'");
  check_text("f'''{\na\n}'''", "f'{a}'");
  check_text("f'{({1: 2})[1]}'", "f'{ {1: 2}[1]}'");
  check_text("f'{a:{{b}}}'", "f'{a:{ {b}}}'");
  check_text("rf'\\n{a}'", "f'\\\\n{a}'");
  check_text("f'\\n\\x41{a}'", "f'\\nA{a}'");
  check_text("'a' f'{b}' 'c{'", "f'a{b}c{{'");
  check_text("f'{a, b}{*c, d}'", "f'{(a, b)}{(*c, d)}'");
  check_text("f'{lambda_:x}'", "f'{lambda_:x}'");
  ck_assert_uint_eq(session->error_count, 0);
  check_refused("f'{}'");
  check_refused("f'{a'");
  check_refused("f'{a!z}'");
  check_refused("f'}'");
  check_refused("f'{a b}'");
  check_refused("f'{lambda x: 1}'");
  check_refused("f'{a:{b:{c}}'");
  check_refused("f'''{a");
}
END_TEST

START_TEST(numbers) {
  static const struct {
    const char *source, *text;
  } cases[] = {
      {"0", "0"},
      {"00_0", "0"},
      {"1_000", "1000"},
      {"0xFF", "255"},
      {"0XdEAD_beef", "3735928559"},
      {"0o17", "15"},
      {"0b1_01", "5"},
      {"0x0", "0"},
      {"0x123456789abcdef0123456789abcdef", "1512366075204170929049582354406559215"},
      {"0o7777777777777777777777", "73786976294838206463"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"1.5", "1.5"},
      {"1.", "1.0"},
      {".5", "0.5"},
      {"1e3", "1000.0"},
      {"1_0.5e-1_0", "1.05e-09"},
      {"012.5", "12.5"},
      {"1e400", "1e309"},
      {"2j", "2j"},
      {"1.5J", "1.5j"},
      {"012j", "12j"},
      {"1e400j", "1e309j"},
      {"1if 2else 3", "1 if 2 else 3"},
      {"0xfor 1", "15 or 1"},
      {"1 .real", "1 .real"},
      {"1..real", "1.0.real"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) check_text(cases[i].source, cases[i].text);
  ck_assert_uint_eq(session->error_count, 0);
  static const char *const refused[] = {"012", "1_",  "1__0", "0x",   "0xg",  "0b2", "0o8", "1a",
                                        "1e",  "1e+", "0b1_", "1.5_", "1_.5", "10L", "1.a"};
  for (size_t i = 0; i < COUNT_OF(refused); i++) check_refused(refused[i]);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("strings");
  TCase *tests = tcase_create("strings");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, escapes);
  tcase_add_test(tests, kinds_of_quotes);
  tcase_add_test(tests, fstrings);
  tcase_add_test(tests, numbers);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
