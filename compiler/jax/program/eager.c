// SPDX-License-Identifier: Apache-2.0
// The module's own statements. Operations on arrays at LEVEL_RUN are recorded in a pending function
// of a module of its own. When a value is needed (print, assert, int(x), an if on it) or a kernel,
// a loop or a jitted function is about to be traced, the pending function is compiled and run by
// the backend and every array recorded in it is bound to its data, as in eager JAX. Arrays made
// inside jitted functions that have returned are not bound: nobody can ask for them.
#include "base/map.h"
#include "numpy/arrays/nd.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "eager.h"
#include "ir/analysis/effects.h"
#include "jax/array/placement.h"
#include "jax/array/ref.h"
#include "jax/trace/pending.h"
#include "numpy/arrays/nd_watch.h"
#include "python/builtins/builtins.h"
#include "python/eval.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/objects/protocol.h"
#include "jax/array/promote.h"
#include "step_numbers.h"
#include <stdlib.h>
#include <string.h>

// Data up to this many elements is a constant of the functions that use it; more is a parameter, as
// is what a run computed, whatever its size: then the next round of a loop has the same code.
enum { CONSTANT_ELEMENTS = 16 };
// So many arrays are recorded at most before they are run. The time of a compilation grows faster
// than what is compiled: 1,600 operations on eight elements, all different, take 2.0 s in pieces of
// 10, 1.4 s in pieces of 20 to 40, 1.8 s in pieces of 80 (`pallasc run`, a core at 2.5 GHz).
enum { PIECE_ARRAYS = 32 };

typedef struct RunInput {
  const NdArray *data;
  IrValue *value;   // loaded at the start of the pending function
  bool is_argument; // of the jitted function that is being recorded
} RunInput;

typedef struct RunState {
  EagerBackend backend;
  IrModule *entries; // where entry points go
  IrModule *module;  // of the pending function
  IrFunc *func;
  IrBuilder builder;
  VEC(Array *) arrays; // made since the last flush
  VEC(RunInput) inputs;
  VEC(void *) buffers; // of the parameters, when the outputs are bound
  NumberTable *numbers;
  Map *input_of; // NdArray -> position in inputs + 1
  uint64_t id;   // of the pending function
  bool running;
  int unrun_traces;       // since the pending function is there
  uint64_t program;       // the id of the pending function that is to be kept; 0: none
  VEC(NdArray *) outputs; // of the last run, in order
} RunState;

// ---- the pending function -----------------------------------------------------------------------

static void start_pending(Eval *ev) {
  RunState *run = ev->trace->run;
  run->module = ir_module_new(ev->session);
  run->module->tpu = run->entries->tpu;
  run->module->devices = run->entries->devices;
  run->module->watch = ev->trace->watch;
  run->module->keeps_places = ev->options.debug_info;
  run->func = ir_func_new(run->module, name_intern(ev->session->interner, STR("main")), (Span){0});
  run->builder = (IrBuilder){.module = run->module, .region = run->func->body};
  run->arrays.count = 0;
  run->inputs.count = 0;
  run->unrun_traces = 0;
  run->input_of = map_new(ev->arena);
  run->id++;
  ev->before_step = NULL;
  ev->trace->barriers = 0; // or the next round of a loop would have other code
  // Their keys belonged to the module that is gone.
  ev->trace->frozen = ev->trace->unwritten = ev->trace->varying = ev->trace->placed = NULL;
}

// The level that operations are recorded at, jitted functions being recorded in place.
static const Level *recording_level(Eval *ev) {
  const Level *level = ev->trace->level;
  while (level->kind == LEVEL_INLINE) level = level->outer;
  return level;
}

static bool is_recording(Eval *ev) { return recording_level(ev)->kind == LEVEL_RUN; }

void eager_resume(Eval *ev) {
  ev->trace->module = ev->trace->run->module;
  ev->trace->builder = ev->trace->run->builder;
}

void eager_use_devices(Eval *ev, int count) {
  ev->trace->module->devices = count;
  if (!ev->trace->run) return;
  ev->trace->run->entries->devices = ev->trace->run->module->devices = count;
}

IrModule *eager_entries(Eval *ev) { return ev->trace->run->entries; }

// Before a statement or call: runs what is pending, unless it is a prelude that goes on, whose
// caller may hold values of the pending function, or something is being traced.
static void run_piece(Eval *ev) {
  const TraceState *t = ev->trace;
  if (ev->frame->module->def || t->level->kind != LEVEL_RUN) return;
  eager_flush(ev);
}

