// SPDX-License-Identifier: Apache-2.0
// The options of the command line and its commands, as tables.
#include "option_parser.h"

const OptionInfo option_infos[OPT_COUNT] = {
#define OPTION(id, spelling, form, arg, group, text)                                               \
  [OPT_##id] = {spelling, FORM_##form, GROUP_##group, sizeof text == 1},
#include "options.def"
};

static const char *const source_kinds[] = {
#define SOURCE_KIND(id, name, endings, text) #name,
#include "driver/compile/source_kind.def"
    NULL};

static const char *const *const words_of[OPT_COUNT] = {
#define WORDS(id, ...) [OPT_##id] = (const char *const[]){__VA_ARGS__, NULL},
#include "options.def"
    [OPT_SOURCE_KIND] = source_kinds};

const char *const *option_words(OptionId id) { return words_of[id]; }

const char *const command_names[COMMAND_COUNT + 1] = {
    [COMMAND_COMPILE] = "compile", [COMMAND_RUN] = "run",     [COMMAND_CHECK] = "check",
    [COMMAND_TEST] = "test",       [COMMAND_BENCH] = "bench", [COMMAND_COUNT] = "help"};

bool option_is_behind_program(const Parser *p) {
  return (p->out->command == COMMAND_RUN || p->out->command == COMMAND_CHECK) &&
         p->out->inputs.count;
}

bool option_is_of_command(const Parser *p, OptionId id) {
  GroupId group = option_infos[id].group;
  if (group == GROUP_TEST) return p->out->command == COMMAND_TEST;
  return group != GROUP_BENCH || p->out->command == COMMAND_BENCH;
}
