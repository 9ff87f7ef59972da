// SPDX-License-Identifier: Apache-2.0
// What runs functions in this process: passes, code for this CPU, a call on a machine. Used for the
// module's own statements and for the calls of run and check. Code is kept by the text of its IR,
// so that a loop over the same statements compiles them once.
#include "base/buf.h"
#include "base/map.h"
#include "driver/compile/cache.h"
#include "driver/compile/stage_options.h"
#include "driver/output/path.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/text/print.h"
#include "numpy/arrays/nd.h"
#include "explore.h"
#include "findings.h"
#include "jit_backend.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "detector.h"
#include "numerics.h"
#include "results.h"
#include "tier.h"
#include "tiny.h"
#include "driver/progress/progress.h"
#include "driver/run/launcher.h"
#include "prt_codegen.h"
#include "jax/program/eager.h"

typedef struct Kept {
  Name key;
  JitModule *code;
  Tier tier;
} Kept;

// What a function's results must not have, WATCH_…, as jax_debug_nans has it.
typedef struct Watched {
  unsigned watch;
  WatchedResults results;
  Arena *arena; // that has them; NULL: there are none
} Watched;

struct JitBackend {
  Session *session;
  const Options *options;
  Jit *jit;                         // made by the first call
  prt_machine *machine;             // likewise
  Cache *cache;                     // likewise; NULL: none
  Map *known;                       // key -> Kept
  Detector *detector;               // of races, for calls that ask for it in a run
  Numerics *numerics;               // NULL: none is asked for
  Jit *rounded;                     // of its second calls
  Map *rounded_code[NUMERICS_WAYS]; // key -> JitModule
  Diag *deadlock;                   // that the last run reported, or NULL
  bool has_deadlocked;              // so did it
  Str raised;                       // of the last run: what the program may catch, or empty; and
  Catchable raised_type;            // the type of that exception
  Explorer explorer;                // makes the calls
  bool has_raced;                   // under check
  _Atomic bool is_interrupted;      // the machine was stopped
  const prt_site *reported;         // where the last finding of the last run was
  Kept kept[EAGER_MOST_CODE];       // a ring: the oldest one gives way
  size_t next;
  Name last; // the key of what ran last
  Name last_function;
  TinySeen seen[TINY_SEEN];
  Watched watched; // of the last run
  Arena *arena;    // of the program's arrays
  uint64_t judged; // functions
  int worst;
};

JitBackend *jit_backend_new(Session *session, const Options *options) {
  JitBackend *b = ARENA_NEW(session->arena, JitBackend);
  b->session = session;
  b->options = options;
  b->known = map_new(session->arena);
  if (options->numerics) b->numerics = numerics_new(session);
  for (int way = 0; way < NUMERICS_WAYS; way++) b->rounded_code[way] = map_new(session->arena);
  b->detector = detector_new(session, options);
  explorer_init(&b->explorer, session, options);
  return b;
}

void jit_backend_ending(JitBackend *b, int status) {
  if (!b->machine) return;
  Buf errors;
  buf_init(&errors, b->session->arena);
  for (const Diag *d = b->session->first_diag; d; d = d->next)
    if (d->severity == SEV_ERROR) diag_render(b->session, d, &errors);
  buf_char(&errors, '\0');
  prt_machine_ending(b->machine, status, errors.data);
}

void jit_backend_free(JitBackend *b) {
  for (size_t i = 0; i < EAGER_MOST_CODE; i++)
    if (b->kept[i].code) jit_remove(b->jit, b->kept[i].code);
  if (b->jit) jit_free(b->jit);
  if (b->rounded) jit_free(b->rounded);
  detector_free(b->detector);
  prt_machine_free(b->machine);
  b->jit = NULL;
  b->machine = NULL;
}

bool jit_backend_has_run(const JitBackend *b) { return b->machine != NULL || b->judged; }

ProgramCounts jit_backend_counts(const JitBackend *b) {
  return (ProgramCounts){b->explorer.calls + b->judged, b->explorer.runs};
}

int jit_backend_status(const JitBackend *b) { return b->worst; }

