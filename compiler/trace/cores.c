// SPDX-License-Identifier: Apache-2.0
// The primitives of programs on several cores: launches of cores, semaphores, copies. What can be said in the language is in
// prelude/pl_cores.pk and prelude/pltpu_comm.pk, which call the module _cores defined here.
#include <string.h>
#include "array_local.h"
#include "pallas.h"
#include "run.h"

// ---- launches ----------------------------------------------------------------------------------------
typedef struct CoreLaunch {
  Eval *ev;
  IrOp *op;
  const IrMesh *meshes;
  Value meshes_given, bodies;
  size_t which;
} CoreLaunch;

static CoreKind take_kind(Eval *ev, Value v) {
  Str name = take_str(ev, v, "kind of core");
  for (int k = 0; k < CORE_KIND_COUNT; k++)
    if (str_equal(name, str_from_c(core_kind_name((CoreKind)k)))) return (CoreKind)k;
  eval_raise(ev, ev->types.ValueError, "there is no kind of core '%.*s'", STR_FMT(name));
}

// (kind, axis names, sizes)
static IrMesh take_mesh(Eval *ev, Value v) {
  IrMesh mesh = {.kind = take_kind(ev, pallas_item(ev, v, 0))};
  Value names = pallas_item(ev, v, 1), sizes = pallas_item(ev, v, 2);
  int64_t rank = value_len(ev, names);
  if (rank > IR_MESH_AXES) eval_raise(ev, ev->types.ValueError, "a mesh of cores has at most %d axes", IR_MESH_AXES);
  mesh.rank = (uint8_t)rank;
  for (size_t i = 0; i < mesh.rank; i++) {
    mesh.names[i] = value_str(ev, pallas_item(ev, names, i));
    mesh.sizes[i] = take_int(ev, pallas_item(ev, sizes, i), "size of a mesh axis");
    if (mesh.sizes[i] < 1 || mesh.sizes[i] > INT32_MAX)
      eval_raise(ev, ev->types.ValueError, "axis '%.*s' of a mesh has %lld cores", STR_FMT(mesh.names[i]), (long long)mesh.sizes[i]);
  }
  return mesh;
}

static void trace_program(Eval *ev, void *data) {
  CoreLaunch *l = data;
  const IrMesh *mesh = &l->meshes[l->which];
  IrRegion *region = l->op->regions[l->which];
  Level *level = ev->trace->level;
  const IrType *i32 = ir_array_type(trace_module(ev), DT_I32, 0, NULL);
  Value names = pallas_item(ev, pallas_item(ev, l->meshes_given, l->which), 1);
  for (size_t i = 0; i < mesh->rank; i++) {
    IrValue *index = ir_region_add_arg(region, i32, name_intern(ev->session->interner, mesh->names[i]));
    AxisName *axis = ARENA_NEW(ev->arena, AxisName);
    *axis = (AxisName){level->axes, pallas_item(ev, names, i), mesh->sizes[i], NULL, index};
    level->axes = axis;
  }
  value_call_n(ev, pallas_item(ev, l->bodies, l->which), 0, NULL);
  ir_yield(trace_builder(ev), 0, NULL);
}

static void trace_programs(Eval *ev, void *data) {
  CoreLaunch *l = data;
  for (l->which = 0; l->which < l->op->region_count; l->which++) {
    // The program of a device is ordinary code, which may use arrays from outside.
    LevelKind kind = l->meshes[l->which].kind == CORE_DEVICE ? LEVEL_REGION : LEVEL_KERNEL;
    level_run(ev, kind, l->op->regions[l->which], trace_program, l);
  }
}

// ---- devices meet ------------------------------------------------------------------------------------
// A kernel that reaches other devices begins when they have all come to it, unless it sees to that itself with a barrier semaphore.
typedef struct Reach {
  bool is_abroad, has_barrier;
} Reach;

static void find_reach(const IrRegion *region, Reach *reach) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_SEM_BARRIER) reach->has_barrier = true;
    if (op->code == OP_COPY_START || op->code == OP_SEM_SIGNAL) {
      Str target = ir_attr_str(op, ATTR_TARGET);
      if (memchr(target.data, 'd', target.len)) reach->is_abroad = true;
    }
    for (size_t i = 0; i < op->region_count; i++) find_reach(op->regions[i], reach);
  }
}