static void note(Eval *ev, Array *array) {
  RunState *run = ev->trace->run;
  const IrType *type = array->ir->type;
  // What can never be made is reported where it is asked for; values inside of jitted functions are
  // not made one by one.
  if (array->level->kind == LEVEL_RUN) nd_must_fit(ev, type->dtype, type->rank, type->dims);
  array->run_id = run->id;
  VEC_PUSH(ev->arena, &run->arrays, array);
  if (run->arrays.count >= PIECE_ARRAYS && run->backend.run) ev->before_step = run_piece;
}

// ---- data as inputs -----------------------------------------------------------------------------

static bool is_under(const IrRegion *region, const IrFunc *func) {
  return region && region->func == func;
}

static IrValue *add_input(Eval *ev, const NdArray *data, bool is_argument) {
  RunState *run = ev->trace->run;
  const IrType *type = ir_ref_type(run->module, SPACE_HBM, data->dtype, data->rank, data->dims);
  Name name = name_intern(ev->session->interner, str_format(ev->arena, "in%zu", run->inputs.count));
  IrValue *param = ir_func_add_param(run->func, type, PARAM_IN, name);
  run->func->params[run->func->param_count - 1].label = STR(""); // it is nobody's
  IrBuilder b = {
      .module = run->module, .region = run->func->body, .before = run->func->body->first};
  RunInput input = {data, ir_load_all(&b, param), is_argument};
  VEC_PUSH(ev->arena, &run->inputs, input);
  return input.value;
}

// ---- what was never written, under check --------------------------------------------------------
// Where the user's own file does what is being done: messages do not speak of lines of the prelude.
static Span users_place(const Eval *ev) {
  Span place = ev->span;
  for (const Frame *frame = ev->frame;
       frame && place.file && ev->session->files.items[place.file - 1]->is_builtin;
       frame = frame->caller)
    place = frame->call;
  return place;
}

static void looked_at(Eval *ev, const NdArray *nd) {
  const EagerBackend *b = &ev->trace->run->backend;
  b->looked_at(b->data, nd, users_place(ev));
}

static bool is_partly_unwritten(const Eval *ev, const NdArray *nd) {
  const EagerBackend *b = &ev->trace->run->backend;
  return b->looked_at(b->data, nd, (Span){0});
}

static void moved(Eval *ev, const NdArray *to, const NdArray *from) {
  const EagerBackend *b = &ev->trace->run->backend;
  b->moved(b->data, to, from);
}

void eager_set_backend(Eval *ev, EagerBackend backend) {
  NdHooks *hooks = &ev->numpy->hooks;
  ev->trace->run->backend = backend;
  hooks->looked_at = backend.looked_at ? looked_at : NULL;
  hooks->is_partly_unwritten = backend.looked_at ? is_partly_unwritten : NULL;
  hooks->moved = backend.moved ? moved : NULL;
}

// Whether what was taken of an array is what it holds now.
static bool is_as_taken(const NdArray *taken, const NdArray *data) {
  if (taken == data) return true;
  return taken->dtype == data->dtype && nd_is_contiguous(data) &&
         memcmp(taken->data, data->data, (size_t)nd_count(data) * dtype_size(data->dtype)) == 0;
}

static IrValue *known_value(Eval *ev, NdArray *data, bool computed) {
  RunState *run = ev->trace->run;
  const TraceState *t = ev->trace;
  if (t->module != run->module || !is_under(t->builder.region, run->func)) return NULL;
  int64_t count = 1;
  for (int i = 0; i < data->rank; i++) count *= data->dims[i];
  bool constant = count <= CONSTANT_ELEMENTS && !computed && !nd_is_partly_unwritten(ev, data);
  if (constant) return NULL;
  size_t known = (size_t)map_get(run->input_of, data);
  if (known && is_as_taken(run->inputs.items[known - 1].data, data))
    return run->inputs.items[known - 1].value;
  IrValue *value = add_input(ev, array_snapshot(ev, data), false);
  map_set(run->input_of, data, (void *)run->inputs.count);
  return value;
}

// ---- running ------------------------------------------------------------------------------------

static bool has_effects(const IrFunc *func) {
  for (const IrOp *op = func->body->first; op; op = op->next)
    if (op->region_count || effects_is_ordered(op->code)) return true;
  return false;
}

// What a kernel leaves unwritten is zero.
static NdArray *result_new(Eval *ev, DType dtype, size_t rank, const int64_t *dims, bool cleared) {
  NdArray *nd = nd_new_unset(ev, dtype, rank, dims);
  if (cleared) memset(nd->data, 0, nd->buffer->size);
  nd->readonly = true;
  return nd;
}