// ---- what runs says -----------------------------------------------------------------------------
static void on_finding(void *data, const prt_finding *finding) {
  JitBackend *b = data;
  if (b->explorer.findings.mode != FINDINGS_TRIED) b->reported = finding->site;
  b->has_raced |= finding->kind == PRT_FINDING_RACE;
  findings_take(&b->explorer.findings, finding);
}

static void on_print(void *data, const char *text, size_t length) {
  JitBackend *b = data;
  explorer_print(&b->explorer, text, length);
}

// Arrays of the program and what its kernels work in share one limit.
static size_t most_scratch(void *data) {
  const JitBackend *b = data;
  size_t limit = arena_limit(b->session->arena), used = arena_footprint(b->session->arena);
  return limit == 0 ? SIZE_MAX : used < limit ? limit - used : 0;
}

static bool is_interrupted(JitBackend *b) {
  return atomic_load_explicit(&b->is_interrupted, memory_order_relaxed);
}

static Str where_text(Session *session, const prt_finding *finding) {
  Buf buf;
  buf_init(&buf, session->arena);
  const prt_site *site = finding->site;
  buf_printf(&buf, "%s, %s:%d:%d", finding->message, site->file, site->line, site->column);
  for (int32_t i = 0; i < finding->grid_rank; i++)
    buf_printf(&buf, "%s%lld", i ? ", " : ", in grid step (", (long long)finding->grid[i]);
  if (finding->grid_rank) buf_c(&buf, ")");
  bool is_named = finding->launch || (site->function && site->function[0]);
  if (is_named)
    buf_printf(&buf, " %s '%s'", finding->grid_rank ? "of" : "in",
               finding->launch ? finding->launch : site->function);
  for (int32_t i = 0; i < finding->note_count; i++)
    buf_printf(&buf, " %s", finding->notes[i].message);
  return buf_view(&buf);
}

// The first that is found in a run is an exception of the program.
static void on_run_finding(void *data, const prt_finding *finding) {
  JitBackend *b = data;
  if (b->raised.len) return;
  if (finding->kind != PRT_FINDING_NAN && finding->kind != PRT_FINDING_INF) {
    b->raised_type = CATCH_JAX_RUNTIME_ERROR;
    b->raised = where_text(b->session, finding);
    return;
  }
  b->raised_type = CATCH_FLOATING_POINT_ERROR;
  const prt_site *site = finding->site;
  b->raised = str_format(
      b->session->arena, "invalid value (%s) encountered: %s%s",
      finding->kind == PRT_FINDING_INF ? "inf" : "nan", finding->message,
      site->line > 0 ? str_format(b->session->arena, " (%s:%d)", site->file, site->line).data : "");
}

void jit_backend_interrupt(void *backend, bool on) {
  JitBackend *b = backend;
  atomic_store_explicit(&b->is_interrupted, on, memory_order_relaxed);
  if (b->machine) prt_machine_stop(b->machine, on);
}

// Of a deadlock, or of a loop that was stopped, which ends the call.
static void on_report(void *data, const char *text UNUSED, size_t length UNUSED) {
  JitBackend *b = data;
  if (b->explorer.findings.mode == FINDINGS_TRIED) return;
  const prt_finding *finding = prt_machine_deadlock(b->machine);
  if (is_interrupted(b)) {
    b->raised_type = CATCH_KEYBOARD_INTERRUPT;
    b->raised = where_text(b->session, finding);
    return;
  }
  b->deadlock = findings_report(b->session, finding);
  b->has_deadlocked = true;
}

static void on_ending(void *data, int rank, int status, const char *text) {
  const JitBackend *b = data;
  diag_error(b->session, (Span){0}, "the program of rank %d has ended with status %d", rank,
             status);
  diag_flush(b->session);
  fputs(text, b->session->diag_out);
  fflush(b->session->diag_out);
}