static bool is_devices(const IrOp *op) {
  Str meshes = op->code == OP_CORES ? ir_attr_str(op, ATTR_MESHES) : STR("");
  IrMesh mesh;
  return meshes.len && ir_mesh_next(&meshes, &mesh) && mesh.kind == CORE_DEVICE;
}

// The op is a device's own, not part of a kernel.
static bool is_at_device(const IrOp *op) {
  for (op = op->parent->parent; op && !is_devices(op); op = op->parent->parent)
    if (op->code == OP_CORES || op->code == OP_LAUNCH) return false;
  return op != NULL;
}

static bool must_meet(const IrOp *kernel) {
  Reach reach = {0};
  for (size_t i = 0; i < kernel->region_count; i++) find_reach(kernel->regions[i], &reach);
  return reach.is_abroad && !reach.has_barrier && is_at_device(kernel);
}

// At the end of a kernel's body: its first grid step begins with a meeting, if need be.
static Value native_meet_first(Eval *ev, Value *a) {
  (void)a;
  IrBuilder b = *trace_builder(ev);
  const IrOp *launch = b.region->parent;
  if (!launch || launch->code != OP_LAUNCH || !must_meet(launch)) return v_none();
  size_t rank = ir_attr_ints(launch, ATTR_GRID).count;
  b.before = b.region->first;
  IrValue *is_first = NULL;
  for (size_t i = 0; i < rank; i++) {
    IrValue *here = ir_binary(&b, OP_EQ, b.region->args[i], ir_i32(&b, 0));
    is_first = is_first ? ir_binary(&b, OP_AND, is_first, here) : here;
  }
  if (is_first) {
    IrOp *branch = ir_if(&b, is_first, 0, NULL);
    for (int i = 1; i >= 0; i--) {
      b.region = branch->regions[i];
      b.before = NULL;
      if (i) ir_yield(&b, 0, NULL);
    }
  }
  ir_build(&b, OP_MEET, 0, NULL, 0, NULL);
  if (is_first) ir_yield(&b, 0, NULL);
  return v_none();
}

static Value native_cores(Eval *ev, Value *a) { // name, meshes, bodies, skip_barrier
  size_t count = (size_t)value_len(ev, a[1]);
  IrMesh *meshes = ARENA_ARRAY(ev->arena, IrMesh, count);
  Buf text;
  buf_init(&text, ev->arena);
  for (size_t i = 0; i < count; i++) {
    meshes[i] = take_mesh(ev, pallas_item(ev, a[1], i));
    ir_mesh_put(&text, &meshes[i]);
  }
  IrModule *m = trace_module(ev);
  CoreLaunch l = {.ev = ev, .meshes = meshes, .meshes_given = a[1], .bodies = a[2]};
  l.op = ir_build(trace_builder(ev), OP_CORES, 0, NULL, 0, NULL);
  ir_set_str(m, l.op, ATTR_NAME, take_str(ev, a[0], "name"));
  ir_set_str(m, l.op, ATTR_MESHES, buf_view(&text));
  for (size_t i = 0; i < count; i++) ir_add_region(m, l.op);
  Value exception;
  if (!eval_try(ev, trace_programs, &l, &exception)) {
    ir_op_remove(l.op); // the program may catch the exception and go on
    eval_raise_value(ev, exception);
  }
  if (!value_truth(ev, a[3]) && !is_devices(l.op) && must_meet(l.op)) {
    IrBuilder before = *trace_builder(ev);
    before.before = l.op;
    ir_build(&before, OP_MEET, 0, NULL, 0, NULL);
  }
  return v_none();
}

// ---- operands ----------------------------------------------------------------------------------------
static IrValue *take_semaphore(Eval *ev, Value v, const char *what) {
  if (!value_is_ref(ev, v)) eval_raise(ev, ev->types.TypeError, "%s must be a semaphore, got %s", what, value_type_name(ev, v));
  IrValue *ref = ref_ir(ev, v);
  if (ref->type->space != SPACE_SEM) eval_raise(ev, ev->types.ValueError, "%s must be a semaphore, got %.*s", what, STR_FMT(value_repr(ev, v)));
  if (ref->type->rank)
    eval_raise(ev, ev->types.ValueError, "%s must be one semaphore, got an array of them: %.*s. Index it with .at[…]", what, STR_FMT(value_repr(ev, v)));
  return ref;
}

