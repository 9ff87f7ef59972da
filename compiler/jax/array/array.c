// SPDX-License-Identifier: Apache-2.0
// jax.Array: its values, and what is known of them when the program is traced.
#include "python/values/evaluator_state.h"
#include "base/collected.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "array.h"
#include "array_ops.h"
#include "dynamic_slice.h"
#include "jax/trace/pending.h"
#include "numpy/arrays/nd_watch.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "array_data.h"
#include "key_array.h"
#include "placement.h"
#include "python/objects/attribute.h"
#include "ref.h"
#include "shape_struct.h"
#include <string.h>

// ---- avals --------------------------------------------------------------------------------------
static Aval aval_of_nd(const NdArray *nd) {
  Aval aval = {.dtype = nd->dtype, .rank = nd->rank};
  memcpy(aval.dims, nd->dims, aval.rank * sizeof *aval.dims);
  return aval;
}

// An object of the program that stands for an array: __jax_array__.
static bool as_jax_array(Eval *ev, Value v, Value *out) {
  if (v.kind != V_OBJECT || !v.o->type->is_heap) return false;
  Value method = value_getattr_opt(ev, v, name_intern_c(ev->session->interner, "__jax_array__"));
  if (v_is_unbound(method)) return false;
  *out = value_call_n(ev, method, 0, NULL);
  return true;
}

static bool python_scalar(Eval *ev, Value v, Aval *out) {
  switch (v.kind) {
  case V_BOOL: *out = (Aval){.dtype = DT_BOOL}; return true;
  case V_INT: *out = (Aval){.dtype = default_int(ev), .weak = true}; return true;
  case V_FLOAT: *out = (Aval){.dtype = default_float(ev), .weak = true}; return true;
  case V_OBJECT: break;
  default: return false;
  }
  if (v.o->type == ev->types.integer) { // beyond int64
    *out = (Aval){.dtype = default_int(ev), .weak = true};
    return true;
  }
  if (!v.o->type->is_heap) return false;
  Value inner = value_unwrap(v); // an IntEnum, say
  return inner.kind >= V_BOOL && inner.kind <= V_FLOAT && python_scalar(ev, inner, out);
}

bool value_aval(Eval *ev, Value v, bool loose, Aval *out) {
  if (v.kind == V_OBJECT) {
    const ArrayTypes *types = trace_types(ev);
    const Type *type = v.o->type;
    if (type == types->array) {
      *out = ((const Array *)v.o)->aval;
      return true;
    }
    if (value_is_nd(ev, v)) {
      *out = aval_of_nd((const NdArray *)v.o);
      out->dtype = canonical_dtype(ev, out->dtype);
      return true;
    }
    Value stands;
    if (as_jax_array(ev, v, &stands)) return value_aval(ev, stands, loose, out);
  }
  if (python_scalar(ev, v, out)) return true;
  return loose && value_loose_aval(ev, v, out);
}

bool value_is_arraylike(Eval *ev, Value v) {
  Aval aval;
  return value_aval(ev, v, false, &aval);
}

// The level that decides what is known: that of the enclosing function, region or kernel.
static const Level *recording_level(const Level *level) {
  while (level->kind == LEVEL_INLINE) level = level->outer;
  return level;
}

// ---- making arrays ------------------------------------------------------------------------------
static Array *new_array(Eval *ev, const Aval *aval) {
  Array *a = ARENA_NEW(ev->arena, Array);
  a->base.type = ev->trace->arrays->types.array;
  a->aval = *aval;
  a->level = ev->trace->level;
  return a;
}

Value array_new(Eval *ev, IrValue *ir, bool weak) {
  Aval aval = aval_of(ir, weak);
  Array *a = new_array(ev, &aval);
  a->ir = ir;
  if (recording_level(a->level)->kind == LEVEL_RUN) pending_note(ev, a);
  return v_object(a);
}