static void report_failure(JitBackend *b, Span place, prt_status status) {
  bool is_reported =
      b->reported && b->reported == prt__error_site(); // what ended the run was a finding
  if (is_reported && !b->has_deadlocked) return;
  Diag *diag = b->has_deadlocked ? b->deadlock : findings_report_failure(b->session, place);
  if (diag && status == PRT_ERROR_DEADLOCK)
    diag->finding = str_from_c(prt_finding_kind_name(PRT_FINDING_DEADLOCK));
  findings_note_schedule(&b->explorer.findings, diag);
}

// ---- compiling ----------------------------------------------------------------------------------
static bool make_machine(JitBackend *b) {
  if (b->machine) return true;
  prt_machine_options machine;
  prt_machine_options_init(&machine);
  machine.threads =
      b->options->check
          ? 1
          : b->options->threads; // checked code runs on one thread, and so may use the session
  machine.on_finding = b->options->check ? on_finding : on_run_finding;
  machine.on_print = on_print;
  machine.on_report = on_report;
  machine.on_ending = on_ending;
  machine.seeded = b->options->check || b->options->seed_given || b->options->schedule.len;
  machine.seed = b->options->seed;
  if (b->options->deadlock_dot.len)
    machine.deadlock_dot = str_copy(b->session->arena, b->options->deadlock_dot).data;
  machine.data = b;
  machine.keeps_unwritten = b->options->check;
  machine.most_scratch = most_scratch;
  if (b->options->check) machine.max_turns = (int64_t)b->options->max_turns;
  machine.max_findings = (int64_t)b->options->max_errors;
  bool is_guess;
  machine.transport = job_transport(b->session->arena, b->options, &is_guess);
  b->machine = prt_machine_new(&machine);
  b->explorer.machine = b->machine;
  if (b->machine) return true;
  Diag *diag = diag_error(b->session, (Span){0}, "%s", prt_error_message());
  bool is_own = machine.transport && strncmp(machine.transport, "mpi", 3) == 0;
  if (machine.transport && !is_guess && !is_own)
    diag_note(b->session, diag, (Span){0},
              "those that come with pallasc are mpi, mpich and none; others are libraries of their "
              "own, libpallasrt_NAME.so");
  if (machine.transport && is_guess)
    diag_note(b->session, diag, (Span){0},
              "there are several processes; '--transport=none' runs the whole program in each");
  return false;
}

// Whether the processes have found each other: the MPI of another launcher takes each of them for
// a job of its own.
static bool is_one_job(JitBackend *b) {
  Job job = job_of_launcher();
  if (!job.transport || prt_machine_ranks(b->machine) > 1) return true;
  bool is_guess = !b->options->transport.len;
  Str used = is_guess ? str_from_c(job.transport) : b->options->transport;
  if (!is_guess && str_equal(used, str_from_c(job.transport))) return true;
  Diag *diag = diag_error(b->session, (Span){0},
                          "'--transport=%.*s' finds one process of the %d that were started",
                          STR_FMT(used), job.processes);
  diag_help(diag, is_guess
                      ? STR("start them with the launcher of that MPI; '--transport=none' runs "
                            "the whole program in each")
                      : str_format(b->session->arena,
                                   "--transport=%s, or none, is what they were started for",
                                   job.transport));
  return false;
}

int jit_backend_join(JitBackend *b) {
  bool is_guess;
  if (!job_transport(b->session->arena, b->options, &is_guess)) return 0;
  if (b->options->check && b->options->jobs > 1) {
    diag_error(b->session, (Span){0},
               "not supported over ranks: '--jobs'; run it in one process, with "
               "'--transport=none'");
    return -STATUS_USAGE;
  }
  if (!make_machine(b)) return -STATUS_MACHINE;
  return is_one_job(b) ? prt_machine_rank(b->machine) : -STATUS_USAGE;
}

int jit_backend_rank(const JitBackend *b, int *ranks) {
  *ranks = b->machine ? prt_machine_ranks(b->machine) : 1;
  return b->machine ? prt_machine_rank(b->machine) : 0;
}

static CodegenOptions jit_options(const JitBackend *b) {
  CodegenOptions codegen = codegen_options(b->options);
  codegen.tsan = false; // what runs while the source is traced runs in here
  return codegen;
}

