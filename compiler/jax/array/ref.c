// SPDX-License-Identifier: Apache-2.0
// Refs: memory that kernels read and write. Reading, writing and views with JAX's rules for
// indices, shapes and dtypes; and pl.Slice.
#include "ref.h"
#include "ir/core/attr.h"
#include "ir/core/build_memory.h"
#include "ir/core/mesh.h"
#include "ir/core/param.h"
#include "ir/core/region.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/protocol.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/names.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "array_data.h"
#include "array_names.h"
#include "array_shape.h"
#include "dynamic_slice.h"
#include "promote.h"
#include "ref_index.h"
#include "shape_struct.h"
#include <string.h>

// What a view is of. Where its window is larger than that, there is no memory to be it, but a mask
// may leave out what lies outside. What is named of a view by steps must exist, and no more than
// that.
typedef struct RefPart {
  Value ref;
  RefIndex index;
} RefPart;

// ---- the type -----------------------------------------------------------------------------------
static bool at_run_level(Eval *ev) {
  const Level *level = ev->trace->level;
  while (level->kind == LEVEL_INLINE) level = level->outer;
  return level->kind == LEVEL_RUN;
}

Value ref_new(Eval *ev, IrValue *ir, Name name) {
  Ref *ref = ARENA_NEW(ev->arena, Ref);
  *ref = (Ref){
      .base = {ev->trace->arrays->types.ref}, .ir = ir, .level = ev->trace->level, .name = name};
  if (ir) ref->type = *ir->type;
  ref->space = ref->cell = v_none();
  if (at_run_level(ev)) VEC_PUSH(ev->arena, &ev->trace->arrays->run_refs, ref);
  if (!trace_in_kernel(ev)) trace_has_refs(ev);
  return v_object(ref);
}

// Memory without a name is called in the reports of a run what the program calls it. What belongs
// to several cores is made before their launch; a program sees its part.
static void memory_takes_name(Eval *ev, const IrValue *ref, Name name) {
  if (ref->def->code == OP_VIEW) ref = ref->def->operands[0];
  IrOp *memory = ref->def;
  if (memory && memory->code == OP_ALLOC && !ir_attr_str(memory, ATTR_NAME).len)
    ir_set_str(trace_module(ev), memory, ATTR_NAME, name_str(name));
}

void ref_take_name(Eval *ev, Ref *ref, Name name) {
  IrValue *ir = ref_has_leaked(ref) ? NULL : ref->ir;
  if (!ir && !ref->name) ref->name = name; // for when it gets memory
  if (!ir || !name) return;
  if (!ir->name && (!ir->def || ir->def->code == OP_ALLOC)) ir->name = name;
  if (ir->def) memory_takes_name(ev, ir, name);
  IrParam *param = ir_param_of(ir);
  if (param && ir_param_is_made_up(param)) param->name = ir->name = name;
}

enum { TREE_DEPTH = 4, TREE_WIDTH = 64 }; // of trees that are looked into: those of refs are small

static void tree_takes_name(Eval *ev, Value tree, Str path, int depth);

static void item_takes_name(Eval *ev, Value item, Str path, Str key, int depth) {
  if (item.kind == V_OBJECT)
    tree_takes_name(ev, item, str_format(ev->arena, "%.*s[%.*s]", STR_FMT(path), STR_FMT(key)),
                    depth + 1);
}

static void items_take_names(Eval *ev, const Value *items, size_t count, Str path, int depth) {
  for (size_t i = 0; i < count && count <= TREE_WIDTH; i++)
    item_takes_name(ev, items[i], path, str_format(ev->arena, "%zu", i), depth);
}

static void tree_takes_name(Eval *ev, Value tree, Str path, int depth) {
  tree = value_unwrap(tree); // a named tuple
  if (tree.kind != V_OBJECT) return;
  const Type *type = tree.o->type;
  if (value_is_ref(ev, tree)) {
    ref_take_name(ev, (Ref *)tree.o, name_intern(ev->session->interner, path));
  } else if (depth == TREE_DEPTH) {
    return;
  } else if (type == ev->types.dict) {
    DictEntry *entry;
    for (size_t it = 0; dict_next((const Dict *)tree.o, &it, &entry);)
      item_takes_name(ev, entry->value, path, value_repr(ev, entry->key), depth);
  } else if (type == ev->types.list) {
    items_take_names(ev, ((const List *)tree.o)->items, ((const List *)tree.o)->count, path, depth);
  } else if (type == ev->types.tuple) {
    items_take_names(ev, ((const Tuple *)tree.o)->items, ((const Tuple *)tree.o)->count, path,
                     depth);
  }
}

