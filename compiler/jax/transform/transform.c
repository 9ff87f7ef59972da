// SPDX-License-Identifier: Apache-2.0
// The transformation behind jax.vmap, named axes, and refs that the program makes itself.
#include "base/map.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/vmap/batch.h"
#include "python/modules/module.h"
#include "ir/core/chip.h"
#include "jax/ops/dot_numbers.h"
#include "jax/array/scalar_type.h"
#include "pytree_leaves.h"
#include "recording.h"
#include "jax/array/ref.h"
#include "jax/trace/pending.h"
#include "pytree.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "jax/array/arith.h"
#include "jax/array/array_names.h"
#include "jax/array/compound.h"
#include "jax/array/key_array.h"
#include "jax/array/promote.h"
#include "jax/array/shape_struct.h"
#include "jax/ops/create.h"
#include <string.h>

// ---- vmap ---------------------------------------------------------------------------------------
enum { NOT_MAPPED = INT32_MIN };

static void fill_axes(Eval *ev, Value axes, const PyTree *tree, const char *what, int64_t **out) {
  int64_t axis = NOT_MAPPED;
  if (v_is_none(axes) || value_as_int(ev, axes, &axis)) {
    for (size_t i = 0; i < tree->leaf_count; i++) *(*out)++ = axis;
    return;
  }
  List *children = list_new(ev, 4);
  PyTree *level = pytree_one_level(ev, axes, children);
  if (level->kind == NODE_LEAF)
    eval_raise(ev, ev->types.TypeError,
               "vmap %s must be an int, None, or (nested) container with those types as leaves, "
               "but got %.*s",
               what, STR_FMT(value_repr(ev, axes)));
  if (level->count != tree->count || tree->kind == NODE_LEAF)
    eval_raise(ev, ev->types.ValueError,
               "vmap %s specification must be a tree prefix of the corresponding value, got "
               "specification %.*s for value tree %.*s.",
               what, STR_FMT(value_repr(ev, axes)), STR_FMT(pytree_text(ev, tree)));
  for (size_t i = 0; i < level->count; i++)
    fill_axes(ev, children->items[i], tree->children[i], what, out);
}

typedef struct Vmap {
  Value fun;
  size_t arg_count;
  Leaves *args;     // positional, then keyword arguments
  Value *arg_trees; // the arguments that the function is called with
  Dict *kwargs;
  Name *kw_names;
  int64_t **axes; // of each leaf
  int64_t size;
  Value axis_name;
  IrRegion *region;
  VEC(IrValue *) batched; // the value of each argument of the region
  VEC(bool) is_batched;
  Leaves out;
} Vmap;

static int leaf_rank(Eval *ev, const Leaf *leaf) {
  if (!leaf->impl) return leaf->aval.rank;
  return leaf->aval.rank - (int)kind_rank(ev, leaf->impl);
}

static void find_size(Eval *ev, Vmap *v) {
  for (size_t i = 0; i < v->arg_count; i++)
    for (size_t k = 0; k < v->args[i].count; k++) {
      int64_t axis = v->axes[i][k];
      const Leaf *leaf = &v->args[i].leaves[k];
      int rank = leaf_rank(ev, leaf);
      if (axis == NOT_MAPPED) continue;
      if (axis < -rank || axis >= rank)
        eval_raise(ev, ev->types.ValueError,
                   "vmap was requested to map its argument along axis %lld, which implies that its "
                   "rank should be at least %lld, but is only %d (its "
                   "shape is %.*s)",
                   (long long)axis, (long long)(axis < 0 ? -axis : axis + 1), rank,
                   STR_FMT(shape_text(ev->arena, (size_t)rank, leaf->aval.dims)));
      if (axis < 0) axis = v->axes[i][k] = axis + rank;
      if (v->size >= 0 && leaf->aval.dims[axis] != v->size)
        eval_raise(ev, ev->types.ValueError,
                   "vmap got inconsistent sizes for array axes to be mapped:\n"
                   "  * axis %lld of argument %zu, of type %.*s, has size %lld;\n"
                   "  * others have size %lld",
                   (long long)axis, i, STR_FMT(leaf_text(ev, leaf)),
                   (long long)leaf->aval.dims[axis], (long long)v->size);
      v->size = leaf->aval.dims[axis];
    }
  if (v->size < 0)
    eval_raise(ev, ev->types.ValueError,
               v->arg_count ? "vmap must have at least one non-None value in in_axes or axis_size "
                              "must be specified"
                            : "vmap wrapped function must be passed at least one argument "
                              "containing an array or axis_size must be specified, got empty "
                              "*args=() and **kwargs={}");
}