static bool start(JitBackend *b) {
  if (b->jit) return true;
  if (!make_machine(b)) return false;
  CodegenOptions codegen = jit_options(b);
  b->cache = cache_open(b->session, b->options);
  b->jit = jit_new(b->session, &codegen);
  return b->jit != NULL;
}

// How a place was reached. Ops of one place share it.
typedef struct FramesText {
  Buf *buf;
  const IrFrames *last;
} FramesText;

static void put_frames(IrOp *op, void *data) {
  FramesText *t = data;
  if (op->frames == t->last) return;
  t->last = op->frames;
  for (const IrFrames *f = op->frames; f; f = f->caller)
    buf_printf(t->buf, "%u:%u ", f->call.file, f->call.begin);
  buf_char(t->buf, '\n');
}

// Checked code carries its places, so they belong to the key; and whose test it was that came
// there, where tests are judged.
static Name key_of(JitBackend *b, const IrModule *module, Str text, bool inputs_written) {
  Arena *arena = arena_new_child(b->session->arena); // a text for each run: it must not stay
  Buf buf;
  buf_init(&buf, arena);
  if (!inputs_written) buf_c(&buf, "inputs partly written\n");
  buf_printf(&buf, "watch %u\n", module->watch);
  if (text.len && !b->options->check)
    buf_str(&buf, text);
  else
    ir_print(module, b->options->check, &buf);
  FramesText frames = {&buf, NULL};
  for (IrFunc *func = module->first; func && b->options->check && b->options->judged;
       func = func->next)
    ir_walk(func->body, put_frames, &frames);
  Name key = name_intern(b->session->interner, buf_view(&buf));
  arena_free(arena);
  return key;
}

// The object of a module, from the cache or for it: its symbols end in what is the same each time.
static JitModule *cached_in(JitBackend *b, IrModule *module, const PassOptions *passes,
                            Arena *arena) {
  Session *session = b->session;
  CodegenOptions codegen = jit_options(b);
  Str kind = passes->inputs_written ? STR("step") : STR("step whose inputs are partly written"),
      object;
  CacheKey key;
  if (!cache_key(b->cache, b->options, module, &codegen, kind, arena, &key)) return NULL;
  const char *suffix = str_format(arena, ".%016llx", (unsigned long long)key.hash).data;
  if (!cache_find(b->cache, &key, arena, &object)) {
    size_t reported = session->error_count + session->warning_count;
    if (!passes_run(session, module, passes) ||
        !codegen_code(session, module, &codegen, suffix, arena, &object))
      return NULL;
    if (session->error_count + session->warning_count == reported)
      cache_keep(b->cache, &key, object);
  }
  return jit_load(b->jit, object, suffix);
}

static JitModule *cached_code(JitBackend *b, IrModule *module, const PassOptions *passes) {
  Arena *arena = arena_new_child(b->session->arena);
  JitModule *code = cached_in(b, module, passes, arena);
  arena_free(arena);
  return code;
}

// What runs while a source is compiled is no part of what is made of it.
static JitModule *make_code(JitBackend *b, IrModule *module, const PassOptions *passes,
                            bool quick) {
  if (b->cache) return cached_code(b, module, passes);
  bool is_reported = b->options->command != COMMAND_COMPILE;
  if (is_reported) report_begin(b->session, b->options);
  JitModule *code = NULL;
  if (passes_run(b->session, module, passes))
    code = quick ? jit_add_quick(b->jit, module) : jit_add(b->jit, module);
  if (is_reported) report_end(b->session, b->options);
  return code;
}

static Kept *place_for(JitBackend *b) {
  // Checked code stays: findings of later calls name places of it.
  if (b->options->check) return ARENA_NEW(b->session->arena, Kept);
  Kept *kept = &b->kept[b->next++ % EAGER_MOST_CODE];
  if (kept->code) {
    map_remove(b->known, kept->key);
    jit_remove(b->jit, kept->code);
  }
  return kept;
}

static void keep(JitBackend *b, Name key, const Kept *made) {
  Kept *kept = place_for(b);
  *kept = *made;
  kept->key = key;
  map_set(b->known, key, kept);
}

