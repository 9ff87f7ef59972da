// SPDX-License-Identifier: Apache-2.0
// Parsing the command line: words become options and operands; what was not given is a default.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/buf.h"
#include "driver/compile/source_open.h"
#include "option_parser.h"
#include "ir/core/chip.h"

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

// What the runner of tests may know: an option of a conftest file, whose short ones are upper case,
// or which outcomes to list. It refuses what it does not.
static bool is_for_runner(const Parser *p, Str arg) {
  bool is_upper = arg.len > 1 && arg.data[1] >= 'A' && arg.data[1] <= 'Z';
  return p->out->command == COMMAND_TEST && (str_starts_with(arg, STR("-r")) || is_upper ||
                                             (arg.len > 2 && str_starts_with(arg, STR("--"))));
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
  const char *dashes =
      option_is_behind_program(p) ? " (those of the program itself stand behind --)" : "";
  if (instead)
    return usage(p, "pytest's option '%.*s' is not supported: %s", STR_FMT(name), instead);
  Suggestion s;
  suggestion_init(&s, name);
  for (int i = 0; i < OPT_COUNT; i++) {
    Str spelling = str_from_c(option_infos[i].spelling);
    if (str_equal(spelling, name) && option_is_of_command(p, (OptionId)i))
      return usage(p, "'%s' takes no value", option_infos[i].spelling);
    if (str_equal(spelling, name))
      return usage(p, "'%s' is an option of '%s'%s", option_infos[i].spelling,
                   option_infos[i].group == GROUP_TEST ? "test" : "bench", dashes);
    // Of so short ones each is near to each.
    if (spelling.len > 2 && option_is_of_command(p, (OptionId)i)) suggestion_try(&s, spelling);
  }
  const char *other = compiler_hint(name);
  if (other && !option_is_behind_program(p))
    return usage(p, "there is no option '%.*s': %s", STR_FMT(arg), other);
  if (is_for_runner(p, arg)) {
    VEC_PUSH(p->session->arena, &p->out->test_words, arg);
    while (!equals && p->next < p->args.count && is_value(p, p->args.items[p->next]))
      VEC_PUSH(p->session->arena, &p->out->test_words, p->args.items[p->next++]);
    if (s.best.len) // what the runner says if no conftest file has the option
      VEC_PUSH(p->session->arena, &p->out->test_words,
               str_format(p->session->arena, "--meant=%.*s:%.*s", STR_FMT(name), STR_FMT(s.best)));
    return true;
  }
  return usage(p, "unknown option '%.*s'%s%s", STR_FMT(arg),
               s.best.len ? usage_hint(p, &s) : "; 'pallasc --help' lists them", dashes);
}

// ---- short options of pytest in one word --------------------------------------------------------
// The option of one letter that 'pallasc test' has, or OPT_COUNT.
static OptionId short_option(char letter) {
  const char spelling[] = {'-', letter, 0};
  OptionId found = OPT_COUNT;
  for (int i = 0; i < OPT_COUNT; i++)
    if (!strcmp(option_infos[i].spelling, spelling) &&
        (found == OPT_COUNT || option_infos[i].group == GROUP_TEST))
      found = (OptionId)i;
  return found;
}

// "-xvs", "-vrA": flags, the last of which may be an option with its value. As words of their own;
// none: it is something else.
static StrList split_flags(const Parser *p, Str arg) {
  Arena *arena = p->session->arena;
  StrList words = {0};
  for (size_t at = 1, end; at < arg.len; at = end) {
    end = at + 1;
    OptionId id = short_option(arg.data[at]);
    bool takes_rest = id != OPT_COUNT && option_infos[id].form == FORM_VALUE && at > 1;
    if (id == OPT_COUNT || (option_infos[id].form != FORM_FLAG && !takes_rest)) return (StrList){0};
    if (takes_rest) end = arg.len;
    while (end < arg.len && arg.data[end] == arg.data[at]) end++; // -vv is one option
    VEC_PUSH(arena, &words, str_format(arena, "-%.*s", (int)(end - at), arg.data + at));
  }
  return words;
}

