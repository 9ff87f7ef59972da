// SPDX-License-Identifier: Apache-2.0
// --help=bash: a completion for bash, of the tables that the parser reads. In: the options, their
// words, the commands, chips, CPUs, passes and warnings. Out: the source of a function of the
// shell.
#include "completion.h"
#include "ir/core/chip.h"
#include "option_parser.h"

static const char *const warnings[] = {
#define WARNING(id, name, on, text) name,
#include "base/warnings.def"
#undef WARNING
};

static void put_words(FILE *out, size_t count, const char *const *words) {
  for (size_t i = 0; i < count; i++) fprintf(out, "%s ", words[i]);
}

static void put_spelling(OptionId id, FILE *out) {
  const OptionInfo *info = &option_infos[id];
  const char *const *words = option_words(id);
  if (info->form != FORM_JOINED)
    fprintf(out, "%s%s ", info->spelling, info->form == FORM_EQUALS ? "=" : "");
  for (size_t i = 0; info->form == FORM_JOINED && words && words[i]; i++)
    fprintf(out, "%s%s ", info->spelling, words[i]);
}

// Those of a command alone, or, of 'compile', those of all.
static void put_spellings(Command command, FILE *out) {
  for (int i = 0; i < OPT_COUNT; i++) {
    GroupId group = option_infos[i].group;
    Command owner = group == GROUP_TEST    ? COMMAND_TEST
                    : group == GROUP_BENCH ? COMMAND_BENCH
                                           : COMMAND_COMPILE;
    if (owner == command && !option_infos[i].is_alias) put_spelling((OptionId)i, out);
  }
}

// The case of an option in which the words behind it are known; the words are still to come.
static void begin_case(const char *options, FILE *out) {
  fprintf(out, "    %s) values='", options);
}

static void end_case(FILE *out) { fputs("' ;;\n", out); }

static void put_known_values(FILE *out) {
  for (int i = 0; i < OPT_COUNT; i++) {
    const char *const *words = option_words((OptionId)i);
    if (!words || option_infos[i].form == FORM_JOINED) continue;
    begin_case(option_infos[i].spelling, out);
    for (; *words; words++) fprintf(out, "%s ", *words);
    end_case(out);
  }
}

static void put_targets(Arena *arena, FILE *out) {
  begin_case("--tpu", out);
  size_t count;
  const Chip *chips = chip_table(&count);
  for (size_t i = 0; i < count; i++) fprintf(out, "%s ", chips[i].name);
  end_case(out);
  begin_case("--target-cpu", out);
  Str cpus = codegen_cpu_names(arena);
  for (size_t i = 0; i < cpus.len; i++)
    if (cpus.data[i] != ',') fputc(cpus.data[i], out);
  end_case(out);
}

// Bash takes --tpu=v5p for three words.
static void put_values(Arena *arena, FILE *out) {
  fputs("  local option=${COMP_WORDS[COMP_CWORD-1]} values\n"
        "  [ \"$option\" != = ] || option=${COMP_WORDS[COMP_CWORD-2]}\n"
        "  [ \"$word\" != = ] || word=\n"
        "  case $option in\n",
        out);
  put_targets(arena, out);
  put_known_values(out);
  begin_case("--stop-after | --print-after | --run-pass", out);
  for (int i = 0; i < PASS_COUNT; i++) fprintf(out, "%s ", pass_name((PassId)i));
  end_case(out);
  begin_case("-Werror | -Wno-error", out);
  put_words(out, COUNT_OF(warnings), warnings);
  end_case(out);
  begin_case("help | --help", out);
  for (size_t i = 0; help_topics[i]; i++) fprintf(out, "%s ", help_topics[i]);
  end_case(out);
  fputs("  esac\n"
        "  if [ -n \"$values\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
        "    return\n"
        "  fi\n",
        out);
}

// The commands, options and their values; behind all others, files.
void completion_print(Arena *arena, FILE *out) {
  fputs("# Completion of pallasc for bash, made by 'pallasc --help=bash'.\n"
        "_pallasc() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} words='",
        out);
  put_spellings(COMMAND_COMPILE, out);
  fputs("-Wall -Werror ", out);
  for (size_t i = 0; i < COUNT_OF(warnings); i++)
    fprintf(out, "-W%s -Wno-%s ", warnings[i], warnings[i]);
  fputs("'\n  case ${COMP_WORDS[1]} in\n    test) words+='", out);
  put_spellings(COMMAND_TEST, out);
  fputs("' ;;\n    bench) words+='", out);
  put_spellings(COMMAND_BENCH, out);
  fputs("' ;;\n  esac\n", out);
  put_values(arena, out);
  fputs("  if [ \"$COMP_CWORD\" -eq 1 ] && [ \"${word#-}\" = \"$word\" ]; then\n"
        "    COMPREPLY=($(compgen -f -W '",
        out);
  put_words(out, COMMAND_COUNT + 1, command_names);
  fputs("' -- \"$word\"))\n"
        "  elif [ \"${word#-}\" != \"$word\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "    [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
        "  else\n"
        "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "  fi\n"
        "}\n"
        "complete -o filenames -F _pallasc pallasc\n",
        out);
}
