// SPDX-License-Identifier: Apache-2.0
// The command line, parsed. options.def is the table of options.
#pragma once
#include "base/session.h"
#include "codegen/codegen.h"
#include "passes/pass.h"
#include "jax/array/array.h"

// The exit statuses of every command.
enum {
  STATUS_DONE = 0,
  STATUS_FAULT = 1,
  STATUS_USAGE = 2,
  STATUS_TEST_USAGE = 4, // of test, as pytest's
  STATUS_MACHINE = 3,
  STATUS_STOPPED = 130 // by SIGINT, which the process then ends by
};

typedef enum Command {
  COMMAND_COMPILE,
  COMMAND_RUN,
  COMMAND_CHECK,
  COMMAND_TEST,
  COMMAND_BENCH,
  COMMAND_COUNT
} Command;

// The groups of options.def.
typedef enum GroupId {
#define GROUP(id, title) GROUP_##id,
#include "options.def"
  GROUP_COUNT
} GroupId;

// First those that --emit has words for, in their order (options.def): code, then texts that come
// before it.
typedef enum OutputKind {
  OUTPUT_OBJECT,
  OUTPUT_ASM,
  OUTPUT_LLVM,
  OUTPUT_TOKENS,
  OUTPUT_AST,
  OUTPUT_TRACE,
  OUTPUT_SCHEDULE,
  OUTPUT_IR,
  OUTPUT_PLAN,
  OUTPUT_SHARED,
  OUTPUT_CODE // an object for this process alone (code.c); no option asks for it
} OutputKind;
static inline bool output_is_text(OutputKind kind) {
  return kind >= OUTPUT_TOKENS && kind <= OUTPUT_PLAN;
}

// What a source is written in: source_kind.def.
typedef enum SourceKind {
#define SOURCE_KIND(id, name, endings, text) SOURCE_##id,
#include "driver/compile/source_kind.def"
  SOURCE_KIND_COUNT // by its ending
} SourceKind;

typedef struct StrList {
  Str *items;
  size_t count, capacity;
} StrList;

typedef struct Options {
  Command command;
  StrList inputs; // compile: the sources; run, check: the source, then its arguments; test: files
                  // and folders
  size_t inputs_before_dashes; // how many of them stand before --
  SourceText program;          // of run -m: its only input; else empty
  StrList sources;             // compile: all that were named; with --only, inputs are fewer
  Str only;
  Str from_ir; // the IR to start from, or empty
  SourceKind source_kind;
  OutputKind kind;
  bool kind_given, to_stdout, quiet; // to_stdout: --emit, unless there is a -o
  StrList outputs;                   // -o
  Str header;
  bool depfile, depfile_phony;
  Str depfile_path, depfile_target; // or empty
  StrList entries, define_names, define_values,
      include_dirs;     // the last with PALLASC_PATH behind -I
  size_t folders_given; // of include_dirs, by -I
  Str third_party;      // the folder of stand-ins for packages of others; empty if it was not found
  Str site_packages;    // of the active virtual environment; empty: there is none
  Str tpu, target_cpu, deadlock_dot, transport;
  bool shards;            // arrays of calls are in files of their ranks
  Str cache;              // a folder, or empty
  size_t cache_size;      // bytes, at most
  Str schedule;           // of the calls, or of the one of that number; empty: as check does
  uint64_t schedule_call; // 0: of all
  uint64_t seeds;         // how many schedules check tries besides; 0: none
  int jobs;               // processes for that, or files at a time of test; 0: not given
  StrList test_words;     // options of test, for its runner
  StrList test_ignored;   // files and folders that test leaves out
  Str test_junit;         // the file that it writes, or empty
  uint64_t test_maxfail;  // 0: all are run
  Str sweep_name;         // bench: of a size in its arguments; empty: none
  int64_t sweep_first, sweep_last, sweep_step; // a step of 0: each is twice the one before
  Str svg;                                     // bench: the file of the plot, or empty
  bool json;                                   // bench: what is printed is JSON
  bool time_passes, times_as_json;
  int devices; // 0: not given
  int opt_level, threads;
  bool tiers; // a run need not compile at that level what computes next to nothing
  bool seed_given, tpu_given;
  bool faults; // signals are lost in them, or come twice
  bool debug_info, check, tsan, matmul_tpu, strict_tpu, report, perf_map, nan, support, numerics,
      apart;
  bool judged; // the program is a runner of tests: it says what was at fault
  bool warning_on[WARN_COUNT], warning_is_error[WARN_COUNT];
  ErrorFormat error_format;
  WhenColor color;
  size_t max_errors, memory_limit;
  uint64_t max_steps, max_turns, seed;
  uint64_t test_durations;                      // how many are reported: UINT64_MAX for all
  bool test_hides_none;                         // short ones, too
  bool test_lists;                              // nothing is run
  bool test_forgets;                            // nothing is left to the next run
  bool test_hides_summary, test_hides_warnings; // at the end
  bool test_names_modules;                      // inputs need not be files
  bool test_asks;                               // the runner says which files, before any is run
  int max_depth;
  PassId stop_after, run_pass; // PASS_COUNT: none
  bool print_after[PASS_COUNT];
} Options;

// Parses the arguments (argv[0] left out) into *out, whose memory is the session's. True: go on.
// False: *status is the exit status; help or version were printed, or diagnostics given.
bool options_parse(Session *session, size_t count, const char *const *args, Options *out,
                   int *status);

// ---- defaults.c --------------------------------------------------------------------------------
size_t defaults_memory_limit(Command command);       // in bytes
const char *defaults_environment(const char *name);  // "" if it is not set
void defaults_add_path(Arena *arena, StrList *dirs); // those of PALLASC_PATH
Str defaults_third_party(Session *session);          // the folder of stand-ins; empty: not found
Str defaults_site_packages(Session *session);        // $VIRTUAL_ENV's; empty: there is none

// ---- foreign_options.c -------------------------------------------------------------------------
// Of an option of pytest, or of compilers of C, that is not here what there is in its place; NULL:
// it is not one.
const char *pytest_hint(Str name);
const char *compiler_hint(Str name);
// Whether the value of -p turns off a plugin that there is not: no:cacheprovider.
bool pytest_lacks_plugin(Str value);

// ---- response.c --------------------------------------------------------------------------------
// The words of a text as those of a response file, without @FILE.
void response_words(Arena *arena, Str text, StrList *out);

// @FILE arguments are replaced by the words of the file. The exit status: STATUS_DONE, or after a
// diagnostic another one.
int response_expand(Session *session, size_t count, const char *const *args, StrList *out);

// ---- help.c ------------------------------------------------------------------------------------
void help_print(FILE *out);
// Help on an option, or on one of the lists. False after a diagnostic.
bool help_topic(Session *session, Str topic, FILE *out);
void help_version(Arena *arena, FILE *out);
