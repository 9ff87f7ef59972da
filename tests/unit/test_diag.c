// SPDX-License-Identifier: Apache-2.0
// What diagnostics look like, and source files.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/session.h"
#include "suite.h"

static Session *session;

static void setup(void) {
  session = session_new(0);
  session->color = COLOR_NEVER;
}

static void teardown(void) { session_free(session); }

static SourceFile *add(const char *text) {
  return source_add(session, STR("a.pk"), str_from_c(text), false);
}

static Span at(const SourceFile *file, const char *needle) {
  const char *place = strstr(file->text.data, needle);
  ck_assert_ptr_nonnull(place);
  uint32_t begin = (uint32_t)(place - file->text.data);
  return (Span){file->id, begin, begin + (uint32_t)strlen(needle)};
}

static const char *render(const Diag *diag) {
  Buf buf;
  buf_init(&buf, session->arena);
  diag_render(session, diag, &buf);
  return buf_view(&buf).data;
}

START_TEST(a_caret_run_stands_under_the_span) {
  SourceFile *file = add("x = 1\no[...] = x[...] + y[...]\n");
  Diag *diag =
      diag_error(session, at(file, "x[...] + y[...]"), "shapes %s do not fit", "(8,) and (4,)");
  ck_assert_str_eq(render(diag), "a.pk:2:10: error: shapes (8,) and (4,) do not fit\n"
                                 "   2 | o[...] = x[...] + y[...]\n"
                                 "     |          ^~~~~~~~~~~~~~~\n");
  ck_assert_uint_eq(session->error_count, 1);
}
END_TEST

START_TEST(tabs_and_wide_characters_keep_the_caret_in_place) {
  SourceFile *file = add("\tx\t= y\n名 = e\xcc\x81 + z\n");
  ck_assert_str_eq(render(diag_error(session, at(file, "y"), "m")), "a.pk:1:6: error: m\n"
                                                                    "   1 | \tx\t= y\n"
                                                                    "     | \t \t  ^\n");
  ck_assert_str_eq(render(diag_error(session, at(file, "z"), "m")), "a.pk:2:13: error: m\n"
                                                                    "   2 | 名 = e\xcc\x81 + z\n"
                                                                    "     |          ^\n");
  ck_assert_str_eq(render(diag_error(session, at(file, "名"), "m")), "a.pk:2:1: error: m\n"
                                                                     "   2 | 名 = e\xcc\x81 + z\n"
                                                                     "     | ^~\n");
}
END_TEST

START_TEST(a_span_of_several_lines_shows_the_first) {
  SourceFile *file = add("f(a,  \n  b)\n");
  ck_assert_str_eq(render(diag_error(session, (Span){file->id, 1, 11}, "m")), "a.pk:1:2: error: m\n"
                                                                              "   1 | f(a,  \n"
                                                                              "     |  ^~~\n");
}
END_TEST

START_TEST(empty_spans_and_ends_of_files_have_a_caret) {
  SourceFile *file = add("x =\n");
  ck_assert_str_eq(render(diag_error(session, (Span){file->id, 3, 3}, "m")), "a.pk:1:4: error: m\n"
                                                                             "   1 | x =\n"
                                                                             "     |    ^\n");
  ck_assert_str_eq(render(diag_error(session, (Span){file->id, 4, 4}, "m")), "a.pk:2:1: error: m\n"
                                                                             "   2 | \n"
                                                                             "     | ^\n");
  file = add("");
  ck_assert_str_eq(render(diag_error(session, (Span){file->id, 0, 0}, "m")), "a.pk:1:1: error: m\n"
                                                                             "   1 | \n"
                                                                             "     | ^\n");
}
END_TEST

START_TEST(bytes_that_could_harm_a_terminal_are_replaced) {
  SourceFile *file = add("a\x1b[31m \xff \xc2\x85 b\n");
  ck_assert_str_eq(render(diag_error(session, at(file, "b"), "m")),
                   "a.pk:1:13: error: m\n"
                   "   1 | a\xef\xbf\xbd[31m \xef\xbf\xbd \xef\xbf\xbd b\n"
                   "     |            ^\n");
}
END_TEST