// Those that a kernel has from the functions around it are called as they are there.
static void captured_take_names(Eval *ev, const Env *env) {
  for (; env; env = env->outer)
    for (uint32_t i = 0; i < env->scope->slot_count; i++)
      if (env->slots[i].kind == V_OBJECT && value_is_ref(ev, env->slots[i]))
        ref_take_name(ev, (Ref *)env->slots[i].o, env->scope->slots[i]);
}

void refs_take_names(Eval *ev, const Function *f, const Value *slots) {
  if (f->module && f->module->file && f->module->file->is_builtin) return;
  if (f->closure && trace_in_kernel(ev)) captured_take_names(ev, f->closure);
  for (size_t i = 0; i < f->params->count; i++) {
    if (slots[i].kind != V_OBJECT) continue;
    if (value_is_ref(ev, slots[i]))
      ref_take_name(ev, (Ref *)slots[i].o, f->params->items[i].name);
    else if (trace_in_kernel(ev))
      tree_takes_name(ev, slots[i], name_str(f->params->items[i].name), 0);
  }
}

// Nothing, or what lax.empty gave: there is no need to copy it.
static bool is_unspecified(Eval *ev, Value contents) {
  if (v_is_none(contents)) return true;
  if (!value_is_array(ev, contents)) return false;
  const Array *array = (const Array *)contents.o;
  const IrValue *ir = array->level->left ? NULL : array->ir;
  if (!ir || !ir->def || ir->def->code != OP_LOAD || array->host) return false;
  const IrOp *memory = ir->def->operands[0]->def;
  return memory && ev->trace->unwritten && map_has(ev->trace->unwritten, memory->results[0]);
}

Value ref_new_host(Eval *ev, const Aval *aval, Value contents, MemSpace own) {
  bool is_within_jit = ev->trace->level->kind == LEVEL_INLINE;
  if (at_run_level(ev) && !(is_within_jit && own != SPACE_HBM)) {
    Ref *ref = ARENA_NEW(ev->arena, Ref);
    *ref = (Ref){.base = {ev->trace->arrays->types.ref},
                 .level = ev->trace->level,
                 .is_host = true,
                 .is_per_core = own != SPACE_HBM,
                 .aval = *aval};
    ref->space = v_none();
    ref->cell = contents;
    trace_has_refs(ev);
    return v_object(ref);
  }
  MemSpace space = trace_in_kernel(ev) ? SPACE_VMEM : own;
  const IrType *type = ir_ref_type(trace_module(ev), space, aval->dtype, aval->rank, aval->dims);
  IrValue *ir = ir_alloc(trace_builder(ev), type, STR(""));
  if (!is_unspecified(ev, contents))
    ir_store_all(trace_builder(ev), array_ir(ev, contents, aval->dtype), ir);
  return ref_new(ev, ir, NULL);
}

// The op of `body` that is being traced; NULL if it has not been put there yet. A region that is
// not in its op yet is inside of those of the levels around it.
static IrOp *top_op(const IrRegion *body, const Level *level) {
  for (; level; level = level->outer) {
    IrOp *op = level->region ? ir_op_in(level->region->parent, body) : NULL;
    if (op) return op;
  }
  return NULL;
}

// Memory for a host ref in the pending function, at its outermost region: regions that are being
// traced are inside it, those of a launch of cores behind an op that already stands there.
static void host_ref_begin(Eval *ev, Ref *ref) {
  TraceState *t = ev->trace;
  IrBuilder saved = t->builder;
  Level *level = t->level;
  IrRegion *body = saved.region->func->body;
  if (saved.region != body) {
    t->builder.region = body;
    t->builder.before = top_op(body, level);
    while (t->level->outer && !at_run_level(ev)) t->level = t->level->outer;
  }
  const IrType *type =
      ir_ref_type(t->module, SPACE_HBM, ref->aval.dtype, ref->aval.rank, ref->aval.dims);
  IrBuilder *b = trace_builder(ev);
  ref->ir = ir_alloc(b, type, ref->name ? name_str(ref->name) : STR(""));
  if (!is_unspecified(ev, ref->cell))
    ir_store_all(b, array_ir(ev, ref->cell, ref->aval.dtype), ref->ir);
  t->builder = saved;
  t->level = level;
  VEC_PUSH(ev->arena, &t->arrays->run_refs, ref);
}