Value array_again(Eval *ev, const Array *a) {
  array_must_live(ev, a);
  Array *again = ARENA_NEW(ev->arena, Array);
  *again = *a;
  if (again->run_id && !again->host) pending_note(ev, again);
  return v_object(again);
}

Value array_apart(Eval *ev, Value made, Value given) {
  bool is_same = value_is_array(ev, made) && value_is(made, given);
  if (!is_same) return made;
  Array *again = (Array *)array_again(ev, (const Array *)made.o).o;
  again->placement = placement_made(ev, again->placement, again->aval.rank);
  return v_object(again);
}

Value array_axes_given(Eval *ev, Value axes) {
  Aval aval;
  Str name;
  bool is_one = value_as_str(axes, &name) || (value_aval(ev, axes, false, &aval) && !aval.rank);
  return is_one || !value_is_iterable(ev, axes) ? axes : v_object(value_to_tuple(ev, axes));
}

static NdArray *nd_converted(Eval *ev, const NdArray *nd, DType dtype) {
  array_type_checked(ev, dtype, nd->rank, nd->dims);
  return nd_cast(ev, nd, dtype);
}

// Itself if it is contiguous and nobody can write it, else a copy that is so.
static NdArray *nd_fixed(Eval *ev, NdArray *nd) {
  const NdArray *owner = nd->buffer->owner;
  bool is_fixed = nd->is_scalar || (nd->readonly && (!owner || owner->readonly));
  if (is_fixed && nd_is_contiguous(nd)) return nd;
  NdArray *out = nd_cast(ev, nd, nd->dtype);
  out->readonly = true;
  return out;
}

NdArray *array_snapshot(Eval *ev, NdArray *nd) {
  DType dtype = canonical_dtype(ev, nd->dtype);
  return dtype == nd->dtype ? nd_fixed(ev, nd) : nd_converted(ev, nd, dtype);
}

Value array_from_nd(Eval *ev, NdArray *nd, bool weak) {
  DType dtype = canonical_dtype(ev, nd->dtype);
  NdArray *host = dtype == nd->dtype ? nd : nd_converted(ev, nd, dtype);
  Aval aval = aval_of_nd(host);
  aval.weak = weak && dtype != DT_BOOL;
  Array *a = new_array(ev, &aval);
  a->host = host;
  a->known = true;
  return v_object(a);
}

NdArray *host_array_new(Eval *ev, DType dtype, size_t rank, const int64_t *dims) {
  array_type_checked(ev, dtype, rank, dims);
  return nd_new(ev, dtype, rank, dims);
}

// ---- values of arrays ---------------------------------------------------------------------------
// A constant of an NdArray's elements, narrowed as canonical_dtype has it.
IrValue *host_constant(Eval *ev, const NdArray *nd) {
  DType dtype = canonical_dtype(ev, nd->dtype);
  if (dtype != nd->dtype) nd = nd_converted(ev, nd, dtype);
  const IrType *type = array_type_checked(ev, dtype, nd->rank, nd->dims);
  int64_t count = ir_type_count(type);
  size_t size = dtype_size(dtype);
  if (count == 0) {
    uint64_t zero = 0;
    return ir_const(trace_builder(ev), type, &zero, 1);
  }
  const char *bytes = nd->data;
  if (!nd_is_contiguous(nd)) {
    char *copy = arena_alloc_bytes(ev->arena, (size_t)count * size);
    for (int64_t i = 0; i < count; i++) memcpy(copy + (size_t)i * size, nd_element(nd, i), size);
    bytes = copy;
  }
  bool splat = true;
  for (int64_t i = 1; splat && i < count; i++)
    splat = memcmp(bytes, bytes + (size_t)i * size, size) == 0;
  return ir_const(trace_builder(ev), type, bytes, splat ? 1 : count);
}

static const Level *kernel_of(const Level *level) {
  while (level && level->kind != LEVEL_KERNEL) level = level->outer;
  return level;
}