static void add_region_arg(Eval *ev, Vmap *v, IrValue *value, const IrType *type) {
  VEC_PUSH(ev->arena, &v->batched, value);
  VEC_PUSH(ev->arena, &v->is_batched, true);
  ir_region_add_arg(v->region, type, NULL);
}

// Brings the mapped dimension of each leaf to the front and gives the region an argument without
// it. The leaf's value becomes that number; leaves that are not mapped stay and are captured.
static void make_region_args(Eval *ev, Vmap *v) {
  for (size_t i = 0; i < v->arg_count; i++)
    for (size_t k = 0; k < v->args[i].count; k++) {
      int64_t axis = v->axes[i][k], perm[IR_MAX_RANK];
      if (axis == NOT_MAPPED) continue;
      Leaf *leaf = &v->args[i].leaves[k];
      IrValue *x = leaf_ir(ev, v->args[i].values[k], DT_COUNT);
      int rank = x->type->rank;
      if (axis != 0) {
        perm[0] = axis;
        for (int d = 0, n = 1; d < rank; d++)
          if (d != axis) perm[n++] = d;
        x = ir_transpose(trace_builder(ev), x, perm);
      }
      leaf->aval.rank--;
      memmove(leaf->aval.dims, x->type->dims + 1, (size_t)(rank - 1) * sizeof *leaf->aval.dims);
      add_region_arg(ev, v, x, leaf_type(ev, leaf));
    }
  if (v_is_none(v->axis_name)) return;
  const IrType *scalar = array_type_checked(ev, DT_I32, 0, NULL),
               *all = array_type_checked(ev, DT_I32, 1, &v->size);
  add_region_arg(ev, v, ir_iota(trace_builder(ev), all, 0), scalar);
}

// A launch that is mapped costs what its author says once for each element.
static void map_estimates(TraceState *trace, const int64_t before[3], int64_t size) {
  for (size_t i = 0; i < COUNT_OF(trace->estimates); i++)
    trace->estimates[i] = before[i] + (trace->estimates[i] - before[i]) * size;
}

static void trace_vmap(Eval *ev, void *data) {
  Vmap *v = data;
  int64_t before[COUNT_OF(ev->trace->estimates)];
  memcpy(before, ev->trace->estimates, sizeof before);
  size_t next = 0, positional = v->arg_count - v->kwargs->count;
  AxisName axis = {
      .next = ev->trace->level->axes, .name = v->axis_name, .size = v->size, .is_batch = true};
  if (!v_is_none(v->axis_name)) {
    axis.index = v->region->args[v->region->arg_count - 1];
    ev->trace->level->axes = arena_dup(ev->arena, &axis, sizeof axis);
  }
  Value *args = ARENA_ARRAY(ev->arena, Value, v->arg_count);
  for (size_t i = 0; i < v->arg_count; i++) {
    const Leaves *leaves = &v->args[i];
    Value *values = ARENA_ARRAY(ev->arena, Value, leaves->count);
    for (size_t k = 0; k < leaves->count; k++) {
      bool mapped = v->axes[i][k] != NOT_MAPPED;
      IrValue *ir = mapped ? v->region->args[next++] : leaf_ir(ev, leaves->values[k], DT_COUNT);
      values[k] = leaf_wrap(ev, ir, &leaves->leaves[k]);
    }
    args[i] = pytree_unflatten(ev, leaves->tree, leaves->count, values);
  }
  Args call = {positional, args, v->kwargs->count, v->kw_names, args + positional};
  leaves_flatten(ev, value_call(ev, v->fun, &call), "the result of a vmapped function", &v->out);
  IrValue **yields = ARENA_ARRAY(ev->arena, IrValue *, v->out.count);
  for (size_t i = 0; i < v->out.count; i++) yields[i] = leaf_ir(ev, v->out.values[i], DT_COUNT);
  ir_yield(trace_builder(ev), v->out.count, yields);
  map_estimates(ev->trace, before, v->size);
}

