// SPDX-License-Identifier: Apache-2.0
// Parsing the command line.
#include "driver.h"
#include "options.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ir/core/chip.h"
#include "python/values/evaluator_state.h"
#include "python/values/suggest.h"

typedef enum OptionId {
#define OPTION(id, ...) OPT_##id,
#include "options.def"
  OPT_COUNT
} OptionId;
typedef enum OptionForm {
  FORM_FLAG,
  FORM_VALUE,
  FORM_APART,
  FORM_EQUALS,
  FORM_MAYBE,
  FORM_JOINED
} OptionForm;
typedef struct OptionInfo {
  const char *spelling;
  OptionForm form;
  GroupId group;
} OptionInfo;
static const OptionInfo infos[OPT_COUNT] = {
#define OPTION(id, spelling, form, arg, group, text)                                               \
  [OPT_##id] = {spelling, FORM_##form, GROUP_##group},
#include "options.def"
};

typedef struct Parser {
  Session *session;
  Options *out;
  StrList args;
  size_t next;
  int status; // of what was asked for and is done: --help, --version
  bool stopped;
  bool only_operands; // behind --
} Parser;

static bool usage(Parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool usage(Parser *p, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  diag_error(p->session, (Span){0}, "%s", str_vformat(p->session->arena, fmt, args).data);
  va_end(args);
  return false;
}

// "; did you mean 'perf'?", or empty.
static const char *hint_of(const Parser *p, const Suggestion *s) {
  return s->best.len
             ? str_format(p->session->arena, "; did you mean '%.*s'?", STR_FMT(s->best)).data
             : "";
}

// ---- values ------------------------------------------------------------------------------------
static bool parse_number(Str text, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if (c < '0' || c > '9' || __builtin_mul_overflow(*out, 10u, out) ||
        __builtin_add_overflow(*out, (uint64_t)(c - '0'), out))
      return false;
  }
  return text.len > 0;
}

static bool accept_number(Parser *p, const char *option, Str value, uint64_t least, uint64_t most,
                          uint64_t *out) {
  uint64_t number = 0;
  if (!parse_number(value, &number) || number < least || number > most)
    return usage(p, "'%s' takes a number between %llu and %llu, not '%.*s'", option,
                 (unsigned long long)least, (unsigned long long)most, STR_FMT(value));
  *out = number;
  return true;
}

static bool accept_int(Parser *p, const char *option, Str value, int least, int most, int *out) {
  uint64_t number = 0;
  if (!accept_number(p, option, value, (uint64_t)least, (uint64_t)most, &number)) return false;
  *out = (int)number;
  return true;
}

static bool accept_count(Parser *p, const char *option, Str value, size_t *out) {
  int count = 0;
  if (!accept_int(p, option, value, 1, INT32_MAX, &count)) return false;
  *out = (size_t)count;
  return true;
}

// 512M
static bool accept_size(Parser *p, const char *option, Str value, size_t *out) {
  static const char units[] = "KMGT";
  unsigned shift = 0;
  Str digits = value;
  const char *unit = value.len ? strchr(units, value.data[value.len - 1]) : NULL;
  if (unit && *unit) {
    shift = 10 * (unsigned)(unit - units + 1);
    digits.len--;
  }
  uint64_t number = 0;
  if (!parse_number(digits, &number) || number == 0 || number > (uint64_t)INT64_MAX >> shift)
    return usage(p, "'%s' takes a size such as 512M, not '%.*s'", option, STR_FMT(value));
  *out = (size_t)number << shift;
  return true;
}

// One of `count` words. Gives its position.
static bool accept_word(Parser *p, const char *option, Str value, size_t count,
                        const char *const *words, size_t *out) {
  Buf all;
  buf_init(&all, p->session->arena);
  for (size_t i = 0; i < count; i++) {
    if (str_equal(value, str_from_c(words[i]))) {
      *out = i;
      return true;
    }
    buf_printf(&all, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
  }
  return usage(p, "'%s' takes %s, not '%.*s'", option, buf_view(&all).data, STR_FMT(value));
}

static bool accept_kind(Parser *p, Str value) {
  static const char *const words[] = {"obj",   "asm",      "llvm", "tokens", "ast",
                                      "trace", "schedule", "ir",   "plan"};
  static const OutputKind kinds[] = {OUTPUT_OBJECT,   OUTPUT_ASM, OUTPUT_LLVM,
                                     OUTPUT_TOKENS,   OUTPUT_AST, OUTPUT_TRACE,
                                     OUTPUT_SCHEDULE, OUTPUT_IR,  OUTPUT_PLAN};
  size_t which = 0;
  if (!accept_word(p, "--emit", value, COUNT_OF(words), words, &which)) return false;
  p->out->kind = kinds[which];
  p->out->kind_given = true;
  return true;
}

static bool accept_source_kind(Parser *p, Str value) {
  static const char *const words[] = {
#define SOURCE_KIND(id, name, endings, text) #name,
#include "source_kind.def"
  };
  size_t which = 0;
  if (!accept_word(p, "-x", value, COUNT_OF(words), words, &which)) return false;
  p->out->source_kind = (SourceKind)which;
  return true;
}

static bool accept_pass(Parser *p, const char *option, Str value, PassId *out) {
  if (pass_from_name(value, out)) return true;
  return usage(p, "'%s': there is no pass '%.*s'; 'pallasc --help=passes' lists them", option,
               STR_FMT(value));
}

static bool accept_print_after(Parser *p, Str value) {
  PassId pass;
  if (str_equal(value, STR("all"))) {
    for (int i = 0; i < PASS_COUNT; i++) p->out->print_after[i] = true;
    return true;
  }
  if (!accept_pass(p, "--print-after", value, &pass)) return false;
  p->out->print_after[pass] = true;
  return true;
}

static bool is_python_name(Str s) {
  for (size_t i = 0; i < s.len; i++) {
    char c = s.data[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
    if (!is_letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return s.len > 0;
}

static bool accept_define(Parser *p, Str value) {
  const char *equals = memchr(value.data, '=', value.len);
  size_t length = equals ? (size_t)(equals - value.data) : value.len;
  Str name = {value.data, length},
      text = equals ? (Str){equals + 1, value.len - length - 1} : STR("True");
  if (length == 0 || text.len == 0)
    return usage(p, "'-D' takes NAME=VALUE, not '%.*s'", STR_FMT(value));
  if (!is_python_name(name))
    return usage(p, "'-D' takes NAME=VALUE, and '%.*s' is no name", STR_FMT(name));
  VEC_PUSH(p->session->arena, &p->out->define_names, str_copy(p->session->arena, name));
  VEC_PUSH(p->session->arena, &p->out->define_values, text);
  return true;
}

static bool accept_tpu(Parser *p, Str value) {
  p->out->tpu = value;
  if (chip_find(value)) return true;
  Buf all;
  buf_init(&all, p->session->arena);
  size_t count;
  const Chip *chips = chip_table(&count);
  for (size_t i = 0; i < count; i++)
    buf_printf(&all, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", chips[i].name);
  return usage(p, "there is no chip '%.*s'; there are %s", STR_FMT(value), buf_view(&all).data);
}

static bool accept_cpu(Parser *p, Str value) {
  p->out->target_cpu = value;
  if (codegen_knows_cpu(value)) return true;
  Suggestion s;
  suggestion_init(&s, value);
  Str all = codegen_cpu_names(p->session->arena);
  for (size_t at = 0, end; at < all.len; at = end + 1) {
    for (end = at; end < all.len && all.data[end] != ' ' && all.data[end] != ',';) end++;
    suggestion_try(&s, (Str){all.data + at, end - at});
  }
  return usage(p, "there is no CPU '%.*s'%s; 'pallasc --help=target-cpu' lists them",
               STR_FMT(value), hint_of(p, &s));
}

static bool accept_schedule(Parser *p, Str value) {
  if (explorer_schedule(p->session, value, &p->out->schedule, &p->out->schedule_call)) return true;
  return usage(p,
               "'--schedule': there is no schedule '%.*s'; 'pallasc help --schedule' has its words",
               STR_FMT(value));
}

// ---- warnings -----------------------------------------------------------------------------------
static bool strip(Str *s, const char *prefix) {
  Str p = str_from_c(prefix);
  if (!str_starts_with(*s, p)) return false;
  *s = (Str){s->data + p.len, s->len - p.len};
  return true;
}

static void set_all(bool groups[WARN_COUNT], bool value) {
  for (int i = 0; i < WARN_COUNT; i++) groups[i] = value;
}

static bool no_warning(Parser *p, Str name) {
  static const char *const names[] = {
#define WARNING(id, name, on, text) name,
#include "base/warnings.def"
#undef WARNING
  };
  Suggestion s;
  suggestion_init(&s, name);
  for (size_t i = 0; i < COUNT_OF(names); i++) suggestion_try(&s, str_from_c(names[i]));
  return usage(p, "there is no warning '%.*s'%s; 'pallasc --help=warnings' lists them",
               STR_FMT(name), hint_of(p, &s));
}

// What stands behind -W.
static bool accept_warning(Parser *p, Str value) {
  Options *o = p->out;
  Str name = value;
  WarningGroup group;
  if (str_equal(name, STR("all"))) return set_all(o->warning_on, true), true;
  if (str_equal(name, STR("error"))) return set_all(o->warning_is_error, true), true;
  if (str_equal(name, STR("no-error"))) return set_all(o->warning_is_error, false), true;
  if (str_equal(name, STR("no-all"))) return set_all(o->warning_on, false), true;
  bool on = !strip(&name, "no-"), is_error = strip(&name, "error=");
  if (!warning_from_name(name, &group)) return no_warning(p, name);
  if (!is_error || on) o->warning_on[group] = on;
  if (is_error) o->warning_is_error[group] = on;
  return true;
}

// ---- one option ---------------------------------------------------------------------------------
#define MAX_TURNS 1000000000

static const char *const command_names[COMMAND_COUNT + 1] = {
    [COMMAND_COMPILE] = "compile", [COMMAND_RUN] = "run",     [COMMAND_CHECK] = "check",
    [COMMAND_TEST] = "test",       [COMMAND_BENCH] = "bench", [COMMAND_COUNT] = "help"};

// Whether a file that is run stands before the word, whose options the word may have been meant
// for.
static bool is_behind_program(const Parser *p) {
  return (p->out->command == COMMAND_RUN || p->out->command == COMMAND_CHECK) &&
         p->out->inputs.count;
}

static bool tell_topics(Parser *p, Str value) {
  if (value.len) return help_topic(p->session, value, p->session->out);
  bool is_told = false; // of the words behind: --help run
  for (; p->next < p->args.count && p->args.items[p->next].data[0] != '-'; is_told = true)
    if (!help_topic(p->session, p->args.items[p->next++], p->session->out)) return false;
  if (!is_told) help_print(p->session->out);
  return true;
}

// What is asked for instead of work.
static bool apply_about(Parser *p, OptionId id, Str value) {
  p->stopped = true;
  if (id == OPT_VERSION || id == OPT_VERSION_SHORT)
    help_version(p->session->out);
  else if (!tell_topics(p, value))
    return false;
  if (is_behind_program(p))
    fprintf(p->session->out, "\nOptions of the program stand behind --: pallasc %s %.*s -- %s\n",
            command_names[p->out->command], STR_FMT(p->out->inputs.items[0]), infos[id].spelling);
  return true;
}

static bool accept_shared(Parser *p) {
  p->out->kind = OUTPUT_SHARED;
  p->out->kind_given = true;
  p->out->to_stdout = false;
  return true;
}

// An option that the runner of tests takes.
static bool accept_test_word(Parser *p, const char *option, Str value) {
  Arena *arena = p->session->arena;
  VEC_PUSH(arena, &p->out->test_words, str_from_c(option));
  if (value.len) VEC_PUSH(arena, &p->out->test_words, value);
  return true;
}

static bool accept_traceback(Parser *p, const char *option, Str value) {
  static const char *const words[] = {"short", "native", "line", "no"};
  size_t which = 0;
  return accept_word(p, option, value, COUNT_OF(words), words, &which) &&
         accept_test_word(p, option, value);
}

static bool accept_capture(Parser *p, const char *option, Str value) {
  static const char *const words[] = {"sys", "fd", "no"};
  size_t which = 0;
  return accept_word(p, option, value, COUNT_OF(words), words, &which) &&
         accept_test_word(p, option, value);
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
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  p->out->jobs = online < 1 ? 1 : online > 1024 ? 1024 : (int)online;
  return true;
}

static bool accept_plugin(Parser *p, const char *option, Str value) {
  if (pytest_lacks_plugin(value)) return true;
  return usage(p,
               "pytest's option '%s %.*s' is not supported: there are no plugins but what cannot "
               "be turned off; fixtures and hooks come from conftest files",
               option, STR_FMT(value));
}

static bool accept_durations(Parser *p, const char *option, Str value) {
  if (!accept_number(p, option, value, 0, INT64_MAX, &p->out->test_durations)) return false;
  if (!p->out->test_durations) p->out->test_durations = UINT64_MAX;
  return true;
}

static bool apply_test(Parser *p, OptionId id, Str value) {
  Options *o = p->out;
  const char *option = infos[id].spelling;
  switch (id) {
  case OPT_TEST_TRACEBACK: return accept_traceback(p, option, value);
  case OPT_TEST_LIST:
  case OPT_TEST_LIST_SHORT: o->test_lists = true; return accept_test_word(p, option, value);
  case OPT_TEST_FIRST_LONG:
  case OPT_TEST_FIRST: o->test_maxfail = 1; return true;
  case OPT_TEST_DURATIONS: return accept_durations(p, option, value);
  case OPT_TEST_REASONS: return accept_reasons(p, option, value);
  case OPT_TEST_CAPTURE: return accept_capture(p, option, value);
  case OPT_TEST_MOST_VERBOSE:
  case OPT_TEST_VERY_VERBOSE: o->test_hides_none = true; return accept_test_word(p, "-vv", value);
  case OPT_TEST_MOST_QUIET: return o->quiet = true;
  case OPT_TEST_OVERRIDE_LONG:
  case OPT_TEST_OVERRIDE: return accept_test_word(p, "--override-ini", value);
  case OPT_TEST_KEYWORD:
  case OPT_TEST_MARKS: return !value.len || accept_test_word(p, option, value);
  case OPT_TEST_HELP: p->stopped = true; return tell_topics(p, STR("test"));
  case OPT_TEST_SETTINGS:
    return usage(p, "pytest's option '%s' is not supported: %s", option, pytest_hint(STR("-c")));
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

static size_t strspn_digits(Str text) {
  size_t count = 0;
  while (count < text.len && text.data[count] >= '0' && text.data[count] <= '9') count++;
  return count;
}

static bool bad_sweep(Parser *p, Str value, const char *why) {
  return usage(p, "'--sweep' takes NAME=FIRST:LAST or NAME=FIRST:LAST:STEP, not '%.*s'%s",
               STR_FMT(value), why);
}

// n=256:4096, and how far it is from one size to the next: n=256:4096:128.
static bool accept_sweep(Parser *p, Str value) {
  uint64_t numbers[3] = {0};
  size_t equals = 0, count = 0;
  while (equals < value.len && value.data[equals] != '=') equals++;
  Str rest = {value.data + equals, value.len - equals};
  bool good = equals > 0 && rest.len > 1;
  while (good && rest.len && count < COUNT_OF(numbers)) {
    size_t length = 1;
    while (length < rest.len && rest.data[length] != ':') length++;
    Str digits = {rest.data + 1, length - 1};
    good = digits.len > 0 && digits.len == strspn_digits(digits);
    if (good && (!parse_number(digits, &numbers[count]) || numbers[count] > INT32_MAX))
      return bad_sweep(p, value, ": a size is at most 2147483647");
    if (good && numbers[count] == 0)
      return bad_sweep(p, value, count == 2 ? ": the step is 0" : ": a size is at least 1");
    count++;
    rest = (Str){rest.data + length, rest.len - length};
  }
  if (!good || rest.len || count < 2) return bad_sweep(p, value, "");
  if (numbers[0] > numbers[1]) return bad_sweep(p, value, ": the last size is less than the first");
  p->out->sweep_name = (Str){value.data, equals};
  p->out->sweep_first = (int64_t)numbers[0];
  p->out->sweep_last = (int64_t)numbers[1];
  p->out->sweep_step = (int64_t)numbers[2];
  return true;
}

static bool apply_bench(Parser *p, OptionId id, Str value) {
  switch (id) {
  case OPT_SWEEP: return accept_sweep(p, value);
  case OPT_SVG: p->out->svg = value; return true;
  case OPT_JSON: return p->out->json = true;
  default: BUG("option %d", (int)id);
  }
}

static bool accept_times(Parser *p, Str value) {
  static const char *const words[] = {"human", "json"};
  size_t which = 0;
  p->out->time_passes = true;
  if (value.len && !accept_word(p, "--time-passes", value, COUNT_OF(words), words, &which))
    return false;
  p->out->times_as_json = which == 1;
  return true;
}

static bool apply_inspect(Parser *p, OptionId id, Str value) {
  Options *o = p->out;
  const char *option = infos[id].spelling;
  switch (id) {
  case OPT_TIME_PASSES: return accept_times(p, value);
  case OPT_STOP_AFTER: return accept_pass(p, option, value, &o->stop_after);
  case OPT_PRINT_AFTER: return accept_print_after(p, value);
  case OPT_RUN_PASS: return accept_pass(p, option, value, &o->run_pass);
  case OPT_FROM_IR: o->from_ir = value; return true;
  default: BUG("option %d", (int)id);
  }
}

static bool apply_run(Parser *p, OptionId id, Str value) {
  Options *o = p->out;
  const char *option = infos[id].spelling;
  switch (id) {
  case OPT_SEED:
    o->seed_given = true;
    return accept_number(p, option, value, 0, INT64_MAX, &o->seed);
  case OPT_SEEDS: return accept_number(p, option, value, 1, INT32_MAX, &o->seeds);
  case OPT_JOBS: return accept_int(p, option, value, 1, 1024, &o->jobs);
  case OPT_FAULTS: return o->faults = true;
  case OPT_SCHEDULE: return accept_schedule(p, value);
  case OPT_THREADS: return accept_int(p, option, value, 1, 1024, &o->threads);
  case OPT_TRANSPORT: return o->transport = value, true;
  case OPT_SHARDS: return o->shards = true;
  case OPT_DEADLOCK_DOT: return o->deadlock_dot = value, true;
  case OPT_PERF_MAP: o->perf_map = true; return true;
  case OPT_SUPPORT: o->support = true; return true;
  case OPT_NUMERICS: o->numerics = true; return true;
  default: BUG("option %d", (int)id);
  }
}

static bool apply(Parser *p, OptionId id, Str value) {
  static const char *const whens[] = {"auto", "always", "never"},
                           *const formats[] = {"human", "json"},
                           *const precisions[] = {"highest", "tpu"},
                           *const sanitizers[] = {"thread"};
  Options *o = p->out;
  Arena *arena = p->session->arena;
  const char *option = infos[id].spelling;
  size_t which = 0;
  switch (id) {
  case OPT_OUTPUT: VEC_PUSH(arena, &o->outputs, value); return true;
  case OPT_HEADER: o->header = value; return true;
  case OPT_OBJECT: o->to_stdout = false; return accept_kind(p, STR("obj"));
  case OPT_ASM: o->to_stdout = false; return accept_kind(p, STR("asm"));
  case OPT_QUIET:
  case OPT_QUIET_SHORT: return o->quiet = true;
  case OPT_SHARED:
  case OPT_SHARED_LONG: return accept_shared(p);
  case OPT_EMIT: o->to_stdout = true; return accept_kind(p, value);
  case OPT_MD: o->depfile = true; return true;
  case OPT_MF: o->depfile_path = value; return true;
  case OPT_MT: o->depfile_target = value; return true;
  case OPT_MP: o->depfile_phony = true; return true;
  case OPT_ENTRY: VEC_PUSH(arena, &o->entries, value); return true;
  case OPT_SOURCE_KIND: return accept_source_kind(p, value);
  case OPT_ONLY: o->only = value; return true;
  case OPT_DEFINE: return accept_define(p, value);
  case OPT_INCLUDE: VEC_PUSH(arena, &o->include_dirs, value); return true;
  case OPT_TPU: return accept_tpu(p, value);
  case OPT_DEVICES: return accept_int(p, option, value, 1, MAX_DEVICES, &o->devices);
  case OPT_TARGET_CPU: return accept_cpu(p, value);
  case OPT_MATMUL_PRECISION:
    if (!accept_word(p, option, value, COUNT_OF(precisions), precisions, &which)) return false;
    o->matmul_tpu = which == 1;
    return true;
  case OPT_OPTIMISE:
    return accept_int(p, option, value.len ? value : STR("1"), 0, 3, &o->opt_level);
  case OPT_DEBUG: o->debug_info = true; return true;
  case OPT_SANITIZE:
    return o->tsan = accept_word(p, option, value, COUNT_OF(sanitizers), sanitizers, &which);
  case OPT_CHECK: o->check = true; return true;
  case OPT_NAN: o->nan = true; return true;
  case OPT_APART: o->apart = true; return true;
  case OPT_CACHE: o->cache = value; return true;
  case OPT_CACHE_SIZE: return accept_size(p, option, value, &o->cache_size);
  case OPT_WARNING: return accept_warning(p, value);
  case OPT_REPORT: return o->report = true;
  case OPT_NO_WARNINGS: set_all(o->warning_on, false); return true;
  case OPT_STRICT_TPU:
    o->strict_tpu = o->warning_on[WARN_TPU] = o->warning_is_error[WARN_TPU] = true;
    return true;
  case OPT_ERROR_FORMAT:
    if (!accept_word(p, option, value, COUNT_OF(formats), formats, &which)) return false;
    p->session->error_format = o->error_format = (ErrorFormat)which;
    return true;
  case OPT_COLOR:
    if (value.len && !accept_word(p, option, value, COUNT_OF(whens), whens, &which)) return false;
    p->session->color = o->color = value.len ? (WhenColor)which : COLOR_ALWAYS;
    return true;
  case OPT_MAX_ERRORS: return accept_count(p, option, value, &o->max_errors);
  case OPT_MAX_TURNS: return accept_number(p, option, value, 0, INT64_MAX, &o->max_turns);
  case OPT_MAX_TRACE_STEPS: return accept_number(p, option, value, 1, INT64_MAX, &o->max_steps);
  case OPT_MAX_DEPTH: return accept_int(p, option, value, 1, 100000, &o->max_depth);
  case OPT_MAX_MEMORY:
  case OPT_MEMORY_LIMIT: return accept_size(p, option, value, &o->memory_limit);
  default: break;
  }
  BUG("option %d", (int)id);
}

static bool apply_any(Parser *p, OptionId id, Str value) {
  static bool (*const of_groups[GROUP_COUNT])(Parser *, OptionId,
                                              Str) = {[GROUP_RUN] = apply_run,
                                                      [GROUP_TEST] = apply_test,
                                                      [GROUP_BENCH] = apply_bench,
                                                      [GROUP_INSPECT] = apply_inspect,
                                                      [GROUP_ABOUT] = apply_about};
  GroupId group = infos[id].group;
  return (of_groups[group] ? of_groups[group] : apply)(p, id, value);
}

// ---- finding an option --------------------------------------------------------------------------
// How well an argument fits an option: 0 not, else the longer the better. Sets the value and
// whether the next argument is it.
static size_t fits(const OptionInfo *info, Str arg, Str *value, bool *takes_next) {
  Str name = str_from_c(info->spelling);
  *value = STR("");
  *takes_next = false;
  if (str_equal(arg, name)) {
    *takes_next = info->form == FORM_VALUE || info->form == FORM_APART || info->form == FORM_EQUALS;
    return 1000;
  }
  if (!str_starts_with(arg, name)) return 0;
  Str rest = {arg.data + name.len, arg.len - name.len};
  switch (info->form) {
  case FORM_APART:
  case FORM_FLAG: return 0;
  case FORM_VALUE:
  case FORM_JOINED: *value = rest; return name.len;
  case FORM_EQUALS:
  case FORM_MAYBE:
    if (rest.data[0] != '=') return 0;
    *value = (Str){rest.data + 1, rest.len - 1};
    return 500;
  }
  return 0;
}

// Some options are of one command alone.
static bool is_of_command(const Parser *p, const OptionInfo *info) {
  if (info->group == GROUP_TEST) return p->out->command == COMMAND_TEST;
  return info->group != GROUP_BENCH || p->out->command == COMMAND_BENCH;
}

// What the runner of tests may know: an option of a conftest file, or which outcomes to list. It
// refuses what it does not.
static bool is_for_runner(const Parser *p, Str arg) {
  return p->out->command == COMMAND_TEST &&
         (str_starts_with(arg, STR("-r")) || (arg.len > 2 && str_starts_with(arg, STR("--"))));
}

// Whether a word behind an option for the runner may be its value: it is no option, and no file.
static bool is_value(const Parser *p, Str word) {
  Str path = str_copy(p->session->arena, word);
  char *node = strstr(path.data, "::");
  if (node) *node = 0;
  return !str_starts_with(word, STR("-")) && access(path.data, F_OK) != 0;
}

static bool unknown(Parser *p, Str arg) {
  const char *equals = memchr(arg.data, '=', arg.len);
  Str name = {arg.data, equals ? (size_t)(equals - arg.data) : arg.len};
  const char *instead = p->out->command == COMMAND_TEST ? pytest_hint(name) : NULL;
  const char *dashes = is_behind_program(p) ? " (those of the program itself stand behind --)" : "";
  if (instead)
    return usage(p, "pytest's option '%.*s' is not supported: %s", STR_FMT(name), instead);
  Suggestion s;
  suggestion_init(&s, name);
  for (int i = 0; i < OPT_COUNT; i++) {
    Str spelling = str_from_c(infos[i].spelling);
    if (str_equal(spelling, name) && is_of_command(p, &infos[i]))
      return usage(p, "'%s' takes no value", infos[i].spelling);
    if (str_equal(spelling, name))
      return usage(p, "'%s' is an option of '%s'%s", infos[i].spelling,
                   infos[i].group == GROUP_TEST ? "test" : "bench", dashes);
    // Of so short ones each is near to each.
    if (spelling.len > 2 && is_of_command(p, &infos[i])) suggestion_try(&s, spelling);
  }
  const char *other = compiler_hint(name);
  if (other && !is_behind_program(p))
    return usage(p, "there is no option '%.*s': %s", STR_FMT(arg), other);
  if (is_for_runner(p, arg)) {
    VEC_PUSH(p->session->arena, &p->out->test_words, arg);
    while (!equals && p->next < p->args.count && is_value(p, p->args.items[p->next]))
      VEC_PUSH(p->session->arena, &p->out->test_words, p->args.items[p->next++]);
    return true;
  }
  return usage(p, "unknown option '%.*s'%s%s", STR_FMT(arg),
               s.best.len ? hint_of(p, &s) : "; 'pallasc --help' lists them", dashes);
}

// Whether the word is, to the letter, an option.
static bool is_option(const Parser *p, Str word) {
  for (int i = 0; i < OPT_COUNT; i++)
    if (str_equal(word, str_from_c(infos[i].spelling)) && is_of_command(p, &infos[i])) return true;
  return false;
}

static bool parse_option(Parser *p, Str arg) {
  size_t best = 0;
  OptionId id = OPT_COUNT;
  Str value = STR("");
  bool takes_next = false;
  for (int i = 0; i < OPT_COUNT; i++) {
    Str v;
    bool next;
    size_t fit = fits(&infos[i], arg, &v, &next);
    if (!is_of_command(p, &infos[i])) fit = 0;
    if (fit && infos[i].group == GROUP_TEST) fit++; // it beats what others mean by it
    if (fit <= best) continue;
    best = fit;
    id = (OptionId)i;
    value = v;
    takes_next = next;
  }
  // "--help" begins like -h, but a value of -h, -o … that starts with a dash is rather a mistyped
  // long option.
  if (id == OPT_COUNT || (best < 500 && infos[id].form == FORM_VALUE && arg.data[1] == '-'))
    return unknown(p, arg);
  if (takes_next) {
    if (p->next == p->args.count)
      return usage(p, "'%s' takes a value%s", infos[id].spelling,
                   id == OPT_HEADER ? ", the header to write; 'pallasc --help' shows how to call it"
                                    : "");
    value = p->args.items[p->next++];
    if (is_option(p, value))
      return usage(p, "'%s' takes a value, and '%.*s' is an option", infos[id].spelling,
                   STR_FMT(value));
  }
  bool chooses = id == OPT_TEST_KEYWORD || id == OPT_TEST_MARKS; // of '' all tests are
  if (infos[id].form == FORM_FLAG || infos[id].form == FORM_MAYBE ||
      infos[id].form == FORM_JOINED || value.len || (chooses && takes_next))
    return apply_any(p, id, value);
  return usage(p, "'%s' takes a value that is not empty", infos[id].spelling);
}

// What cannot be meant as a file: "build", "help".
static bool is_bare_word(Str arg) {
  for (size_t i = 0; i < arg.len; i++)
    if (arg.data[i] < 'a' || arg.data[i] > 'z') return false;
  return arg.len > 0;
}

static bool is_there(const Parser *p, Str path) {
  return source_given(p->session, path) ||
         access(str_copy(p->session->arena, path).data, F_OK) == 0;
}

static bool no_command(Parser *p, Str arg) {
  Buf all;
  buf_init(&all, p->session->arena);
  for (size_t i = 0; i <= COMMAND_COUNT; i++) {
    if (str_distance(arg, str_from_c(command_names[i]), 2) < 2)
      return usage(p, "'%.*s' is neither a file nor a command; did you mean '%s'?", STR_FMT(arg),
                   command_names[i]);
    buf_printf(&all, "%s%s", i == 0 ? "" : i == COMMAND_COUNT ? " and " : ", ", command_names[i]);
  }
  return usage(p,
               "'%.*s' is neither a file nor a command; the commands are %s, 'pallasc help' shows "
               "more",
               STR_FMT(arg), buf_view(&all).data);
}

// pallasc help [TOPIC]
static bool help_command(Parser *p) {
  p->stopped = true;
  if (p->next == p->args.count) return apply_about(p, OPT_HELP, STR(""));
  while (p->next < p->args.count) {
    Str topic = p->args.items[p->next++];
    if (!apply_about(p, OPT_HELP, topic)) return false;
  }
  return true;
}

static bool parse_operand(Parser *p, Str arg) {
  Options *o = p->out;
  bool is_first = o->inputs.count == 0 && o->command == COMMAND_COMPILE && !p->only_operands;
  for (int i = 0; i < COMMAND_COUNT && is_first; i++) {
    if (!str_equal(arg, str_from_c(command_names[i]))) continue;
    o->command = (Command)i;
    return true;
  }
  if (is_first && is_bare_word(arg) && !is_there(p, arg))
    return str_equal(arg, STR("help")) ? help_command(p) : no_command(p, arg);
  else
    VEC_PUSH(p->session->arena, &o->inputs, arg);
  return true;
}

static bool parse_all(Parser *p) {
  while (p->next < p->args.count && !p->stopped) {
    Str arg = p->args.items[p->next++];
    // -:FUNCTION is standard input's.
    bool has_dash = !p->only_operands && arg.len > 1 && arg.data[0] == '-' && arg.data[1] != ':';
    if (has_dash && str_equal(arg, STR("--"))) {
      p->only_operands = true;
      p->out->inputs_before_dashes = p->out->inputs.count;
      continue;
    }
    if (!(has_dash ? parse_option(p, arg) : parse_operand(p, arg))) return false;
  }
  return true;
}

// ---- what fits together -------------------------------------------------------------------------
static bool is_text(OutputKind kind) { return kind >= OUTPUT_TOKENS; }

static bool is_of_python(OutputKind kind) { return kind == OUTPUT_TOKENS || kind == OUTPUT_AST; }

// A source's name without folders and ending: what its output is called.
static Str stem(Str path) {
  for (size_t i = path.len; i-- > 0;)
    if (path.data[i] == '/') {
      path = (Str){path.data + i + 1, path.len - i - 1};
      break;
    }
  for (size_t i = path.len; i-- > 1;)
    if (path.data[i] == '.') return (Str){path.data, i};
  return path;
}

// Sources that would write the same file, one over the other.
static bool check_stems(Parser *p) {
  const Options *o = p->out;
  for (size_t i = 0; i < o->inputs.count; i++)
    for (size_t j = 0; j < i; j++)
      if (str_equal(stem(o->inputs.items[i]), stem(o->inputs.items[j])))
        return usage(p,
                     "'%.*s' and '%.*s' would have the same output '%.*s.o'; compile them one by "
                     "one, with '-o'",
                     STR_FMT(o->inputs.items[j]), STR_FMT(o->inputs.items[i]),
                     STR_FMT(stem(o->inputs.items[i])));
  return true;
}

static bool no_input(Parser *p) {
  static const char *const next[] = {
      "'pallasc run add.pk' runs a file as a program",
      "'pallasc check add.pk' runs it with every check on",
      "'pallasc add.pk -o add.o -h add.h' makes an object and a C header of its functions",
      "'pallasc help' shows all there is"};
  Diag *diag = diag_error(p->session, (Span){0}, "no input file");
  for (size_t i = 0; i < COUNT_OF(next); i++) diag_note(p->session, diag, (Span){0}, "%s", next[i]);
  return false;
}

// --only: from here on there is one input.
static bool keep_only(Parser *p) {
  Options *o = p->out;
  o->sources = o->inputs;
  if (!o->only.len) return true;
  if (o->kind == OUTPUT_SHARED) return usage(p, "'--only' and '-shared' cannot be used together");
  for (size_t i = 0; i < o->inputs.count; i++)
    if (str_equal(o->inputs.items[i], o->only)) {
      o->inputs = (StrList){.items = &o->sources.items[i], .count = 1, .capacity = 1};
      return true;
    }
  return usage(p, "'--only' names '%.*s', which is none of the files", STR_FMT(o->only));
}

// An object under the name of a source is a mistake of the hand; under that of a library, one of
// the mind.
static bool check_output_name(Parser *p, Str path) {
  static const char *const sources[] = {".c", ".h", ".cc", ".cpp", ".hpp", ".npy"};
  const Options *o = p->out;
  bool is_binary = o->kind == OUTPUT_OBJECT || o->kind == OUTPUT_SHARED;
  for (size_t i = 0; i < COUNT_OF(sources) && is_binary; i++)
    if (str_ends_with(path, str_from_c(sources[i])))
      return usage(p, "'-o %.*s' would be %s%s", STR_FMT(path),
                   o->kind == OUTPUT_SHARED ? "a shared library" : "an object",
                   strcmp(sources[i], ".h") ? "" : "; '-h' writes the header");
  if (o->kind == OUTPUT_SHARED && str_equal(path, STR("-")))
    return usage(p, "a shared library is written by the linker, which needs a file: '-o lib.so'");
  if (o->kind == OUTPUT_OBJECT && str_ends_with(path, STR(".so")) && o->warning_on[WARN_HINT])
    diag_warning(p->session, WARN_HINT, (Span){0},
                 "'%.*s' becomes a relocatable object; '-shared' makes a library", STR_FMT(path));
  return true;
}

static bool check_compile(Parser *p) {
  const Options *o = p->out;
  if (!keep_only(p)) return false;
  bool several = o->inputs.count > 1;
  if (o->from_ir.len && o->inputs.count)
    return usage(p, "'--from-ir' takes the place of the source '%.*s'",
                 STR_FMT(o->inputs.items[0]));
  if (!o->from_ir.len && o->inputs.count == 0) return no_input(p);
  if (o->threads)
    return usage(p, "'--threads' is for 'run', 'check', 'test' and 'bench'; programs have "
                    "PRT_THREADS");
  if (o->seed_given) return usage(p, "'--seed' is for 'run' and 'check'");
  if (o->schedule.len) return usage(p, "'--schedule' is for 'run' and 'check'");
  if (o->support || o->numerics)
    return usage(p, "'%s' is for 'check'", o->support ? "--support" : "--numerics");
  if (o->seeds || o->jobs || o->faults)
    return usage(p, "'%s' is for 'check'", o->seeds ? "--seeds" : o->jobs ? "--jobs" : "--faults");
  if (o->tsan && o->kind == OUTPUT_SHARED)
    return usage(
        p, "'-fsanitize=thread' makes objects; a shared library would hold a runtime without it");
  if (o->transport.len || o->shards)
    return usage(p, "'%s' is for 'run' and 'check'", o->shards ? "--shards" : "--transport");
  if (o->max_turns != MAX_TURNS)
    return usage(p, "'--max-turns' is for 'check'; a program has prt_machine_options.max_turns");
  if (o->deadlock_dot.len) return usage(p, "'--deadlock-dot' is for 'run' and 'check'");
  if (o->run_pass != PASS_COUNT && !o->from_ir.len)
    return usage(p, "'--run-pass' needs '--from-ir'");
  if (o->from_ir.len && is_of_python(o->kind))
    return usage(p, "'--from-ir' starts behind what '--emit=tokens' and '--emit=ast' show");
  if (o->outputs.count > 1) return usage(p, "'-o' was given %zu times", o->outputs.count);
  if (several && o->outputs.count && o->kind != OUTPUT_SHARED)
    return usage(p, "'-o' names one output, but there are several input files: '%.*s', '%.*s'%s",
                 STR_FMT(o->inputs.items[0]), STR_FMT(o->inputs.items[1]),
                 o->inputs.count > 2 ? ", …" : "");
  if (several && o->header.len && o->kind != OUTPUT_SHARED)
    return usage(p, "'-h' names one header, but there are several input files: '%.*s', '%.*s'%s",
                 STR_FMT(o->inputs.items[0]), STR_FMT(o->inputs.items[1]),
                 o->inputs.count > 2 ? ", …" : "");
  if (several && (o->depfile_path.len || o->depfile_target.len))
    return usage(p, "'%s' is for one output, but there are several input files: '%.*s', '%.*s'%s",
                 o->depfile_path.len ? "-MF" : "-MT", STR_FMT(o->inputs.items[0]),
                 STR_FMT(o->inputs.items[1]), o->inputs.count > 2 ? ", …" : "");
  if (o->header.len && o->apart)
    return usage(p, "'-h' is about whole arrays; '--apart' cannot be used with it");
  if (o->header.len && is_text(o->kind))
    return usage(p, "'-h' needs an output that has entry points: an object, assembly or a library");
  bool to_stdout = o->to_stdout || o->stop_after != PASS_COUNT || o->run_pass != PASS_COUNT,
       has_name = o->outputs.count > 0 || to_stdout;
  if (to_stdout && o->kind == OUTPUT_OBJECT && o->kind_given && !o->outputs.count) {
    if (several)
      return usage(p, "'--emit=obj' writes one object to standard output, but there are "
                      "several input files; '-c' writes a file for each");
    if (!p->session->piped && isatty(STDOUT_FILENO))
      return usage(p, "'--emit=obj' writes an object to standard output, which is a terminal; '-o' "
                      "names a file");
  }
  for (size_t i = 0; i < o->inputs.count && !has_name; i++)
    if (str_equal(o->inputs.items[i], STR("-")))
      return usage(p, "'-o' is needed when the source comes from standard input");
  if (o->outputs.count && !check_output_name(p, o->outputs.items[0])) return false;
  return has_name || o->kind == OUTPUT_SHARED || check_stems(p);
}

static bool check_schedules(Parser *p) {
  const Options *o = p->out;
  if (o->seeds && o->command != COMMAND_CHECK) return usage(p, "'--seeds' is for 'check'");
  if (o->support && o->command != COMMAND_CHECK) return usage(p, "'--support' is for 'check'");
  if (o->numerics && o->command != COMMAND_CHECK) return usage(p, "'--numerics' is for 'check'");
  if (o->numerics && (o->support || o->matmul_tpu))
    return usage(
        p, "'--numerics' compares both ways of '--matmul-precision': it cannot be used with '%s'",
        o->support ? "--support" : "--matmul-precision=tpu");
  if (o->support && (o->seeds || o->schedule.len || o->seed_given || o->nan))
    return usage(p, "'--support' looks for what chips refuse, not for faults: it cannot be used "
                    "with '--seed', '--seeds', '--schedule' or '--nan'");
  if (o->seeds && o->schedule.len)
    return usage(p, "'--seeds' tries many schedules, and '--schedule' is one");
  if (!o->seeds && o->command != COMMAND_TEST && (o->jobs || o->faults))
    return usage(p, "'%s' needs '--seeds'", o->jobs ? "--jobs" : "--faults");
  return true;
}

static bool check_run(Parser *p) {
  const Options *o = p->out;
  const char *name = command_names[o->command];
  if (o->from_ir.len) return usage(p, "'--from-ir' cannot be used with '%s'", name);
  if (o->source_kind != SOURCE_KIND_COUNT && o->source_kind != SOURCE_PK)
    return usage(p, "'%s' takes a program in Python; '-x' cannot be used", name);
  if (o->only.len) return usage(p, "'--only' cannot be used with '%s'", name);
  bool takes_entries = o->command != COMMAND_TEST && o->command != COMMAND_BENCH;
  if (!takes_entries && (o->entries.count || o->outputs.count))
    return usage(p, "'%s' cannot be used with '%s'", o->outputs.count ? "-o" : "--entry", name);
  const char *ignored = o->schedule.len       ? "--schedule"
                        : o->transport.len    ? "--transport"
                        : o->shards           ? "--shards"
                        : o->deadlock_dot.len ? "--deadlock-dot"
                                              : NULL;
  if (o->command == COMMAND_BENCH && ignored)
    return usage(p, "'%s' cannot be used with 'bench'", ignored);
  if (o->command == COMMAND_TEST && o->time_passes) // files are run by processes of their own
    return usage(p, "'--time-passes' cannot be used with 'test'");
  if (o->svg.len && !o->sweep_name.len)
    return usage(p, "'--svg' draws what '--sweep' has measured");
  if (o->inputs.count == 0 && o->command != COMMAND_TEST)
    return usage(p, "'%s' needs a file; 'pallasc --help' shows how to call it", name);
  if (o->apart) return usage(p, "'%s' calls functions with whole arrays, not '--apart'", name);
  if (o->tsan)
    return usage(p, "'-fsanitize=thread' makes objects; it cannot be used with '%s'", name);
  if (o->kind_given) return usage(p, "'%s' makes no output of a kind", name);
  if (o->stop_after != PASS_COUNT || o->run_pass != PASS_COUNT)
    return usage(
        p, "'%s' runs what all passes make: '--stop-after' and '--run-pass' cannot be used", name);
  if (o->header.len || o->depfile || o->depfile_path.len)
    return usage(p, "'%s' writes no header and no dependency file", name);
  return check_schedules(p);
}

#define DEFAULT_CACHE_SIZE ((size_t)1 << 30)

bool options_parse(Session *session, size_t count, const char *const *args, Options *out,
                   int *status) {
  *out = (Options){.inputs_before_dashes = SIZE_MAX,
                   .source_kind = SOURCE_KIND_COUNT,
                   .tpu = STR(DEFAULT_CHIP),
                   .target_cpu = STR("native"),
                   .opt_level = -1,
                   .stop_after = PASS_COUNT,
                   .run_pass = PASS_COUNT,
                   .max_errors = session->max_errors,
                   .cache = str_from_c(defaults_environment("PALLASC_CACHE")),
                   .cache_size = DEFAULT_CACHE_SIZE,
                   .max_turns = MAX_TURNS,
                   .memory_limit = SIZE_MAX};
  memcpy(out->warning_on, session->warning_on, sizeof out->warning_on);
  Parser p = {.session = session, .out = out};
  int unread = response_expand(session, count, args, &p.args);
  bool good = !unread && parse_all(&p);
  if (good && !p.stopped)
    good = out->command == COMMAND_COMPILE ? check_compile(&p) : check_run(&p);
  if (out->depfile_path.len || out->depfile_target.len) out->depfile = true;
  if (out->command == COMMAND_CHECK) out->check = true;
  out->tiers = out->opt_level < 0 && !out->check && !out->report && out->command != COMMAND_COMPILE;
  // Code with checks is long, and what runs it once waits for the compiler.
  if (out->opt_level < 0) out->opt_level = out->check && out->command != COMMAND_COMPILE ? 1 : 3;
  if (out->memory_limit == SIZE_MAX) out->memory_limit = defaults_memory_limit(out->command);
  // A program may run for days, and is stopped by who started it; a compilation ends.
  if (!out->max_steps && out->command != COMMAND_COMPILE) out->max_steps = INT64_MAX;
  out->folders_given = out->include_dirs.count;
  defaults_add_path(session->arena, &out->include_dirs);
  out->third_party = defaults_third_party(session);
  *status = good ? STATUS_DONE : unread ? unread : STATUS_USAGE;
  return good && !p.stopped;
}