// Compiles it; anew, if there is code.
static bool make(JitBackend *b, IrModule *module, bool inputs_written, Kept *kept) {
  bool has_tiers = b->options->tiers && !b->cache && !kept->code;
  Tier tier = has_tiers ? tier_of(module) : tier_full();
  PassOptions passes = pass_options(b->session, b->options);
  passes.stop_after = PASS_COUNT;
  passes.schedule = false;
  passes.inputs_written = inputs_written;
  lower_precision(b->options, module);
  JitModule *code = make_code(b, module, &passes, tier.is_quick);
  if (!code) return false;
  if (kept->code) jit_remove(b->jit, kept->code);
  kept->code = code;
  kept->tier = tier;
  return true;
}

static JitModule *compile(JitBackend *b, IrModule *module, Str text, bool inputs_written) {
  Name key = key_of(b, module, text, inputs_written);
  b->last = key;
  Kept *kept = map_get(b->known, key), made = {0};
  if (kept)
    return tier_calls(&kept->tier) || make(b, module, inputs_written, kept) ? kept->code : NULL;
  if (!make(b, module, inputs_written, &made)) return NULL;
  tier_calls(&made.tier);
  keep(b, key, &made);
  return made.code;
}

// Where the program is that is evaluated, if one is.
static Span place_now(const Session *session) {
  return session->place ? session->place(session->place_data) : (Span){0};
}

// Checks may take long: what they are at is shown until the program goes on, or prints.
static void show_call(JitBackend *b) {
  Span place = place_now(b->session);
  const SourceFile *file = b->options->check ? source_get(b->session, place.file) : NULL;
  char where[80] = "";
  if (file)
    snprintf(where, sizeof where, "%.*s:%u", STR_FMT(path_file_name(file->path)),
             source_line_col(file, place.begin).line);
  session_progress(b->session, file ? PROGRESS_CALL : PROGRESS_RUNNING, 0, 0, str_from_c(where));
}

static int run_code(JitBackend *b, JitModule *code, Name name, Span place, void *const *buffers) {
  const prt_entry *entry = jit_find(b->jit, code, name_str(name));
  if (!entry) return STATUS_FAULT;
  fflush(b->session->out);
  show_call(b);
  b->raised = (Str){0};
  b->has_deadlocked = false;
  b->reported = NULL;
  prt_status status = explorer_call(&b->explorer, entry, buffers);
  session_progress(b->session, PROGRESS_EVALUATING, 0, 0, STR(""));
  fflush(b->session->out);
  if (status == PRT_ERROR_STOPPED && is_interrupted(b) &&
      !b->raised.len) { // between two pieces of work
    b->raised_type = CATCH_KEYBOARD_INTERRUPT;
    b->raised = STR("stopped");
  }
  if (status == PRT_ERROR_STOPPED && b->raised.len) return STATUS_FAULT;
  switch (status) {
  case PRT_OK: return STATUS_DONE;
  case PRT_ERROR_CHECK: // the findings are diagnostics already; there may be more in what follows
    if (b->raised.len) return STATUS_FAULT;
    if (b->worst < STATUS_FAULT) b->worst = STATUS_FAULT;
    return b->options->check ? STATUS_DONE : STATUS_FAULT;
  case PRT_ERROR_MEMORY:
    diag_error(b->session, place.file ? place : place_now(b->session), "MemoryError: %s",
               prt_error_message());
    return STATUS_MACHINE;
  case PRT_ERROR_CPU:
    diag_error(b->session, place, "%s", prt_error_message());
    return STATUS_MACHINE;
  default: report_failure(b, place, status); return STATUS_FAULT;
  }
}

// Whether what the function is given was written everywhere, as far as is known.
static bool are_inputs_written(const JitBackend *b, const IrFunc *func, void *const *buffers) {
  bool all = true;
  for (uint32_t i = 0; i < func->param_count && b->options->check; i++) {
    int64_t stride = (int64_t)dtype_size(func->body->args[i]->type->dtype),
            count = ir_type_count(func->body->args[i]->type);
    prt_region region = {buffers[i], (int32_t)stride, 1, &count, &stride};
    if (func->params[i].role != PARAM_OUT) all &= !prt__check_read(b->machine, &region, NULL);
  }
  return all;
}

