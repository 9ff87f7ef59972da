// SPDX-License-Identifier: Apache-2.0
// Values of options: numbers, sizes, words of a few, and what stands in a table elsewhere. In: the
// text behind an option. Out: the value, or a diagnostic that says what the option takes.
#include <string.h>
#include "base/unicode.h"
#include "base/buf.h"
#include "driver/run/explore.h"
#include "option_parser.h"
#include "ir/core/chip.h"

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

bool accept_number(Parser *p, const char *option, Str value, uint64_t least, uint64_t most,
                   uint64_t *out) {
  uint64_t number = 0;
  if (!parse_number(value, &number) || number < least || number > most)
    return usage(p, "'%s' takes a number between %llu and %llu, not '%.*s'", option,
                 (unsigned long long)least, (unsigned long long)most, STR_FMT(value));
  *out = number;
  return true;
}

bool accept_int(Parser *p, const char *option, Str value, int least, int most, int *out) {
  uint64_t number = 0;
  if (!accept_number(p, option, value, (uint64_t)least, (uint64_t)most, &number)) return false;
  *out = (int)number;
  return true;
}

bool accept_count(Parser *p, const char *option, Str value, size_t *out) {
  int count = 0;
  if (!accept_int(p, option, value, 1, INT32_MAX, &count)) return false;
  *out = (size_t)count;
  return true;
}

bool accept_size(Parser *p, const char *option, Str value, size_t *out) {
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

bool accept_word(Parser *p, OptionId id, Str value, size_t *out) {
  const char *const *words = option_words(id);
  Buf all;
  buf_init(&all, p->session->arena);
  for (size_t i = 0; words[i]; i++) {
    if (str_equal(value, str_from_c(words[i]))) {
      *out = i;
      return true;
    }
    buf_printf(&all, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
  }
  return usage(p, "'%s' takes %s, not '%.*s'", option_infos[id].spelling, buf_view(&all).data,
               STR_FMT(value));
}

bool accept_kind(Parser *p, Str value) {
  size_t which = 0;
  if (!accept_word(p, OPT_EMIT, value, &which)) return false;
  p->out->kind = (OutputKind)which;
  p->out->kind_given = true;
  return true;
}

bool accept_source_kind(Parser *p, Str value) {
  size_t which = 0;
  if (!accept_word(p, OPT_SOURCE_KIND, value, &which)) return false;
  p->out->source_kind = (SourceKind)which;
  return true;
}

bool accept_pass(Parser *p, const char *option, Str value, PassId *out) {
  if (pass_from_name(value, out)) return true;
  return usage(p, "'%s': there is no pass '%.*s'; 'pallasc --help=passes' lists them", option,
               STR_FMT(value));
}

bool accept_print_after(Parser *p, Str value) {
  PassId pass;
  if (str_equal(value, STR("all"))) {
    for (int i = 0; i < PASS_COUNT; i++) p->out->print_after[i] = true;
    return true;
  }
  if (!accept_pass(p, "--print-after", value, &pass)) return false;
  p->out->print_after[pass] = true;
  return true;
}

bool accept_define(Parser *p, Str value) {
  const char *equals = memchr(value.data, '=', value.len);
  size_t length = equals ? (size_t)(equals - value.data) : value.len;
  Str name = {value.data, length},
      text = equals ? (Str){equals + 1, value.len - length - 1} : STR("True");
  if (length == 0 || text.len == 0)
    return usage(p, "'-D' takes NAME=VALUE, not '%.*s'", STR_FMT(value));
  if (!unicode_is_identifier(name))
    return usage(p, "'-D' takes NAME=VALUE, and '%.*s' is no name", STR_FMT(name));
  VEC_PUSH(p->session->arena, &p->out->define_names, str_copy(p->session->arena, name));
  VEC_PUSH(p->session->arena, &p->out->define_values, text);
  return true;
}

bool accept_tpu(Parser *p, Str value) {
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

bool accept_cpu(Parser *p, Str value) {
  p->out->target_cpu = value;
  if (codegen_knows_cpu(value)) return true;
  Suggestion s;
  suggestion_init(&s, value);
  Str all = codegen_cpu_names(p->session->arena);
  for (size_t at = 0, end; at < all.len; at = end + 1) {
    for (end = at; end < all.len && all.data[end] != ' ' && all.data[end] != ',';) end++;
    suggestion_try(&s, (Str){all.data + at, end - at});
  }
  return usage(p, "there is no x86-64 CPU '%.*s'%s; 'pallasc --help=target-cpu' lists them",
               STR_FMT(value), usage_hint(p, &s));
}

bool accept_schedule(Parser *p, Str value) {
  if (explorer_schedule(p->session, value, &p->out->schedule, &p->out->schedule_call)) return true;
  return usage(p,
               "'--schedule': there is no schedule '%.*s'; 'pallasc help --schedule' has its words",
               STR_FMT(value));
}

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
  Str option = str_format(p->session->arena, "-W%.*s", STR_FMT(name));
  const char *other = compiler_hint(option);
  if (other) return usage(p, "there is no option '%.*s': %s", STR_FMT(option), other);
  Suggestion s;
  suggestion_init(&s, name);
  for (size_t i = 0; i < COUNT_OF(names); i++) suggestion_try(&s, str_from_c(names[i]));
  suggestion_try(&s, STR("all"));
  suggestion_try(&s, STR("error"));
  return usage(p, "there is no warning '%.*s'%s; 'pallasc --help=warnings' lists them",
               STR_FMT(name), usage_hint(p, &s));
}

bool accept_warning(Parser *p, Str value) {
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
bool accept_sweep(Parser *p, Str value) {
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

bool accept_times(Parser *p, Str value) {
  size_t which = 0;
  p->out->time_passes = true;
  if (value.len && !accept_word(p, OPT_TIME_PASSES, value, &which)) return false;
  p->out->times_as_json = which == 1;
  return true;
}