// The arrays lie as what they are made of, read off the operations before the passes change them.
static void place_arrays(Eval *ev) {
  RunState *run = ev->trace->run;
  const Map *placements = placement_follow(ev, run->func);
  for (size_t i = 0; placements && i < run->arrays.count; i++) {
    Array *a = run->arrays.items[i];
    if (!a->placement) a->placement = map_get(placements, a->ir);
  }
}

// Every array that can still be asked for becomes an output; lists the buffers of all parameters,
// those of outputs without memory if nothing is to be run.
static void bind_outputs(Eval *ev, Map *results, bool is_run) {
  RunState *run = ev->trace->run;
  place_arrays(ev);
  run->buffers.count = 0;
  for (size_t i = 0; i < run->inputs.count; i++)
    VEC_PUSH(ev->arena, &run->buffers, run->inputs.items[i].data->data);
  run->outputs.count = 0;
  bool cleared = has_effects(run->func);
  IrBuilder b = {.module = run->module, .region = run->func->body};
  for (size_t i = 0; i < run->arrays.count; i++) {
    const Array *a = run->arrays.items[i];
    if (a->level->left || map_has(results, a->ir)) continue;
    const IrType *t = a->ir->type;
    NdArray *nd = is_run ? result_new(ev, t->dtype, t->rank, t->dims, cleared)
                         : nd_over(ev, t->dtype, t->rank, t->dims, NULL);
    Name name =
        name_intern(ev->session->interner, str_format(ev->arena, "out%zu", map_count(results)));
    IrValue *param = ir_func_add_param(
        run->func, ir_ref_type(run->module, SPACE_HBM, t->dtype, t->rank, t->dims), PARAM_OUT,
        name);
    ir_store_all(&b, a->ir, param);
    map_set(results, a->ir, nd);
    VEC_PUSH(ev->arena, &run->outputs, nd);
    VEC_PUSH(ev->arena, &run->buffers, nd->data);
  }
  ir_yield(&b, 0, NULL);
}

static Type *type_to_catch(const Eval *ev, Catchable what) {
  switch (what) {
  case CATCH_FLOATING_POINT_ERROR: return ev->types.FloatingPointError;
  case CATCH_JAX_RUNTIME_ERROR: return trace_types(ev)->JaxRuntimeError;
  case CATCH_KEYBOARD_INTERRUPT: return ev->types.KeyboardInterrupt;
  case CATCH_NOT_IMPLEMENTED_ERROR: return ev->types.NotImplementedError;
  case CATCH_TYPE_ERROR: return ev->types.TypeError;
  case CATCH_VALUE_ERROR: return ev->types.ValueError;
  case NOT_CATCHABLE: break;
  }
  BUG("a run raised nothing");
}

static void raise_status(Eval *ev, int status) {
  if (status == 0) return;
  const EagerBackend *backend = &ev->trace->run->backend;
  Catchable type;
  Str text;
  if (backend->raised && backend->raised(backend->data, &type, &text)) {
    if (type == CATCH_KEYBOARD_INTERRUPT) eval_interrupted(ev);
    eval_raise(ev, type_to_catch(ev, type), "%.*s", STR_FMT(text));
  }
  Value code = v_int(status);
  eval_raise_value(ev, value_call_n(ev, v_object(ev->types.SystemExit), 1, &code));
}

// ---- what runs print ----------------------------------------------------------------------------
// While code runs: where the program has sent sys.stdout gets what kernels print, afterwards, since
// they print on threads of their own.
typedef struct Printing {
  FILE *before, *kept; // kept: NULL if it is printed at once
  char *text;
  size_t length;
  Value target;
} Printing;

static void printing_begin(Eval *ev, Printing *p) {
  *p = (Printing){.before = ev->session->out, .target = print_target(ev)};
  fflush(ev->out);
  if (!v_is_unbound(p->target)) p->kept = open_memstream(&p->text, &p->length);
  if (p->kept) ev->session->out = p->kept;
}

static void printing_end(Eval *ev, Printing *p) {
  ev->session->out = p->before;
  if (!p->kept) return;
  fclose(p->kept);
  Value text = make_str(ev, (Str){p->text, p->length});
  free(p->text);
  if (p->length && !v_is_none(p->target)) value_call_method(ev, p->target, "write", 1, &text);
}

static void renew_pending(Eval *ev) {
  bool recording = is_recording(ev);
  ir_module_free(ev->trace->run->module);
  start_pending(ev);
  if (recording) eager_resume(ev);
}

