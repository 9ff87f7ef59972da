// SPDX-License-Identifier: Apache-2.0
// The primitives of programs on several cores: launches of cores, semaphores, copies. What can be
// said in the language is in library/jax/experimental/pallas/_cores.pk and
// library/jax/experimental/pallas/tpu/_comm.pk, which call the module _cores defined here.
#include <string.h>
#include <math.h>
#include "base/plural.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "ir/analysis/effects.h"
#include "python/modules/module.h"
#include "ir/vmap/batch.h"
#include "kernel_memory.h"
#include "pallas.h"
#include "jax/trace/frozen.h"
#include "jax/array/placement.h"
#include "jax/array/ref.h"
#include "jax/trace/chip_rule.h"
#include "jax/trace/pending.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "jax/array/array.h"
#include "jax/ops/create.h"

// ---- launches -----------------------------------------------------------------------------------
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
  if (rank > IR_MESH_AXES)
    eval_raise(ev, ev->types.ValueError, "a mesh of cores has at most %d axes", IR_MESH_AXES);
  mesh.rank = (uint8_t)rank;
  for (size_t i = 0; i < mesh.rank; i++) {
    mesh.names[i] = value_str(ev, pallas_item(ev, names, i));
    mesh.sizes[i] = take_int(ev, pallas_item(ev, sizes, i), "size of a mesh axis");
    if (mesh.sizes[i] < 1 || mesh.sizes[i] > INT32_MAX)
      eval_raise(ev, ev->types.ValueError, "axis '%.*s' of a mesh has %lld cores",
                 STR_FMT(mesh.names[i]), (long long)mesh.sizes[i]);
  }
  return mesh;
}

static void push_axis(Eval *ev, Value name, int64_t size, IrValue *index) {
  Level *level = ev->trace->level;
  AxisName *axis = ARENA_NEW(ev->arena, AxisName);
  *axis = (AxisName){.next = level->axes, .name = name, .size = size, .index = index};
  level->axes = axis;
}

// The axes of the launch's other programs: what runs here is at no place of them.
static void push_other_axes(Eval *ev, const CoreLaunch *l) {
  for (size_t m = 0; m < l->op->region_count; m++) {
    if (m == l->which) continue;
    Value names = pallas_item(ev, pallas_item(ev, l->meshes_given, m), 1);
    for (size_t i = 0; i < l->meshes[m].rank; i++)
      push_axis(ev, pallas_item(ev, names, i), l->meshes[m].sizes[i], NULL);
  }
}

static void trace_program(Eval *ev, void *data) {
  CoreLaunch *l = data;
  const IrMesh *mesh = &l->meshes[l->which];
  IrRegion *region = l->op->regions[l->which];
  push_other_axes(ev, l);
  const IrType *i32 = ir_array_type(trace_module(ev), DT_I32, 0, NULL);
  Value names = pallas_item(ev, pallas_item(ev, l->meshes_given, l->which), 1);
  for (size_t i = 0; i < mesh->rank; i++) {
    IrValue *index =
        ir_region_add_arg(region, i32, name_intern(ev->session->interner, mesh->names[i]));
    push_axis(ev, pallas_item(ev, names, i), mesh->sizes[i], index);
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

// ---- devices meet -------------------------------------------------------------------------------
// A kernel that reaches other devices begins when they have all come to it, unless it sees to that
// itself with a barrier semaphore.
typedef struct Reach {
  bool is_abroad, has_barrier, signals;
} Reach;

static void find_reach(const IrRegion *region, Reach *reach) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_SEM_BARRIER) reach->has_barrier = true;
    bool is_abroad = effects_targets(op, TARGET_DEVICE);
    reach->is_abroad |= is_abroad;
    reach->signals |= is_abroad && op->code != OP_COPY_START;
    for (size_t i = 0; i < op->region_count; i++) find_reach(op->regions[i], reach);
  }
}

// The level is in a device's own program, not in a kernel.
static bool is_at_device(const Level *level) {
  const IrOp *devices = level_devices(level);
  for (; devices && !(level->region && level->region->parent == devices); level = level->outer)
    if (level->kind == LEVEL_KERNEL) return false;
  return devices != NULL;
}

IrValue *pallas_begin(Eval *ev, IrValue *ref) {
  bool is_output = trace_seeks_races(ev) && ref->type->space != SPACE_SEM;
  if (is_output && is_at_device(ev->trace->level))
    ir_build(trace_builder(ev), OP_BEGIN, 1, &ref, 0, NULL);
  return ref;
}