// Which values depend on the region's arguments.
typedef struct Dependents {
  const IrRegion *region;
  Map *set;
  bool op_depends;
} Dependents;

static void find_captures(IrOp *op, void *data) {
  Dependents *d = data;
  const IrRegion *over = op->code == OP_GATHER_BATCH ? op->operands[1]->region : NULL;
  if (over && over == d->region) return; // it is the same for all
  for (uint32_t i = 0; i < op->operand_count; i++)
    d->op_depends = d->op_depends || map_has(d->set, op->operands[i]);
}

static bool yield_depends(Eval *ev, const IrRegion *region, size_t k) {
  Dependents d = {region, map_new(ev->arena), false};
  for (uint32_t i = 0; i < region->arg_count; i++) map_set(d.set, region->args[i], region->args[i]);
  for (IrOp *op = region->first; op; op = op->next) {
    d.op_depends = false;
    find_captures(op, &d);
    for (int r = 0; r < op->region_count && !d.op_depends; r++)
      ir_walk(op->regions[r], find_captures, &d);
    for (uint32_t i = 0; d.op_depends && i < op->result_count; i++)
      map_set(d.set, op->results[i], op->results[i]);
  }
  return map_has(d.set, region->last->operands[k]);
}

static IrValue *place_result(Eval *ev, const Vmap *v, size_t k, IrValue *x, int64_t axis) {
  const Leaf *leaf = &v->out.leaves[k];
  int rank = leaf_rank(ev, leaf) + 1;
  IrBuilder *b = trace_builder(ev);
  if (axis == NOT_MAPPED) {
    if (yield_depends(ev, v->region, k))
      eval_raise(ev, ev->types.ValueError,
                 "at vmap out_axes, got axis spec None but output was batched on axis 0; a result "
                 "that depends on a mapped argument needs an axis");
    int64_t starts[IR_MAX_RANK] = {0}, limits[IR_MAX_RANK], strides[IR_MAX_RANK];
    for (int d = 0; d < x->type->rank; d++) {
      limits[d] = d ? x->type->dims[d] : 1;
      strides[d] = 1;
    }
    return ir_reshape(b, ir_slice(b, x, starts, limits, strides), x->type->rank - 1u,
                      x->type->dims + 1);
  }
  if (axis < -rank || axis >= rank)
    eval_raise(ev, ev->types.ValueError,
               "axis %lld is out of bounds for array of dimension %d: vmap out_axes",
               (long long)axis, rank);
  if (axis < 0) axis += rank;
  if (axis == 0) return x;
  int64_t perm[IR_MAX_RANK];
  for (int d = 0; d < x->type->rank; d++) perm[d] = d < axis ? d + 1 : d == axis ? 0 : d;
  return ir_transpose(b, x, perm);
}

static void read_arguments(Eval *ev, Vmap *v, Tuple *args, Value in_axes) {
  v->arg_count = args->count + v->kwargs->count;
  v->args = ARENA_ARRAY(ev->arena, Leaves, v->arg_count);
  v->axes = ARENA_ARRAY(ev->arena, int64_t *, v->arg_count);
  v->kw_names = ARENA_ARRAY(ev->arena, Name, v->kwargs->count);
  Tuple *axes =
      value_as_tuple(in_axes) || value_as_list(in_axes) ? value_to_tuple(ev, in_axes) : NULL;
  if (axes && axes->count != args->count)
    eval_raise(ev, ev->types.ValueError,
               "vmap in_axes must be an int, None, or a tuple of entries corresponding to the "
               "positional arguments passed to the function, but got "
               "len(in_axes)=%zu, len(args)=%zu",
               axes->count, args->count);
  DictEntry *entry = NULL;
  for (size_t i = 0, it = 0; i < v->arg_count; i++) {
    bool keyword = i >= args->count;
    if (keyword) {
      dict_next(v->kwargs, &it, &entry);
      v->kw_names[i - args->count] =
          name_intern(ev->session->interner, take_str(ev, entry->key, "a keyword"));
    }
    leaves_flatten(ev, keyword ? entry->value : args->items[i], "vmap", &v->args[i]);
    v->axes[i] = ARENA_ARRAY(ev->arena, int64_t, v->args[i].count);
    int64_t *out = v->axes[i];
    fill_axes(ev,
              keyword ? v_int(0)
              : axes  ? axes->items[i]
                      : in_axes,
              v->args[i].tree, "in_axes", &out);
  }
}

