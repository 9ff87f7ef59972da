// SPDX-License-Identifier: Apache-2.0
// The parts of the driver. The compiler is a library; what is here is the command line, files and
// the order of things.
#pragma once
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>
#include "ir/core/ir.h"
#include "jax/program/eager.h"
#include "jax/program/entry.h"
#include "options/options.h"
#include "ir/analysis/cost.h"
#include "prt.h"
#include "prt_npy.h"

typedef struct Outputs Outputs;
typedef struct JitBackend JitBackend;

// ---- stage_options.c: what the command line says to each stage ----------------------------------
EvalOptions eval_options(const Options *options, bool run);
PassOptions pass_options(const Session *session, const Options *options);
CodegenOptions codegen_options(const Options *options);
// What --matmul-precision says, put on every product of a module; only then is it lowered.
void lower_precision(const Options *options, IrModule *module);
// Before and behind the passes and the code of a module: what is made of it is recorded, if the
// options ask for that; then warned of, and reported.
void report_begin(Session *session, const Options *options);
void report_end(Session *session, const Options *options);
// 1 if errors were given, else 0.
int status_of(const Session *session);

// ---- compile.c: the whole way of one source -----------------------------------------------------
// What comes out of a source: a text, and for objects what the header is made from.
typedef struct MadeEntry {
  Name name; // of the C function
  Span span; // of the Python one
} MadeEntry;
typedef struct Made {
  Str text;
  const char *ending; // of the default output's name; NULL: standard output
  Str header;
  VEC(MadeEntry) entries; // of code
  VEC(IrCost) costs;      // of each of them, as the source asks for it
  CodegenOptions codegen; // how it was made
} Made;
// The source that is compiled as number `which`, and how many there are.
Str input_path(const Options *options, size_t which);
size_t input_count(const Options *options);
// What a source is written in: as -x says, else by its ending.
SourceKind source_kind(const Options *options, Str path);
// Compiles input `which` of the options. The exit status; diagnostics are in the session.
int compile_text(Session *session, const Options *options, size_t which, Made *made);
// And writes what comes out.
int compile_input(Session *session, const Options *options, size_t which, Made *made);
// The tree of a source: of Python, or of what calls a jaxpr (.jaxpr), which then is to be defined.
// NULL after diagnostics.
typedef struct JaxprProgram JaxprProgram;
Module *source_parse(Session *session, SourceFile *file, const JaxprProgram **jaxpr);

// ---- entry_files.c ------------------------------------------------------------------------------
// Those of --entry that belong to the source of this path. False after a diagnostic.
bool entry_files_requests(Session *session, const Options *options, Str source, EntryRequest **out,
                          size_t *count);
// Of each -D: whether another source assigns the name, or tells that none does. NULL: of none.
const bool *entry_files_defines(Session *session, const Options *options, Str source);

// ---- program.c: run and check -------------------------------------------------------------------
// What was called, and in how many schedules in all.
typedef struct ProgramCounts {
  uint64_t calls, schedules;
} ProgramCounts;
int program_run(Session *session, const Options *options, ProgramCounts *counts);
// ---- support.c: check --support -----------------------------------------------------------------
// Tells for each chip whether it takes the program's kernels. The exit status: STATUS_FAULT if none
// does.
int support_run(Session *session, const Options *options);
// What run, check and bench are given: FILE[:NAME…].
typedef struct Target {
  Str path;
  StrList functions; // behind the colons
} Target;
Target target_split(Session *session, Str text);

// ---- test.c: pallasc test -----------------------------------------------------------------------
// Runs the tests of the files and folders that are the inputs, each file in a process of its own,
// by the runner of the stand-in for pytest; prints what it prints, and one account of all. The exit
// status.
int tests_run(Session *session, const Options *options);

// ---- nothing_run.c ------------------------------------------------------------------------------
// Warns (-Whint) if the module defines functions and calls none, and says how to call them. verb:
// "run" or "checked", what was not done.
void hint_nothing_run(Session *session, const Module *module, const char *verb);

// ---- program_call.c -----------------------------------------------------------------------------
// Calls one function of a file on .npy files and values (`arguments`); results go to the files of
// -o, or are printed.
int call_function(Session *session, const Options *options, Eval *ev, JitBackend *jit, Str function,
                  size_t count, const Str *arguments);
// Calls every annotated function, or the one of that name, on made-up inputs (check).
int call_entries(Session *session, const Options *options, Eval *ev, JitBackend *jit, Str function);

