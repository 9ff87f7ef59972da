// SPDX-License-Identifier: Apache-2.0
// The type jax.Array: truth, numbers, text, attributes and operators of its values.
#include "python/values/values.h"
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "array_type.h"
#include "python/modules/module.h"
#include "array_ops.h"
#include "dynamic_slice.h"
#include "jax/trace/pending.h"
#include "jax/trace/tracing.h"
#include "numpy/text/nd_format.h"
#include "numpy/arrays/nd_watch.h"
#include "python/objects/attribute.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type.h"
#include "python/objects/value_call.h"
#include "arith.h"
#include "array.h"
#include "array_data.h"
#include "array_names.h"
#include "key_array.h"
#include "placement.h"
#include "ref.h"
#include "python/values/dict.h"
#include "python/values/names.h"
#include "shape_struct.h"
#include "subscript_at.h"

// ---- numbers ------------------------------------------------------------------------------------
static const char *truth_advice(Eval *ev) {
  switch (ev->truth_use) {
  case TRUTH_OPERAND:
    return "use (a) & (b) for 'a and b', (a) | (b) for 'a or b', ~(a) for 'not a', "
           "(a < b) & (b < c) for 'a < b < c'";
  case TRUTH_EXTREME: return "use jnp.maximum(a, b) for max(a, b), jnp.minimum for min";
  case TRUTH_ASSERTION:
    return trace_in_kernel(ev)
               ? "use pl.debug_check(condition, message), which 'pallasc check' does"
               : "use jax.experimental.checkify.check(condition, message)";
  default:
    return trace_in_kernel(ev) ? ARRAY_USE_INSTEAD : ARRAY_USE_INSTEAD ", " ARRAY_MAKE_STATIC;
  }
}

static NORETURN void raise_bool(Eval *ev, const Aval *aval) {
  eval_raise(ev, trace_types(ev)->TracerBoolConversionError,
             "Attempted boolean conversion of traced array with shape %.*s.\nIts value is known "
             "only when the program runs; %s",
             STR_FMT(aval_plain_text(ev->arena, aval)), truth_advice(ev));
}

static NORETURN void raise_integer(Eval *ev, const Aval *aval) {
  eval_raise(ev, trace_types(ev)->TracerIntegerConversionError,
             "The __index__() method was called on traced array with shape %.*s\nIts value is "
             "known only when the program runs; use lax.fori_loop or pl.loop instead of range(), "
             "jnp.take or x[i] on an array instead of an index of a list, pl.ds(start, size) for a "
             "slice that moves, lax.switch to choose among functions%s",
             STR_FMT(aval_plain_text(ev->arena, aval)),
             trace_in_kernel(ev) ? "" : ", " ARRAY_MAKE_STATIC);
}

static Array *self_array(Value v) { return (Array *)v.o; }

static bool array_truth(Eval *ev, Value self) {
  Array *a = self_array(self);
  if (aval_count(&a->aval) != 1)
    eval_raise(ev, ev->types.ValueError,
               aval_count(&a->aval)
                   ? "The truth value of an array with more than one element is ambiguous. Use "
                     "a.any() or a.all(); for each element, jnp.where chooses as 'if' does, '&', "
                     "'|' and '~' stand for 'and', 'or' and 'not', jnp.maximum for max"
                   : "The truth value of an empty array is ambiguous. Use `array.size > 0` to "
                     "check that an array is not empty.");
  NdArray *host = array_known_data(ev, a);
  if (!host) raise_bool(ev, &a->aval);
  return value_truth(ev, nd_item(ev, host, 0));
}

static int64_t array_index(Eval *ev, Value self) {
  Array *a = self_array(self);
  if (a->aval.rank != 0 || !dtype_is_integer(a->aval.dtype))
    eval_raise(ev, ev->types.TypeError,
               "Only integer scalar arrays can be converted to a scalar index.");
  NdArray *host = array_known_data(ev, a);
  if (!host) raise_integer(ev, &a->aval);
  nd_look_at(ev, host);
  return dtype_load_i64(host->dtype, host->data);
}

static Value array_scalar(Eval *ev, Value self, const char *use, const char *instead) {
  Array *a = self_array(self);
  if (a->aval.rank != 0)
    raise_hinted(ev, ev->types.TypeError,
                 "x.astype() converts the elements; in place of the functions of math there are "
                 "those of jax.numpy",
                 "Only scalar arrays can be converted to Python scalars; got arr.ndim=%d",
                 a->aval.rank);
  NdArray *host = array_known_data(ev, a);
  if (!host)
    eval_raise(ev, trace_types(ev)->ConcretizationTypeError,
               "Abstract tracer value encountered where concrete value is expected: traced array "
               "with shape %.*s\nThe problem arose with %s: its value is known only when the "
               "program runs%s",
               STR_FMT(aval_plain_text(ev->arena, &a->aval)), use, instead);
  return nd_item(ev, host, 0);
}

Value array_method_int(Eval *ev, Value *a) {
  Value v = array_scalar(ev, a[0], "the `int` function",
                         ". To convert the element type use x.astype(int)");
  if (v.kind == V_FLOAT) return value_call_n(ev, v_object(ev->types.integer), 1, &v);
  return v_int(v.i);
}

