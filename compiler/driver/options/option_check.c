// SPDX-License-Identifier: Apache-2.0
// Whether the options of a command line, and its files, fit together.
#include <string.h>
#include <unistd.h>
#include "driver/output/path.h"
#include "option_parser.h"

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
  static const struct {
    const char *ending, *option;
  } others[] = {{".so", "'-shared' makes a library"},
                {".s", "'-S' makes assembly"},
                {".ll", "'--emit=llvm' writes LLVM's IR"},
                {".a", "'ar rcs' makes an archive of objects"}};
  for (size_t i = 0; i < COUNT_OF(others) && o->kind == OUTPUT_OBJECT && !o->kind_given; i++)
    if (str_ends_with(path, str_from_c(others[i].ending)) && o->warning_on[WARN_HINT])
      diag_warning(p->session, WARN_HINT, (Span){0}, "'%.*s' becomes a relocatable object; %s",
                   STR_FMT(path), others[i].option);
  return true;
}

static bool check_depfile(Parser *p) {
  const Options *o = p->out;
  bool has_target = o->depfile_target.len > 0;
  if (!o->depfile && !o->depfile_path.len && (has_target || o->depfile_phony))
    return usage(p, "'%s' is about the dependency file that '-MD' asks for",
                 has_target ? "-MT" : "-MP");
  if (o->inputs.count < 2 || !(o->depfile_path.len || has_target)) return true;
  return usage(p, "'%s' is for one output, but there are several input files: '%.*s', '%.*s'%s",
               o->depfile_path.len ? "-MF" : "-MT", STR_FMT(o->inputs.items[0]),
               STR_FMT(o->inputs.items[1]), o->inputs.count > 2 ? ", …" : "");
}

static bool check_compile(Parser *p) {
  const Options *o = p->out;
  if (!keep_only(p)) return false;
  bool several = o->inputs.count > 1;
  for (size_t i = 0; i < o->inputs.count; i++)
    if (str_equal(o->inputs.items[i], STR("=")))
      return usage(p, "'=' stands by itself; '-D' takes NAME=VALUE in one word");
  if (o->from_ir.len && o->inputs.count)
    return usage(p, "'--from-ir' takes the place of the source '%.*s'",
                 STR_FMT(o->inputs.items[0]));
  if (!o->from_ir.len && o->inputs.count == 0) return no_input(p);
  if (o->threads)
    return usage(p, "'--threads' is for 'run', 'check', 'test' and 'bench'; programs have "
                    "PRT_THREADS");
  if (o->seed_given) return usage(p, "'--seed' is for 'run', 'check' and 'bench'");
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
    return usage(
        p,
        "'-o' names one output, but there are several input files: '%.*s', '%.*s'%s; without "
        "it each gets an object of its own name, '-shared' makes one library of them",
        STR_FMT(o->inputs.items[0]), STR_FMT(o->inputs.items[1]), o->inputs.count > 2 ? ", …" : "");
  if (several && o->header.len && o->kind != OUTPUT_SHARED)
    return usage(p, "'-h' names one header, but there are several input files: '%.*s', '%.*s'%s",
                 STR_FMT(o->inputs.items[0]), STR_FMT(o->inputs.items[1]),
                 o->inputs.count > 2 ? ", …" : "");
  if (!check_depfile(p)) return false;
  if (o->header.len && o->apart)
    return usage(p, "'-h' is about whole arrays; '--apart' cannot be used with it");
  if (o->header.len && output_is_text(o->kind))
    return usage(p, "'-h' needs an output that has entry points: an object, assembly or a library");
  bool to_stdout = o->to_stdout || o->stop_after != PASS_COUNT || o->run_pass != PASS_COUNT,
       has_name = o->outputs.count > 0 || to_stdout,
       has_text = o->stop_after != PASS_COUNT || o->run_pass != PASS_COUNT;
  bool shows_object = to_stdout && o->kind == OUTPUT_OBJECT && o->kind_given && !o->outputs.count;
  if (shows_object && several)
    return usage(p, "'--emit=obj' writes one object to standard output, but there are several "
                    "input files; '-c' writes a file for each");
  bool is_dash = o->outputs.count && str_equal(o->outputs.items[0], STR("-"));
  if ((shows_object || (is_dash && o->kind == OUTPUT_OBJECT && !has_text)) && !p->session->piped &&
      isatty(STDOUT_FILENO))
    return usage(p,
                 "'%s' writes an object to standard output, which is a terminal; '-o' names a "
                 "file",
                 is_dash ? "-o -" : "--emit=obj");
  for (size_t i = 0; i < o->inputs.count && !has_name; i++)
    if (path_is_stdout(o->inputs.items[i]) || path_is_stream(p->session->arena, o->inputs.items[i]))
      return usage(p, "'-o' is needed when the source comes from standard input or a pipe");
  if (o->outputs.count && !check_output_name(p, o->outputs.items[0])) return false;
  return has_name || o->kind == OUTPUT_SHARED || check_stems(p);
}

static bool check_schedules(Parser *p) {
  const Options *o = p->out;
  if (o->seeds && o->command != COMMAND_CHECK) return usage(p, "'--seeds' is for 'check'");
  if (o->max_turns != MAX_TURNS && o->command != COMMAND_CHECK && !o->check)
    return usage(p, "'--max-turns' needs '--check'");
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
  if (o->header.len || o->depfile || o->depfile_path.len || o->depfile_target.len ||
      o->depfile_phony)
    return usage(p,
                 "'%s' writes no header and no dependency file; 'pallasc %s --help' shows what it "
                 "takes",
                 name, name);
  if (o->inputs.count == 0 && o->command != COMMAND_TEST)
    return usage(p, "'%s' needs a file; 'pallasc %s --help' shows how to call it", name, name);
  if (o->apart) return usage(p, "'%s' calls functions with whole arrays, not '--apart'", name);
  if (o->tsan)
    return usage(p, "'-fsanitize=thread' makes objects; it cannot be used with '%s'", name);
  if (o->kind_given && o->kind == OUTPUT_OBJECT)
    return usage(
        p,
        "'-c' and '--emit=obj' make objects, '%s' makes none; a program as text is standard input: "
        "echo 'print(1)' | pallasc %s -",
        name, name);
  if (o->kind_given)
    return usage(p,
                 "'%s' makes no output of a kind; without the word a file's functions are "
                 "compiled, and '--emit=KIND' shows them",
                 name);
  if (o->stop_after != PASS_COUNT || o->run_pass != PASS_COUNT)
    return usage(
        p, "'%s' runs what all passes make: '--stop-after' and '--run-pass' cannot be used", name);
  return check_schedules(p);
}

bool option_check(Parser *p) {
  return p->out->command == COMMAND_COMPILE ? check_compile(p) : check_run(p);
}