// ---- made_up.c ----------------------------------------------------------------------------------
prt_dtype runtime_dtype(DType dtype);
DType compiler_dtype(prt_dtype dtype);
// Floats in [-1, 1), small integers that are good as indices, booleans; the same for the same
// *state, which goes on. PRT_ERROR_ARGUMENT or PRT_ERROR_MEMORY as prt_array_new. The array is the
// caller's.
prt_status made_up_array(DType dtype, int rank, const int64_t *dims, uint64_t *state,
                         prt_array *out);

// ---- bench.c: pallasc bench ---------------------------------------------------------------------
// Times an entry point on made-up arrays. The exit status.
int bench_run(Session *session, const Options *options);

// ---- bench_limits.c: what this machine can do ---------------------------------------------------
typedef struct BenchLimits {
  double bytes; // a second, read and written, of arrays that are larger than caches
  double flops; // a second, of f32 multiply-adds in registers, each counted as two
} BenchLimits;
// Measures for some tenths of a second on so many threads at once, 256 at the most; 0 of what could
// not be measured.
BenchLimits bench_limits(int threads);

// ---- bench_plot.c -------------------------------------------------------------------------------
typedef struct BenchPoint {
  int64_t size;
  double value;
} BenchPoint;
// A curve over sizes (increasing, their logarithm across), as SVG. limit: a line across, or 0.
Str bench_plot(Arena *arena, Str title, Str size_name, const char *unit, size_t count,
               const BenchPoint *points, double limit);

// ---- findings.c: what checks find, as diagnostics -----------------------------------------------
typedef enum FindingsMode {
  FINDINGS_TOLD,  // of a call, for the first time
  FINDINGS_AGAIN, // of the same call in another schedule
  FINDINGS_TRIED  // of a schedule that is only tried: nothing is reported
} FindingsMode;
typedef struct Findings {
  Session *session;
  Map *known; // what was reported
  FindingsMode mode;
  Name first;            // that is news, since it was set to NULL
  Str repeat;            // the schedule that is to be named with what it finds, or empty
  const prt_site *fault; // and the signal that was changed, with how
  const char *fault_how;
} Findings;
void findings_init(Findings *findings, Session *session);
void findings_take(Findings *findings, const prt_finding *finding);
// What is found from here on is reported even if it was reported before.
void findings_forget(Findings *findings);
// A finding as a diagnostic; NULL if there are too many errors.
Diag *findings_tell(Session *session, const prt_finding *finding);
// An error: what the runtime's last failure was, at its own place, or at `place` if it has none.
Diag *findings_tell_failure(Session *session, Span place);
// Adds how the run is repeated, if that is to be reported.
void findings_note_schedule(const Findings *findings, Diag *diag);

// ---- explore.c: one call in several schedules ---------------------------------------------------
typedef struct Explorer {
  Session *session;
  const Options *options;
  prt_machine *machine; // to be set before the first call
  Findings findings;
  uint64_t calls;  // so far
  uint64_t runs;   // of them, one for each schedule
  bool has_failed; // a schedule of --seeds, which was reported
  bool is_silent;  // what the program prints is dropped
  bool keeps;      // or kept, in `printed`
  Buf printed;
} Explorer;
void explorer_init(Explorer *explorer, Session *session, const Options *options);
// Calls an entry point as the options ask for; what the last call left is what there is to be seen.
prt_status explorer_call(Explorer *explorer, const prt_entry *entry, void *const *arguments);
// What the program prints goes here.
void explorer_print(Explorer *explorer, const char *text, size_t length);
// Whether the words behind --schedule are good, and the call they are for; 0: all.
bool explorer_schedule(Session *session, Str words, Str *schedule, uint64_t *call);

// ---- jit_backend.c: what runs a module's own statements and calls -------------------------------
JitBackend *jit_backend_new(Session *session, const Options *options);
// The program ends here with that exit status. Over ranks rank 0 tells, when it is freed, of those
// that have ended in another way.
void jit_backend_ending(JitBackend *backend, int status);
void jit_backend_free(JitBackend *backend);
// Makes the machine now, whose devices are spread over the ranks of the job that the options, or
// the environment, say there is. The rank, 0 if there is no job; after a diagnostic the exit
// status, negated.
int jit_backend_join(JitBackend *backend);
// The rank that the backend has joined as, and how many there are: 0 and 1 without a job.
int jit_backend_rank(const JitBackend *backend, int *ranks);
EagerBackend jit_backend_run(JitBackend *backend);
// Compiles (or finds again) the module of `func` and calls it. 0, or the exit status after a
// diagnostic.
int jit_backend_call(JitBackend *backend, IrModule *module, IrFunc *func, void *const *buffers);
// Looks for what the chip refuses of the module, and calls nothing. 0, or the exit status after a
// diagnostic.
int jit_backend_judge(JitBackend *backend, IrModule *module);
// The program is over: results that it never looked at, of calls of which it looked at nothing, are
// judged as a whole.
void jit_backend_finish(JitBackend *backend);
// From any thread: a call that is in an endless loop ends there, and the program's exception says
// where; until it is taken back.
void jit_backend_interrupt(void *backend, bool on);
// Whether anything has been called, or judged.
bool jit_backend_has_run(const JitBackend *backend);
ProgramCounts jit_backend_counts(const JitBackend *backend);
// The worst exit status of a call so far.
int jit_backend_status(const JitBackend *backend);