Value array_method_float(Eval *ev, Value *a) {
  Value v = array_scalar(ev, a[0], "the `float` function",
                         ". To convert the element type use x.astype(float); in place of the "
                         "functions of math use those of jax.numpy");
  return v.kind == V_FLOAT ? v : v_float((double)v.i);
}

// ---- text ---------------------------------------------------------------------------------------
static Str traced_text(Eval *ev, const Array *a) {
  return str_format(ev->arena, "JitTracer(%.*s)", STR_FMT(aval_text(ev->arena, &a->aval)));
}

static Str nd_repr_jax(Eval *ev, const NdArray *nd, bool weak) {
  const PrintOptions *options = nd_print_options(ev);
  Str text = nd_text(ev, nd, options, STR(", "), STR("Array("), STR(","));
  Str dtype =
      str_format(ev->arena, "dtype=%s%s)", dtype_name(nd->dtype), weak ? ", weak_type=True" : "");
  if (nd_count(nd) == 0)
    return str_format(ev->arena, "Array([], shape=%.*s, %.*s",
                      STR_FMT(shape_text(ev->arena, nd->rank, nd->dims)), STR_FMT(dtype));
  size_t last = 0; // length of the text's last line
  while (last < text.len && text.data[text.len - 1 - last] != '\n') last++;
  const char *gap = last + 2 + dtype.len + 1 > (size_t)options->linewidth ? "      " : " ";
  return str_format(ev->arena, "Array(%.*s,%s%.*s", STR_FMT(text), gap, STR_FMT(dtype));
}

static Str array_repr(Eval *ev, Value self) {
  Array *a = self_array(self);
  NdArray *host = array_known_data(ev, a);
  return host ? nd_repr_jax(ev, host, a->aval.weak) : traced_text(ev, a);
}

static Str array_str(Eval *ev, Value self) {
  Array *a = self_array(self);
  NdArray *host = array_known_data(ev, a);
  return host ? value_str(ev, v_object(host)) : traced_text(ev, a);
}

static Str array_format(Eval *ev, Value self, Str spec) {
  Array *a = self_array(self);
  NdArray *host = array_known_data(ev, a);
  if (host && a->aval.rank == 0) return value_format(ev, nd_item(ev, host, 0), spec);
  if (spec.len && !host)
    eval_raise(ev, ev->types.TypeError,
               "unsupported format string passed to DynamicJaxprTracer.__format__; pl.debug_print "
               "and jax.debug.print show values that are known only when the program runs");
  if (spec.len)
    eval_raise(ev, ev->types.TypeError,
               "unsupported format string passed to numpy.ndarray.__format__");
  return array_str(ev, self);
}

// ---- attributes ---------------------------------------------------------------------------------
// Whether the program said, of it or of what it is made of, where it lies.
static bool is_committed(Eval *ev, Array *a) {
  if (a->level->kind == LEVEL_RUN) pending_need(ev, a);
  return a->placement;
}

static Value array_sharding(Eval *ev, Array *a) {
  if (value_is_traced(ev, v_object(a)))
    eval_raise(ev, ev->types.AttributeError,
               "The 'sharding' attribute is not available on traced array with shape %.*s. To "
               "query sharding information on tracers, use `jax.typeof(x)`.",
               STR_FMT(aval_text(ev->arena, &a->aval)));
  if (is_committed(ev, a)) return placement_sharding(ev, a->placement);
  return value_call_n(ev, module_lookup(ev, "jax._mesh", "default_sharding"), 0, NULL);
}

static Value array_getattr(Eval *ev, Value self, Name name) {
  const ArrayNames *n = array_names(ev);
  Array *a = self_array(self);
  const Aval *aval = &a->aval;
  if (name == n->shape) return make_tuple_i64(ev, aval->rank, aval->dims);
  if (name == n->dtype) return make_dtype(ev, aval->dtype);
  if (name == n->ndim) return v_int(aval->rank);
  if (name == n->size) return v_int(aval_count(aval));
  if (name == n->at) return at_helper_new(ev, self);
  if (name == n->T) return ops_of_arrays(ev)->transposed(ev, self, false);
  if (name == n->mT) return ops_of_arrays(ev)->transposed(ev, self, true);
  if (name == n->itemsize) return v_int((int64_t)dtype_size(aval->dtype));
  if (name == n->nbytes) return v_int((int64_t)dtype_size(aval->dtype) * aval_count(aval));
  if (name == n->weak_type) return v_bool(aval->weak);
  if (name == n->aval) return shaped_array_new(ev, aval);
  if (name == n->real) return array_apart(ev, self, self);
  if (name == n->imag)
    return value_call_n(ev, module_lookup(ev, "jax.numpy", "zeros_like"), 1, &self);
  if (name == n->sharding) return array_sharding(ev, a);
  if (name == n->device)
    return value_call_n(ev, module_lookup(ev, "jax._mesh", "device_of"), 1, &self);
  if (name == n->committed) return v_bool(is_committed(ev, a));
  if (name == n->is_fully_addressable) return v_bool(true);
  if (name == n->addressable_shards || name == n->global_shards)
    return value_call_n(ev, module_lookup(ev, "jax._mesh", "shards_of"), 1, &self);
  if (name == n->is_fully_replicated)
    return value_getattr(ev, array_sharding(ev, a), n->is_fully_replicated);
  return v_unbound();
}