// The arrays have what was made of them, and what is recorded from now on is another function's.
static void bind_arrays(Eval *ev, const Map *results) {
  RunState *run = ev->trace->run;
  for (size_t i = 0; i < run->arrays.count; i++) {
    Array *a = run->arrays.items[i];
    a->host = map_get(results, a->ir);
    a->ir = NULL;
  }
  renew_pending(ev);
}

// An input that is bound when the outputs are.
static IrValue *add_number(void *data, const IrType *type, const void *bytes) {
  Eval *ev = data;
  NdArray *nd = nd_new(ev, type->dtype, type->rank, type->dims);
  memcpy(nd->data, bytes, nd->buffer->size);
  VEC_PUSH(ev->arena, &ev->trace->run->buffers, nd->data);
  return add_input(ev, nd, false);
}

static void flush(Eval *ev, bool is_kept) {
  RunState *run = ev->trace->run;
  if (run->running || (run->arrays.count == 0 && !has_effects(run->func))) return;
  if (!run->backend.run)
    eval_raise(ev, ev->types.RuntimeError,
               "the value of an array is needed here, and this compiler was started without a "
               "backend to run it");
  ref_settle(ev);
  bool has_numbers = !is_kept && !run->module->watch;
  NumberList numbers = {0};
  if (has_numbers) numbers = numbers_find(ev->arena, run->func);
  Map *results = map_new(ev->arena);
  bind_outputs(ev, results, true);
  Str text = {0};
  if (has_numbers)
    text =
        numbers_settle(ev->arena, run->numbers, run->func, numbers, (NumberInput){add_number, ev});
  run->running = true;
  Printing printing;
  printing_begin(ev, &printing);
  int status =
      run->backend.run(run->backend.data, run->module, run->func, text, run->buffers.items);
  run->running = false;
  bind_arrays(ev, results);
  printing_end(ev, &printing);
  raise_status(ev, status);
}

void eager_flush(Eval *ev) { flush(ev, false); }

// Compiles what is pending, and drops it. False if that gives no code that can be called.
static bool prepare(Eval *ev) {
  RunState *run = ev->trace->run;
  Map *results = map_new(ev->arena);
  bind_outputs(ev, results, false);
  int status = run->backend.prepare(run->backend.data, run->module, run->func);
  bind_arrays(ev, results);
  if (status > 0) raise_status(ev, status);
  return status == 0;
}

bool eager_is_idle(const Eval *ev) {
  const TraceState *t = ev->trace;
  const RunState *run = t->run;
  return t->level->kind == LEVEL_RUN && !run->running && !t->arrays->run_refs.count &&
         !run->arrays.count && !has_effects(run->func);
}

static void look_for_print(IrOp *op, void *prints) {
  if (op->code == OP_DEBUG_PRINT) *(bool *)prints = true;
}

void eager_print(Eval *ev) {
  const TraceState *t = ev->trace;
  if (!t->run || t->run->running || !t->run->backend.run || t->level->kind != LEVEL_RUN) return;
  bool prints = false;
  ir_walk(t->run->func->body, look_for_print, &prints);
  if (prints) eager_flush(ev);
}

size_t eager_faults(Eval *ev, EagerFault **faults) {
  const EagerBackend *backend = &ev->trace->run->backend;
  return backend->faults ? backend->faults(backend->data, faults) : 0;
}

// What is traced and never run (jax.eval_shape) stays in the memory of the pending module, which
// goes after so many traces without a run.
enum { UNRUN_TRACES = 64 };
static void settle(Eval *ev) {
  RunState *run = ev->trace->run;
  if (ev->trace->level->kind != LEVEL_RUN) return;
  eager_flush(ev);
  if (run->program || !eager_is_idle(ev) || ++run->unrun_traces < UNRUN_TRACES) return;
  renew_pending(ev);
}

static void need(Eval *ev, Array *array) {
  if (array->host || !array->ir || array->run_id != ev->trace->run->id) return;
  // A region of the pending function is open.
  if (ev->trace->module == ev->trace->run->module && !is_recording(ev)) return;
  eager_flush(ev);
}

static bool has_raced(Eval *ev, bool forget) {
  const EagerBackend *backend = &ev->trace->run->backend;
  return backend->has_raced && backend->has_raced(backend->data, forget);
}

static bool is_elsewhere(Eval *ev, const Array *array) {
  const RunState *run = ev->trace->run;
  return array->ir && array->run_id == run->id && ev->trace->module != run->module;
}