static Value
native_vmap_call(Eval *ev, Value *a) { // fun, args, kwargs, in_axes, out_axes, axis_name, axis_size
  pending_settle(ev);
  Vmap v = {.fun = a[0], .kwargs = value_as_dict(a[2]), .size = -1, .axis_name = a[5]};
  if (!v_is_none(a[6])) v.size = take_int(ev, a[6], false);
  read_arguments(ev, &v, value_as_tuple(a[1]), a[3]);
  find_size(ev, &v);
  v.region = region_begin(ev);
  make_region_args(ev, &v);
  region_trace(ev, trace_vmap, &v, v.region);
  IrValue **results = ARENA_ARRAY(ev->arena, IrValue *, v.out.count);
  size_t errors = ev->session->error_count;
  if (!batch_region(trace_builder(ev), v.region, v.size, v.batched.items, v.is_batched.items,
                    results)) {
    if (ev->session->error_count == errors) BUG("batch_region failed without a diagnostic");
    eval_raise(ev, ev->types.NotImplementedError, "this function cannot be vmapped");
  }
  int64_t *axes = ARENA_ARRAY(ev->arena, int64_t, v.out.count), *out = axes;
  fill_axes(ev, a[4], v.out.tree, "out_axes", &out);
  Value *values = ARENA_ARRAY(ev->arena, Value, v.out.count);
  for (size_t k = 0; k < v.out.count; k++)
    values[k] = leaf_wrap(ev, place_result(ev, &v, k, results[k], axes[k]), &v.out.leaves[k]);
  region_discard(v.region);
  return pytree_unflatten(ev, v.out.tree, v.out.count, values);
}

static Value native_typeof(Eval *ev, Value *a) {
  Aval aval;
  if (value_is_compound(ev, a[0])) return value_getattr(ev, a[0], array_names(ev)->aval);
  if (value_is_ref(ev, a[0])) return ref_aval_new(ev, a[0]);
  if (!value_aval(ev, a[0], true, &aval))
    eval_raise(ev, ev->types.TypeError,
               "Argument '%.*s' of type <class '%s'> is not a valid JAX type",
               STR_FMT(value_str(ev, a[0])), value_type_name(ev, a[0]));
  Value space = value_is_array(ev, a[0]) ? ((const Array *)a[0].o)->space : v_unbound();
  return shaped_array_in(ev, &aval, space);
}

static Value native_convert(Eval *ev, Value *a) { // x, dtype, weak
  DType dtype = take_dtype(ev, a[1], "convert");
  return array_new(ev, array_ir_cast(ev, a[0], dtype), value_truth(ev, a[2]));
}

static Value native_refuse_dtype(Eval *ev, Value *a) { // name, dtype, position
  require_kind(ev, take_str(ev, a[0], "name").data, take_dtype(ev, a[1], "refuse_dtype"), "",
               (int)take_int(ev, a[2], "position"));
  return v_none();
}

