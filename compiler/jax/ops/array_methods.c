// SPDX-License-Identifier: Apache-2.0
// Methods of jax.Array: those of jax.numpy with the array as their first argument; and the other
// operations that arrays offer.
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "jax/array/placement.h"
#include "jax/array/complex_array.h"
#include "jax/array/array_ops.h"
#include "jax/trace/pending.h"
#include "python/modules/module.h"
#include "jax/array/scalar_type.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/objects/protocol.h"
#include "create.h"
#include "dot_numbers.h"
#include "jax/array/arith.h"
#include "jax/array/array.h"
#include "jax/array/array_data.h"
#include "jax/array/array_type.h"
#include "jax/array/operands.h"
#include "natives.h"
#include "shape.h"
#include <string.h>

// jnp.NAME(a[0], names[0]=a[1], …) for functions written in the language; arguments left at None
// are not passed on.
static Value forward(Eval *ev, const char *function, size_t count, const char *const *names,
                     const Value *a) {
  Name keys[8];
  Value values[8];
  size_t given = 0;
  for (size_t i = 0; i < count; i++) {
    if (v_is_none(a[i + 1])) continue;
    keys[given] = name_intern_c(ev->session->interner, names[i]);
    values[given++] = a[i + 1];
  }
  Args args = {1, a, given, keys, values};
  return value_call(ev, module_lookup(ev, "jax.numpy", function), &args);
}

#define FORWARD(function, ...)                                                                     \
  static Value method_##function(Eval *ev, Value *a) {                                             \
    static const char *const names[] = {__VA_ARGS__};                                              \
    return forward(ev, #function, COUNT_OF(names), names, a);                                      \
  }
FORWARD(var, "axis", "dtype", "out", "ddof", "keepdims", "where", "mean", "correction")
FORWARD(std, "axis", "dtype", "out", "ddof", "keepdims", "where", "mean", "correction")
FORWARD(sort, "axis", "stable", "descending")
FORWARD(argsort, "axis", "stable", "descending")
FORWARD(take, "indices", "axis", "out", "mode", "unique_indices", "indices_are_sorted",
        "fill_value")
FORWARD(repeat, "repeats", "axis", "total_repeat_length")
FORWARD(round, "decimals", "out")
FORWARD(clip, "min", "max")
FORWARD(diagonal, "offset", "axis1", "axis2")
FORWARD(trace, "offset", "axis1", "axis2", "dtype", "out")
FORWARD(searchsorted, "v", "side", "sorter", "method")
FORWARD(ptp, "axis", "out", "keepdims")
FORWARD(nonzero, "size", "fill_value")
FORWARD(argpartition, "kth", "axis")
FORWARD(choose, "choices", "out", "mode")
#undef FORWARD