void ref_settle(Eval *ev) {
  TraceState *t = ev->trace;
  for (size_t i = 0; i < t->arrays->run_refs.count; i++) {
    Ref *ref = t->arrays->run_refs.items[i];
    // Nobody looks yet: the load has no place in the program.
    IrBuilder b = *trace_builder(ev);
    b.span = (Span){0};
    b.frames = NULL;
    if (ref->is_host) ref->cell = array_new(ev, ir_load_all(&b, ref->ir), false);
  }
  ref_forget(ev);
}

void ref_forget(Eval *ev) {
  ArrayState *arrays = ev->trace->arrays;
  for (size_t i = 0; i < arrays->run_refs.count; i++) arrays->run_refs.items[i]->ir = NULL;
  arrays->run_refs.count = 0;
}

static Ref *take_ref(Eval *ev, Value v) {
  if (!value_is_ref(ev, v))
    eval_raise(ev, ev->types.TypeError, "a Ref is expected, got %s", value_type_name(ev, v));
  return (Ref *)v.o;
}

// How many cores run the program that a level is; 1 elsewhere.
static int64_t cores_of(const Level *level) {
  const IrOp *op = level->region ? level->region->parent : NULL;
  if (!op || op->code != OP_CORES || ir_runs_devices(op)) return 1;
  return ir_mesh_size(ir_program_mesh(level->region));
}

// On the chip each core has its own of it; outside of `jit` a Ref is one array, from call to call.
static void check_is_own(Eval *ev, const Ref *ref) {
  for (const Level *level = ev->trace->level; level && level != ref->level; level = level->outer)
    if (cores_of(level) > 1)
      eval_raise(ev, ev->types.NotImplementedError,
                 "VMEM or SMEM made outside of a kernel that runs on %lld cores, each of which has "
                 "its own, is only there within jax.jit",
                 (long long)cores_of(level));
}

static NORETURN void raise_repeats(Eval *ev) {
  eval_raise(ev, ev->types.ValueError, "a stride of 0 is for reads, not for views and writes");
}

IrValue *ref_ir(Eval *ev, Value v) {
  Ref *ref = take_ref(ev, v);
  if (ref->beyond)
    ref_index_raise_beyond(ev, ref_ir(ev, ref->beyond->ref)->type, &ref->beyond->index);
  if (ref->ended) eval_raise(ev, ev->types.ValueError, "a Ref is used after jax.freeze");
  if (ref->is_per_core) check_is_own(ev, ref);
  if (ref_has_leaked(ref))
    eval_raise(ev, trace_types(ev)->UnexpectedTracerError,
               "Encountered an unexpected tracer. A leaked value: a Ref%s%s is used after the "
               "kernel or scope that made it has ended",
               ref->name ? " named " : "", ref->name ? ref->name->text : "");
  if (!ref->ir && ref->is_host) host_ref_begin(ev, ref);
  if (!ref->ir)
    eval_raise(
        ev, ev->types.RuntimeError,
        "a view of a Ref, or what a launch has left in flight, is used after a value has been "
        "asked "
        "for: make the view again with .at[…]; launches that hand on a semaphore belong into one "
        "jitted function");
  return ref->ir;
}

void ref_end(Eval *ev, Value v) { take_ref(ev, v)->ended = true; }

// The type alone, which is known even when the memory is not.
static const IrType *ref_type(Eval *ev, const Ref *ref) {
  if (ref->ir && !ref_has_leaked(ref)) return ref->ir->type;
  if (!ref->is_host && !ref->beyond) return &ref->type;
  MemSpace space = ref->beyond ? ref_type(ev, (const Ref *)ref->beyond->ref.o)->space : SPACE_HBM;
  return ir_ref_type(trace_module(ev), space, ref->aval.dtype, ref->aval.rank, ref->aval.dims);
}

bool ref_is_made_by_program(const Ref *ref) {
  const IrOp *op = ref->ir && !ref_has_leaked(ref) ? ref->ir->def : NULL;
  return ref->is_host || (op && op->code == OP_ALLOC && ref->ir->type->space != SPACE_SEM);
}