// The names of a callable's positional parameters as a list, and with `every` of those that go by
// keyword alone; None if it is not known.
static Value native_positional_names(Eval *ev, Value *a) {
  Value f = a[0];
  bool every = value_truth(ev, a[1]);
  size_t skip = 0;
  Name wrapped = name_intern_c(ev->session->interner, "__wrapped__");
  for (int depth = 0; depth < 100 && f.kind == V_OBJECT; depth++) {
    if (f.o->type == ev->types.function) {
      const Function *fn = (const Function *)f.o;
      Value inner = fn->dict ? dict_get_name(fn->dict, wrapped) : v_unbound();
      if (!v_is_unbound(inner)) {
        f = inner;
        continue;
      }
      const Params *params = fn->params;
      if (every && (params->has_varargs || params->has_kwargs)) return v_none();
      List *names = list_new(ev, params->count);
      for (size_t i = skip; i < (every ? params->count : params->positional); i++)
        list_push(ev, names, make_name(ev, params->items[i].name));
      return v_object(names);
    }
    if (f.o->type == ev->types.method) {
      f = ((const BoundMethod *)f.o)->function;
      skip++;
      continue;
    }
    Value inner = value_getattr_opt(ev, f, wrapped);
    if (v_is_unbound(inner)) { // functools.partial
      inner = value_getattr_opt(ev, f, name_intern_c(ev->session->interner, "func"));
      if (v_is_unbound(inner)) return v_none();
      skip += (size_t)value_len(ev, value_getattr_c(ev, f, "args"));
    }
    f = inner;
  }
  return v_none();
}

static Value native_chip_facts(Eval *ev, Value *a UNUSED) {
  const IrModule *m = trace_module(ev);
  const Chip *chip = chip_find(name_str(m->tpu));
  Dict *facts = dict_new(ev);
  Interner *names = ev->session->interner;
  dict_set_name(ev, facts, name_intern_c(names, "devices"), v_int(m->devices));
  dict_set_name(ev, facts, name_intern_c(names, "device_kind"),
                make_str_c(ev, chip ? chip->device_kind : "TPU"));
  dict_set_name(ev, facts, name_intern_c(names, "cores"), v_int(chip ? chip->cores : 1));
  return v_object(facts);
}

// ---- named axes ---------------------------------------------------------------------------------
static const AxisName *find_axis(Eval *ev, Value name, bool is_index) {
  for (const AxisName *axis = ev->trace->level->axes; axis; axis = axis->next)
    if (value_is(axis->name, name) || value_equal(ev, axis->name, name)) {
      if (is_index && !axis->index)
        eval_raise(ev, ev->types.NameError,
                   "Found an unbound axis name: %.*s. It is an axis of another mesh of the kernel, "
                   "whose cores run another program: here it has a size alone.",
                   STR_FMT(value_str(ev, name)));
      return axis;
    }
  const char *what = is_index ? "axis_index" : "it";
  eval_raise(
      ev, ev->types.NameError,
      "Found an unbound axis name: %.*s. To fix this, please call %s under `jax.shard_map`, or "
      "in a kernel or vmap that names the axis.",
      STR_FMT(value_str(ev, name)), what);
}

static Value axis_size(Eval *ev, const AxisName *axis) {
  return axis->size >= 0 ? v_int(axis->size) : array_new(ev, axis->size_ir, false);
}

static Value native_axis_size(Eval *ev, Value *a) {
  Tuple *names = value_as_tuple(a[0]);
  if (!names) return axis_size(ev, find_axis(ev, a[0], false));
  Value size = v_int(1);
  for (size_t i = 0; i < names->count; i++)
    size = value_binary(ev, BIN_MUL, size, axis_size(ev, find_axis(ev, names->items[i], false)));
  return size;
}

static Value
native_axis_index(Eval *ev, Value *a) { // a tuple of names: the index into all of them, row-major
  Tuple *names = value_as_tuple(a[0]);
  if (!names) return array_new(ev, find_axis(ev, a[0], true)->index, false);
  Value index = array_make(ev, v_int(0), DT_I32, 0);
  for (size_t i = 0; i < names->count; i++) {
    const AxisName *axis = find_axis(ev, names->items[i], true);
    index = value_binary(ev, BIN_MUL, index, axis_size(ev, axis));
    index = value_binary(ev, BIN_ADD, index, array_new(ev, axis->index, false));
  }
  return index;
}

static Value native_is_batch_axis(Eval *ev, Value *a) {
  return v_bool(find_axis(ev, a[0], false)->is_batch);
}