START_TEST(long_lines_are_cut_around_the_span) {
  char *text = malloc(100001);
  memset(text, 'a', 100000);
  text[50000] = '!';
  text[100000] = '\0';
  SourceFile *file = add(text);
  const char *shown = render(diag_error(session, at(file, "!"), "m"));
  ck_assert_uint_lt(strlen(shown), 700);
  const char *line = strchr(shown, '\n') + 1, *under = strchr(line, '\n') + 1;
  ck_assert_int_eq(strchr(line, '!') - line, strchr(under, '^') - under);
  ck_assert_ptr_nonnull(strstr(line, "| ...aaa"));
  free(text);
}
END_TEST

START_TEST(notes_and_frames_follow) {
  SourceFile *file = add("f(x)\ng(y)\n");
  Diag *diag = diag_error(session, at(file, "x"), "m");
  diag_note(session, diag, at(file, "y"), "see %d", 1);
  DiagFrame frames[40];
  for (int i = 0; i < 40; i++)
    frames[i] = (DiagFrame){.name = STR("kernel"), .call = at(file, "g(y)")};
  diag_frames(session, diag, frames, 1);
  ck_assert_str_eq(render(diag), "a.pk:1:3: error: m\n"
                                 "   1 | f(x)\n"
                                 "     |   ^\n"
                                 "a.pk:2:3: note: see 1\n"
                                 "   2 | g(y)\n"
                                 "     |   ^\n"
                                 "a.pk:2:1: note: in call to 'kernel'\n");
  diag_frames(session, diag, frames, 40);
  ck_assert_ptr_nonnull(strstr(render(diag), "... and 24 more calls\n"));
}
END_TEST

START_TEST(places_may_be_nowhere) {
  ck_assert_str_eq(render(diag_error(session, (Span){0}, "no input")),
                   "pallasc: error: no input\n");
  diag_note(session, NULL, (Span){0}, "ignored");
  diag_frames(session, NULL, NULL, 0);
}
END_TEST

START_TEST(warnings_have_groups) {
  ck_assert_ptr_null(diag_warning(session, WARN_TPU, (Span){0}, "off"));
  ck_assert_uint_eq(session->warning_count, 0);
  session->warning_on[WARN_TPU] = true;
  ck_assert_str_eq(render(diag_warning(session, WARN_TPU, (Span){0}, "m")),
                   "pallasc: warning: m [-Wtpu]\n");
  session->warning_is_error[WARN_TPU] = true;
  ck_assert_str_eq(render(diag_warning(session, WARN_TPU, (Span){0}, "m")),
                   "pallasc: error: m [-Werror=tpu]\n");
  ck_assert_uint_eq(session->error_count, 1);
  ck_assert_uint_eq(session->warning_count, 1);
  WarningGroup group;
  ck_assert(warning_from_name(STR("deprecated"), &group) && group == WARN_DEPRECATED);
  ck_assert(!warning_from_name(STR("nothing"), &group));
}
END_TEST

START_TEST(json_is_one_object_a_line) {
  session->error_format = FORMAT_JSON;
  SourceFile *file = add("f(\"x\")\n");
  Diag *diag = diag_error(session, at(file, "\"x\""), "a \"quoted\\\" \n\x01 \xff name");
  diag_note(session, diag, at(file, "f"), "here");
  DiagFrame frame = {.name = STR("k"), .call = at(file, "f")};
  diag_frames(session, diag, &frame, 1);
  ck_assert_str_eq(render(diag), "{\"severity\":\"error\",\"message\":\"a \\\"quoted\\\\\\\" "
                                 "\\n\\u0001 \\ufffd name\",\"file\":\"a.pk\","
                                 "\"line\":1,\"column\":3,\"end_line\":1,\"end_column\":6,"
                                 "\"frames\":[{\"name\":\"k\",\"file\":\"a.pk\","
                                 "\"line\":1,\"column\":1}],\"notes\":[{\"severity\":\"note\","
                                 "\"message\":\"here\",\"file\":\"a.pk\","
                                 "\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":2}]}\n");
}
END_TEST

static char *flushed(void) {
  char *text = NULL;
  size_t len = 0;
  session->diag_out = open_memstream(&text, &len);
  diag_flush(session);
  fclose(session->diag_out);
  session->diag_out = stderr;
  return text;
}

START_TEST(flush_prints_each_once) {
  diag_error(session, (Span){0}, "one");
  diag_error(session, (Span){0}, "two");
  char *text = flushed();
  ck_assert_str_eq(text, "pallasc: error: one\npallasc: error: two\n");
  free(text);
  diag_error(session, (Span){0}, "three");
  text = flushed();
  ck_assert_str_eq(text, "pallasc: error: three\n");
  free(text);
  session->color = COLOR_ALWAYS;
  diag_error(session, (Span){0}, "four");
  text = flushed();
  ck_assert_ptr_nonnull(strstr(text, "\033[1;31merror:"));
  free(text);
}
END_TEST