Str ref_type_text(Eval *ev, const Ref *ref) {
  const IrType *type = ref_type(ev, ref);
  Aval aval = {.dtype = type->dtype, .rank = type->rank};
  for (int i = 0; i < type->rank; i++) aval.dims[i] = type->dims[i];
  return str_format(ev->arena, "Ref{%.*s}", STR_FMT(aval_text(ev->arena, &aval)));
}

// The memory that an access with this mask, or with none, is to, and its index.
static IrValue *take_place(Eval *ev, Value ref_value, Value index, Value mask, RefIndex *at) {
  const Ref *ref = take_ref(ev, ref_value);
  ref_index_read(ev, ref_type(ev, ref), index, at);
  if (ref->beyond && !v_is_none(mask) && !ref->level->left &&
      ref_index_is_whole(ref_type(ev, ref), at)) {
    *at = ref->beyond->index;
    ref_value = ref->beyond->ref;
  }
  if (ref->part && ref_index_compose(ev, &ref->part->index, at)) ref_value = ref->part->ref;
  IrValue *ir = ref_ir(ev, ref_value);
  if (at->beyond >= 0 && v_is_none(mask)) ref_index_raise_beyond(ev, ir->type, at);
  if (at->beyond >= 0 || at->repeats)
    ref_index_by_elements(ev, ref_index_result(ev, ir->type, at), at);
  return ir;
}

static void refuse_semaphore(Eval *ev, const IrType *type, const char *what) {
  if (type->space == SPACE_SEM)
    eval_raise(ev, ev->types.ValueError,
               "a semaphore cannot be %s; one of several is named by .at[...], as in "
               "sems.at[0], and pl.semaphore_signal and pl.semaphore_wait change it",
               what);
}

// ---- reading and writing ------------------------------------------------------------------------
static IrValue *mask_for(Eval *ev, Value mask, const IrType *type) {
  if (v_is_none(mask)) return NULL;
  Aval aval;
  take_aval(ev, "mask", mask, 0, &aval);
  if (aval.dtype != DT_BOOL)
    eval_raise(ev, ev->types.TypeError, "a mask must be an array of bool, got %s",
               dtype_name(aval.dtype));
  size_t rank = type->rank;
  int64_t dims[IR_MAX_RANK];
  memcpy(dims, type->dims, sizeof dims);
  if (!broadcast_dims(&rank, dims, aval.rank, aval.dims) || rank != type->rank ||
      memcmp(dims, type->dims, rank * sizeof *dims) != 0)
    eval_raise(ev, ev->types.ValueError,
               "the mask of shape %.*s does not go with a value of shape %.*s",
               STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)),
               STR_FMT(shape_text(ev->arena, type->rank, type->dims)));
  return operand_as(ev, mask, DT_BOOL, type->rank, type->dims);
}

// Data that the index needs is asked for before the ref's value is: what is pending may run.
static void settle_ref_index(Eval *ev, Value index) {
  int64_t n;
  Value start, size, stride;
  Tuple *tuple = value_as_tuple(index);
  for (size_t i = 0; i < (tuple ? tuple->count : 1); i++) {
    Value item = tuple ? tuple->items[i] : index;
    if (item.kind != V_OBJECT) continue;
    if (value_as_dynamic_slice(ev, item, &start, &size, &stride)) known_int(ev, start, &n);
    if (value_is_array(ev, item)) known_int(ev, item, &n);
  }
  settle_index(ev, index);
}

Value ref_get(Eval *ev, Value ref_value, Value index, Value mask, Value other) {
  settle_ref_index(ev, index);
  RefIndex at;
  IrValue *ref = take_place(ev, ref_value, index, mask, &at);
  refuse_semaphore(ev, ref->type, "read");
  ref_index_require_static(ev, &at);
  const IrType *type = ref_index_result(ev, ref->type, &at);
  IrValue *mask_ir = mask_for(ev, mask, type), *other_ir = NULL;
  if (!v_is_none(other)) {
    if (!mask_ir) eval_raise(ev, ev->types.ValueError, "`other` has no meaning without a mask");
    other_ir = operand_as(ev, other, type->dtype, type->rank, type->dims);
  }
  return array_result(ev, ir_load(trace_builder(ev), ref, &at.index, at.operand_count, at.operands,
                                  mask_ir, other_ir));
}

