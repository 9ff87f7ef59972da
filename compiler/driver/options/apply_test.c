// SPDX-License-Identifier: Apache-2.0
// What an option of 'pallasc test' does: some are read here, the others are words for the runner,
// which is written in the language.
#include <string.h>
#include "base/host.h"
#include "option_parser.h"

// An option that the runner of tests takes.
static bool accept_test_word(Parser *p, const char *option, Str value) {
  Arena *arena = p->session->arena;
  VEC_PUSH(arena, &p->out->test_words, str_from_c(option));
  if (value.len) VEC_PUSH(arena, &p->out->test_words, value);
  return true;
}

// One that is a word of a few.
static bool accept_known_word(Parser *p, OptionId id, Str value) {
  size_t which = 0;
  return accept_word(p, id, value, &which) && accept_test_word(p, option_infos[id].spelling, value);
}

static bool accept_reasons(Parser *p, const char *option, Str value) {
  for (size_t i = 0; i < value.len; i++)
    if (!strchr("fEsxXpwaAN", value.data[i]))
      return usage(p, "'%s' takes letters of fEsxXpwaAN, not '%c'", option, value.data[i]);
  return accept_test_word(p, str_format(p->session->arena, "%s%.*s", option, STR_FMT(value)).data,
                          STR(""));
}

static bool accept_test_jobs(Parser *p, const char *option, Str value) {
  if (!str_equal(value, STR("auto"))) return accept_int(p, option, value, 0, 1024, &p->out->jobs);
  int cores = host_cores();
  p->out->jobs = cores > 1024 ? 1024 : cores;
  return true;
}

static bool accept_plugin(Parser *p, const char *option, Str value) {
  if (str_equal(value, STR("no:cacheprovider"))) {
    p->out->test_forgets = true;
    return accept_test_word(p, option, value);
  }
  if (str_equal(value, STR("no:warnings"))) return p->out->test_hides_warnings = true;
  if (!str_starts_with(value, STR("no:"))) return accept_test_word(p, option, value);
  if (pytest_lacks_plugin(value)) return true;
  return usage(p, "pytest's option '%s %.*s' is not supported: it cannot be turned off", option,
               STR_FMT(value));
}

static bool accept_durations(Parser *p, const char *option, Str value) {
  if (!accept_number(p, option, value, 0, INT64_MAX, &p->out->test_durations)) return false;
  if (!p->out->test_durations) p->out->test_durations = UINT64_MAX;
  return true;
}

static bool accept_cache_show(Parser *p, const char *option, Str pattern) {
  p->out->test_asks = true;
  if (!pattern.len) return accept_test_word(p, option, pattern);
  Str word = str_format(p->session->arena, "%s=%.*s", option, STR_FMT(pattern));
  return accept_test_word(p, word.data, STR(""));
}

bool apply_test(Parser *p, OptionId id, Str value) {
  Options *o = p->out;
  const char *option = option_infos[id].spelling;
  switch (id) {
  case OPT_TEST_TRACEBACK:
  case OPT_TEST_IMPORT_MODE:
  case OPT_TEST_CAPTURE: return accept_known_word(p, id, value);
  case OPT_TEST_LIST:
  case OPT_TEST_LIST_SHORT: o->test_lists = true; return accept_test_word(p, option, value);
  case OPT_TEST_FIRST_LONG:
  case OPT_TEST_FIRST: o->test_maxfail = 1; return true;
  case OPT_TEST_DURATIONS: return accept_durations(p, option, value);
  case OPT_TEST_REASONS: return accept_reasons(p, option, value);
  case OPT_TEST_MOST_VERBOSE:
  case OPT_TEST_VERY_VERBOSE: o->test_hides_none = true; return accept_test_word(p, "-vv", value);
  case OPT_TEST_MOST_QUIET: o->quiet = true; return accept_test_word(p, option, value);
  case OPT_TEST_CACHE_SHOW: return accept_cache_show(p, option, value);
  case OPT_TEST_OVERRIDE_LONG:
  case OPT_TEST_OVERRIDE: return accept_test_word(p, "--override-ini", value);
  case OPT_TEST_KEYWORD:
  case OPT_TEST_MARKS: return !value.len || accept_test_word(p, option, value);
  case OPT_TEST_HELP: p->stopped = true; return apply_topics(p, STR("test"));
  case OPT_TEST_NO_WARNINGS:
  case OPT_TEST_NO_WARNINGS_LONG: return o->test_hides_warnings = true;
  case OPT_TEST_NO_SUMMARY: return o->test_hides_summary = true;
  case OPT_TEST_STEP_SKIP:
  case OPT_TEST_STEP_SKIP_LONG:
  case OPT_TEST_STEP_RESET:
  case OPT_TEST_STEP_RESET_LONG:
  case OPT_TEST_STEPWISE:
  case OPT_TEST_STEPWISE_LONG:
  case OPT_TEST_LAST_FAILED:
  case OPT_TEST_LAST_FAILED_LONG:
  case OPT_TEST_FAILED_FIRST:
  case OPT_TEST_FAILED_FIRST_LONG:
  case OPT_TEST_NEW_FIRST:
  case OPT_TEST_NEW_FIRST_LONG:
  case OPT_TEST_CACHE_CLEAR:
  case OPT_TEST_CONFCUTDIR:
  case OPT_TEST_ROOTDIR:
  case OPT_TEST_FIXTURES:
  case OPT_TEST_FIXTURES_PER_TEST:
  case OPT_TEST_MARKERS:
  case OPT_TEST_SETTINGS:
  case OPT_TEST_SETTINGS_LONG:
  case OPT_TEST_DOCTEST:
  case OPT_TEST_BASETEMP: o->test_asks = true; return accept_test_word(p, option, value);
  case OPT_TEST_PYARGS:
    o->test_asks = o->test_names_modules = true;
    return accept_test_word(p, option, value);
  case OPT_TEST_MAXFAIL: return accept_number(p, option, value, 1, INT32_MAX, &o->test_maxfail);
  case OPT_TEST_JOBS_XDIST:
  case OPT_TEST_JOBS_XDIST_LONG:
  case OPT_TEST_JOBS: return accept_test_jobs(p, option, value);
  case OPT_TEST_PLUGIN: return accept_plugin(p, option, value);
  case OPT_TEST_IGNORE: VEC_PUSH(p->session->arena, &o->test_ignored, value); return true;
  case OPT_TEST_JUNIT_LONG:
  case OPT_TEST_JUNIT: o->test_junit = value; return true;
  default: return accept_test_word(p, option, value);
  }
}