static int64_t array_len(Eval *ev, Value self) {
  const Array *a = self_array(self);
  if (a->aval.rank == 0) eval_raise(ev, ev->types.TypeError, "len() of unsized object");
  return a->aval.dims[0];
}

static Value array_iter(Eval *ev, Value self) {
  const Array *a = self_array(self);
  if (a->aval.rank == 0) eval_raise(ev, ev->types.TypeError, "iteration over a 0-d array");
  Tuple *rows = tuple_new(ev, (size_t)a->aval.dims[0]);
  for (int64_t i = 0; i < a->aval.dims[0]; i++) rows->items[i] = array_getitem(ev, self, v_int(i));
  return value_iter(ev, v_object(rows));
}

static void array_setitem(Eval *ev, Value self UNUSED, Value index UNUSED, Value value UNUSED) {
  eval_raise(ev, ev->types.TypeError,
             "JAX arrays are immutable and do not support in-place item assignment. Instead of "
             "x[idx] = y, use x = x.at[idx].set(y) or another .at[] method");
}

static bool array_contains(Eval *ev, Value self, Value item) {
  return value_truth(ev,
                     value_call_method(ev, array_compare(ev, CMP_EQ, self, item), "any", 0, NULL));
}

static uint64_t array_hash(Eval *ev, Value self) {
  if (!array_known_data(ev, self_array(self)))
    eval_raise(ev, ev->types.TypeError,
               "unhashable type: 'DynamicJaxprTracer'; the value of an array is known only when "
               "the program runs, and it is no key of a dict or a set: jnp.take or x[i] choose "
               "among numbers, lax.switch among functions");
  eval_raise(ev, ev->types.TypeError, "unhashable type: 'jaxlib._jax.ArrayImpl'");
}

static const TypeSlots array_slots = {
    .getattr = array_getattr,
    .attributes = "shape dtype ndim size at T mT itemsize nbytes weak_type aval real imag sharding "
                  "device committed is_fully_addressable addressable_shards global_shards "
                  "is_fully_replicated",
    .binary = array_binary,
    .unary = array_unary,
    .compare = array_compare,
    .getitem = array_getitem,
    .setitem = array_setitem,
    .contains = array_contains,
    .len = array_len,
    .truth = array_truth,
    .hash = array_hash,
    .repr = array_repr,
    .str = array_str,
    .format = array_format,
    .iter = array_iter,
    .index = array_index,
};

// An Array as NumPy's functions take it. A kernel's Ref has no data yet.
static NdArray *data_of(Eval *ev, Value v, const char *use) {
  if (value_is_ref(ev, v) && !((const Ref *)v.o)->is_host)
    eval_raise(ev, trace_types(ev)->TracerArrayConversionError,
               "The numpy.ndarray conversion method __array__() was called on traced array with "
               "shape %.*s, %s: a Ref is memory whose values are known only when the program runs; "
               "read it (ref[...]) and use jax.numpy in place of numpy here",
               STR_FMT(value_repr(ev, v)), use);
  return value_is_array(ev, v) ? array_concrete(ev, v, use) : NULL;
}

const char *callable_name(Eval *ev, Value f) {
  Value name = value_getattr_opt(ev, f, array_names(ev)->__name__);
  Str text;
  return !v_is_unbound(name) && value_as_str(name, &text) ? str_copy(ev->arena, text).data
                                                          : "the function";
}

void array_init(Eval *ev) {
  ev->numpy->hooks.data_of = data_of;
  ArrayNames *names = ARENA_NEW(ev->arena, ArrayNames);
#define X(name) names->name = name_intern_c(ev->session->interner, #name);
  ARRAY_NAMES(X)
#undef X
  names->char_ = name_intern_c(ev->session->interner, "char");
  ev->trace->arrays->names = names;
  ArrayTypes *types = &ev->trace->arrays->types;
  static const TypeSlots none = {0};
  types->array_base = type_new_native(ev, "jax", "jaxlib._jax.Array", NULL, &none, NULL);
  types->array = type_new_native(ev, "jaxlib._jax", "ArrayImpl", types->array_base, &array_slots,
                                 ops_of_arrays(ev)->methods);
  key_array_init(ev);
  // A class of the language may derive from jax.Array and have instances: complex arrays do.
  Value methods[] = {make_str_c(ev, "aval"), make_str_c(ev, "dtype")};
  types->array_base->instances_have_dict = types->array_base->is_abstract = true;
  dict_set_name(ev, types->array_base->dict, ev->names->abstract_methods,
                make_tuple(ev, COUNT_OF(methods), methods));
  at_helper_init(ev);
  shape_struct_init(ev);
}