// The level is of a program of a launch of cores.
static bool is_on_cores(const Level *level) {
  level = kernel_of(level);
  return level && level->region->parent && level->region->parent->code == OP_CORES;
}

static NORETURN void raise_capture(Eval *ev, const Level *level, const Aval *aval) {
  Str who = level->who.len ? level->who : STR("The kernel function");
  eval_raise(ev, ev->types.ValueError,
             "%.*s %s %sconstants%s [%.*s]. You should pass them as inputs: %s", STR_FMT(who),
             level->is_index_map ? "must not capture" : "captures",
             is_on_cores(level) ? "non-Ref " : "", level->is_index_map ? ":" : "",
             STR_FMT(aval_short_text(ev->arena, aval)),
             is_on_cores(level) ? "the program of a core sees only refs and scalars"
                                : "a kernel and its index maps see only refs, and numbers of "
                                  "Python and NumPy");
}

static IrValue *host_ir(Eval *ev, NdArray *nd, bool computed) {
  bool in_kernel = trace_in_kernel(ev);
  if (nd->rank > 0 && in_kernel) {
    Aval aval = aval_of_nd(nd);
    raise_capture(ev, ev->trace->level, &aval);
  }
  if (nd->rank > 0 || (computed && !in_kernel) || nd_is_partly_unwritten(ev, nd)) {
    IrValue *known = pending_known(ev, nd, computed);
    if (known) return known;
  }
  return host_constant(ev, nd);
}

// Whether the level is the body of a launch inside a kernel: a pipeline's, whose steps see what the
// kernel has computed.
static bool is_pipeline(const Level *level) {
  const IrOp *launch = level->region->parent;
  return level->outer && level->outer->launch && launch && launch->code == OP_LAUNCH &&
         launch->regions[0] == level->region;
}

// Memory with the value, in front of the launch: a launch's body sees no arrays of outer levels.
static IrValue *memory_of(Eval *ev, Level *pipeline, IrValue *value) {
  for (const Borrowed *b = pipeline->borrowed; b; b = b->next)
    if (b->value == value) return b->ref;
  IrBuilder b = *trace_builder(ev);
  b.before = pipeline->region->parent;
  b.region = b.before->parent;
  IrType type = *value->type;
  Borrowed *borrowed = ARENA_NEW(ev->arena, Borrowed);
  *borrowed = (Borrowed){
      pipeline->borrowed, value,
      ir_alloc(&b, ir_ref_type(b.module, SPACE_VMEM, type.dtype, type.rank, type.dims), STR(""))};
  ir_store_all(&b, value, borrowed->ref);
  pipeline->borrowed = borrowed;
  return borrowed->ref;
}

// Whether scalars of outer levels may be used: by programs of cores, and by a pipeline in a kernel
// and its index maps.
static bool takes_scalars(const Level *kernel) {
  return is_on_cores(kernel) || kernel_of(kernel->outer);
}

static bool is_within(const Level *level, const Level *outer) {
  while (level && level != outer) level = level->outer;
  return level;
}

static void check_scalar(Eval *ev, const Level *level, const Aval *aval) {
  for (const Level *l = ev->trace->level; l; l = l->outer)
    if (l->kind == LEVEL_KERNEL && !takes_scalars(l) && !is_within(level, l))
      raise_capture(ev, l, aval);
}

// Raises, or gives the pipeline outside of which the value is; NULL if there is none.
static Level *trace_check_level(Eval *ev, const Level *level, const Aval *aval) {
  if (level->left)
    eval_raise(ev, trace_types(ev)->UnexpectedTracerError,
               "Encountered an unexpected tracer. A leaked value: an array of %.*s, made inside a "
               "traced function or kernel, is used after that function has ended; return it from "
               "the function instead",
               STR_FMT(aval_plain_text(ev->arena, aval)));
  Level *pipeline = NULL;
  if (aval->rank == 0) {
    check_scalar(ev, level, aval);
    return NULL;
  }
  for (Level *l = ev->trace->level; l && l != level; l = l->outer) {
    if (l->kind != LEVEL_KERNEL) continue;
    if (!is_pipeline(l)) raise_capture(ev, l, aval);
    pipeline = l;
  }
  return pipeline;
}

