// SPDX-License-Identifier: Apache-2.0
// One run of the command line: options, then one session an input.
#include "driver/bench/bench.h"
#include "driver/compile/compile.h"
#include "driver/output/link.h"
#include "driver/output/output.h"
#include "driver/run/jit_backend.h"
#include "driver/run/program.h"
#include "invocation.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "driver/progress/progress.h"

typedef struct Run {
  const Invocation *invocation;
  Options options;
  ProgressBar bar;
  Times times;
  int status;
} Run;

static void prepare(Session *session, const Invocation *invocation) {
  session->texts = invocation->texts;
  session->text_count = invocation->text_count;
  if (invocation->out) session->out = invocation->out;
  if (invocation->diag_out) session->diag_out = invocation->diag_out;
  session->piped = invocation->piped;
  session->diag_json = invocation->diag_json;
}

static void apply_options(Session *session, const Options *o) {
  if (o->program.path.len) {
    session->texts = &o->program;
    session->text_count = 1;
  }
  memcpy(session->warning_on, o->warning_on, sizeof session->warning_on);
  memcpy(session->warning_is_error, o->warning_is_error, sizeof session->warning_is_error);
  session->error_format = o->error_format;
  session->color = o->color;
  session->max_errors = o->max_errors;
}

// A mistyped folder of -I is noticed here, and not where an import misses it.
static void warn_of_missing_folders(Session *session, const Options *o) {
  for (size_t i = 0; i < o->folders_given; i++) {
    struct stat status;
    bool is_there = stat(o->include_dirs.items[i].data, &status) == 0;
    if (!is_there || !S_ISDIR(status.st_mode))
      diag_warning(session, WARN_HINT, (Span){0}, "-I %.*s: %s", STR_FMT(o->include_dirs.items[i]),
                   strerror(is_there ? ENOTDIR : errno));
  }
}

static int work_of(Session *session, Run *run) {
  const Options *o = &run->options;
  apply_options(session, o);
  if (run->bar.input == 0) warn_of_missing_folders(session, o);
  session->progress = (Progress){progress_step, &run->bar};
  if (o->support) return support_run(session, o);
  if (o->command == COMMAND_TEST) return tests_run(session, o);
  if (o->command == COMMAND_BENCH) return bench_run(session, o);
  ProgramCounts counts;
  if (o->command != COMMAND_COMPILE) return program_run(session, o, &counts);
  if (o->kind == OUTPUT_SHARED) return compile_shared(session, o);
  Made made = {0};
  int status = compile_input(session, o, run->bar.input, &made);
  if (!status && run->invocation->take) run->invocation->take(run->invocation->data, &made);
  return status;
}

static int work(Session *session, void *data) {
  int status = work_of(session, data);
  return output_flush(session) ? status : STATUS_MACHINE;
}

static int out_of_memory(const Invocation *invocation, size_t limit) {
  FILE *out = invocation->diag_out ? invocation->diag_out : stderr;
  fputs("pallasc: error: out of memory", out);
  if (limit) fprintf(out, " (--memory-limit is %zu B)", limit);
  fputc('\n', out);
  return STATUS_MACHINE;
}

static int work_in_session(Run *run) {
  Session *session = session_new(run->options.memory_limit);
  if (!session) return out_of_memory(run->invocation, run->options.memory_limit);
  prepare(session, run->invocation);
  int status = session_run(session, work, run);
  progress_wipe(&run->bar);
  diag_flush(session);
  session_free(session);
  return status;
}

static void work_on_all(Run *run) {
  const Options *o = &run->options;
  bool each = o->command == COMMAND_COMPILE && o->kind != OUTPUT_SHARED && o->inputs.count > 1;
  progress_begin(&run->bar, o);
  times_begin(&run->times);
  if (o->time_passes) run->bar.times = &run->times;
  run->bar.inputs = each ? o->inputs.count : 1;
  for (size_t i = 0; i < run->bar.inputs; i++) {
    run->bar.input = i;
    int status = work_in_session(run);
    if (status > run->status) run->status = status;
  }
  progress_end(&run->bar);
  FILE *out = run->invocation->diag_out ? run->invocation->diag_out : stderr;
  if (o->time_passes)
    times_end(&run->times, o->times_as_json || o->error_format == FORMAT_JSON, out);
}

// Code that is loaded is of one source, and all of what is made.
static bool ask_for_code(Session *session, Options *o) {
  if (o->command == COMMAND_COMPILE && !o->kind_given && o->outputs.count == 0 && !o->header.len &&
      !o->depfile && o->stop_after == PASS_COUNT && o->run_pass == PASS_COUNT && !o->tsan &&
      input_count(o) == 1) {
    o->kind = OUTPUT_CODE;
    return true;
  }
  diag_error(session, (Span){0},
             "code that is loaded is of one source, and the only output: options that ask for "
             "others cannot be used");
  return false;
}

static int parse(Session *session, void *data) {
  Run *run = data;
  const Invocation *invocation = run->invocation;
  bool go_on =
      options_parse(session, invocation->count, invocation->args, &run->options, &run->status);
  if (invocation->diag_out) run->options.quiet = true;
  if (go_on && invocation->wants_code && !ask_for_code(session, &run->options)) {
    run->status = STATUS_USAGE;
    go_on = false;
  }
  if (go_on && run->options.perf_map && run->options.command == COMMAND_COMPILE &&
      !invocation->wants_code) {
    diag_error(session, (Span){0},
               "'--perf-map' is of code that runs in this process; an object has its symbols");
    run->status = STATUS_USAGE;
    go_on = false;
  }
  if (!go_on && !output_flush(session)) run->status = STATUS_MACHINE; // help, a version
  diag_flush(session);
  if (go_on) work_on_all(run);
  return run->status;
}

int invocation_run(const Invocation *invocation) {
  Session *session = session_new(0);
  if (!session) return out_of_memory(invocation, 0);
  prepare(session, invocation);
  Run run = {.invocation = invocation};
  int status = session_run(session, parse, &run);
  session_free(session);
  return status;
}