// As JAX, which quotes the type but for that of text.
static NORETURN void raise_no_value(Eval *ev, Value value) {
  Str text, type = value_repr(ev, v_object(value_type(ev, value)));
  const char *quote = value_as_str(value, &text) ? "" : "'";
  eval_raise(ev, ev->types.TypeError, "Argument '%.*s' of type %s%.*s%s is not a valid JAX type",
             STR_FMT(value_str(ev, value)), quote, STR_FMT(type), quote);
}

void ref_set(Eval *ev, Value ref_value, Value index, Value value, Value mask) {
  settle_ref_index(ev, index);
  const Ref *r = take_ref(ev, ref_value);
  RefIndex at;
  IrValue *ref = take_place(ev, ref_value, index, mask, &at);
  const char *name = r->name ? r->name->text : "";
  if (at.repeats) raise_repeats(ev);
  refuse_semaphore(ev, ref->type, "written");
  ref_index_require_static(ev, &at);
  const IrType *type = ref_index_result(ev, ref->type, &at);
  Aval aval;
  if (value_is_ref(ev, value))
    eval_raise(
        ev, ev->types.ValueError,
        "Cannot store a Ref into another Ref. Did you forget to load from it using `[...]`?");
  if (!value_aval(ev, value, false, &aval)) raise_no_value(ev, value);
  check_store(ev, ref->type, type, &aval, name);
  IrValue *ir = operand_as(ev, value, type->dtype, type->rank, type->dims);
  IrValue *mask_ir = mask_for(ev, mask, type);
  ir_store(trace_builder(ev), ir, ref, &at.index, at.operand_count, at.operands, mask_ir);
}

// A Ref, an array or plsc.Indices: a copy through such a view gathers or scatters.
static bool is_indirect(Eval *ev, Value item) {
  Aval aval;
  if (item.kind != V_OBJECT) return false;
  if (value_is_ref(ev, item)) return true;
  if (value_is_array(ev, item)) return value_aval(ev, item, false, &aval) && aval.rank > 0;
  Value ignored =
      value_getattr_opt(ev, item, name_intern_c(ev->session->interner, "ignored_value"));
  return !v_is_unbound(ignored);
}

static bool index_is_indirect(Eval *ev, Value index) {
  const Tuple *items = value_as_tuple(index);
  if (!items) return is_indirect(ev, index);
  for (size_t i = 0; i < items->count; i++)
    if (is_indirect(ev, items->items[i])) return true;
  return false;
}

static const RefPart *new_part(Eval *ev, Value ref, const RefIndex *at) {
  RefPart *part = ARENA_NEW(ev->arena, RefPart);
  *part = (RefPart){ref, *at};
  return part;
}

// Outside of kernels nothing is left of an index when a value is asked for.
static Ref *beyond_view(Eval *ev, Value ref_value, const RefIndex *at) {
  const IrType *type = ref_ir(ev, ref_value)->type, *result = ref_index_result(ev, type, at);
  if (at_run_level(ev) && at->operand_count > 0) ref_index_raise_beyond(ev, type, at);
  Ref *view = (Ref *)ref_new(ev, NULL, take_ref(ev, ref_value)->name).o;
  view->beyond = new_part(ev, ref_value, at);
  view->aval = (Aval){.dtype = result->dtype, .rank = result->rank};
  memcpy(view->aval.dims, result->dims, result->rank * sizeof *result->dims);
  return view;
}

static Value ref_view(Eval *ev, Value ref_value, Value index) {
  if (index_is_indirect(ev, index)) {
    Value args[] = {ref_value, index};
    return value_call_n(ev, module_lookup(ev, "jax.experimental.pallas.tpu._indirect", "indirect"),
                        2, args);
  }
  settle_ref_index(ev, index);
  const Ref *r = take_ref(ev, ref_value);
  IrValue *ref = ref_ir(ev, ref_value);
  RefIndex at;
  ref_index_read(ev, ref->type, index, &at);
  if (at.repeats) raise_repeats(ev);
  ref_index_result(ev, ref->type, &at);
  if (r->part && ref_index_compose(ev, &r->part->index, &at)) {
    ref_value = r->part->ref;
    ref = ref_ir(ev, ref_value);
  }
  Value result =
      at.beyond >= 0
          ? v_object(beyond_view(ev, ref_value, &at))
          : ref_new(ev, ir_view(trace_builder(ev), ref, &at.index, at.operand_count, at.operands),
                    r->name);
  Ref *view = (Ref *)result.o;
  if (ref_index_is_strided(&at) && !at_run_level(ev)) view->part = new_part(ev, ref_value, &at);
  view->space = r->space;
  view->is_per_core = r->is_per_core;
  return result;
}