static IrValue *take_memory(Eval *ev, Value v, const char *what) {
  if (!value_is_ref(ev, v)) eval_raise(ev, ev->types.TypeError, "%s must be a Ref, got %s", what, value_type_name(ev, v));
  IrValue *ref = ref_ir(ev, v);
  if (ref->type->space == SPACE_SEM) eval_raise(ev, ev->types.ValueError, "%s is a semaphore", what);
  return ref;
}

static IrValue *take_i32(Eval *ev, Value v, const char *what) {
  Aval aval;
  if (!value_aval(ev, v, false, &aval) || aval.rank != 0 || !(dtype_is_integer(aval.dtype) || aval.dtype == DT_BOOL))
    eval_raise(ev, ev->types.ValueError, "%s must be an integer scalar, got %.*s", what, STR_FMT(value_repr(ev, v)));
  return array_ir_cast(ev, v, DT_I32);
}

typedef struct Operands {
  VEC(IrValue *) items;
  Buf target;
} Operands;

// The device and the core, each None for the own one.
static void push_target(Eval *ev, Operands *o, Value device, Value core) {
  const struct {
    Value value;
    char letter;
    const char *what;
  } parts[] = {{device, 'd', "a device id"}, {core, 'c', "a core index"}};
  for (size_t i = 0; i < COUNT_OF(parts); i++) {
    if (v_is_none(parts[i].value)) continue;
    VEC_PUSH(ev->arena, &o->items, take_i32(ev, parts[i].value, parts[i].what));
    buf_char(&o->target, parts[i].letter);
  }
}

static IrOp *build(Eval *ev, OpCode code, const Operands *o) {
  IrOp *op = ir_build(trace_builder(ev), code, o->items.count, o->items.items, 0, NULL);
  if (code == OP_COPY_START || code == OP_SEM_SIGNAL) ir_set_str(trace_module(ev), op, ATTR_TARGET, buf_view(&o->target));
  return op;
}

// ---- semaphores --------------------------------------------------------------------------------------
static Value native_sem_signal(Eval *ev, Value *a) { // sem, inc, device, core
  Operands o = {0};
  buf_init(&o.target, ev->arena);
  VEC_PUSH(ev->arena, &o.items, take_semaphore(ev, a[0], "what semaphore_signal signals"));
  VEC_PUSH(ev->arena, &o.items, take_i32(ev, a[1], "the increment of semaphore_signal"));
  push_target(ev, &o, a[2], a[3]);
  build(ev, OP_SEM_SIGNAL, &o);
  return v_none();
}

static Value native_sem_wait(Eval *ev, Value *a) { // sem, value, keep
  IrValue *operands[] = {take_semaphore(ev, a[0], "what semaphore_wait waits for"), take_i32(ev, a[1], "the value of semaphore_wait")};
  IrOp *op = ir_build(trace_builder(ev), OP_SEM_WAIT, 2, operands, 0, NULL);
  ir_set_int(trace_module(ev), op, ATTR_KEEP, value_truth(ev, a[2]));
  return v_none();
}

static Value native_sem_read(Eval *ev, Value *a) {
  IrValue *sem = take_semaphore(ev, a[0], "what semaphore_read reads");
  const IrType *i32 = ir_array_type(trace_module(ev), DT_I32, 0, NULL);
  return array_new(ev, ir_build(trace_builder(ev), OP_SEM_READ, 1, &sem, 1, &i32)->results[0], false);
}

static Value native_barrier(Eval *ev, Value *a) {
  const IrType *type = ir_sem_type(trace_module(ev), SEM_BARRIER, 0, NULL);
  IrOp *op = ir_build(trace_builder(ev), OP_SEM_BARRIER, 0, NULL, 1, &type);
  ir_set_int(trace_module(ev), op, ATTR_COLLECTIVE_ID, take_int(ev, a[0], "collective_id"));
  return ref_new(ev, op->results[0], name_intern_c(ev->session->interner, "barrier_semaphore"));
}