// X, axis of vmap: what each element of the batch has.
static Value native_gather_batch(Eval *ev, Value *a) {
  const AxisName *axis = find_axis(ev, a[1], false);
  if (trace_in_kernel(ev))
    eval_raise(ev, ev->types.NotImplementedError,
               "collectives over an axis of vmap are not possible in a kernel");
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  int64_t dims[IR_MAX_RANK + 1] = {axis->size};
  memcpy(dims + 1, x->type->dims, x->type->rank * sizeof *dims);
  const IrType *type = array_type_checked(ev, x->type->dtype, x->type->rank + 1u, dims);
  IrValue *operands[] = {x, axis->index};
  return array_new(
      ev, ir_build(trace_builder(ev), OP_GATHER_BATCH, 2, operands, 1, &type)->results[0], false);
}

static Value native_set_default_precision(Eval *ev, Value *a) {
  DotPrecision precision = v_is_none(a[0]) ? PRECISION_DEFAULT : take_precision(ev, a[0]);
  if (precision != ev->trace->default_precision)
    ev->trace->jit_calls = NULL; // they were traced otherwise
  ev->trace->default_precision = precision;
  return v_none();
}

static Value native_set_unjitted(Eval *ev, Value *a) {
  ev->trace->unjitted = take_bool(ev, a[0], "jax_disable_jit");
  return v_none();
}

static Value native_set_x64(Eval *ev, Value *a) {
  bool on = value_truth(ev, a[0]);
  if (on != ev->trace->x64) ev->trace->jit_calls = NULL; // they were traced otherwise
  ev->trace->x64 = on;
  return v_none();
}

static Value native_set_strict_promotion(Eval *ev, Value *a) {
  bool strict = value_truth(ev, a[0]);
  if (strict != ev->trace->strict_promotion)
    ev->trace->jit_calls = NULL; // they were traced otherwise
  ev->trace->strict_promotion = strict;
  return v_none();
}

static Value native_set_rank_promotion(Eval *ev, Value *a) {
  int64_t rule = take_int(ev, a[0], "rule");
  if (rule != ev->trace->rank_promotion) ev->trace->jit_calls = NULL; // they were traced otherwise
  ev->trace->rank_promotion = rule;
  return v_none();
}

// jax_debug_nans and jax_debug_infs. What is kept of earlier calls does not look.
static Value native_set_watch(Eval *ev, Value *a) {
  unsigned watch =
      (value_truth(ev, a[0]) ? WATCH_NAN : 0u) | (value_truth(ev, a[1]) ? WATCH_INF : 0u);
  pending_settle(ev);
  ev->trace->watch = trace_module(ev)->watch = watch;
  ev->trace->jit_calls = NULL;
  return v_none();
}

// ---- PRNG keys ----------------------------------------------------------------------------------
static Value native_is_key(Eval *ev, Value *a) { return v_bool(value_is_key(ev, a[0])); }

static Value native_is_complex(Eval *ev, Value *a) { return v_bool(value_is_complex(ev, a[0])); }

static Value native_set_complex_type(Eval *ev, Value *a) {
  complex_set_type(ev, a[0]);
  return v_none();
}

static Value native_is_traced(Eval *ev, Value *a) { return v_bool(value_is_traced(ev, a[0])); }

static Value native_key_type(Eval *ev, Value *a UNUSED) {
  return v_object(ev->trace->arrays->types.key_array);
}

static KeyArray *take_key(Eval *ev, Value v) {
  if (!value_is_key(ev, v))
    eval_raise(ev, ev->types.TypeError, "a PRNG key array is expected, got %s",
               value_type_name(ev, v));
  return (KeyArray *)v.o;
}

static Value native_wrap_key(Eval *ev, Value *a) { // data, impl
  return key_array_new(ev, (Array *)array_from(ev, a[0]).o,
                       name_intern(ev->session->interner, take_str(ev, a[1], "impl")));
}

static Value native_dtype_impl(Eval *ev, Value *a) { return make_name(ev, key_dtype_impl(a[0])); }

