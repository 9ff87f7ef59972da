// SPDX-License-Identifier: Apache-2.0
// The command line, parsed: what options that are not given stand for.
#include <check.h>
#include <stdlib.h>
#include "driver/options/options.h"
#include "suite.h"

typedef struct Line {
  const char *const *words;
  size_t count;
  Options options;
} Line;

static int parse(Session *session, void *data) {
  Line *line = data;
  int status = 0;
  ck_assert(options_parse(session, line->count, line->words, &line->options, &status));
  return status;
}

static Options options_of(size_t count, const char *const *words) {
  Line line = {.words = words, .count = count};
  Session *session = session_new(0);
  ck_assert_ptr_nonnull(session);
  ck_assert_int_eq(session_run(session, parse, &line), 0);
  session_free(session);
  return line.options;
}
#define OPTIONS_OF(...)                                                                            \
  options_of(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *),                               \
             (const char *const[]){__VA_ARGS__})

// An endless loop of a source that is compiled is a mistake; a program may go on.
START_TEST(programs_run_without_end) {
  ck_assert_uint_eq(OPTIONS_OF("k.pk").max_steps, 0); // the evaluator's own limit
  ck_assert_uint_eq(OPTIONS_OF("run", "k.pk").max_steps, INT64_MAX);
  ck_assert_uint_eq(OPTIONS_OF("check", "k.pk").max_steps, INT64_MAX);
  ck_assert_uint_eq(OPTIONS_OF("test", "k.pk").max_steps, INT64_MAX);
  ck_assert_uint_eq(OPTIONS_OF("run", "--max-trace-steps=7", "k.pk").max_steps, 7);
}
END_TEST

START_TEST(checked_code_is_made_fast) {
  ck_assert_int_eq(OPTIONS_OF("k.pk").opt_level, 3);
  ck_assert_int_eq(OPTIONS_OF("--check", "k.pk").opt_level, 3);
  ck_assert_int_eq(OPTIONS_OF("check", "k.pk").opt_level, 1);
  ck_assert_int_eq(OPTIONS_OF("check", "-O2", "k.pk").opt_level, 2);
}
END_TEST

START_TEST(a_level_that_is_named_is_meant) {
  ck_assert(OPTIONS_OF("run", "k.pk").tiers);
  ck_assert(!OPTIONS_OF("run", "-O3", "k.pk").tiers);
  ck_assert(!OPTIONS_OF("run", "--report", "k.pk").tiers);
  ck_assert(!OPTIONS_OF("check", "k.pk").tiers);
  ck_assert(!OPTIONS_OF("k.pk").tiers);
}
END_TEST

START_TEST(a_cache_is_off_unless_it_is_named) {
  unsetenv("PALLASC_CACHE");
  ck_assert_uint_eq(OPTIONS_OF("k.pk").cache.len, 0);
  ck_assert_uint_eq(OPTIONS_OF("--cache=here", "k.pk").cache.len, 4);
  ck_assert_uint_eq(OPTIONS_OF("--cache-size=2K", "k.pk").cache_size, 2048);
  setenv("PALLASC_CACHE", "there/so", 1);
  ck_assert_uint_eq(OPTIONS_OF("k.pk").cache.len, 8);
  unsetenv("PALLASC_CACHE");
}
END_TEST

START_TEST(values_have_units_and_limits) {
  ck_assert_uint_eq(OPTIONS_OF("--cache-size=3M", "k.pk").cache_size, 3u << 20);
  ck_assert_uint_eq(OPTIONS_OF("--cache-size=7", "k.pk").cache_size, 7);
  Options one = OPTIONS_OF("bench", "--sweep=n=256:256", "k.pk:f");
  ck_assert_int_eq(one.sweep_first, 256);
  ck_assert_int_eq(one.sweep_last, 256);
}
END_TEST

// -Werror=X turns a warning on, -Wno-error=X leaves it as it is.
START_TEST(errors_of_warnings) {
  Options made = OPTIONS_OF("-Werror=tpu", "k.pk"), kept = OPTIONS_OF("-Wno-error=waits", "k.pk"),
          off = OPTIONS_OF("-Wno-waits", "k.pk");
  ck_assert(made.warning_on[WARN_TPU] && made.warning_is_error[WARN_TPU]);
  ck_assert(kept.warning_on[WARN_WAITS] && !kept.warning_is_error[WARN_WAITS]);
  ck_assert(!off.warning_on[WARN_WAITS]);
}
END_TEST

START_TEST(flags_in_one_word) {
  ck_assert(OPTIONS_OF("test", "-xvv", "k.py").test_hides_none);
  ck_assert(!OPTIONS_OF("test", "-xv", "k.py").test_hides_none);
  ck_assert_uint_eq(OPTIONS_OF("test", "-vxs", "k.py").test_maxfail, 1);
}
END_TEST

START_TEST(words_of_a_text) {
  static const char *const wanted[] = {"a b", "c\\d", "e\"f", "gh"};
  Session *session = session_new(0);
  StrList words = {0};
  response_words(session->arena, STR(" a\\ b 'c\\d' \"e\\\"f\"\n g'h' "), &words);
  ck_assert_uint_eq(words.count, COUNT_OF(wanted));
  for (size_t i = 0; i < COUNT_OF(wanted); i++)
    ck_assert(str_equal(words.items[i], str_from_c(wanted[i])));
  session_free(session);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("options");
  tcase_add_test(tests, programs_run_without_end);
  tcase_add_test(tests, checked_code_is_made_fast);
  tcase_add_test(tests, a_level_that_is_named_is_meant);
  tcase_add_test(tests, a_cache_is_off_unless_it_is_named);
  tcase_add_test(tests, values_have_units_and_limits);
  tcase_add_test(tests, errors_of_warnings);
  tcase_add_test(tests, flags_in_one_word);
  tcase_add_test(tests, words_of_a_text);
  Suite *suite = suite_create("options");
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
