// SPDX-License-Identifier: Apache-2.0
// A command line that is being parsed: its state, and what the parts of the parser call of each
// other. Of what gives a bool, false means that there is a diagnostic.
#pragma once
#include "options.h"
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
  bool is_alias; // not in --help
} OptionInfo;

typedef struct Parser {
  Session *session;
  Options *out;
  StrList args;
  size_t next;
  int status; // of what was asked for and is done: --help, --version
  bool stopped;
  bool only_operands; // behind --
} Parser;

#define MAX_TURNS 1000000000 // of check, unless an option says otherwise

// ---- option_table.c: what options and commands there are
extern const OptionInfo option_infos[OPT_COUNT];
// The values that the option takes if no others are, behind the last one NULL; else NULL.
const char *const *option_words(OptionId id);
extern const char *const command_names[COMMAND_COUNT + 1]; // the last is help
// Some options are of one command alone.
bool option_is_of_command(const Parser *p, OptionId id);
// Whether a file that is run stands before the word, whose options the word may have been meant
// for.
bool option_is_behind_program(const Parser *p);

// ---- usage.c: what is wrong with it
// A diagnostic. Gives false.
bool usage(Parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
// "; did you mean 'perf'?", or empty.
const char *usage_hint(const Parser *p, const Suggestion *s);

// ---- accept.c: values of options
bool accept_number(Parser *p, const char *option, Str value, uint64_t least, uint64_t most,
                   uint64_t *out);
bool accept_int(Parser *p, const char *option, Str value, int least, int most, int *out);
bool accept_count(Parser *p, const char *option, Str value, size_t *out);
// 512M, in bytes.
bool accept_size(Parser *p, const char *option, Str value, size_t *out);
// One of the option's words. Gives its position.
bool accept_word(Parser *p, OptionId id, Str value, size_t *out);
bool accept_pass(Parser *p, const char *option, Str value, PassId *out);
// These go to the options of their names.
bool accept_kind(Parser *p, Str value);
bool accept_source_kind(Parser *p, Str value);
bool accept_print_after(Parser *p, Str value);
bool accept_define(Parser *p, Str value);
bool accept_tpu(Parser *p, Str value);
bool accept_cpu(Parser *p, Str value);
bool accept_schedule(Parser *p, Str value);
bool accept_warning(Parser *p, Str value); // what stands behind -W
bool accept_sweep(Parser *p, Str value);
bool accept_times(Parser *p, Str value);

// ---- help.c
extern const char *const help_topics[]; // behind the last one NULL

// ---- apply.c, apply_test.c: what an option does
bool apply_option(Parser *p, OptionId id, Str value);
bool apply_test(Parser *p, OptionId id, Str value); // those of the runner of tests
bool apply_topics(Parser *p, Str value); // help on it; empty: on the words behind, or on all

// ---- option_check.c
// Whether what was
// given fits together. Of several sources --only keeps one.
bool option_check(Parser *p);
