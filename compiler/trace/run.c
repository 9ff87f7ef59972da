// SPDX-License-Identifier: Apache-2.0
// The module's own statements. Operations on arrays at LEVEL_RUN are recorded in a pending function of a module of its own. When a value is
// needed (print, assert, int(x), an if on it) or a kernel, a loop or a jitted function is about to be traced, the pending function is
// compiled and run by the backend and every array recorded in it is bound to its data, as in eager JAX. Arrays made inside
// jitted functions that have returned are not bound: nobody can ask for them.
#include "run.h"

// Data up to this many elements is a constant of the functions that use it; more is a parameter.
enum { CONSTANT_ELEMENTS = 16, BUFFER_ALIGNMENT = 64 };

typedef struct RunInput {
  const NdArray *data;
  IrValue *value; // loaded at the start of the pending function
} RunInput;

typedef struct RunState {
  RunBackend backend;
  IrModule *entries; // where entry points go
  IrModule *module;  // of the pending function
  IrFunc *func;
  IrBuilder builder;
  VEC(Array *) arrays; // made since the last flush
  VEC(RunInput) inputs;
  Map *input_of; // NdArray -> position in inputs + 1
  uint64_t id;   // of the pending function
  bool running;
} RunState;

// ---- the pending function ----------------------------------------------------------------------------

static void start_pending(Eval *ev) {
  RunState *run = ev->trace->run;
  run->module = ir_module_new(ev->session);
  run->module->tpu = run->entries->tpu;
  run->module->devices = run->entries->devices;
  run->func = ir_func_new(run->module, name_intern(ev->session->interner, STR("main")), (Span){0});
  run->builder = (IrBuilder){.module = run->module, .region = run->func->body};
  run->arrays.count = 0;
  run->inputs.count = 0;
  run->input_of = map_new(ev->arena);
  run->id++;
  ev->trace->frozen = NULL; // its keys belonged to the module that is gone
}

// The level that operations are recorded at, jitted functions being recorded in place.
static const Level *recording_level(Eval *ev) {
  const Level *level = ev->trace->level;
  while (level->kind == LEVEL_INLINE) level = level->outer;
  return level;
}

static bool is_recording(Eval *ev) {
  return recording_level(ev)->kind == LEVEL_RUN;
}

void run_resume(Eval *ev) {
  ev->trace->module = ev->trace->run->module;
  ev->trace->builder = ev->trace->run->builder;
}

void run_init(Eval *ev) {
  RunState *run = ARENA_NEW(ev->arena, RunState);
  ev->trace->run = run;
  run->entries = ev->trace->module;
  start_pending(ev);
  run_resume(ev);
}

IrModule *run_entries(Eval *ev) {
  return ev->trace->run->entries;
}

void run_set_backend(Eval *ev, RunBackend backend) {
  ev->trace->run->backend = backend;
}

void run_note(Eval *ev, Array *array) {
  RunState *run = ev->trace->run;
  array->run_id = run->id;
  VEC_PUSH(ev->arena, &run->arrays, array);
}

// ---- data as inputs ------------------------------------------------------------------------------------

static bool is_under(const IrRegion *region, const IrFunc *func) {
  return region && region->func == func;
}

IrValue *run_known(Eval *ev, const NdArray *data) {
  RunState *run = ev->trace->run;
  const TraceState *t = ev->trace;
  if (t->module != run->module || !is_under(t->builder.region, run->func)) return NULL;
  int64_t count = 1;
  for (int i = 0; i < data->rank; i++) count *= data->dims[i];
  if (count <= CONSTANT_ELEMENTS || canonical_dtype(data->dtype) != data->dtype || !host_is_contiguous(data)) return NULL;
  size_t known = (size_t)map_get(run->input_of, data);
  if (known) return run->inputs.items[known - 1].value;
  const IrType *type = ir_ref_type(run->module, SPACE_HBM, data->dtype, data->rank, data->dims);
  Name name = name_intern(ev->session->interner, str_format(ev->arena, "in%zu", run->inputs.count));
  IrValue *param = ir_func_add_param(run->func, type, PARAM_IN, name);
  IrBuilder b = {.module = run->module, .region = run->func->body, .before = run->func->body->first};
  RunInput input = {data, ir_load_all(&b, param)};
  VEC_PUSH(ev->arena, &run->inputs, input);
  map_set(run->input_of, data, (void *)run->inputs.count);
  return input.value;
}