// ---- copies ------------------------------------------------------------------------------------------
// The size of a dimension that is known at run time only, as some view below `ref` has it; NULL for a static one.
static IrValue *size_at_run(const IrValue *ref, int dim) {
  if (!ref->def || ref->def->code != OP_VIEW) return NULL;
  const IrIndex *index = ir_attr_index(ref->def);
  for (int i = 0, at = 0; i < index->rank; i++) {
    const IndexDim *d = &index->dims[i];
    if (d->kind == INDEX_ARRAY) return NULL;
    if (d->kind == INDEX_SCALAR || at++ != dim) continue;
    if (d->size_operand >= 0) return ref->def->operands[d->size_operand];
    const IrValue *below = ref->def->operands[0];
    bool is_whole = d->start_operand < 0 && d->start == 0 && d->stride == 1 && d->size == below->type->dims[i];
    return is_whole ? size_at_run(below, i) : NULL;
  }
  return NULL;
}

// The same memory with the smaller one's bounds where a size is known at run time only.
static IrValue *with_bounds_of(Eval *ev, IrValue *ref, const IrType *other) {
  const IrType *type = ref->type;
  IrIndex index = {.rank = type->rank};
  IrValue *sizes[IR_MAX_RANK];
  size_t count = 0;
  for (int i = 0; i < type->rank; i++) {
    index.dims[i] = (IndexDim){INDEX_SLICE, 0, -1, type->dims[i], -1, 1};
    IrValue *size = type->dims[i] > other->dims[i] ? size_at_run(ref, i) : NULL;
    if (!size) continue;
    index.dims[i].size = other->dims[i];
    index.dims[i].size_operand = (int)count;
    sizes[count++] = size;
  }
  return count ? ir_view(trace_builder(ev), ref, &index, count, sizes) : ref;
}

// Both sides of a copy, which must be of one shape and dtype.
static void take_sides(Eval *ev, Value from, Value to, IrValue **source, IrValue **target) {
  IrValue *x = take_memory(ev, from, "the source of a copy"), *y = take_memory(ev, to, "the destination of a copy");
  bool same = x->type->rank == y->type->rank && x->type->dtype == y->type->dtype;
  if (same) {
    *source = with_bounds_of(ev, x, y->type);
    *target = with_bounds_of(ev, y, x->type);
  }
  for (int i = 0; same && i < x->type->rank; i++) same = (*source)->type->dims[i] == (*target)->type->dims[i];
  if (!same)
    eval_raise(ev, ev->types.ValueError, "a copy needs a source and a destination of one shape and dtype, got %.*s and %.*s",
               STR_FMT(value_repr(ev, from)), STR_FMT(value_repr(ev, to)));
}

static Value native_copy_start(Eval *ev, Value *a) { // source, target, received, sent, device, core
  Operands o = {0};
  buf_init(&o.target, ev->arena);
  IrValue *source, *target;
  take_sides(ev, a[0], a[1], &source, &target);
  VEC_PUSH(ev->arena, &o.items, source);
  VEC_PUSH(ev->arena, &o.items, target);
  VEC_PUSH(ev->arena, &o.items, take_semaphore(ev, a[2], "the semaphore of a copy"));
  if (!v_is_none(a[3])) {
    VEC_PUSH(ev->arena, &o.items, take_semaphore(ev, a[3], "the send semaphore of a copy"));
    buf_char(&o.target, 'r');
  }
  push_target(ev, &o, a[4], a[5]);
  build(ev, OP_COPY_START, &o);
  return v_none();
}

static Value native_copy_wait(Eval *ev, Value *a) { // semaphore, ref
  IrValue *operands[] = {take_semaphore(ev, a[0], "the semaphore of a copy"), take_memory(ev, a[1], "what a copy waits for")};
  ir_build(trace_builder(ev), OP_COPY_WAIT, 2, operands, 0, NULL);
  return v_none();
}

// Runs what is pending, so that the kernel about to be traced knows the values it uses; before any memory is made for it.
static Value native_settle(Eval *ev, Value *a) {
  (void)a;
  run_settle(ev);
  return v_none();
}

// ---- launches as values --------------------------------------------------------------------------------
// The operand's memory as a Ref: an array's, or the Ref itself.
static Value native_memory_of(Eval *ev, Value *a) {
  if (value_is_ref(ev, a[0])) return a[0];
  return ref_new(ev, pallas_operand(ev, a[0]), NULL);
}