// ---- attributes ---------------------------------------------------------------------------------
typedef struct RefAt {
  Object base;
  Value ref;
} RefAt;

// The memory space as pltpu has it.
static Value ref_memory_space(Eval *ev, const IrType *type) {
  static const char *const names[SPACE_COUNT] = {
      [SPACE_HBM] = "HBM",       [SPACE_VMEM] = "VMEM", [SPACE_SMEM] = "SMEM",
      [SPACE_SEM] = "SEMAPHORE", [SPACE_HOST] = "HOST", [SPACE_VMEM_SHARED] = "VMEM_SHARED",
      [SPACE_CMEM] = "CMEM"};
  Value spaces = module_lookup(ev, "jax.experimental.pallas.tpu", "MemorySpace");
  return value_getattr(ev, spaces, name_intern_c(ev->session->interner, names[type->space]));
}

static Value ref_dtype(Eval *ev, const IrType *type) {
  if (type->space != SPACE_SEM) return make_dtype(ev, type->dtype);
  Value name = make_str_c(ev, ref_element_name(type));
  return value_call_n(ev, module_lookup(ev, "jax.experimental.pallas.tpu", "_semaphore_dtype"), 1,
                      &name);
}

static Value ref_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  const Ref *ref = (const Ref *)self.o;
  const IrType *type = ref_type(ev, ref);
  if (name == n->shape) return make_tuple_i64(ev, type->rank, type->dims);
  if (name == n->dtype) return ref_dtype(ev, type);
  if (name == n->ndim) return v_int(type->rank);
  if (name == n->size) return v_int(ir_type_count(type));
  if (name == n->at) {
    RefAt *at = ARENA_NEW(ev->arena, RefAt);
    *at = (RefAt){{ev->trace->arrays->types.ref_at_helper}, self};
    return v_object(at);
  }
  if (name == n->itemsize) return v_int((int64_t)dtype_size(type->dtype));
  if (name == n->nbytes) return v_int(ir_type_bytes(type));
  if (name == n->ref) return self;
  if (name == n->weak_type) return v_bool(false);
  if (name == n->memory_space)
    return v_is_none(ref->space) ? ref_memory_space(ev, type) : ref->space;
  if (name == n->aval || name == n->inner_aval) {
    Aval aval;
    value_loose_aval(ev, self, &aval);
    return shape_dtype_struct_new(ev, &aval);
  }
  if (name == n->T)
    return value_call_n(ev, module_lookup(ev, "jax._src.state.types", "transpose_ref"), 1, &self);
  return v_unbound();
}

static Value ref_getitem(Eval *ev, Value self, Value index) {
  return ref_get(ev, self, index, v_none(), v_none());
}

static void ref_setitem(Eval *ev, Value self, Value index, Value value) {
  ref_set(ev, self, index, value, v_none());
}

static int64_t ref_len(Eval *ev, Value self) {
  const IrType *type = ref_type(ev, (const Ref *)self.o);
  if (type->rank == 0) eval_raise(ev, ev->types.TypeError, "len() of unsized object");
  return type->dims[0];
}

// In JAX a kernel's ref lacks an attribute of the operation's name; an array on the left refuses it
// as an operand. `method` is Python's, as __add__; `why` says what to do.
static NORETURN void raise_arithmetic(Eval *ev, Name method, Value left, Value right, Str why) {
  const Ref *ref = (const Ref *)(value_is_ref(ev, left) ? left.o : right.o);
  bool is_traced = !ref->is_host && !value_is_array(ev, left);
  if (!is_traced) eval_raise(ev, ev->types.TypeError, "%.*s", STR_FMT(why));
  Str name = name_str(method);
  eval_raise(ev, ev->types.AttributeError, "'AbstractRef' object has no attribute '%.*s': %.*s",
             (int)(name.len - 3), name.data + 1, STR_FMT(why));
}

static Str not_defined(Eval *ev, const char *op) {
  return str_format(
      ev->arena,
      "'%s' is not defined on a Ref, which is memory and not a value; read it first: ref[...]", op);
}

static Value ref_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  Name method = value_is_ref(ev, left) ? ev->names->binary[op] : ev->names->reflected[op];
  raise_arithmetic(ev, method, left, right, not_defined(ev, binary_op_text(op)));
}