// ---- running -------------------------------------------------------------------------------------------

static NdArray *result_array(Eval *ev, const IrType *type) {
  NdArray *nd = ARENA_NEW(ev->arena, NdArray);
  nd->base.type = ev->trace->types.nd_array;
  nd->dtype = type->dtype;
  nd->rank = type->rank;
  int64_t stride = (int64_t)dtype_size(type->dtype);
  for (int i = type->rank; i-- > 0;) {
    nd->dims[i] = type->dims[i];
    nd->strides[i] = stride;
    stride *= type->dims[i];
  }
  nd->buffer = ARENA_NEW(ev->arena, NdBuffer);
  nd->buffer->size = (size_t)ir_type_bytes(type);
  char *bytes = arena_alloc(ev->arena, nd->buffer->size + BUFFER_ALIGNMENT);
  nd->buffer->bytes = bytes + (BUFFER_ALIGNMENT - (uintptr_t)bytes % BUFFER_ALIGNMENT) % BUFFER_ALIGNMENT;
  nd->data = nd->buffer->bytes;
  nd->readonly = true;
  return nd;
}

// Every array that can still be asked for becomes an output; gives the buffers of all parameters.
static void **bind_outputs(Eval *ev, Map *results) {
  RunState *run = ev->trace->run;
  VEC(void *) buffers = {0};
  for (size_t i = 0; i < run->inputs.count; i++) VEC_PUSH(ev->arena, &buffers, run->inputs.items[i].data->data);
  IrBuilder b = {.module = run->module, .region = run->func->body};
  for (size_t i = 0; i < run->arrays.count; i++) {
    const Array *a = run->arrays.items[i];
    if (a->level->left || map_has(results, a->ir)) continue;
    const IrType *t = a->ir->type;
    NdArray *nd = result_array(ev, t);
    Name name = name_intern(ev->session->interner, str_format(ev->arena, "out%zu", map_count(results)));
    IrValue *param = ir_func_add_param(run->func, ir_ref_type(run->module, SPACE_HBM, t->dtype, t->rank, t->dims), PARAM_OUT, name);
    ir_store_all(&b, a->ir, param);
    map_set(results, a->ir, nd);
    VEC_PUSH(ev->arena, &buffers, nd->data);
  }
  ir_yield(&b, 0, NULL);
  return buffers.items;
}

static bool has_effects(const IrFunc *func) {
  for (const IrOp *op = func->body->first; op; op = op->next)
    if (op_info(op->code)->effect == EFFECT_EFFECT && op->code != OP_ALLOC) return true;
  return false;
}

void run_flush(Eval *ev) {
  RunState *run = ev->trace->run;
  if (run->running || (run->arrays.count == 0 && !has_effects(run->func))) return;
  if (!run->backend.run)
    eval_raise(ev, ev->types.RuntimeError, "the value of an array is needed here, and this compiler was started without a backend to run it");
  ref_settle(ev);
  Map *results = map_new(ev->arena);
  void **buffers = bind_outputs(ev, results);
  run->running = true;
  fflush(ev->out);
  int status = run->backend.run(run->backend.data, run->module, run->func, buffers);
  run->running = false;
  for (size_t i = 0; i < run->arrays.count; i++) {
    Array *a = run->arrays.items[i];
    a->host = map_get(results, a->ir);
    a->ir = NULL;
  }
  bool recording = is_recording(ev);
  ir_module_free(run->module);
  start_pending(ev);
  if (recording) run_resume(ev);
  if (status) {
    Value code = v_int(status);
    eval_raise_value(ev, value_call_n(ev, v_object(ev->types.SystemExit), 1, &code));
  }
}

void run_settle(Eval *ev) {
  if (ev->trace->level->kind == LEVEL_RUN) run_flush(ev);
}

void run_need(Eval *ev, Array *array) {
  if (array->host || !array->ir || array->run_id != ev->trace->run->id) return;
  if (ev->trace->module == ev->trace->run->module && !is_recording(ev)) return; // a region of the pending function is open
  run_flush(ev);
}

bool run_is_elsewhere(Eval *ev, const Array *array) {
  const RunState *run = ev->trace->run;
  return array->ir && array->run_id == run->id && ev->trace->module != run->module;
}