// What jax_mesh.pk says of the array's devices.
#define OF_MESH(name, count)                                                                       \
  static Value method_##name(Eval *ev, Value *a) {                                                 \
    return value_call_n(ev, module_lookup(ev, "jax._mesh", #name), count, a);                      \
  }
OF_MESH(devices_of, 1)
OF_MESH(addressable_data_of, 2)
#undef OF_MESH

// Self, condition, axis, out: the condition goes first.
static Value method_compress(Eval *ev, Value *a) {
  Value swapped[4] = {a[1], a[0], a[2], a[3]};
  return forward(ev, "compress", 3, (const char *const[]){"a", "axis", "out"}, swapped);
}

static Value method_astype(Eval *ev, Value *a) {
  DType asked;
  if (value_as_dtype(ev, a[1], &asked) && dtype_is_complex(asked))
    return complex_astype(ev, a[0], asked);
  DType dtype = v_is_none(a[1]) ? default_float(ev) : take_requested_dtype(ev, a[1], "astype");
  return array_made_at(ev, "astype", array_astype(ev, a[0], dtype), a[3], v_none());
}

static Value method_reshape(Eval *ev, Value *a) { // *args, order, copy, out_sharding
  refuse_keyword(ev, "reshape", "out_sharding", a[4]);
  Tuple *args = value_as_tuple(a[1]);
  int64_t n;
  bool single = args->count == 1 && !value_as_int(ev, args->items[0], &n);
  return array_reshaped(ev, a[0], single ? args->items[0] : a[1], a[2]);
}

static Value method_transpose(Eval *ev, Value *a) {
  Tuple *args = value_as_tuple(a[1]);
  int64_t n;
  if (args->count == 0) return array_permuted(ev, a[0], v_none());
  bool single = args->count == 1 && !value_as_int(ev, args->items[0], &n);
  return array_permuted(ev, a[0], single ? args->items[0] : a[1]);
}

static Value method_copy(Eval *ev, Value *a) {
  const Array *array = (const Array *)a[0].o;
  array_must_live(ev, array);
  if (!array->ir) {
    Value copy = array_from_nd(ev, array->host, array->aval.weak);
    ((Array *)copy.o)->placement = placement_made(ev, array->placement, array->aval.rank);
    return copy;
  }
  return array_new(ev, array_ir(ev, a[0], DT_COUNT), array->aval.weak);
}

static Value method_item(Eval *ev, Value *a) { // *args
  Tuple *args = value_as_tuple(a[1]);
  Value self = a[0];
  if (args->count == 1) {
    Value flat = array_reshaped(ev, self, v_int(-1), make_str_c(ev, "C"));
    int64_t n, size = aval_count(&((const Array *)flat.o)->aval);
    bool is_flat = value_as_int(ev, args->items[0], &n);
    if (is_flat && (n < -size || n >= size))
      eval_raise(ev, ev->types.IndexError, "index %lld is out of bounds for axis 0 with size %lld",
                 (long long)n, (long long)size);
    self = array_getitem(ev, is_flat ? flat : self, args->items[0]);
  } else if (args->count > 1) {
    const Aval *aval = &((const Array *)self.o)->aval;
    for (size_t i = 0; i < args->count && i < aval->rank; i++) {
      int64_t n;
      if (value_as_int(ev, args->items[i], &n) && (n < -aval->dims[i] || n >= aval->dims[i]))
        eval_raise(ev, ev->types.IndexError,
                   "index %lld is out of bounds for axis %zu with size %lld", (long long)n, i,
                   (long long)aval->dims[i]);
    }
    self = array_getitem(ev, self, a[1]);
  }
  NdArray *nd = array_concrete(ev, self, "the item() method of jax.Array");
  int64_t count = 1;
  for (int i = 0; i < nd->rank; i++) count *= nd->dims[i];
  if (count != 1)
    eval_raise(ev, ev->types.ValueError, "can only convert an array of size 1 to a Python scalar");
  return nd_item(ev, nd, 0);
}

static Value nested_list(Eval *ev, const NdArray *nd, int axis, int64_t *at) {
  if (axis == nd->rank) return nd_item(ev, nd, (*at)++);
  List *list = list_new(ev, (size_t)nd->dims[axis]);
  for (int64_t i = 0; i < nd->dims[axis]; i++)
    list_push(ev, list, nested_list(ev, nd, axis + 1, at));
  return v_object(list);
}

static Value method_tolist(Eval *ev, Value *a) {
  int64_t at = 0;
  return nested_list(ev, array_concrete(ev, a[0], "the tolist() method of jax.Array"), 0, &at);
}

// What is asked of the values, as of an array of NumPy.
static Value of_host(Eval *ev, Value self, const char *method, const char *what) {
  return value_call_method(ev, v_object(array_concrete(ev, self, what)), method, 0, NULL);
}

static Value method_tobytes(Eval *ev, Value *a) {
  return of_host(ev, a[0], "tobytes", "the tobytes() method of jax.Array");
}

static Value method_byteswap(Eval *ev, Value *a) {
  Value swapped = of_host(ev, a[0], "byteswap", "the byteswap() method of jax.Array");
  return array_from_nd(ev, (NdArray *)swapped.o, ((const Array *)a[0].o)->aval.weak);
}

static Value method_complex(Eval *ev, Value *a) {
  const Aval *aval = &((const Array *)a[0].o)->aval;
  if (aval->rank)
    eval_raise(ev, ev->types.TypeError,
               "Only scalar arrays can be converted to Python scalars; got arr.ndim=%d",
               aval->rank);
  return make_complex(ev, array_method_float(ev, a).f, 0);
}

static Value method_to_device(Eval *ev, Value *a) { // device, stream
  return value_call_n(ev, module_lookup(ev, "jax", "device_put"), 2, a);
}

static Value method_on_device_size(Eval *ev, Value *a) {
  return value_getattr_c(ev, a[0], "nbytes");
}

static Value method_dot(Eval *ev, Value *a) { // self, b, precision, preferred_element_type
  Value args[5] = {a[0], a[1], a[2], a[3], v_none()};
  return jnp_dot(ev, args);
}

static Value method_view(Eval *ev, Value *a) {
  if (v_is_none(a[1])) return a[0];
  DType dtype = take_requested_dtype(ev, a[1], "view");
  const Array *self = (const Array *)a[0].o;
  unsigned from = dtype_bits(self->aval.dtype), to = dtype_bits(dtype);
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  IrBuilder *b = trace_builder(ev);
  if (from == to) return array_result(ev, ir_bitcast(b, x, dtype));
  int64_t dims[IR_MAX_RANK + 1];
  int rank = self->aval.rank;
  if (rank == 0)
    eval_raise(ev, ev->types.ValueError, "a 0-d array cannot be viewed with another element size");
  memcpy(dims, self->aval.dims, sizeof self->aval.dims);
  if (from > to) { // the new last dimension joins the old one
    x = ir_bitcast(b, x, dtype);
    dims[rank - 1] *= from / to;
    return array_result(ev, ir_reshape(b, x, (size_t)rank, dims));
  }
  int64_t ratio = to / from;
  if (dims[rank - 1] % ratio)
    eval_raise(ev, ev->types.ValueError, "the last dimension, %lld, is not a multiple of %lld",
               (long long)dims[rank - 1], (long long)ratio);
  dims[rank - 1] /= ratio;
  dims[rank] = ratio;
  return array_result(ev, ir_bitcast(b, ir_reshape(b, x, (size_t)rank + 1, dims), dtype));
}

static Value method_round_dunder(Eval *ev, Value *a) {
  Value args[3] = {a[0], v_is_none(a[1]) ? v_int(0) : a[1], v_none()};
  Value rounded = method_round(ev, args);
  return v_is_none(a[1]) ? array_astype(ev, rounded, default_int(ev)) : rounded;
}

static Value method_divmod(Eval *ev, Value *a) {
  if (!value_is_arraylike(ev, a[1])) return v_not_implemented();
  Value pair[2] = {array_floor_divide(ev, a[0], a[1]), array_remainder(ev, a[0], a[1])};
  return make_tuple(ev, 2, pair);
}

static Value method_rdivmod(Eval *ev, Value *a) {
  if (!value_is_arraylike(ev, a[1])) return v_not_implemented();
  Value pair[2] = {array_floor_divide(ev, a[1], a[0]), array_remainder(ev, a[1], a[0])};
  return make_tuple(ev, 2, pair);
}

static Value method_is_deleted(Eval *ev UNUSED, Value *a) {
  return v_bool(((const Array *)a[0].o)->deleted);
}

static Value method_delete(Eval *ev, Value *a) {
  Array *array = (Array *)a[0].o;
  if (value_is_traced(ev, a[0]))
    eval_raise(ev, ev->types.AttributeError, "a traced array of %.*s cannot be deleted",
               STR_FMT(aval_text(ev->arena, &array->aval)));
  array->deleted = true;
  if (!array->ir) array->host = NULL; // its memory may go
  return v_none();
}

static void refuse_traced(Eval *ev, const char *method, Value self) {
  if (value_is_traced(ev, self))
    eval_raise(ev, ev->types.AttributeError,
               "The '%s' method is not available on traced array with shape %.*s: there is nothing "
               "to wait for while a function is traced",
               method, STR_FMT(aval_text(ev->arena, &((const Array *)self.o)->aval)));
}

static Value method_copy_to_host_async(Eval *ev, Value *a) {
  refuse_traced(ev, "copy_to_host_async", a[0]);
  return v_none();
}

static Value method_block_until_ready(Eval *ev, Value *a) {
  refuse_traced(ev, "block_until_ready", a[0]);
  if (((const Array *)a[0].o)->deleted)
    eval_raise(ev, trace_types(ev)->JaxRuntimeError,
               "INVALID_ARGUMENT: BlockHostUntilReady() called on deleted or donated buffer");
  pending_settle(ev);
  return a[0];
}

static Value method_array(Eval *ev, Value *a) { // __array__(dtype, copy)
  const Array *self = (const Array *)a[0].o;
  if (value_is_traced(ev, a[0]))
    eval_raise(ev, trace_types(ev)->TracerArrayConversionError,
               "The numpy.ndarray conversion method __array__() was called on traced array with "
               "shape %.*s\nIts "
               "values are known only when the program runs; use jax.numpy in place of numpy here",
               STR_FMT(aval_text(ev->arena, &self->aval)));
  Value nd = v_object(nd_read_only(ev, array_concrete(ev, a[0], "numpy.asarray")));
  return v_is_none(a[1]) ? nd : value_call_method(ev, nd, "astype", 1, &a[1]);
}

static const NativeDef array_methods[] = {
    {"sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, "
     "promote_integers=True)",
     jnp_sum},
    {"prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, "
     "promote_integers=True)",
     jnp_prod},
    {"max(self, axis=None, out=None, keepdims=False, initial=None, where=None)", jnp_max},
    {"min(self, axis=None, out=None, keepdims=False, initial=None, where=None)", jnp_min},
    {"any(self, axis=None, out=None, keepdims=False, *, where=None)", jnp_any},
    {"all(self, axis=None, out=None, keepdims=False, *, where=None)", jnp_all},
    {"argmax(self, axis=None, out=None, keepdims=None)", jnp_argmax},
    {"argmin(self, axis=None, out=None, keepdims=None)", jnp_argmin},
    {"mean(self, axis=None, dtype=None, out=None, keepdims=False, *, where=None)", jnp_mean},
    {"var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, "
     "correction=None)",
     method_var},
    {"std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, "
     "correction=None)",
     method_std},
    {"cumsum(self, axis=None, dtype=None, out=None)", jnp_cumsum},
    {"cumprod(self, axis=None, dtype=None, out=None)", jnp_cumprod},
    {"astype(self, dtype, copy=False, device=None)", method_astype},
    {"reshape(self, *args, order='C', copy=None, out_sharding=None)", method_reshape},
    {"ravel(self, order='C', *, out_sharding=None)", jnp_ravel},
    {"flatten(self, order='C', *, out_sharding=None)", jnp_ravel},
    {"transpose(self, *args)", method_transpose},
    {"swapaxes(self, axis1, axis2)", jnp_swapaxes},
    {"squeeze(self, axis=None)", jnp_squeeze},
    {"clip(self, min=None, max=None)", method_clip},
    {"round(self, decimals=0, out=None)", method_round},
    {"dot(self, b, *, precision=None, preferred_element_type=None)", method_dot},
    {"take(self, indices, axis=None, out=None, mode=None, unique_indices=False, "
     "indices_are_sorted=False, fill_value=None)",
     method_take},
    {"repeat(self, repeats, axis=None, *, total_repeat_length=None)", method_repeat},
    {"sort(self, axis=-1, *, stable=True, descending=False)", method_sort},
    {"argsort(self, axis=-1, *, stable=True, descending=False)", method_argsort},
    {"diagonal(self, offset=0, axis1=0, axis2=1)", method_diagonal},
    {"trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", method_trace},
    {"searchsorted(self, v, side='left', sorter=None, *, method='scan')", method_searchsorted},
    {"ptp(self, axis=None, out=None, keepdims=False)", method_ptp},
    {"nonzero(self, *, size=None, fill_value=None)", method_nonzero},
    {"argpartition(self, kth, axis=-1)", method_argpartition},
    {"compress(self, condition, axis=None, out=None)", method_compress},
    {"choose(self, choices, out=None, mode='raise')", method_choose},
    {"item(self, *args)", method_item},
    {"tolist(self)", method_tolist},
    {"tobytes(self)", method_tobytes},
    {"byteswap(self)", method_byteswap},
    {"to_device(self, device, *, stream=None)", method_to_device},
    {"on_device_size_in_bytes(self)", method_on_device_size},
    {"__complex__(self)", method_complex},
    {"view(self, dtype=None)", method_view},
    {"copy(self)", method_copy},
    {"conj(self)", method_copy},
    {"conjugate(self)", method_copy},
    {"devices(self)", method_devices_of},
    {"addressable_data(self, index)", method_addressable_data_of},
    {"block_until_ready(self)", method_block_until_ready},
    {"copy_to_host_async(self)", method_copy_to_host_async},
    {"is_deleted(self)", method_is_deleted},
    {"delete(self)", method_delete},
    {"__array__(self, dtype=None, copy=None)", method_array},
    {"__int__(self)", array_method_int},
    {"__float__(self)", array_method_float},
    {"__round__(self, ndigits=None)", method_round_dunder},
    {"__abs__(self)", jnp_abs},
    {"__divmod__(self, other)", method_divmod},
    {"__rdivmod__(self, other)", method_rdivmod},
    {NULL, NULL},
};

const ArrayOps array_ops = {.methods = array_methods,
                            .matmul = array_matmul,
                            .transposed = array_transposed,
                            .reshaped = array_reshaped,
                            .make = array_make};