START_TEST(too_many_errors_are_counted) {
  session->max_errors = 3;
  for (int i = 0; i < 10; i++) diag_error(session, (Span){0}, "e%d", i);
  ck_assert_uint_eq(session->error_count, 10);
  char *text = flushed();
  ck_assert_str_eq(text, "pallasc: error: e0\npallasc: error: e1\npallasc: error: e2\npallasc: "
                         "note: 7 more not shown\n");
  free(text);
}
END_TEST

START_TEST(lines_and_columns) {
  SourceFile *file = add("ab\ncd\r\nef\rgh\n\n");
  static const struct {
    uint32_t offset, line, column;
  } cases[] = {{0, 1, 1}, {2, 1, 3},  {3, 2, 1},  {6, 2, 4},
               {7, 3, 1}, {10, 4, 1}, {13, 5, 1}, {14, 6, 1}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    LineCol place = source_line_col(file, cases[i].offset);
    ck_assert_uint_eq(place.line, cases[i].line);
    ck_assert_uint_eq(place.column, cases[i].column);
  }
  ck_assert(str_equal(source_line(file, 2), STR("cd")));
  ck_assert(str_equal(source_line(file, 6), STR("")));
  ck_assert(str_equal(source_line(file, 99), STR("")));
}
END_TEST

START_TEST(files_are_read_or_refused_with_the_reason) {
  ck_assert_ptr_null(source_read(session, STR("/no/such/file.pk"), (Span){0}));
  ck_assert_ptr_null(source_read(session, STR("/"), (Span){0}));
  char *text = flushed();
  ck_assert_str_eq(text,
                   "pallasc: error: cannot read '/no/such/file.pk': No such file or directory\n"
                   "pallasc: error: cannot read '/': Is a directory\n");
  free(text);
  char path[] = "/tmp/test_diag_XXXXXX";
  int fd = mkstemp(path);
  ck_assert_int_eq(write(fd, "x = 1\n", 6), 6);
  close(fd);
  SourceFile *file = source_read(session, str_from_c(path), (Span){0});
  ck_assert(file && str_equal(file->text, STR("x = 1\n")));
  ck_assert_ptr_eq(source_get(session, file->id), file);
  ck_assert_ptr_null(source_get(session, 0));
  unlink(path);
}
END_TEST

static int exhaust(Session *s, void *data) {
  (void)data;
  diag_error(s, (Span){0}, "before");
  for (size_t i = 0; i < 1000000; i++) arena_alloc(s->arena, 1000);
  return 0;
}

static int succeed(Session *s, void *data) {
  (void)s;
  return *(int *)data;
}

START_TEST(running_out_of_memory_is_status_3) {
  Session *small = session_new(1 << 20);
  char *text = NULL;
  size_t len = 0;
  small->diag_out = open_memstream(&text, &len);
  ck_assert_int_eq(session_run(small, exhaust, NULL), 3);
  fclose(small->diag_out);
  ck_assert_ptr_nonnull(strstr(text, "out of memory"));
  free(text);
  session_free(small);
  ck_assert_ptr_null(session_new(100));
  int result = 7;
  ck_assert_int_eq(session_run(session, succeed, &result), 7);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("diag");
  TCase *tests = tcase_create("diag");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_caret_run_stands_under_the_span);
  tcase_add_test(tests, tabs_and_wide_characters_keep_the_caret_in_place);
  tcase_add_test(tests, a_span_of_several_lines_shows_the_first);
  tcase_add_test(tests, empty_spans_and_ends_of_files_have_a_caret);
  tcase_add_test(tests, bytes_that_could_harm_a_terminal_are_replaced);
  tcase_add_test(tests, long_lines_are_cut_around_the_span);
  tcase_add_test(tests, notes_and_frames_follow);
  tcase_add_test(tests, places_may_be_nowhere);
  tcase_add_test(tests, warnings_have_groups);
  tcase_add_test(tests, json_is_one_object_a_line);
  tcase_add_test(tests, flush_prints_each_once);
  tcase_add_test(tests, too_many_errors_are_counted);
  tcase_add_test(tests, lines_and_columns);
  tcase_add_test(tests, files_are_read_or_refused_with_the_reason);
  tcase_add_test(tests, running_out_of_memory_is_status_3);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
