// SPDX-License-Identifier: Apache-2.0
// Lines, indentation and brackets: the kinds of tokens that come out, in short.
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

// The tokens of a text as words: names and operators as they stand, "\n" NEWLINE, ">" INDENT, "<"
// DEDENT, "$" the end.
static const char *words(const char *text, size_t len) {
  SourceFile *file = source_add(session, STR("a.pk"), (Str){text, len}, false);
  Buf out, short_form;
  buf_init(&out, session->arena);
  buf_init(&short_form, session->arena);
  syntax_print_tokens(session, file, &out);
  buf_char(&out, '\0');
  for (const char *line = buf_view(&out).data; *line; line = strchr(line, '\n') + 1) {
    const char *kind = strchr(line, ' ') + 1, *quote = strchr(kind, '"'), *end = strchr(kind, '\n');
    if (quote && quote < end)
      buf_str(&short_form, (Str){quote + 1, (size_t)(end - quote) - 2});
    else
      buf_c(&short_form, kind[0] == 'N'   ? "\\n"
                         : kind[0] == 'I' ? ">"
                         : kind[0] == 'D' ? "<"
                                          : "$");
    buf_char(&short_form, ' ');
  }
  if (short_form.len) short_form.len--;
  return buf_view(&short_form).data;
}

#define WORDS(literal) words((literal), sizeof(literal) - 1)

START_TEST(lines) {
  ck_assert_str_eq(WORDS("a\nb\n"), "a \\n b \\n $");
  ck_assert_str_eq(WORDS("a\n\n\n  \n# c\nb"), "a \\n b \\n $");
  ck_assert_str_eq(WORDS("a\rb\r\nc"), "a \\n b \\n c \\n $");
  ck_assert_str_eq(WORDS(""), "$");
  ck_assert_str_eq(WORDS("\n\n"), "$");
  ck_assert_str_eq(WORDS("   "), "$");
  ck_assert_str_eq(WORDS("# only"), "$");
  ck_assert_str_eq(WORDS("a \\\n  b\n"), "a b \\n $");
  ck_assert_str_eq(WORDS("a \\\r\n  b\n"), "a b \\n $");
  ck_assert_uint_eq(session->error_count, 0);
}
END_TEST

START_TEST(blocks) {
  ck_assert_str_eq(WORDS("if a:\n  b\nc"), "if a : \\n > b \\n < c \\n $");
  ck_assert_str_eq(WORDS("if a:\n  if b:\n    c"), "if a : \\n > if b : \\n > c \\n < < $");
  ck_assert_str_eq(WORDS("if a:\n  b\n\n # c\n  d\n"), "if a : \\n > b \\n d \\n < $");
  ck_assert_str_eq(WORDS("if a:\n\tb\n        c\n"), "if a : \\n > b \\n c \\n < $");
  ck_assert_uint_eq(session->error_count, 1); // a tab here is not eight spaces there
  ck_assert_str_eq(WORDS("if a:\n \tb\n \tc\n"), "if a : \\n > b \\n c \\n < $");
  ck_assert_str_eq(WORDS("if a:\n  \f  b\n  c\n"), "if a : \\n > b \\n c \\n < $");
  ck_assert_uint_eq(session->error_count, 1);
  // A line between two levels is of the nearer one, the inner one if they are as near.
  ck_assert_str_eq(WORDS("if a:\n    b\n  c\n"), "if a : \\n > b \\n c \\n < $");
  ck_assert_uint_eq(session->error_count, 2);
  ck_assert_str_eq(WORDS("if a:\n    b\n c\n"), "if a : \\n > b \\n < c \\n $");
  ck_assert_uint_eq(session->error_count, 3);
}
END_TEST

START_TEST(brackets_join_lines) {
  ck_assert_str_eq(WORDS("a(\n  b,\n[\nc])\nd"), "a ( b , [ c ] ) \\n d \\n $");
  ck_assert_str_eq(WORDS("if a: {\n  b\n}\n"), "if a : { b } \\n $");
  ck_assert_str_eq(WORDS("f'{\na\n}'\n"), "f' { a } ' \\n $");
  ck_assert_uint_eq(session->error_count, 0);
}
END_TEST