// Code with products as the chip's, unchecked and unheard: findings and prints are those of the
// exact one.
static JitModule *compile_rounded(JitBackend *b, const IrModule *module, NumericsWay way) {
  Name key = key_of(b, module, (Str){0}, true);
  JitModule *known = map_get(b->rounded_code[way], key);
  if (known) return known;
  Options options = *b->options;
  options.check = false;
  options.matmul_tpu = way == NUMERICS_DEFAULT;
  PassOptions passes = pass_options(b->session, &options);
  CodegenOptions codegen = codegen_options(&options);
  IrModule *copy = numerics_copy(b->session, module);
  if (!copy) return NULL;
  if (way == NUMERICS_HIGHEST) numerics_six_passes(copy);
  lower_precision(&options, copy);
  if (!b->rounded) b->rounded = jit_new(b->session, &codegen);
  bool good = b->rounded && passes_run(b->session, copy, &passes);
  JitModule *code = good ? jit_add(b->rounded, copy) : NULL;
  map_set(b->rounded_code[way], key, code);
  return code;
}

static bool call_rounded(JitBackend *b, const IrModule *module, Name function,
                         const NumericsCall *call, NumericsWay way) {
  JitModule *code = compile_rounded(b, module, way);
  const prt_entry *entry = code ? jit_find(b->rounded, code, name_str(function)) : NULL;
  b->explorer.is_silent = true;
  b->explorer.findings.mode = FINDINGS_TRIED;
  bool good = entry && entry->call(b->machine, call->buffers[way]) == PRT_OK;
  b->explorer.findings.mode = FINDINGS_REPORTED;
  b->explorer.is_silent = false;
  return good;
}

// Whether it was so little that it was interpreted.
static bool interpret(JitBackend *b, const IrModule *module, const IrFunc *func, Str text,
                      void *const *buffers) {
  const Options *o = b->options;
  if (!text.len || !o->tiers || o->check || o->seed_given || b->numerics || module->watch ||
      tiny_is_frequent(b->seen, str_hash64(text)))
    return false;
  Arena *arena = arena_new_child(b->session->arena);
  bool done = tiny_run(arena, func, buffers);
  arena_free(arena);
  if (done) b->last = NULL;
  return done;
}

static int call_exact(JitBackend *b, IrModule *module, IrFunc *func, Str text,
                      void *const *buffers) {
  Name name = func->name; // the passes may replace the function
  Span place = func->span;
  if (interpret(b, module, func, text, buffers)) return STATUS_DONE;
  JitModule *code = compile(b, module, text, are_inputs_written(b, func, buffers));
  if (!code) return STATUS_FAULT;
  b->last_function = name;
  return run_code(b, code, name, place, buffers);
}

static int call(JitBackend *b, IrModule *module, IrFunc *func, Str text, void *const *buffers) {
  if (!start(b)) return STATUS_MACHINE;
  if (module->watch & WATCH_RACES && !b->options->check) {
    b->last = NULL; // the call is not to be repeated without it
    return detector_call(b->detector, module, func, buffers);
  }
  if (!b->numerics) return call_exact(b, module, func, text, buffers);
  Arena *arena = arena_new_child(b->session->arena);
  NumericsCall made;
  bool is_compared = numerics_begin(b->numerics, arena, func, buffers, &made);
  for (int way = 0; way < NUMERICS_WAYS; way++)
    is_compared = is_compared && call_rounded(b, module, func->name, &made, (NumericsWay)way);
  int status = call_exact(b, module, func, text, buffers);
  if (is_compared && status == STATUS_DONE) numerics_compare(b->numerics, &made, buffers);
  arena_free(arena);
  return status;
}

// ---- memory that is given back ------------------------------------------------------------------
static bool lives(const void *data, const void *memory) { return arena_is_reached(data, memory); }