static Value native_alloc(Eval *ev, Value *a) { // space, shape, dtype
  const IrType *type = pallas_memory_type(ev, a[0]);
  return ref_new(ev, ir_alloc(trace_builder(ev), type, STR("")), NULL);
}

// Memory outside of the programs of the devices, which all of them see.
static Value native_shared_alloc(Eval *ev, Value *a) {
  IrBuilder saved = ev->trace->builder;
  IrOp *devices = NULL;
  for (IrOp *op = saved.region->parent; op; op = op->parent ? op->parent->parent : NULL) {
    if (is_devices(op)) devices = op;
  }
  if (!devices) eval_raise(ev, ev->types.ValueError, "this is only possible under jax.shard_map");
  IrBuilder b = *trace_builder(ev);
  b.region = devices->parent;
  b.before = devices;
  Value ref = ref_new(ev, ir_alloc(&b, pallas_memory_type(ev, a[0]), STR("shared")), NULL);
  Level *level = ev->trace->level;
  while (level->outer && !(level->region && level->region->parent == devices)) level = level->outer;
  ((Ref *)ref.o)->level = level->outer; // it outlives the program that made it
  return ref;
}

// The elements of a Ref that is not written while the value is used.
static Value native_value_of(Eval *ev, Value *a) {
  IrValue *ref = ref_ir(ev, a[0]);
  pallas_freeze(ev, ref);
  return array_new(ev, ir_load_all(trace_builder(ev), ref), false);
}

// What a Ref that nobody will write any more holds.
static Value native_result_of(Eval *ev, Value *a) {
  IrValue *ref = ref_ir(ev, a[0]);
  pallas_freeze(ev, ref);
  return array_new(ev, ir_load_all(trace_builder(ev), ref), false);
}

static Value native_is_ref(Eval *ev, Value *a) { return v_bool(value_is_ref(ev, a[0])); }

// The names and sizes of the axes around: innermost first.
static Value native_axes(Eval *ev, Value *a) {
  (void)a;
  List *axes = list_new(ev, 4);
  for (const AxisName *axis = ev->trace->level->axes; axis; axis = axis->next) {
    Value pair[] = {axis->name, axis->size >= 0 ? v_int(axis->size) : v_none()};
    list_push(ev, axes, make_tuple(ev, 2, pair));
  }
  return v_object(axes);
}

static const NativeDef cores_natives[] = {
    {"cores(name, meshes, bodies, skip_barrier=False)", native_cores},
    {"meet_first()", native_meet_first},
    {"sem_signal(sem, inc, device, core)", native_sem_signal},
    {"sem_wait(sem, value, keep)", native_sem_wait},
    {"sem_read(sem)", native_sem_read},
    {"barrier(collective_id)", native_barrier},
    {"copy_start(source, target, received, sent, device, core)", native_copy_start},
    {"copy_wait(sem, ref)", native_copy_wait},
    {"settle()", native_settle},
    {"memory_of(x)", native_memory_of},
    {"alloc(memory_type)", native_alloc},
    {"shared_alloc(memory_type)", native_shared_alloc},
    {"value_of(ref)", native_value_of},
    {"result_of(ref)", native_result_of},
    {"is_ref(x)", native_is_ref},
    {"axes()", native_axes},
    {NULL, NULL},
};

const ModuleDef module_cores_primitives = {.name = "_cores", .functions = cores_natives};
const ModuleDef module_pl_cores = {.name = "jax.experimental.pallas._cores", .prelude = "pl_cores"};
const ModuleDef module_pltpu_pipeline = {.name = "jax.experimental.pallas.tpu._pipeline", .prelude = "pltpu_pipeline"};
const ModuleDef module_pltpu_schedule = {.name = "jax.experimental.pallas.tpu._schedule", .prelude = "pltpu_schedule"};
const ModuleDef module_pltpu_buffers = {.name = "jax.experimental.pallas.tpu._buffers", .prelude = "pltpu_buffers"};
const ModuleDef module_pltpu_comm = {.name = "jax.experimental.pallas.tpu._comm", .prelude = "pltpu_comm"};