// ---- c_names.c ----------------------------------------------------------------------------------
// Makes the names of parameters names of C: `register` becomes `register_`. False after a
// diagnostic: an entry point cannot have its name.
bool c_names_fix(Session *session, IrModule *module);

// ---- header.c -----------------------------------------------------------------------------------
Str header_text(Session *session, const IrModule *module, Str source, Str header_path);

// ---- depfile.c ----------------------------------------------------------------------------------
// Adds a rule of make, the output and the files of the session that were read, if the options ask
// for it.
void depfile_add(Session *session, const Options *options, Str output, Outputs *outputs);

// ---- path.c -------------------------------------------------------------------------------------
Str path_file_name(Str path); // without folders
// The file's name without folders and its ending, with another ending.
Str path_with_ending(Arena *arena, Str path, const char *ending);
Str path_replace_ending(Arena *arena, Str path, const char *ending); // in the same folder
// The path that a file of this name has, or will have when it is made: without symbolic links.
Str path_real(Arena *arena, Str path);

// ---- output.c: files that appear together, whole or not at all ----------------------------------
Outputs *outputs_new(Session *session);
// False with errno if not all of the text was taken.
bool output_write_all(int fd, Str text);
// Writes out what was printed to session->out. False after a diagnostic.
bool output_flush(Session *session);
// Before long work whose result is to be written there: false after a diagnostic if it cannot be.
bool output_can_be(Session *session, Str path);
// `text` must live until outputs_write. "-" is standard output.
void outputs_add(Outputs *outputs, Str path, Str text);
// A file that another program is to write: gives its temporary name; outputs_write renames it. ""
// after a diagnostic.
Str outputs_reserve(Outputs *outputs, Str path);
// A temporary file that is gone when outputs_write or outputs_drop is done. "" after a diagnostic.
Str outputs_scratch(Outputs *outputs, Str text);
// STATUS_USAGE after a diagnostic if two of them are one file, or one is a source.
int outputs_check(Outputs *outputs);
// Checks and writes them. 0, or the exit status after a diagnostic; then none of the files has
// appeared, and no temporary one is left.
int outputs_write(Outputs *outputs);
// Removes what is temporary, if outputs_write was not reached.
void outputs_drop(Outputs *outputs);

// ---- interrupt.c: what asks the process to end waits while there are temporary files ------------
typedef struct Interrupt {
  sigset_t signals, before; // that are held; those that were blocked already
} Interrupt;
void interrupt_hold(Interrupt *held);
// The process ends here if one has come. Holding may be nested.
void interrupt_release(Interrupt *held);
bool interrupt_came(const Interrupt *held);
// Waits until a file takes bytes. False if an interrupt came first.
bool interrupt_wait_writable(const Interrupt *held, int fd);
// Waits for a process that leads its group; an interrupt sends the group `signal`, by which it
// ends. -1 with errno on failure.
int interrupt_wait_child(const Interrupt *held, pid_t child, int signal, int *status);
// First of all in a process that shares work of the process `parent`: the watch of SIGINT is the
// parent's, so the signal ends it, and however the parent ends, it ends with it.
void interrupt_child(pid_t parent);
// While a program runs, SIGINT is an exception in it. One that does not come to its next step
// within a second ends at once.
typedef struct InterruptWatch {
  struct Eval *ev;
  void (*stop)(void *data, bool on);
  void *data;
  pthread_t thread;
  sigset_t before;
  bool on;
} InterruptWatch;
// `stop` learns, on another thread, that what runs should end (on), and that it has.
void interrupt_watch(InterruptWatch *watch, struct Eval *ev, void (*stop)(void *data, bool on),
                     void *data);
void interrupt_unwatch(InterruptWatch *watch);
// Ends the process as SIGINT does, with what it has printed written out. Returns if it cannot.
void interrupt_end(void);

// ---- link.c -------------------------------------------------------------------------------------
// Links objects and the runtime to a shared library at `output`; an interrupt that is held ends the
// linker. The exit status.
int link_shared(Session *session, const Interrupt *held, size_t count, const Str *objects,
                Str output, Str name);

// ---- shared.c -----------------------------------------------------------------------------------
// The objects of all inputs and the runtime, linked to a shared library. The exit status.
int compile_shared(Session *session, const Options *options);
