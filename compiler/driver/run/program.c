// SPDX-License-Identifier: Apache-2.0
// pallasc run and pallasc check.
#include "base/unicode.h"
#include "base/plural.h"
#include "driver/compile/compile.h"
#include "driver/compile/source_open.h"
#include "driver/compile/stage_options.h"
#include "driver/output/interrupt.h"
#include "python/stdlib/program/std_signal.h"
#include "driver/output/output.h"
#include "driver/progress/progress.h"
#include "program.h"
#include <string.h>
#include <unistd.h>
#include "jax/jax.h"
#include "jax/import/jaxpr_eval.h"
#include "jax/program/eager.h"
#include "jax/program/entry.h"
#include "numpy/numpy.h"
#include "python/eval.h"
#include "python/modules/import.h"
#include "python/objects/value_call.h"
#include "python/modules/module.h"

// A name, or the path to a function of a class: C.m. No file's name with its ending.
static bool is_path_of_names(Str s) {
  if (str_ends_with(s, STR(".py")) || str_ends_with(s, STR(".pk"))) return false;
  for (const char *dot; (dot = memchr(s.data, '.', s.len));) {
    size_t length = (size_t)(dot - s.data);
    if (!unicode_is_identifier((Str){s.data, length})) return false;
    s = (Str){dot + 1, s.len - length - 1};
  }
  return unicode_is_identifier(s);
}

// FILE[:NAME…]; a colon may also belong to the file's name.
Target target_split(Session *session, Str text) {
  Target target = {.path = text};
  while (access(str_copy(session->arena, target.path).data, F_OK) != 0) {
    size_t colon = target.path.len;
    while (colon > 0 && target.path.data[colon - 1] != ':') colon--;
    if (colon < 2) break;
    Str name = {target.path.data + colon, target.path.len - colon};
    if (!is_path_of_names(name)) break;
    VEC_PUSH(session->arena, &target.functions, name);
    target.path.len = colon - 1;
  }
  for (size_t i = 0; i < target.functions.count / 2; i++) { // they came last first
    Str *a = &target.functions.items[i],
        *b = &target.functions.items[target.functions.count - 1 - i], swap = *a;
    *a = *b;
    *b = swap;
  }
  return target;
}

static bool usage(Session *session, const char *message) {
  diag_error(session, (Span){0}, "%s", message);
  return false;
}

static bool fits_together(Session *session, const Options *o, const Target *target) {
  if (str_ends_with(target->path, STR(":")))
    return usage(session, "the function behind the colon is missing: FILE:FUNCTION");
  size_t arguments = o->inputs.count - 1;
  if (target->functions.count == 0 && arguments && o->inputs_before_dashes != 1) {
    const char *command = o->command == COMMAND_RUN ? "run" : "check";
    diag_error(session, (Span){0},
               "arguments are for a function, as in 'pallasc %s %.*s:FUNCTION %.*s'; those of the "
               "program itself stand behind --, as in 'pallasc %s %.*s -- %.*s'",
               command, STR_FMT(target->path), STR_FMT(o->inputs.items[1]), command,
               STR_FMT(target->path), STR_FMT(o->inputs.items[1]));
    return false;
  }
  if (target->functions.count == 0 && o->outputs.count)
    return usage(session, "'-o' is for the results of a function: FILE:FUNCTION");
  if (target->functions.count == 0 && o->shards)
    return usage(session, "'--shards' is for the arrays of a function: FILE:FUNCTION");
  if (o->command == COMMAND_RUN && target->functions.count > 1)
    return usage(session, "'run' calls one function");
  if (o->command == COMMAND_CHECK && o->outputs.count && !arguments)
    return usage(session, "'-o' is for the results of a call on arrays that are given");
  if (target->functions.count > 1 && arguments)
    return usage(session, "arguments are for one function");
  if (target->functions.count == 0 && o->entries.count && o->command == COMMAND_RUN)
    return usage(session, "'--entry' cannot be used with 'run'");
  return true;
}

static void flush_pending(Eval *ev, void *unused UNUSED) { eager_flush(ev); }

// Calls what the program has left to atexit.
static void call_at_exit(Eval *ev, void *unused UNUSED) {
  ModuleObject *module = import_known(ev, STR("atexit"));
  if (!module) return;
  Value run = module_getattr(ev, module, name_intern_c(ev->session->interner, "_run_exitfuncs"));
  value_call_n(ev, run, 0, NULL);
  eager_flush(ev);
}