void array_must_live(Eval *ev, const Array *a) {
  if (!a->deleted) return;
  eval_raise(ev, ev->types.RuntimeError, "Array has been deleted with shape=%.*s.",
             STR_FMT(aval_text(ev->arena, &a->aval)));
}

// A value that nobody shares with arrays of the same data that lie elsewhere.
static IrValue *placed_ir(Eval *ev, const Array *a) {
  IrValue *value = host_ir(ev, a->host, !a->known || a->placement);
  if (a->placement) placement_note(ev, value, a->placement);
  return value;
}

static IrValue *array_value(Eval *ev, Array *a) {
  array_must_live(ev, a);
  if (pending_is_elsewhere(ev, a))
    pending_need(ev, a); // an entry point uses a value of the module's statements
  if (a->ir) {
    Level *pipeline = trace_check_level(ev, a->level, &a->aval);
    return pipeline ? ir_load_all(trace_builder(ev), memory_of(ev, pipeline, a->ir)) : a->ir;
  }
  if (a->host) {
    if (a->aval.rank == 0) check_scalar(ev, a->level, &a->aval);
    return placed_ir(ev, a);
  }
  trace_check_level(ev, a->level, &a->aval);
  BUG("an array with neither a value nor data");
}

IrValue *array_ir(Eval *ev, Value v, DType dtype) {
  if (v.kind == V_OBJECT && v.o->type == ev->trace->arrays->types.array)
    return array_value(ev, (Array *)v.o);
  if (value_is_nd(ev, v)) return host_ir(ev, (NdArray *)v.o, false);
  Value stands;
  if (as_jax_array(ev, v, &stands)) return array_ir(ev, stands, dtype);
  Aval aval;
  if (!python_scalar(ev, v, &aval))
    eval_raise(ev, ev->types.TypeError, "Value %.*s with type %s is not a valid JAX array",
               STR_FMT(value_repr(ev, v)), value_type_name(ev, v));
  if (v.kind == V_OBJECT) {
    if (v.o->type == ev->types.integer) check_python_int(ev, v);
    v = value_unwrap(v);
  }
  const IrType *type = array_type_checked(ev, dtype == DT_COUNT ? aval.dtype : dtype, 0, NULL);
  if (v.kind == V_FLOAT) return ir_const_f64(trace_builder(ev), type, v.f);
  check_python_int(ev, v);
  return ir_const_i64(trace_builder(ev), type, v.i);
}

IrValue *array_ir_cast(Eval *ev, Value v, DType dtype) {
  IrValue *ir = array_ir(ev, v, dtype);
  return ir->type->dtype == dtype ? ir : ir_convert(trace_builder(ev), ir, dtype);
}

IrValue *index_as_i32(Eval *ev, IrValue *x) {
  IrBuilder *b = trace_builder(ev);
  if (dtype_bits(x->type->dtype) == 64 || x->type->dtype == DT_U32) {
    IrValue *most = ir_const_i64(b, x->type, INT32_MAX);
    x = ir_binary(b, OP_MIN, x, most);
    if (dtype_is_signed(x->type->dtype))
      x = ir_binary(b, OP_MAX, x, ir_const_i64(b, x->type, INT32_MIN));
  }
  return ir_convert(b, x, DT_I32);
}

// ---- known data ---------------------------------------------------------------------------------