// ---- programs that are kept ---------------------------------------------------------------------

bool eager_program_begin(Eval *ev) {
  RunState *run = ev->trace->run;
  if (!run->backend.again || !eager_is_idle(ev)) return false;
  run->program = run->id;
  return true;
}

IrValue *eager_program_argument(Eval *ev, const NdArray *data) { return add_input(ev, data, true); }

static EagerProgram *program_new(Eval *ev) {
  RunState *run = ev->trace->run;
  EagerProgram *program = ARENA_NEW(ev->arena, EagerProgram);
  program->cleared = has_effects(run->func);
  program->input_count = run->inputs.count;
  program->inputs = ARENA_ARRAY(ev->arena, const NdArray *, run->inputs.count);
  for (size_t i = 0; i < run->inputs.count; i++)
    program->inputs[i] = run->inputs.items[i].is_argument ? NULL : run->inputs.items[i].data;
  return program;
}

static void drop_pending(Eval *ev) {
  RunState *run = ev->trace->run;
  for (size_t i = 0; i < run->arrays.count; i++) run->arrays.items[i]->ir = NULL;
  ref_forget(ev);
  run->program = 0;
  renew_pending(ev);
}

void eager_abandon(Eval *ev) {
  const RunState *run = ev->trace->run;
  for (size_t i = 0; i < run->arrays.count; i++)
    if (!run->arrays.items[i]->level->left) return;
  drop_pending(ev);
}

EagerProgram *eager_program_end(Eval *ev, size_t count, Array *const *results, size_t *outputs,
                                bool is_compiled_only) {
  RunState *run = ev->trace->run;
  bool is_whole = run->program == run->id && ev->trace->arrays->run_refs.count == 0;
  run->program = 0;
  if (!is_whole || (run->arrays.count == 0 && !has_effects(run->func))) {
    if (is_compiled_only) drop_pending(ev);
    return NULL;
  }
  EagerProgram *program = program_new(ev);
  if (!is_compiled_only)
    flush(ev, true);
  else if (!prepare(ev))
    return NULL;
  program->code = run->backend.last(run->backend.data);
  program->output_count = run->outputs.count;
  program->outputs = ARENA_ARRAY(ev->arena, Aval, run->outputs.count);
  for (size_t i = 0; i < run->outputs.count; i++) {
    const NdArray *nd = run->outputs.items[i];
    Aval *aval = &program->outputs[i];
    *aval = (Aval){.dtype = nd->dtype, .rank = nd->rank};
    memcpy(aval->dims, nd->dims, sizeof aval->dims);
  }
  for (size_t i = 0; i < count; i++) {
    outputs[i] = SIZE_MAX;
    for (size_t k = 0; k < run->outputs.count; k++)
      if (results[i]->host == run->outputs.items[k]) outputs[i] = k;
  }
  return program->code ? program : NULL;
}

bool eager_program_again(Eval *ev, const EagerProgram *program, NdArray *const *arguments,
                         NdArray **results) {
  RunState *run = ev->trace->run;
  // The code may take its inputs for written.
  for (size_t i = 0, next = 0; i < program->input_count; i++)
    if (nd_is_partly_unwritten(ev, program->inputs[i] ? program->inputs[i] : arguments[next++]))
      return false;
  void **buffers = ARENA_ARRAY(ev->arena, void *, program->input_count + program->output_count);
  size_t count = 0;
  for (size_t i = 0; i < program->input_count; i++)
    buffers[count++] = program->inputs[i] ? program->inputs[i]->data : (*arguments++)->data;
  for (size_t i = 0; i < program->output_count; i++) {
    const Aval *aval = &program->outputs[i];
    results[i] = result_new(ev, aval->dtype, aval->rank, aval->dims, program->cleared);
    buffers[count++] = results[i]->data;
  }
  Printing printing;
  printing_begin(ev, &printing);
  run->running = true;
  int status = run->backend.again(run->backend.data, program->code, buffers);
  run->running = false;
  printing_end(ev, &printing);
  if (status < 0) return false;
  raise_status(ev, status);
  return true;
}

void eager_init(Eval *ev) {
  static const PendingHooks hooks = {settle, need, note, is_elsewhere, known_value, has_raced};
  RunState *run = ARENA_NEW(ev->arena, RunState);
  ev->trace->run = run;
  run->entries = ev->trace->module;
  run->numbers = number_table_new(ev->arena);
  pending_set(ev, &hooks);
  start_pending(ev);
  eager_resume(ev);
}