static Reach reach_of(const IrOp *kernel) {
  Reach reach = {0};
  for (size_t i = 0; i < kernel->region_count; i++) find_reach(kernel->regions[i], &reach);
  return reach;
}

static bool must_meet(const Reach *reach, const Level *around) {
  return reach->is_abroad && !reach->has_barrier && is_at_device(around);
}

// Under interpret=True a copy to another device is a collective: nobody makes it before all have
// come to it. What not all devices may come to, in a branch, is none.
static void meet_at_copies(IrModule *m, IrRegion *region) {
  for (IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_COPY_START && effects_targets(op, TARGET_DEVICE)) {
      IrBuilder b = ir_builder_before(op);
      ir_build(&b, OP_MEET, 0, NULL, 0, NULL);
    }
    if (op->code == OP_FOR) meet_at_copies(m, op->regions[0]);
  }
}

// At the end of a kernel's body: its first grid step begins with a meeting, if need be.
static Value native_meet_first(Eval *ev, Value *a UNUSED) {
  IrBuilder b = *trace_builder(ev);
  const IrOp *launch = b.region->parent;
  if (!launch || launch->code != OP_LAUNCH) return v_none();
  Reach reach = reach_of(launch);
  if (!must_meet(&reach, ev->trace->level->outer)) return v_none();
  if (ir_attr_int(launch, ATTR_PRESET) == PRESET_LEAST && !reach.signals && !ev->options.check)
    meet_at_copies(b.module, b.region);
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

// Whether it may need more memory than there is.
static Value native_cores(Eval *ev, Value *a) { // name, meshes, bodies, skip_barrier
  if (trace_in_kernel(ev))
    eval_raise(ev, ev->types.NotImplementedError,
               "a kernel starts no programs on a mesh: '%.*s' is launched inside of a kernel",
               STR_FMT(take_str(ev, a[0], "name")));
  size_t count = (size_t)value_len(ev, a[1]);
  IrMesh *meshes = ARENA_ARRAY(ev->arena, IrMesh, count);
  for (size_t i = 0; i < count; i++) meshes[i] = take_mesh(ev, pallas_item(ev, a[1], i));
  IrModule *m = trace_module(ev);
  CoreLaunch l = {.ev = ev, .meshes = meshes, .meshes_given = a[1], .bodies = a[2]};
  l.op = ir_build(trace_builder(ev), OP_CORES, 0, NULL, 0, NULL);
  ir_set_int(trace_module(ev), l.op, ATTR_RAISES, 0);
  ir_set_str(m, l.op, ATTR_NAME, take_str(ev, a[0], "name"));
  ir_set_meshes(m, l.op, count, meshes);
  for (size_t i = 0; i < count; i++) ir_add_region(m, l.op);
  Value exception;
  if (!eval_try(ev, trace_programs, &l, &exception)) {
    ir_op_remove(l.op); // the program may catch the exception and go on
    eval_raise_value(ev, exception);
  }
  pallas_part_inputs(ev, l.op);
  Reach reach = reach_of(l.op);
  if (!value_truth(ev, a[3]) && !ir_runs_devices(l.op) && must_meet(&reach, ev->trace->level)) {
    IrBuilder before = *trace_builder(ev);
    before.before = l.op;
    ir_build(&before, OP_MEET, 0, NULL, 0, NULL);
  }
  return v_bool(!ir_runs_devices(l.op) && kernel_memory_is_short(ev, l.op));
}

// ---- operands -----------------------------------------------------------------------------------
static IrValue *take_semaphore(Eval *ev, Value v, const char *verb, const char *what) {
  if (!value_is_ref(ev, v))
    eval_raise(ev, ev->types.ValueError, "%s must be a semaphore, got %s", what,
               value_type_name(ev, v));
  IrValue *ref = ref_ir(ev, v);
  bool is_semaphore = ref->type->space == SPACE_SEM;
  if (is_semaphore && !ref->type->rank) return ref;
  Str wrong =
      str_format(ev->arena, "%s must be a semaphore, got %.*s", what, STR_FMT(value_repr(ev, v)));
  if (ref->type->rank)
    eval_raise(ev, ev->types.ValueError, "Cannot %s on a non-()-shaped semaphore: %.*s%.*s", verb,
               STR_FMT(shape_text(ev->arena, ref->type->rank, ref->type->dims)),
               STR_FMT(is_semaphore ? STR(". Index it with .at[…]")
                                    : str_format(ev->arena, ": %.*s", STR_FMT(wrong))));
  eval_raise(ev, ev->types.ValueError, "%.*s", STR_FMT(wrong));
}

static IrValue *take_memory(Eval *ev, Value v, const char *what) {
  if (v.kind == V_OBJECT && v.o->type == ev->trace->arrays->types.ref_at_helper)
    eval_raise(ev, ev->types.TypeError, "%s must be a Ref, got %s; .at takes an index: ref.at[...]",
               what, value_type_name(ev, v));
  if (!value_is_ref(ev, v))
    eval_raise(ev, ev->types.ValueError,
               "DMA source/destination/semaphore arguments must be Refs: %s is %s%s", what,
               value_type_name(ev, v),
               value_is_array(ev, v)
                   ? "; 'ref[...]' reads: it is given as 'ref', a part of it as 'ref.at[...]'"
                   : "");
  IrValue *ref = ref_ir(ev, v);
  if (ref->type->space == SPACE_SEM)
    eval_raise(ev, ev->types.ValueError, "%s is a semaphore", what);
  return ref;
}

static IrValue *take_i32(Eval *ev, Value v, const char *what) {
  Aval aval;
  if (!value_aval(ev, v, false, &aval) || aval.rank != 0 ||
      !(dtype_is_integer(aval.dtype) || aval.dtype == DT_BOOL))
    eval_raise(ev, ev->types.ValueError, "%s must be an integer scalar, got %.*s", what,
               STR_FMT(value_repr(ev, v)));
  return array_ir_cast(ev, v, DT_I32);
}

typedef struct Operands {
  VEC(IrValue *) items;
  int64_t target; // TARGET_… bits
} Operands;

// How many devices, or cores of the mesh of the program being traced, there are to name; 1 outside
// of a launch.
static int64_t target_count(Eval *ev, bool is_device) {
  for (const Level *level = ev->trace->level; level; level = level->outer) {
    const IrOp *op = level->region ? level->region->parent : NULL;
    if (!op || op->code != OP_CORES || ir_runs_devices(op) != is_device) continue;
    return ir_mesh_size(ir_program_mesh(level->region));
  }
  return 1;
}

static void check_target(Eval *ev, Value target, bool is_device, const char *what) {
  int64_t number;
  if (!value_as_int(ev, target, &number)) return;
  int64_t count = target_count(ev, is_device);
  if (number < 0 || number >= count)
    eval_raise(ev, ev->types.ValueError, "%s is %lld, but there %s %lld %s%s here", what,
               (long long)number, count == 1 ? "is" : "are", (long long)count,
               is_device ? "device" : "core", PLURAL(count));
}

// The device and the core, each None for the own one.
static void push_target(Eval *ev, Operands *o, Value device, Value core) {
  const struct {
    Value value;
    int64_t bit;
    const char *what;
  } parts[] = {{device, TARGET_DEVICE, "a device id"}, {core, TARGET_CORE, "a core index"}};
  for (size_t i = 0; i < COUNT_OF(parts); i++) {
    if (v_is_none(parts[i].value)) continue;
    check_target(ev, parts[i].value, parts[i].bit == TARGET_DEVICE, parts[i].what);
    VEC_PUSH(ev->arena, &o->items, take_i32(ev, parts[i].value, parts[i].what));
    o->target |= parts[i].bit;
  }
}

static IrOp *build(Eval *ev, OpCode code, const Operands *o) {
  IrOp *op = ir_build(trace_builder(ev), code, o->items.count, o->items.items, 0, NULL);
  if (code == OP_COPY_START || code == OP_SEM_SIGNAL)
    ir_set_int(trace_module(ev), op, ATTR_TARGET, o->target);
  if (code == OP_COPY_START) ir_set_int(trace_module(ev), op, ATTR_ADD, 0);
  return op;
}

// ---- semaphores ---------------------------------------------------------------------------------
static void refuse_negative(Eval *ev, Value v, const char *what) {
  int64_t number;
  if (value_as_int(ev, v, &number) && number < 0)
    eval_raise(ev, ev->types.ValueError, "%s must not be negative, got %lld", what,
               (long long)number);
}

// For programs: what counts bytes is not signalled or waited for by hand.
static Value native_must_be_regular(Eval *ev, Value *a) { // sem, what
  Str what = take_str(ev, a[1], "what");
  const IrValue *sem =
      take_semaphore(ev, a[0], str_copy(ev->arena, what).data,
                     str_format(ev->arena, "the argument of semaphore_%.*s", STR_FMT(what)).data);
  if (sem->type->sem == SEM_DMA)
    eval_raise(ev, ev->types.ValueError,
               "Must %.*s semaphores of the following types: regular, barrier. Got dma_sem: it "
               "counts the bytes of copies",
               STR_FMT(what));
  return v_none();
}

static Value native_sem_signal(Eval *ev, Value *a) { // sem, inc, device, core
  Operands o = {0};
  refuse_negative(ev, a[1], "the increment of semaphore_signal");
  VEC_PUSH(ev->arena, &o.items,
           take_semaphore(ev, a[0], "signal", "what semaphore_signal signals"));
  VEC_PUSH(ev->arena, &o.items, take_i32(ev, a[1], "the increment of semaphore_signal"));
  push_target(ev, &o, a[2], a[3]);
  build(ev, OP_SEM_SIGNAL, &o);
  return v_none();
}

static Value native_sem_wait(Eval *ev, Value *a) { // sem, value, keep
  refuse_negative(ev, a[1], "the value of semaphore_wait");
  IrValue *operands[] = {take_semaphore(ev, a[0], "wait", "what semaphore_wait waits for"),
                         take_i32(ev, a[1], "the value of semaphore_wait")};
  IrOp *op = ir_build(trace_builder(ev), OP_SEM_WAIT, 2, operands, 0, NULL);
  ir_set_int(trace_module(ev), op, ATTR_KEEP, value_truth(ev, a[2]));
  return v_none();
}

static Value native_sem_read(Eval *ev, Value *a) {
  IrValue *sem = take_semaphore(ev, a[0], "read", "what semaphore_read reads");
  const IrType *i32 = ir_array_type(trace_module(ev), DT_I32, 0, NULL);
  return array_new(ev, ir_build(trace_builder(ev), OP_SEM_READ, 1, &sem, 1, &i32)->results[0],
                   false);
}

static Value native_result_read(Eval *ev, Value *a) {
  IrValue *ref = ref_ir(ev, a[0]);
  const IrType *type = ir_array_type(trace_module(ev), DT_BOOL, 0, NULL);
  IrOp *op = ir_build(trace_builder(ev), OP_RESULT_READ, 1, &ref, 1, &type);
  return array_new(ev, op->results[0], false);
}

static Value pass_or_take(Eval *ev, OpCode code, Value *a) { // sem, counts, element
  if (!ev->options.check) return v_none();
  IrValue *operands[] = {take_semaphore(ev, a[0], "pass", "what is passed"), ref_ir(ev, a[1]),
                         take_i32(ev, a[2], "the element")};
  ir_build(trace_builder(ev), code, COUNT_OF(operands), operands, 0, NULL);
  return v_none();
}

static Value native_sem_pass(Eval *ev, Value *a) { return pass_or_take(ev, OP_SEM_PASS, a); }
static Value native_sem_take(Eval *ev, Value *a) { return pass_or_take(ev, OP_SEM_TAKE, a); }

static Value native_count_barrier(Eval *ev, Value *a UNUSED) {
  return v_int(++ev->trace->barriers);
}

static Value native_barrier(Eval *ev, Value *a) {
  const IrType *type = ir_sem_type(trace_module(ev), SEM_BARRIER, 0, NULL);
  IrOp *op = ir_build(trace_builder(ev), OP_SEM_BARRIER, 0, NULL, 1, &type);
  ir_set_int(trace_module(ev), op, ATTR_COLLECTIVE_ID, take_int(ev, a[0], "collective_id"));
  return ref_new(ev, op->results[0], name_intern_c(ev->session->interner, "barrier_semaphore"));
}

// ---- copies -------------------------------------------------------------------------------------
// The size of a dimension that is known at run time only, as some view below `ref` has it; NULL for
// a static one.
static IrValue *size_at_run(const IrValue *ref, int dim) {
  if (!ref->def || ref->def->code != OP_VIEW) return NULL;
  const IrIndex *index = ir_attr_index(ref->def);
  for (int i = 0, at = 0; i < index->rank; i++) {
    const IndexDim *d = &index->dims[i];
    if (d->kind == INDEX_ARRAY) return NULL;
    if (d->kind == INDEX_SCALAR || at++ != dim) continue;
    if (d->size_operand >= 0) return ref->def->operands[d->size_operand];
    const IrValue *below = ref->def->operands[0];
    bool is_whole =
        d->start_operand < 0 && d->start == 0 && d->stride == 1 && d->size == below->type->dims[i];
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
  IrValue *x = take_memory(ev, from, "the source of a copy"),
          *y = take_memory(ev, to, "the destination of a copy");
  bool same = x->type->rank == y->type->rank && x->type->dtype == y->type->dtype;
  if (same) {
    *source = with_bounds_of(ev, x, y->type);
    *target = with_bounds_of(ev, y, x->type);
  }
  for (int i = 0; same && i < x->type->rank; i++)
    same = (*source)->type->dims[i] == (*target)->type->dims[i];
  if (!same)
    eval_raise(ev, ev->types.TypeError,
               "a copy needs a source and a destination of one shape and dtype, got %.*s and %.*s",
               STR_FMT(value_repr(ev, from)), STR_FMT(value_repr(ev, to)));
}

// A copy between two refs that are both seen as another type is one between what they are made of.
static void look_behind_bitcasts(IrValue **source, IrValue **target) {
  const IrOp *from = (*source)->def, *to = (*target)->def;
  while (from && to && from->code == OP_REF_BITCAST && to->code == OP_REF_BITCAST &&
         from->operands[0]->type->dtype == to->operands[0]->type->dtype) {
    *source = from->operands[0];
    *target = to->operands[0];
    from = (*source)->def;
    to = (*target)->def;
  }
}

// Source, target, received, sent, device, core, add.
static Value native_copy_start(Eval *ev, Value *a) {
  Operands o = {0};
  IrValue *source, *target;
  take_sides(ev, a[0], a[1], &source, &target);
  if (!value_truth(ev, a[6])) look_behind_bitcasts(&source, &target);
  VEC_PUSH(ev->arena, &o.items, source);
  VEC_PUSH(ev->arena, &o.items, target);
  VEC_PUSH(ev->arena, &o.items, take_semaphore(ev, a[2], "signal", "the semaphore of a copy"));
  if (!v_is_none(a[3])) {
    VEC_PUSH(ev->arena, &o.items,
             take_semaphore(ev, a[3], "signal", "the send semaphore of a copy"));
    o.target |= TARGET_REMOTE;
  }
  push_target(ev, &o, a[4], a[5]);
  IrOp *op = build(ev, OP_COPY_START, &o);
  if (value_truth(ev, a[6])) {
    DType dtype = op->operands[0]->type->dtype;
    if (dtype != DT_F32 && dtype != DT_I32 && dtype != DT_U32 && dtype != DT_BF16)
      eval_raise(
          ev, ev->types.NotImplementedError,
          "copies with add=True are supported for float32, bfloat16, int32 and uint32, not for %s",
          dtype_name(dtype));
    ir_set_int(trace_module(ev), op, ATTR_ADD, 1);
  }
  return v_none();
}

// For the search for races, behind the start of a copy: a Ref with an index that it goes by.
static Value native_copy_index(Eval *ev, Value *a) {
  IrValue *ref = take_memory(ev, a[0], "the index of a copy");
  if (trace_seeks_races(ev)) ir_build(trace_builder(ev), OP_COPY_INDEX, 1, &ref, 0, NULL);
  return v_none();
}

static Value native_fetch_add(Eval *ev, Value *a) { // ref, value, core
  IrValue *ref = take_memory(ev, a[0], "what fetch_and_add changes");
  if (ref->type->space != SPACE_SMEM)
    eval_raise(ev, ev->types.ValueError,
               "Only refs in SMEM memory space are supported, but got %.*s",
               STR_FMT(value_repr(ev, a[0])));
  IrValue *operands[] = {ref, take_i32(ev, a[1], "the value of fetch_and_add"),
                         take_i32(ev, a[2], "the subcore of fetch_and_add")};
  const IrType *i32 = ir_array_type(trace_module(ev), DT_I32, 0, NULL);
  return array_new(ev, ir_build(trace_builder(ev), OP_FETCH_ADD, 3, operands, 1, &i32)->results[0],
                   false);
}

static Value native_copy_wait(Eval *ev, Value *a) { // semaphore, ref
  IrValue *operands[] = {take_semaphore(ev, a[0], "wait", "the semaphore of a copy"),
                         take_memory(ev, a[1], "what a copy waits for")};
  if (operands[0]->type->sem != SEM_DMA)
    raise_hinted(ev, ev->types.ValueError, "the semaphore of a copy is a pltpu.SemaphoreType.DMA",
                 "dma_wait requires a DMA semaphore, but got a regular semaphore. Use "
                 "pl.semaphore_wait() instead.");
  ir_build(trace_builder(ev), OP_COPY_WAIT, 2, operands, 0, NULL);
  return v_none();
}

// Runs what is pending, so that the kernel about to be traced knows the values it uses; before any
// memory is made for it.
// InterpretParams(skip_floating_point_ops=True): what computes floating-point numbers gives
// infinities. What reads them from memory is no computation.
typedef struct Skipped {
  Eval *ev;
  VEC(IrOp *) ops;
} Skipped;

static void skip_floating_point(IrOp *op, void *data) {
  Skipped *skipped = data;
  OpClass kind = op_info(op->code)->op_class;
  if (kind == CLASS_CONST || kind == CLASS_REF || kind == CLASS_CONTROL || kind == CLASS_EFFECTFUL)
    return;
  for (size_t i = 0; i < op->result_count; i++)
    if (!dtype_is_float(op->results[i]->type->dtype)) return;
  VEC_PUSH(skipped->ev->arena, &skipped->ops, op);
}

static Value native_skip_floating_point(Eval *ev, Value *a UNUSED) {
  Skipped skipped = {.ev = ev};
  ir_walk(ev->trace->builder.region, skip_floating_point, &skipped);
  for (size_t k = 0; k < skipped.ops.count; k++) {
    IrOp *op = skipped.ops.items[k];
    IrBuilder b = ev->trace->builder;
    b.region = op->parent;
    b.before = op;
    for (size_t i = 0; i < op->result_count; i++)
      ir_replace_uses(op->parent, op->results[i], ir_const_f64(&b, op->results[i]->type, INFINITY));
  }
  for (size_t k = skipped.ops.count; k-- > 0;) ir_op_remove(skipped.ops.items[k]);
  return v_none();
}

// InterpretParams(out_of_bounds_reads="raise"): what the launch that is being recorded reads or
// writes out of bounds fails its call.
static Value native_raise_outside(Eval *ev, Value *a UNUSED) {
  const IrRegion *region = ev->trace->builder.region;
  while (region->parent && region->parent->code != OP_LAUNCH && region->parent->code != OP_CORES)
    region = ir_region_outer(region);
  if (region->parent) ir_set_int(trace_module(ev), region->parent, ATTR_RAISES, 1);
  return v_none();
}

// Under --strict-tpu what was recorded is compiled at once: a refusal is of the call that it is
// for.
static Value native_settle_refusals(Eval *ev, Value *a UNUSED) {
  if (ev->options.strict_tpu) pending_settle(ev);
  return v_none();
}

static Value native_settle(Eval *ev, Value *a UNUSED) {
  pending_settle(ev);
  return v_none();
}

// ---- launches as values -------------------------------------------------------------------------
// The operand's memory as a Ref: an array's, or the Ref itself.
static Value native_memory_of(Eval *ev, Value *a) {
  if (value_is_ref(ev, a[0])) return a[0];
  return ref_new(ev, pallas_operand(ev, a[0]), NULL);
}

static Value native_alloc(Eval *ev, Value *a) { // (space, shape, dtype), per_core, owner
  const IrType *type = pallas_memory_type(ev, a[0]);
  IrValue *ref = ir_alloc(trace_builder(ev), type, STR(""));
  if (value_truth(ev, a[1])) ir_set_int(trace_module(ev), ref->def, ATTR_PER_CORE, 1);
  ir_set_int(trace_module(ev), ref->def, ATTR_OWNER, a[2].i);
  return ref_new(ev, pallas_begin(ev, ref), NULL);
}

// Under check: the contents are unspecified again, as if they were never written.
static Value native_forget(Eval *ev, Value *a) {
  IrValue *ref = ref_ir(ev, a[0]);
  if (!ev->options.check) return v_none();
  const IrType *type = ir_ref_type(trace_module(ev), ref->type->space, ref->type->dtype,
                                   ref->type->rank, ref->type->dims);
  ir_copy(trace_builder(ev), ir_alloc(trace_builder(ev), type, STR("")), ref, MOVE_NONE);
  return v_none();
}

// Tells the search for races of loops whose iterations are independent.
static Value native_turn(Eval *ev, Value *a) {
  if (!trace_seeks_races(ev)) return v_none();
  IrValue *number = v_is_none(a[1]) ? NULL : array_ir_cast(ev, a[1], DT_I32);
  IrOp *op = ir_build(trace_builder(ev), OP_TURN, number ? 1 : 0, &number, 0, NULL);
  int64_t stage;
  if (!attr_from_word(ATTR_STAGE, take_str(ev, a[0], "stage"), &stage)) BUG("no such stage");
  ir_set_int(trace_module(ev), op, ATTR_STAGE, stage);
  return v_none();
}

// The level of the program of a core that is being traced: that of the innermost launch of cores.
static Level *program_level(Eval *ev) {
  for (Level *level = ev->trace->level; level; level = level->outer)
    if (level->region && level->region->parent && ir_runs_cores(level->region->parent))
      return level;
  eval_raise(ev, ev->types.ValueError, "this is only possible in a kernel on a mesh of cores");
}

// Memory that is made before the launch of cores whose program is being traced; one part for each
// core, or group of cores.
static Value native_launch_alloc(Eval *ev, Value *a) {
  Level *level = program_level(ev);
  const IrRegion *program = level->region;
  IrBuilder b = *trace_builder(ev);
  b.region = program->parent->parent;
  b.before = program->parent;
  IrValue *ref = ir_alloc(&b, pallas_memory_type(ev, a[0]), STR("shared"));
  ir_set_int(trace_module(ev), ref->def, ATTR_PER_CORE, 1);
  Value out = ref_new(ev, ref, NULL);
  ((Ref *)out.o)->level = level->outer ? level->outer : level;
  return out;
}

// Memory of the whole program of a core.
static Value native_program_alloc(Eval *ev, Value *a) { // (space, shape, dtype), name
  Level *level = program_level(ev);
  IrBuilder b = *trace_builder(ev);
  b.region = level->region;
  b.before = level->region->first;
  Value out =
      ref_new(ev, ir_alloc(&b, pallas_memory_type(ev, a[0]), take_str(ev, a[1], "name")), NULL);
  ((Ref *)out.o)->level = level;
  return out;
}

static Value native_space(Eval *ev, Value *a) {
  return make_str_c(ev, mem_space_name(ref_ir(ev, a[0])->type->space));
}

// The size of a dimension of a Ref: an i32 if it is known at run time only.
static Value native_dim_size(Eval *ev, Value *a) {
  const IrValue *ref = ref_ir(ev, a[0]);
  int64_t dim = take_int(ev, a[1], "dimension");
  const IrOp *view = ref->def;
  if (view && view->code == OP_VIEW) {
    const IrIndex *index = ir_attr_index(view);
    for (int i = 0, at = 0; i < index->rank; i++) {
      if (index->dims[i].kind != INDEX_SLICE || at++ != dim) continue;
      int operand = index->dims[i].size_operand;
      if (operand >= 0) return array_new(ev, view->operands[operand], false);
    }
  }
  return v_int(ref->type->dims[dim]);
}

// Memory outside of the programs of the devices, which all of them see.
// Memory type, whether it is for what devices exchange.
static Value native_shared_alloc(Eval *ev, Value *a) {
  IrOp *devices = level_devices(ev->trace->level);
  if (!devices) eval_raise(ev, ev->types.ValueError, "this is only possible under jax.shard_map");
  IrBuilder b = *trace_builder(ev);
  b.region = devices->parent;
  b.before = devices;
  IrValue *memory = ir_alloc(&b, pallas_memory_type(ev, a[0]), STR("shared"));
  ir_set_int(trace_module(ev), memory->def, ATTR_EXCHANGED, value_truth(ev, a[1]));
  Value ref = ref_new(ev, memory, NULL);
  Level *level = ev->trace->level;
  while (level->outer && !(level->region && level->region->parent == devices)) level = level->outer;
  ((Ref *)ref.o)->level = level->outer; // it outlives the program that made it
  return ref;
}

// What a Ref holds that is not written while the value is used.
static Value native_value_of(Eval *ev, Value *a) {
  IrValue *ref = ref_ir(ev, a[0]);
  frozen_add(ev, ref, NULL);
  return array_new(ev, ir_load_all(trace_builder(ev), ref), false);
}

// How an entry point's array lies on the devices, for its C header. Of several ways the first.
static Value native_note_sharding(Eval *ev, Value *a) { // ref, text
  const IrValue *ref = ref_ir(ev, a[0]);
  IrFunc *func = ref->def ? NULL : ref->region->func;
  if (!func || ref->region != func->body) return v_none();
  IrParam *param = &func->params[ref->index];
  if (!param->sharding.len) param->sharding = take_str(ev, a[1], "sharding");
  return v_none();
}

// The same array, which says of itself that it is sharded so. Unless it is new, what is made of the
// one that was given does not.
static Value native_placed(Eval *ev, Value *a) { // x, sharding, is_new
  if (!value_is_array(ev, a[0])) return a[0];
  Array *x = (Array *)a[0].o;
  bool is_new = value_truth(ev, a[2]);
  if (!is_new && x->level->kind == LEVEL_RUN) pending_need(ev, x);
  return placement_put(ev, x, placement_given(ev, a[1], x->aval.rank));
}

// How an array lies on devices, as far as it is known; else None.
static Value native_sharding_of(Eval *ev, Value *a) {
  if (value_is_array(ev, a[0]) && ((Array *)a[0].o)->level->kind == LEVEL_RUN)
    pending_need(ev, (Array *)a[0].o);
  Placement *placement = placement_of(ev, a[0]);
  return placement && !placement->unknown ? placement_sharding(ev, placement) : v_none();
}

// The same array, which says of itself that it lies in this memory.
static Value native_in_space(Eval *ev, Value *a) {
  Value there = array_again(ev, (const Array *)array_from(ev, a[0]).o);
  ((Array *)there.o)->space = a[1];
  return there;
}

static Value native_in_kernel(Eval *ev, Value *a UNUSED) { return v_bool(trace_in_kernel(ev)); }

static Value native_no_tpu_rule(Eval *ev, Value *a) {
  chip_has_no_rule(ev, value_str(ev, a[0]));
  return v_none();
}

static Value native_is_ref(Eval *ev, Value *a) { return v_bool(value_is_ref(ev, a[0])); }

// The names and sizes of the axes around: innermost first.
static Value native_axes(Eval *ev, Value *a UNUSED) {
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
    {"must_be_regular(sem, what)", native_must_be_regular},
    {"sem_read(sem)", native_sem_read},
    {"result_read(ref)", native_result_read},
    {"sem_pass(sem, counts, element)", native_sem_pass},
    {"sem_take(sem, counts, element)", native_sem_take},
    {"barrier(collective_id)", native_barrier},
    {"count_barrier()", native_count_barrier},
    {"copy_start(source, target, received, sent, device, core, add=False)", native_copy_start},
    {"copy_wait(sem, ref)", native_copy_wait},
    {"copy_index(ref)", native_copy_index},
    {"settle()", native_settle},
    {"settle_refusals()", native_settle_refusals},
    {"skip_floating_point()", native_skip_floating_point},
    {"raise_outside()", native_raise_outside},
    {"memory_of(x)", native_memory_of},
    {"alloc(memory_type, per_core=False, owner=0)", native_alloc},
    {"launch_alloc(memory_type)", native_launch_alloc},
    {"forget(ref)", native_forget},
    {"program_alloc(memory_type, name)", native_program_alloc},
    {"kernel_memory(name, memory_type=None)", kernel_memory},
    {"fetch_add(ref, value, core)", native_fetch_add},
    {"space(ref)", native_space},
    {"dim_size(ref, dim)", native_dim_size},
    {"shared_alloc(memory_type, exchange=False)", native_shared_alloc},
    {"value_of(ref)", native_value_of},
    {"placed(x, sharding, is_new=False)", native_placed},
    {"sharding_of(x)", native_sharding_of},
    {"in_space(x, memory_space)", native_in_space},
    {"note_sharding(ref, text)", native_note_sharding},
    {"is_ref(x)", native_is_ref},
    {"in_kernel()", native_in_kernel},
    {"no_tpu_rule(primitive)", native_no_tpu_rule},
    {"axes()", native_axes},
    {"turn(stage, number)", native_turn},
    {NULL, NULL},
};

const ModuleDef module_cores_primitives = {.name = "_cores", .functions = cores_natives};