// What the module's own statements and the calls of its functions give.
static int run_module(Session *session, const Options *o, const Target *target, Eval *ev,
                      JitBackend *jit, Module *module) {
  session_progress(session, PROGRESS_EVALUATING, 0, 0, o->inputs.items[0]);
  bool good = eval_main(ev, module) && eval_protect(ev, flush_pending, NULL);
  if (ev->has_exited) return ev->exit_status; // the program's own
  if (!good) {
    entry_help_annotations(session, module);
    return STATUS_FAULT;
  }
  size_t arguments = o->inputs.count - 1;
  int status = STATUS_DONE;
  if (target->functions.count == 0) {
    bool checks = o->command == COMMAND_CHECK;
    if (checks) status = call_entries(session, o, ev, jit, STR(""));
    if (!status && !jit_backend_has_run(jit))
      hint_nothing_run(session, module, checks ? "checked" : "run");
    return status;
  }
  for (size_t i = 0; i < target->functions.count && status == STATUS_DONE; i++) {
    Str name = target->functions.items[i];
    bool made_up = o->command == COMMAND_CHECK && arguments == 0;
    status = made_up ? call_entries(session, o, ev, jit, name)
                     : call_function(session, o, ev, jit, name, arguments, o->inputs.items + 1);
  }
  return status;
}

static int run_in_job(Session *session, const Options *o, JitBackend *jit) {
  Target target = target_split(session, o->inputs.items[0]);
  if (!fits_together(session, o, &target)) return STATUS_USAGE;
  if (source_kind(o, target.path) != SOURCE_PK) {
    diag_error(session, (Span){0}, "'%s' takes a program in Python, and '%.*s' is kernel IR",
               o->command == COMMAND_CHECK ? "check" : "run", STR_FMT(target.path));
    return STATUS_USAGE;
  }
  if (o->deadlock_dot.len && !output_can_be(session, o->deadlock_dot)) return STATUS_MACHINE;
  session_progress(session, "reading", 0, 0, target.path);
  SourceFile *file = source_open(session, target.path);
  if (!file) return STATUS_MACHINE;
  const JaxprProgram *jaxpr;
  Module *module = source_parse(session, file, &jaxpr);
  if (session->error_count) return STATUS_FAULT;
  EvalOptions options = eval_options(o, target.functions.count == 0);
  if (options.run) {
    options.program_args = o->inputs.items + 1;
    options.program_arg_count = o->inputs.count - 1;
  }
  // Over ranks, what check knows of memory is kept by address on others: none is given to another
  // array.
  int ranks;
  jit_backend_rank(jit, &ranks);
  if (!o->check || ranks == 1) options.stack_end = __builtin_frame_address(0);
  Eval *ev = eval_new(session, &options);
  numpy_init(ev);
  jax_init(ev);
  if (jaxpr) jaxpr_define(ev, jaxpr);
  eager_set_backend(ev, jit_backend_run(jit));
  jit_backend_watch_arena(jit, ev->arena);
  InterruptWatch watch;
  interrupt_watch(&watch, ev, jit_backend_interrupt, jit);
  int status = run_module(session, o, &target, ev, jit, module);
  if (!ev->was_stopped) eval_protect(ev, call_at_exit, NULL);
  interrupt_unwatch(&watch);
  signals_fini(ev);
  if (ev->was_stopped) return STATUS_STOPPED;
  if (status == STATUS_DONE) jit_backend_finish(jit);
  int ran = jit_backend_status(jit);
  if (ran > status) status = ran;
  return status;
}

// Rank 0 alone prints, and writes what is not in shards: the others run the same program, and would
// say the same.
static void be_silent(Session *session, Options *o) {
  FILE *nowhere = fopen("/dev/null", "w"); // as long as the session, which may yet print
  if (!nowhere) return;
  session->out = session->diag_out = nowhere;
  o->quiet = true;
  if (!o->shards) o->outputs.count = 0;
}

// Silence would not say whether anything was checked.
static void report_counts(Session *session, const Options *o, const ProgramCounts *counts) {
  if (o->command != COMMAND_CHECK || o->quiet || o->judged || !counts->calls ||
      o->error_format != FORMAT_HUMAN || !isatty(fileno(session->diag_out)))
    return;
  fflush(session->out);
  session_progress(session, PROGRESS_EVALUATING, 0, 0, STR(""));
  fprintf(session->diag_out, "pallasc: checked %llu call%s in %llu schedule%s: nothing found\n",
          (unsigned long long)counts->calls, PLURAL(counts->calls),
          (unsigned long long)counts->schedules, PLURAL(counts->schedules));
}

int program_run(Session *session, const Options *given, ProgramCounts *counts) {
  Options own = *given, *o = &own;
  JitBackend *jit = jit_backend_new(session, o);
  int rank = jit_backend_join(jit);
  if (rank < 0) {
    jit_backend_free(jit);
    return -rank;
  }
  if (rank > 0) be_silent(session, o);
  int status = run_in_job(session, o, jit);
  diag_flush(session); // the first process of a job to fail may end the others
  *counts = jit_backend_counts(jit);
  if (!status && !session->error_count) report_counts(session, o, counts);
  if (!status) status = status_of(session);
  jit_backend_ending(jit, status);
  jit_backend_free(jit);
  if (status == STATUS_STOPPED) interrupt_end();
  return status;
}