START_TEST(forgotten_brackets_end_before_a_statement) {
  ck_assert_str_eq(WORDS("a(b\ndef f"), "a ( b \\n def f \\n $");
  ck_assert_uint_eq(session->error_count, 1);
  ck_assert_str_eq(WORDS("if a:\n  b(c\nreturn"), "if a : \\n > b ( c \\n < return \\n $");
  ck_assert_uint_eq(session->error_count, 2);
  ck_assert_str_eq(WORDS("a(b"), "a ( b \\n $");
  ck_assert_str_eq(WORDS("a)b"), "a b \\n $");
  ck_assert_str_eq(WORDS("(a]b"), "( a ] b \\n $"); // the ']' stands for the ')'
  ck_assert_uint_eq(session->error_count, 5);
}
END_TEST

START_TEST(a_byte_order_mark_is_skipped) {
  ck_assert_str_eq(WORDS("\xef\xbb\xbf"), "$");
  ck_assert_str_eq(WORDS("\xef\xbb\xbf"
                         "a\n  \xef\xbb\xbf"),
                   "a \\n $");
  ck_assert_uint_eq(session->error_count, 1);
}
END_TEST

START_TEST(what_is_no_text_is_refused) {
  ck_assert_str_eq(WORDS("a\0b"), "");
  ck_assert_str_eq(WORDS("a\xff"), "");
  ck_assert_str_eq(WORDS("a = '\xed\xa0\x80'"), "");
  ck_assert_uint_eq(session->error_count, 3);
}
END_TEST

// Soft keywords are printed as keywords; in words() only their place counts, so the trees are
// asked.
static StmtKind first_kind(const char *text) {
  SourceFile *file = source_add(session, STR("a.pk"), str_from_c(text), false);
  const Module *module = syntax_parse(session, file);
  ck_assert_msg(session->error_count == 0, "%s", text);
  return module->body.items[0]->kind;
}

START_TEST(soft_keywords_are_names_elsewhere) {
  ck_assert_int_eq(first_kind("match x:\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match (x):\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match [x, y]:\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match -x, *y:\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match not x:\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match lambda: 1:\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match {1: 2}:\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match (\n x):\n case 1: pass\n"), ST_MATCH);
  ck_assert_int_eq(first_kind("match(x)\n"), ST_EXPR);
  ck_assert_int_eq(first_kind("match[x]\n"), ST_EXPR);
  ck_assert_int_eq(first_kind("match[x]: int\n"), ST_ANN_ASSIGN);
  ck_assert_int_eq(first_kind("match(x).y: int = {1: 2}\n"), ST_ANN_ASSIGN);
  ck_assert_int_eq(first_kind("match: int\n"), ST_ANN_ASSIGN);
  ck_assert_int_eq(first_kind("match = 1\n"), ST_ASSIGN);
  ck_assert_int_eq(first_kind("match -= 1\n"), ST_AUG_ASSIGN);
  ck_assert_int_eq(first_kind("match * x\n"), ST_EXPR);
  ck_assert_int_eq(first_kind("case(x)\n"), ST_EXPR);
  ck_assert_int_eq(first_kind("case: int\n"), ST_ANN_ASSIGN);
  ck_assert_int_eq(first_kind("type X = int\n"), ST_TYPE_ALIAS);
  ck_assert_int_eq(first_kind("type type = type\n"), ST_TYPE_ALIAS);
  ck_assert_int_eq(first_kind("type = 1\n"), ST_ASSIGN);
  ck_assert_int_eq(first_kind("type(x)\n"), ST_EXPR);
  ck_assert_int_eq(first_kind("print\n"), ST_EXPR);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("layout");
  TCase *tests = tcase_create("layout");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, lines);
  tcase_add_test(tests, blocks);
  tcase_add_test(tests, brackets_join_lines);
  tcase_add_test(tests, forgotten_brackets_end_before_a_statement);
  tcase_add_test(tests, a_byte_order_mark_is_skipped);
  tcase_add_test(tests, what_is_no_text_is_refused);
  tcase_add_test(tests, soft_keywords_are_names_elsewhere);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