static Value ref_inplace(Eval *ev, BinaryOp op, Value left, Value right) {
  const char *text = binary_op_text(op);
  raise_arithmetic(
      ev, ev->names->binary[op], left, right,
      str_format(ev->arena,
                 "'%s=' is not defined on a Ref, which is memory and not a value; what "
                 "it holds is changed by 'ref[...] %s= value'",
                 text, text));
}

static Value ref_unary(Eval *ev, UnaryOp op, Value self) {
  raise_arithmetic(ev, ev->names->unary[op], self, self, not_defined(ev, unary_op_text(op)));
}

static Value ref_compare(Eval *ev, CompareOp op, Value left, Value right) {
  bool is_host = ((const Ref *)(value_is_ref(ev, left) ? left.o : right.o))->is_host;
  if ((op == CMP_EQ || op == CMP_NE) && is_host) {
    if (left.kind == V_OBJECT && right.kind == V_OBJECT && left.o == right.o)
      return v_bool(op == CMP_EQ);
    if (!value_is_arraylike(ev, left) && !value_is_arraylike(ev, right))
      return v_bool(op == CMP_NE);
  }
  raise_arithmetic(ev, ev->names->compare[op], left, right, not_defined(ev, compare_op_text(op)));
}

// As JAX: arrays of several elements have none for another reason than one element.
static bool ref_truth(Eval *ev, Value self) {
  bool is_one = ir_type_count(ref_type(ev, (const Ref *)self.o)) == 1;
  eval_raise(
      ev, is_one ? ev->types.TypeError : ev->types.ValueError,
      "%sa Ref is memory and has no truth value; read it (ref[...]) and use pl.when or lax.cond",
      is_one ? ""
             : "The truth value of an array with more than one element is ambiguous. Use a.any() "
               "or a.all(): ");
}

static Value ref_iter(Eval *ev, Value self) {
  eval_raise(ev, ev->types.TypeError,
             "Value of type <class '%s'> is not iterable. It is a Ref: loop over "
             "range(ref.shape[0]) and read ref[i]",
             ref_class_name(ev, self));
}

static uint64_t ref_hash(Eval *ev, Value self) {
  if (!((const Ref *)self.o)->is_host)
    eval_raise(ev, ev->types.TypeError,
               "unhashable type: 'Ref' of a kernel; id(ref), or its place in the kernel's "
               "parameters, can be a key");
  return (uint64_t)(uintptr_t)self.o >> 4;
}

static Str ref_repr(Eval *ev, Value self) {
  return ref_memory_text(ev, ref_type(ev, (const Ref *)self.o));
}

// ---- methods ------------------------------------------------------------------------------------
static Value ref_method_get(Eval *ev, Value *a) {
  return ref_get(ev, a[0], a[1], v_none(), v_none());
}

static Value ref_method_set(Eval *ev, Value *a) {
  ref_set(ev, a[0], a[2], a[1], v_none());
  return v_none();
}

static Value ref_method_swap(Eval *ev, Value *a) {
  Value old = ref_get(ev, a[0], a[2], v_none(), v_none());
  ref_set(ev, a[0], a[2], a[1], v_none());
  return old;
}

static void fit_ref(Eval *ev, const IrValue *ref, size_t rank, int64_t *dims) {
  int64_t count = ir_type_count(ref->type);
  ShapeFit fit = shape_fit(count, rank, dims);
  bool is_negative = false;
  for (size_t i = 0; i < rank; i++) is_negative |= dims[i] < 0;
  if (fit == SHAPE_FITS && !is_negative) return;
  Str to = shape_text(ev->arena, rank, dims);
  if (fit == SHAPE_UNKNOWNS)
    eval_raise(ev, ev->types.ValueError, "At most one dimension can be -1, but got %.*s",
               STR_FMT(to));
  if (fit == SHAPE_BY_ZERO) eval_raise(ev, ev->types.ZeroDivisionError, "integer modulo by zero");
  if (fit == SHAPE_UNEVEN)
    eval_raise(ev, ev->types.ValueError,
               "Specified dims %.*s do not evenly divide the size of the ref (%lld).", STR_FMT(to),
               (long long)count);
  eval_raise(ev, ev->types.ValueError, "cannot reshape shape %.*s into shape %.*s",
             STR_FMT(shape_text(ev->arena, ref->type->rank, ref->type->dims)), STR_FMT(to));
}