// Puts words in front of the next one.
static void insert_words(Parser *p, const StrList *words) {
  Arena *arena = p->session->arena;
  StrList all = {0};
  for (size_t i = 0; i < p->next; i++) VEC_PUSH(arena, &all, p->args.items[i]);
  for (size_t i = 0; i < words->count; i++) VEC_PUSH(arena, &all, words->items[i]);
  for (size_t i = p->next; i < p->args.count; i++) VEC_PUSH(arena, &all, p->args.items[i]);
  p->args = all;
}

// Whether the word was several, which now come next.
static bool is_split(Parser *p, Str arg) {
  if (p->out->command != COMMAND_TEST || arg.len < 3 || arg.data[1] == '-') return false;
  StrList words = split_flags(p, arg);
  if (words.count < 2) return false;
  insert_words(p, &words);
  return true;
}

// Whether the word is, to the letter, an option.
static bool is_option(const Parser *p, Str word) {
  for (int i = 0; i < OPT_COUNT; i++)
    if (str_equal(word, str_from_c(option_infos[i].spelling)) &&
        option_is_of_command(p, (OptionId)i))
      return true;
  return false;
}

// A last -h, without a header to write: of a command that writes none, or alone.
static bool asks_for_help(const Parser *p) {
  return p->out->command != COMMAND_COMPILE || p->out->inputs.count == 0;
}

static bool parse_option(Parser *p, Str arg) {
  if (is_split(p, arg)) return true;
  size_t best = 0;
  OptionId id = OPT_COUNT;
  Str value = STR("");
  bool takes_next = false;
  for (int i = 0; i < OPT_COUNT; i++) {
    Str v;
    bool next;
    size_t fit = fits(&option_infos[i], arg, &v, &next);
    if (!option_is_of_command(p, (OptionId)i)) fit = 0;
    if (fit && option_infos[i].group == GROUP_TEST) fit++; // it beats what others mean by it
    if (fit <= best) continue;
    best = fit;
    id = (OptionId)i;
    value = v;
    takes_next = next;
  }
  if (id == OPT_COUNT) return unknown(p, arg);
  if (takes_next) {
    if (p->next == p->args.count && id == OPT_HEADER && asks_for_help(p))
      return apply_option(p, OPT_HELP,
                          p->out->command == COMMAND_COMPILE
                              ? STR("")
                              : str_from_c(command_names[p->out->command]));
    if (p->next == p->args.count)
      return usage(p, "'%s' takes a value%s", option_infos[id].spelling,
                   id == OPT_HEADER ? ", the header to write; 'pallasc --help' shows how to call it"
                                    : "");
    value = p->args.items[p->next++];
    if (is_option(p, value))
      return usage(p, "'%s' takes a value, and '%.*s' is an option", option_infos[id].spelling,
                   STR_FMT(value));
  }
  if (option_infos[id].group == GROUP_TEST && !takes_next && best < 500 && value.len > 1 &&
      value.data[0] == '=') // -k=word, as argparse has it
    value = (Str){value.data + 1, value.len - 1};
  bool chooses = id == OPT_TEST_KEYWORD || id == OPT_TEST_MARKS; // of '' all tests are
  if (option_infos[id].form == FORM_FLAG || option_infos[id].form == FORM_MAYBE ||
      option_infos[id].form == FORM_JOINED || value.len || (chooses && takes_next))
    return apply_option(p, id, value);
  return usage(p, "'%s' takes a value that is not empty", option_infos[id].spelling);
}

// What cannot be meant as a file: "build", "Help".
static bool is_bare_word(Str arg) {
  for (size_t i = 0; i < arg.len; i++)
    if ((arg.data[i] | 0x20) < 'a' || (arg.data[i] | 0x20) > 'z') return false;
  return arg.len > 0;
}

static bool is_there(const Parser *p, Str path) {
  return source_given(p->session, path) ||
         access(str_copy(p->session->arena, path).data, F_OK) == 0;
}