static Value native_register_key(Eval *ev, Value *a) { // name, tag, key_shape
  key_impl_add(ev, a[0], a[1], a[2]);
  return v_none();
}

static Value native_key_data(Eval *ev, Value *a) { return v_object(take_key(ev, a[0])->data); }

static Value native_key_impl(Eval *ev, Value *a) { return make_name(ev, take_key(ev, a[0])->impl); }

// ---- refs of the program ------------------------------------------------------------------------
// The space, if each core has its own of it.
static MemSpace take_own_space(Eval *ev, Value v) {
  Str name = v_is_none(v) ? STR("") : value_str(ev, v);
  for (int space = 0; space < SPACE_COUNT; space++)
    if (str_equal(name, str_from_c(mem_space_name((MemSpace)space)))) return (MemSpace)space;
  return SPACE_HBM;
}

static Value native_new_ref(Eval *ev, Value *a) { // x, memory_space, own
  Value x = array_from(ev, a[0]);
  const Aval aval = ((const Array *)x.o)->aval;
  Value ref = ref_new_host(ev, &aval, x, take_own_space(ev, a[2]));
  ((Ref *)ref.o)->space = a[1];
  return ref;
}

static Value native_empty_ref(Eval *ev, Value *a) { // ty, memory_space, own
  Aval aval;
  if (!value_aval(ev, a[0], true, &aval))
    eval_raise(ev, ev->types.TypeError, "empty_ref: %s has no shape and dtype",
               value_type_name(ev, a[0]));
  Value ref = ref_new_host(ev, &aval, v_none(), take_own_space(ev, a[2]));
  ((Ref *)ref.o)->space = a[1];
  return ref;
}

static Value native_freeze(Eval *ev, Value *a) {
  Value all = ref_get(ev, a[0], v_ellipsis(), v_none(), v_none());
  ref_end(ev, a[0]);
  return all;
}

static const NativeDef transform_natives[] = {
    {"vmap_call(fun, args, kwargs, in_axes, out_axes, axis_name, axis_size)", native_vmap_call},
    {"eval_shape(fun, args, kwargs)", recording_eval_shape},
    {"count_cost(fun, args, kwargs)", recording_count_cost},
    {"note_estimate(flops, transcendentals, bytes_accessed)", recording_note_estimate},
    {"account(fun, args, kwargs)", recording_of_call},
    {"typeof(x)", native_typeof},
    {"convert(x, dtype, weak)", native_convert},
    {"refuse_dtype(name, dtype, position)", native_refuse_dtype},
    {"positional_names(fun, every=False)", native_positional_names},
    {"chip_facts()", native_chip_facts},
    {"set_default_precision(precision)", native_set_default_precision},
    {"set_x64(on)", native_set_x64},
    {"set_unjitted(on)", native_set_unjitted},
    {"set_strict_promotion(strict)", native_set_strict_promotion},
    {"set_rank_promotion(rule)", native_set_rank_promotion},
    {"set_watch(nans, infs)", native_set_watch},
    {"axis_index(axis_name)", native_axis_index},
    {"is_batch_axis(axis_name)", native_is_batch_axis},
    {"gather_batch(x, axis_name)", native_gather_batch},
    {"axis_size(axis_name)", native_axis_size},
    {"is_key(x)", native_is_key},
    {"is_complex(x)", native_is_complex},
    {"set_complex_type(type)", native_set_complex_type},
    {"is_traced(x)", native_is_traced},
    {"key_type()", native_key_type},
    {"dtype_impl(dtype)", native_dtype_impl},
    {"register_key(name, tag, key_shape)", native_register_key},
    {"wrap_key(data, impl)", native_wrap_key},
    {"key_data(keys)", native_key_data},
    {"key_impl(keys)", native_key_impl},
    {"new_ref(x, memory_space=None, own=None)", native_new_ref},
    {"empty_ref(ty, memory_space, own)", native_empty_ref},
    {"freeze(ref)", native_freeze},
    {NULL, NULL},
};

// The primitives of the preludes jax.pk and lax.pk.
const ModuleDef module_jax_primitives = {.name = "_jax", .functions = transform_natives};