static Value ref_method_reshape(Eval *ev, Value *a) {
  const Ref *r = take_ref(ev, a[0]);
  IrValue *ref = ref_ir(ev, a[0]);
  Tuple *args = value_as_tuple(a[1]);
  int64_t dims[IR_MAX_RANK];
  size_t rank = take_array_shape(ev, args->count == 1 ? args->items[0] : a[1], dims, "shape");
  fit_ref(ev, ref, rank, dims);
  array_type_checked(ev, ref->type->dtype, rank, dims); // of no elements, but of large sizes
  const IrType *type = ir_type_with_dims(trace_module(ev), ref->type, rank, dims);
  IrOp *op = ir_build(trace_builder(ev), OP_REF_RESHAPE, 1, &ref, 1, &type);
  Value result = ref_new(ev, op->results[0], r->name);
  ((Ref *)result.o)->space = r->space;
  ((Ref *)result.o)->is_per_core = r->is_per_core;
  return result;
}

static Value ref_method_bitcast(Eval *ev, Value *a) {
  const Ref *r = take_ref(ev, a[0]);
  IrValue *ref = ref_ir(ev, a[0]);
  DType dtype = canonical_dtype(ev, take_dtype(ev, a[1], "dtype"));
  const IrType *old = ref->type;
  int64_t dims[IR_MAX_RANK];
  memcpy(dims, old->dims, sizeof dims);
  unsigned from = dtype_bits(old->dtype), to = dtype_bits(dtype);
  if (from != to) {
    if (old->rank < 2)
      eval_raise(
          ev, ev->types.ValueError,
          "a bitcast between widths scales the second-last dimension; a ref of shape %.*s has none",
          STR_FMT(shape_text(ev->arena, old->rank, old->dims)));
    int64_t bits = dims[old->rank - 2] * from;
    if (bits % to)
      eval_raise(
          ev, ev->types.ValueError,
          "cannot bitcast a ref of shape %.*s from %s to %s: its second-last dimension does not "
          "divide",
          STR_FMT(shape_text(ev->arena, old->rank, old->dims)), dtype_name(old->dtype),
          dtype_name(dtype));
    dims[old->rank - 2] = bits / to;
  }
  const IrType *type = ir_ref_type(trace_module(ev), old->space, dtype, old->rank, dims);
  IrOp *op = ir_build(trace_builder(ev), OP_REF_BITCAST, 1, &ref, 1, &type);
  Value result = ref_new(ev, op->results[0], r->name);
  ((Ref *)result.o)->space = r->space;
  ((Ref *)result.o)->is_per_core = r->is_per_core;
  return result;
}

static const NativeDef ref_methods[] = {
    {"get(self, index=...)", ref_method_get},
    {"set(self, value, index=...)", ref_method_set},
    {"swap(self, value, index=...)", ref_method_swap},
    {"reshape(self, *shape)", ref_method_reshape},
    {"bitcast(self, dtype)", ref_method_bitcast},
    {"view(self, dtype)", ref_method_bitcast},
    {NULL, NULL},
};

static Value ref_at_getitem(Eval *ev, Value self, Value index) {
  return ref_view(ev, ((RefAt *)self.o)->ref, index);
}

static Str ref_at_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "RefIndexer(%.*s)", STR_FMT(value_repr(ev, ((RefAt *)self.o)->ref)));
}

void ref_init(Eval *ev) {
  static const TypeSlots ref = {
      .getattr = ref_getattr,
      .attributes = "shape dtype ndim size at itemsize nbytes ref weak_type memory_space aval "
                    "inner_aval T",
      .getitem = ref_getitem,
      .setitem = ref_setitem,
      .len = ref_len,
      .binary = ref_binary,
      .inplace = ref_inplace,
      .unary = ref_unary,
      .compare = ref_compare,
      .truth = ref_truth,
      .iter = ref_iter,
      .hash = ref_hash,
      .repr = ref_repr,
  };
  static const TypeSlots at = {.getitem = ref_at_getitem, .repr = ref_at_repr};
  ArrayTypes *types = &ev->trace->arrays->types;
  types->ref = type_new_native(ev, "jax", "Ref", NULL, &ref, ref_methods);
  types->ref_at_helper = type_new_native(ev, "jax", "RefIndexer", NULL, &at, NULL);
}