static NORETURN void raise_concrete(Eval *ev, Type *type, const Aval *aval, const char *context) {
  eval_raise(
      ev, type,
      "Abstract tracer value encountered where concrete value is expected: traced array "
      "with shape %.*s\nIt is needed for %s. Its value is known only when the program runs; %s",
      STR_FMT(aval_plain_text(ev->arena, aval)), context,
      trace_in_kernel(ev) ? ARRAY_USE_INSTEAD : ARRAY_USE_INSTEAD ", " ARRAY_MAKE_STATIC);
}

// The data of an array if it can be had here; NULL if it is traced.
NdArray *array_known_data(Eval *ev, Array *a) {
  array_must_live(ev, a);
  if (value_is_traced(ev, v_object(a))) return NULL;
  pending_need(ev, a);
  return a->host;
}

bool known_int(Eval *ev, Value v, int64_t *out) {
  if (v.kind == V_INT) {
    *out = v.i;
    return true;
  }
  if (!value_is_array(ev, v)) return value_as_int(ev, v, out);
  const Array *a = (const Array *)v.o;
  if (a->aval.rank != 0 || !dtype_is_integer(a->aval.dtype)) return false;
  const NdArray *host = array_known_data(ev, (Array *)v.o);
  if (host) nd_look_at(ev, host);
  if (host) *out = dtype_load_i64(host->dtype, host->data);
  return host != NULL;
}

bool known_index(Eval *ev, Value v, int64_t *out) {
  if (!known_int(ev, v, out)) return false;
  if (value_is_array(ev, v))
    check_scalar(ev, ((const Array *)v.o)->level, &((const Array *)v.o)->aval);
  return true;
}

static void settle(Eval *ev, Value v) {
  if (value_is_array(ev, v)) array_known_data(ev, (Array *)v.o);
}

void settle_index(Eval *ev, Value index) {
  Tuple *tuple = value_as_tuple(index);
  if (tuple) {
    for (size_t i = 0; i < tuple->count; i++) settle_index(ev, tuple->items[i]);
    return;
  }
  if (index.kind != V_OBJECT) return;
  Value start, size, stride;
  if (index.o->type == ev->types.slice) {
    const SliceObject *slice = (const SliceObject *)index.o;
    settle(ev, slice->start);
    settle(ev, slice->stop);
    settle(ev, slice->step);
  } else if (value_as_dynamic_slice(ev, index, &start, &size, &stride)) {
    settle(ev, size);
    settle(ev, stride);
  } else if (value_is_array(ev, index)) {
    const Array *a = (const Array *)index.o;
    if (a->aval.dtype == DT_BOOL) settle(ev, index);
  }
}

NdArray *array_concrete(Eval *ev, Value v, const char *context) {
  if (value_is_nd(ev, v)) return (NdArray *)v.o;
  if (value_is_array(ev, v)) {
    Array *a = (Array *)v.o;
    NdArray *host = array_known_data(ev, a);
    if (!host && strstr(context, "NumPy"))
      eval_raise(ev, trace_types(ev)->TracerArrayConversionError,
                 "The numpy.ndarray conversion method __array__() was called on traced array with "
                 "shape %.*s\nIt is %s: its values are known only "
                 "when the program runs; use jax.numpy in place of numpy here",
                 STR_FMT(aval_plain_text(ev->arena, &a->aval)), context);
    if (!host) raise_concrete(ev, trace_types(ev)->ConcretizationTypeError, &a->aval, context);
    return host;
  }
  Aval aval;
  if (!python_scalar(ev, v, &aval))
    eval_raise(ev, ev->types.TypeError, "%s: expected an array, got %s", context,
               value_type_name(ev, v));
  v = value_unwrap(v);
  DType dtype = v.kind == V_FLOAT ? default_float(ev) : aval.dtype;
  NdArray *nd = host_array_new(ev, dtype, 0, NULL);
  if (v.kind == V_FLOAT)
    dtype_store_f64(dtype, nd->data, v.f);
  else
    dtype_store_i64(dtype, nd->data, v.i);
  return nd;
}