static void forget_gone(void *data) {
  const JitBackend *b = data;
  if (b->machine) prt__check_gone(b->machine, lives, b->arena);
}

void jit_backend_watch_arena(JitBackend *b, Arena *arena) {
  b->arena = arena;
  if (b->options->check) arena_on_collection(arena, forget_gone, b);
}

// ---- what is left -------------------------------------------------------------------------------
static int worst_with(JitBackend *b, int status) {
  if (status > b->worst) b->worst = status;
  return status;
}

static void look_at_rest(JitBackend *b, bool all) {
  if (b->machine && prt__check_rest(b->machine, all)) worst_with(b, STATUS_FAULT);
}

// A schedule for a call that the program does not make was not run.
static void look_at_schedule(JitBackend *b) {
  uint64_t call = b->options->schedule_call, calls = b->explorer.calls;
  if (call <= calls) return;
  diag_error(b->session, (Span){0},
             "'--schedule=call=%llu': there is no such call: the program makes %llu",
             (unsigned long long)call, (unsigned long long)calls);
  worst_with(b, STATUS_USAGE);
}

void jit_backend_finish(JitBackend *b) {
  look_at_rest(b, false);
  look_at_schedule(b);
  bool as_json = b->session->error_format == FORMAT_JSON;
  if (b->numerics) numerics_report(b->numerics, as_json, b->session->out);
}

int jit_backend_call(JitBackend *b, IrModule *module, IrFunc *func, void *const *buffers) {
  int status = worst_with(b, call(b, module, func, (Str){0}, buffers));
  look_at_rest(b, true); // what leaves the program is looked at
  return status;
}

int jit_backend_judge(JitBackend *b, IrModule *module) {
  PassOptions passes = pass_options(b->session, b->options);
  passes.stop_after = PASS_BUDGET;
  b->judged++;
  return worst_with(b, passes_run(b->session, module, &passes) ? STATUS_DONE : STATUS_FAULT);
}

// What the program can catch is not its end.
static int raised_or_worst(JitBackend *b, int status) {
  if (status != STATUS_DONE && !b->raised.len)
    diag_take_exceptions(b->session, &b->raised_type, &b->raised);
  return b->raised.len ? status : worst_with(b, status);
}

// Before the passes change the function.
static Watched watched_of(JitBackend *b, const IrModule *module, const IrFunc *func) {
  Watched watched = {.watch = b->options->check ? 0 : module->watch & (WATCH_NAN | WATCH_INF)};
  if (!watched.watch) return watched;
  watched.arena = arena_new_child(b->session->arena);
  results_watch(b->session, watched.arena, func, &watched.results);
  return watched;
}

static void set_watched(JitBackend *b, Watched watched) {
  if (b->watched.arena) arena_free(b->watched.arena);
  b->watched = watched;
}

// A result with a NaN is an exception, whoever has made it.
static int raised_by_results(JitBackend *b, const Watched *watched, void *const *buffers,
                             int status) {
  if (status != STATUS_DONE || !watched->watch) return status;
  b->raised = results_invalid(b->session, &watched->results, watched->watch, buffers);
  b->raised_type = CATCH_FLOATING_POINT_ERROR;
  return b->raised.len ? STATUS_FAULT : STATUS_DONE;
}

static int run(void *data, IrModule *module, IrFunc *func, Str text, void *const *buffers) {
  JitBackend *b = data;
  Watched watched = watched_of(b, module, func);
  int status = raised_by_results(b, &watched, buffers, call(b, module, func, text, buffers));
  set_watched(b, watched);
  return raised_or_worst(b, status);
}

// ---- what the program looks at, under check -----------------------------------------------------
static prt_region region_of(const NdArray *nd) {
  return (prt_region){nd->data, (int32_t)dtype_size(nd->dtype), nd->rank, nd->dims, nd->strides};
}