static bool no_command(Parser *p, Str arg) {
  Buf all, lower;
  buf_init(&all, p->session->arena);
  buf_init(&lower, p->session->arena);
  for (size_t i = 0; i < arg.len; i++) buf_printf(&lower, "%c", arg.data[i] | 0x20);
  for (size_t i = 0; i <= COMMAND_COUNT; i++) {
    if (str_distance(buf_view(&lower), str_from_c(command_names[i]), 2) < 2)
      return usage(p, "'%.*s' is neither a file nor a command; did you mean '%s'?", STR_FMT(arg),
                   command_names[i]);
    buf_printf(&all, "%s%s", i == 0 ? "" : i == COMMAND_COUNT ? " and " : ", ", command_names[i]);
  }
  Str meant = source_meant(p->session->arena, arg);
  if (meant.len)
    return usage(p, "'%.*s' is neither a file nor a command; did you mean '%.*s'?", STR_FMT(arg),
                 STR_FMT(meant));
  return usage(p,
               "'%.*s' is neither a file nor a command; the commands are %s, 'pallasc help' shows "
               "more",
               STR_FMT(arg), buf_view(&all).data);
}

// pallasc help [TOPIC]
static bool help_command(Parser *p) {
  p->stopped = true;
  if (p->next == p->args.count) return apply_option(p, OPT_HELP, STR(""));
  while (p->next < p->args.count) {
    Str topic = p->args.items[p->next++];
    if (!apply_option(p, OPT_HELP, topic)) return false;
  }
  return true;
}

// What PYTEST_ADDOPTS says stands before the words of the command line.
static void add_words_of_environment(Parser *p) {
  Arena *arena = p->session->arena;
  StrList words = {0};
  response_words(arena, str_from_c(defaults_environment("PYTEST_ADDOPTS")), &words);
  insert_words(p, &words);
}

static bool parse_operand(Parser *p, Str arg) {
  Options *o = p->out;
  bool is_first = o->inputs.count == 0 && o->command == COMMAND_COMPILE && !p->only_operands;
  for (int i = 0; i < COMMAND_COUNT && is_first; i++) {
    if (!str_equal(arg, str_from_c(command_names[i]))) continue;
    o->command = (Command)i;
    if (o->command == COMMAND_TEST) add_words_of_environment(p);
    return true;
  }
  if (is_first && is_bare_word(arg) && !is_there(p, arg))
    return str_equal(arg, STR("help")) ? help_command(p) : no_command(p, arg);
  else
    VEC_PUSH(p->session->arena, &o->inputs, arg);
  return true;
}

// run -m MODULE WORD...: a program of two lines, whose words are all that follow.
static bool parse_module(Parser *p) {
  Arena *arena = p->session->arena;
  if (p->next == p->args.count) return usage(p, "'-m' takes a value, the name of a module");
  Str name = p->args.items[p->next++];
  for (size_t i = 0; i < name.len; i++)
    if (strchr("'\\\n", name.data[i]))
      return usage(p, "'%.*s' is no name of a module", STR_FMT(name));
  p->out->program = (SourceText){
      .path = STR("./<run>"),
      .text = str_format(arena, "import runpy\nrunpy._run_as_main('%.*s')\n", STR_FMT(name)),
      .is_builtin = true};
  VEC_PUSH(arena, &p->out->inputs, p->out->program.path);
  p->out->inputs_before_dashes = 1;
  p->only_operands = true;
  return true;
}

static bool parse_all(Parser *p) {
  while (p->next < p->args.count && !p->stopped) {
    Str arg = p->args.items[p->next++];
    bool is_run = p->out->command == COMMAND_RUN || p->out->command == COMMAND_CHECK;
    if (is_run && p->out->inputs.count == 0 && str_equal(arg, STR("-m"))) {
      if (!parse_module(p)) return false;
      continue;
    }
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
  if (good && !p.stopped) good = option_check(&p);
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
  out->site_packages = defaults_site_packages(session);
  int wrong = out->command == COMMAND_TEST ? STATUS_TEST_USAGE : STATUS_USAGE;
  *status = good ? STATUS_DONE : unread ? unread : wrong;
  return good && !p.stopped;
}