static bool looked_at(void *data, const NdArray *elements, Span place) {
  JitBackend *b = data;
  prt_region region = region_of(elements);
  if (!b->machine) return false;
  if (!place.file) return prt__check_read(b->machine, &region, NULL);
  const SourceFile *file = b->session->files.items[place.file - 1];
  LineCol at = source_line_col(file, place.begin);
  bool is_main = file == b->session->files.items[0];
  Str how =
      is_main ? str_format(b->session->arena, "line %u looks at it", at.line)
              : str_format(b->session->arena, "%.*s:%u looks at it", STR_FMT(file->path), at.line);
  bool found = prt__check_read(b->machine, &region, how.data);
  if (found) worst_with(b, STATUS_FAULT);
  return found;
}

static void moved(void *data, const NdArray *to, const NdArray *from) {
  JitBackend *b = data;
  prt_region target = region_of(to), source = region_of(from);
  if (b->machine) prt__check_moved(b->machine, &target, &source);
}

// Code that may be called again: it is found by its key, since it may have given way to other code.
typedef struct Handle {
  Name key, function;
  Watched watched;
} Handle;

static const void *last(void *data) {
  JitBackend *b = data;
  Handle *handle = ARENA_NEW(b->arena ? b->arena : b->session->arena, Handle);
  *handle = (Handle){b->last, b->last_function, b->watched};
  b->watched.arena = NULL; // it lives as long as the handle
  return handle;
}

static int again(void *data, const void *code, void *const *buffers) {
  JitBackend *b = data;
  const Handle *handle = code;
  Kept *kept = handle->key ? map_get(b->known, handle->key) : NULL;
  if (!kept || !tier_calls(&kept->tier)) return -1; // who calls it gives the module again
  int status = run_code(b, kept->code, handle->function, (Span){0}, buffers);
  return raised_or_worst(b, raised_by_results(b, &handle->watched, buffers, status));
}

static int prepare(void *data, IrModule *module, IrFunc *func) {
  JitBackend *b = data;
  Name name = func->name;
  if (module->watch & WATCH_RACES) return -1;
  if (!start(b)) return worst_with(b, STATUS_MACHINE);
  set_watched(b, watched_of(b, module, func));
  if (!compile(b, module, (Str){0}, true)) return raised_or_worst(b, STATUS_FAULT);
  b->last_function = name;
  return STATUS_DONE;
}

static bool raised(void *data, Catchable *type, Str *text) {
  JitBackend *b = data;
  *type = b->raised_type;
  *text = b->raised;
  b->raised = (Str){0};
  return text->len > 0;
}

static bool has_raced(void *data, bool forget) {
  JitBackend *b = data;
  bool found = b->has_raced;
  if (forget) b->has_raced = false;
  return detector_has_raced(b->detector, forget) || found;
}

// Who judges gets the same thing again if it is found again.
static size_t faults(void *data, EagerFault **out) {
  JitBackend *b = data;
  Session *session = b->session;
  Diag *taken;
  look_at_rest(b, false);
  size_t count = diag_take(session, &taken), errors = 0;
  *out = ARENA_ARRAY(session->arena, EagerFault, count + 1);
  for (size_t i = 0; i < count; i++) {
    EagerFault *fault = &(*out)[i];
    bool is_error = taken[i].severity == SEV_ERROR;
    errors += is_error;
    *fault = (EagerFault){.line = diag_line(session, &taken[i]), .is_warning = !is_error};
    if (session->error_format == FORMAT_JSON) continue; // it is on standard error already
    Buf text;
    buf_init(&text, session->arena);
    diag_render(session, &taken[i], &text);
    fault->text = buf_view(&text);
  }
  findings_forget(&b->explorer.findings);
  if (b->options->judged && b->worst == STATUS_FAULT)
    b->worst = STATUS_DONE;
  else if (errors)
    worst_with(b, STATUS_FAULT);
  return count;
}

EagerBackend jit_backend_run(JitBackend *backend) {
  bool check = backend->options->check;
  return (EagerBackend){.run = run,
                        .last = last,
                        // What is made of a call's results is compared with it.
                        .again = backend->numerics ? NULL : again,
                        .prepare = prepare,
                        .raised = raised,
                        .has_raced = has_raced,
                        .looked_at = check ? looked_at : NULL,
                        .moved = check ? moved : NULL,
                        .faults = faults,
                        .data = backend};
}
