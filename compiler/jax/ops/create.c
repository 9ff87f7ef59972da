// SPDX-License-Identifier: Apache-2.0
// Arrays from nothing and from Python's values: jnp.array, zeros, full, arange, …
#include "jax/array/array_shape.h"
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "create.h"
#include "jax/array/placement.h"
#include "jax/array/array_data.h"
#include "jax/array/scalar_type.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/bytes_like.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "jax/array/arith.h"
#include "jax/array/array.h"
#include "jax/array/key_array.h"
#include "jax/array/operands.h"
#include "jax/array/promote.h"
#include "jax/array/ref.h"
#include "jax/array/varying.h"
#include "natives.h"
#include <math.h>
#include <string.h>

// ---- nested sequences ---------------------------------------------------------------------------
typedef struct Nest { // a nested list being read
  Eval *ev;
  size_t rank;
  int64_t dims[IR_MAX_RANK];
  VEC(Value) leaves;
  bool has_arrays; // some leaves are arrays that are not plain data
} Nest;

static bool as_sequence(Eval *ev, Value v, size_t *count, const Value **items) {
  Tuple *tuple = value_as_tuple(v);
  List *list = tuple ? NULL : value_as_list(v);
  if (!tuple && !list && v.kind == V_OBJECT && v.o->type == ev->types.range)
    tuple = value_to_tuple(ev, v);
  if (!tuple && !list) return false;
  *count = tuple ? tuple->count : list->count;
  *items = tuple ? tuple->items : list->items;
  return true;
}

static NORETURN void raise_ragged(Eval *ev, size_t depth) {
  eval_raise(
      ev, ev->types.ValueError,
      "setting an array element with a sequence. The requested array has an inhomogeneous shape "
      "after %zu dimensions",
      depth);
}

// "Value 'abc' with dtype <U3 is not a valid JAX array type": a text, or an object of any other
// type.
static NORETURN void raise_invalid(Eval *ev, Value object) {
  Str text, kind = STR("object");
  if (value_as_str(object, &text))
    kind = str_format(ev->arena, "<U%lld", (long long)value_len(ev, object));
  else if (value_as_bytes(ev, object, &text))
    kind = str_format(ev->arena, "|S%zu", text.len);
  eval_raise(ev, ev->types.TypeError,
             "Value '%.*s' with dtype %.*s is not a valid JAX array type. Only arrays of numeric "
             "types are supported by JAX.",
             STR_FMT(value_str(ev, object)), STR_FMT(kind));
}

static void read_nest(Nest *n, Value v, size_t depth, bool first) {
  size_t count;
  const Value *items;
  Tuple *others = value_is_arraylike(n->ev, v) ? NULL : nd_sequence(n->ev, v);
  if (others) v = v_object(others);
  if (!as_sequence(n->ev, v, &count, &items)) {
    if (first)
      n->rank = depth;
    else if (depth != n->rank)
      raise_ragged(n->ev, depth);
    if (v_is_none(v))
      eval_raise(n->ev, n->ev->types.ValueError, "None is not a valid value for jnp.array");
    if (!value_is_arraylike(n->ev, v)) raise_invalid(n->ev, v);
    if (value_is_array(n->ev, v)) n->has_arrays = true;
    VEC_PUSH(n->ev->arena, &n->leaves, v);
    return;
  }
  if (depth == IR_MAX_RANK)
    eval_raise(n->ev, n->ev->types.ValueError, "the list is nested more than %d deep", IR_MAX_RANK);
  if (first)
    n->dims[depth] = (int64_t)count;
  else if (depth >= n->rank || n->dims[depth] != (int64_t)count)
    raise_ragged(n->ev, depth);
  if (count == 0 && first) n->rank = depth + 1;
  for (size_t i = 0; i < count; i++) read_nest(n, items[i], depth + 1, first && i == 0);
}

static void check_int_fits(Eval *ev, Value v, DType dtype) {
  uint64_t bits;
  if (value_is_big(v) && dtype == DT_U64 && big_as_u64(v, &bits)) return;
  if (v.kind == V_OBJECT && v.o->type == ev->types.integer)
    eval_raise(ev, ev->types.OverflowError, "Python integer %.*s out of bounds for %s",
               STR_FMT(value_repr(ev, v)), dtype_name(dtype));
  if (v.kind != V_INT || !dtype_is_integer(dtype)) return;
  bool fits = dtype_is_signed(dtype)
                  ? v.i >= dtype_int_min(dtype) && v.i <= (int64_t)dtype_int_max(dtype)
                  : v.i >= 0 && (uint64_t)v.i <= dtype_int_max(dtype);
  if (!fits)
    eval_raise(ev, ev->types.OverflowError, "Python integer %lld out of bounds for %s",
               (long long)v.i, dtype_name(dtype));
}

static void store_scalar(Eval *ev, Value v, DType dtype, void *to) {
  v = value_unwrap(v);
  if (value_is_nd(ev, v)) v = nd_item(ev, (const NdArray *)v.o, 0);
  if (v.kind == V_FLOAT && dtype_is_integer(dtype)) v = int_from_double(ev, trunc(v.f));
  if (v.kind == V_FLOAT)
    dtype_store_f64(dtype, to, v.f);
  else if (v.kind == V_OBJECT && dtype_is_float(dtype))
    dtype_store_f64(dtype, to, take_float(ev, v, "a number"));
  else {
    check_int_fits(ev, v, dtype);
    dtype_store_i64(dtype, to, value_is_big(v) ? (int64_t)big_low_bits(v) : v.i);
  }
}

// The leaves are arrays of equal shape: stacked into the nest's dimensions.
static Value stack_leaves(Nest *n, DType dtype) {
  Eval *ev = n->ev;
  size_t count = n->leaves.count;
  Aval *avals = ARENA_ARRAY(ev->arena, Aval, count);
  for (size_t i = 0; i < count; i++) take_aval(ev, "array", n->leaves.items[i], i, &avals[i]);
  for (size_t i = 1; i < count; i++)
    if (avals[i].rank != avals[0].rank ||
        memcmp(avals[i].dims, avals[0].dims, avals[0].rank * sizeof *avals[0].dims) != 0)
      raise_ragged(ev, n->rank);
  bool weak;
  if (dtype == DT_COUNT) dtype = promote_all(ev, count, avals, &weak);
  size_t rank = n->rank + avals[0].rank;
  if (rank > IR_MAX_RANK) eval_raise(ev, ev->types.ValueError, "the array has too many dimensions");
  int64_t one[IR_MAX_RANK + 1] = {1}, dims[IR_MAX_RANK];
  memcpy(one + 1, avals[0].dims, avals[0].rank * sizeof *one);
  memcpy(dims, n->dims, n->rank * sizeof *dims);
  memcpy(dims + n->rank, avals[0].dims, avals[0].rank * sizeof *dims);
  IrValue **parts = ARENA_ARRAY(ev->arena, IrValue *, count);
  for (size_t i = 0; i < count; i++) {
    IrValue *x = operand_as(ev, n->leaves.items[i], dtype, avals[i].rank, avals[i].dims);
    parts[i] = ir_reshape(trace_builder(ev), x, avals[0].rank + 1u, one);
  }
  IrValue *all = count == 1 ? parts[0] : ir_concat(trace_builder(ev), count, parts, 0);
  return array_result(ev, ir_reshape(trace_builder(ev), all, rank, dims));
}

static Value array_of_sequence(Eval *ev, Value object, DType dtype);

// A list of arrays and of lists beside them: each list as an array too.
static Value level_nest(Eval *ev, Value object, DType dtype) {
  size_t count, lists = 0, arrays = 0, inner;
  const Value *items, *parts;
  as_sequence(ev, object, &count, &items);
  for (size_t i = 0; i < count; i++) {
    lists += as_sequence(ev, items[i], &inner, &parts);
    arrays += value_is_array(ev, items[i]) || value_is_nd(ev, items[i]);
  }
  if (!lists || !arrays) return object;
  Tuple *level = tuple_new(ev, count);
  for (size_t i = 0; i < count; i++)
    level->items[i] = as_sequence(ev, items[i], &inner, &parts)
                          ? array_of_sequence(ev, items[i], dtype)
                          : items[i];
  return v_object(level);
}

static Value array_of_sequence(Eval *ev, Value object, DType dtype) {
  Nest n = {.ev = ev};
  read_nest(&n, level_nest(ev, object, dtype), 0, true);
  bool plain = !n.has_arrays;
  for (size_t i = 0; plain && i < n.leaves.count; i++) {
    Aval aval;
    plain = value_aval(ev, n.leaves.items[i], false, &aval) && aval.rank == 0;
  }
  if (!plain) return stack_leaves(&n, dtype);
  if (dtype == DT_COUNT) {
    bool weak;
    Aval *avals = ARENA_ARRAY(ev->arena, Aval, n.leaves.count + 1);
    for (size_t i = 0; i < n.leaves.count; i++) value_aval(ev, n.leaves.items[i], false, &avals[i]);
    dtype = n.leaves.count ? promote_all(ev, n.leaves.count, avals, &weak) : default_float(ev);
  }
  NdArray *nd = host_array_new(ev, dtype, n.rank, n.dims);
  for (size_t i = 0; i < n.leaves.count; i++)
    store_scalar(ev, n.leaves.items[i], dtype, nd->data + i * dtype_size(dtype));
  return array_from_nd(ev, nd, false);
}

static Value with_ndmin(Eval *ev, Value array, int64_t ndmin) {
  const Aval aval = ((const Array *)array.o)->aval;
  if (aval.rank >= ndmin) return array;
  if (ndmin > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "ndmin is larger than %d", IR_MAX_RANK);
  int64_t dims[IR_MAX_RANK];
  size_t extra = (size_t)ndmin - aval.rank;
  for (size_t i = 0; i < extra; i++) dims[i] = 1;
  memcpy(dims + extra, aval.dims, aval.rank * sizeof *dims);
  return array_new(
      ev, ir_reshape(trace_builder(ev), array_ir(ev, array, DT_COUNT), (size_t)ndmin, dims),
      aval.weak);
}

static Value array_of_scalar(Eval *ev, Value v, DType dtype) {
  Aval aval;
  value_aval(ev, v, false, &aval);
  DType to = dtype == DT_COUNT ? aval.dtype : dtype;
  if (dtype == DT_COUNT) check_python_int(ev, v);
  NdArray *nd = host_array_new(ev, to, 0, NULL);
  store_scalar(ev, v, to, nd->data);
  return array_from_nd(ev, nd, dtype == DT_COUNT && aval.weak);
}

static Value host_cast(Eval *ev, Value nd, DType dtype) {
  Value args[2] = {nd, make_dtype(ev, dtype)};
  Value cast = value_call_method(ev, nd, "astype", 1, args + 1);
  return array_from_nd(ev, (NdArray *)cast.o, false);
}

// The items of a deque or of a class with a length and items, the bytes of a buffer.
static Value host_items(Eval *ev, Value object) {
  Tuple *items = nd_sequence(ev, object);
  if (items) return v_object(items);
  if (!value_is_bytearray(ev, object) && !is_a(object, ev->types.memoryview))
    raise_invalid(ev, object);
  return value_call_n(ev, module_lookup(ev, "numpy", "asarray"), 1, &object);
}

Value array_make(Eval *ev, Value object, DType dtype, int64_t ndmin) {
  Value result;
  if (value_is_array(ev, object)) {
    result = dtype == DT_COUNT ? object : array_astype(ev, object, dtype);
  } else if (value_is_nd(ev, object)) {
    NdArray *nd = (NdArray *)object.o;
    if (dtype == DT_COUNT || dtype == nd->dtype)
      result = array_from_nd(ev, array_snapshot(ev, nd), false);
    else
      result = host_cast(ev, object, dtype);
  } else if (value_is_arraylike(ev, object)) {
    Value inner = value_unwrap(object);
    if (object.kind != V_OBJECT || object.o->type == ev->types.integer ||
        (!value_is(inner, object) && value_is_arraylike(ev, inner)))
      result = array_of_scalar(ev, object, dtype);
    else { // __jax_array__
      result = array_new(ev, array_ir(ev, object, DT_COUNT), false);
      if (dtype != DT_COUNT) result = array_astype(ev, result, dtype);
    }
  } else if (value_is_key(ev, object)) {
    return object;
  } else if (v_is_none(object)) {
    eval_raise(ev, ev->types.ValueError, "None is not a valid value for jnp.array");
  } else if (value_is_ref(ev, object)) {
    eval_raise(ev, ev->types.TypeError, "a Ref is not an array; read it first: ref[...]");
  } else {
    size_t count;
    const Value *items;
    if (!as_sequence(ev, object, &count, &items)) {
      Value method =
          object.kind == V_OBJECT
              ? value_getattr_opt(ev, object, name_intern_c(ev->session->interner, "__array__"))
              : v_unbound();
      Value host =
          v_is_unbound(method) ? host_items(ev, object) : value_call_n(ev, method, 0, NULL);
      return array_make(ev, host, dtype, ndmin);
    }
    if (count && value_is_key(ev, items[0]))
      return value_call_n(ev, module_lookup(ev, "jax.numpy", "stack"), 1, &object);
    result = array_of_sequence(ev, object, dtype);
  }
  return with_ndmin(ev, result, ndmin);
}

Value array_from(Eval *ev, Value v) {
  return value_is_array(ev, v) ? v : array_make(ev, v, DT_COUNT, 0);
}

// ---- natives of jax.numpy -----------------------------------------------------------------------
static DType optional_dtype(Eval *ev, Value v, const char *what) {
  return v_is_none(v) ? DT_COUNT : take_requested_dtype(ev, v, what);
}

static void require_order(Eval *ev, Value order) {
  Str text;
  if (!v_is_none(order) && !(value_as_str(order, &text) && str_equal(text, STR("K"))))
    eval_raise(ev, ev->types.NotImplementedError, "Only implemented for order='K'");
}

Value jnp_array(Eval *ev, Value *a) { // object, dtype, copy, order, ndmin, device, out_sharding
  require_order(ev, a[3]);
  Value made =
      array_make(ev, a[0], optional_dtype(ev, a[1], "jnp.array"), take_int(ev, a[4], "ndmin"));
  bool is_copy = v_is_none(a[2]) || value_truth(ev, a[2]);
  if (is_copy) made = array_apart(ev, made, a[0]);
  return array_made_at(ev, "jnp.array", made, a[5], a[6]);
}

Value jnp_asarray(Eval *ev, Value *a) { // a, dtype, order, copy, device, out_sharding
  require_order(ev, a[2]);
  Value made = array_make(ev, a[0], optional_dtype(ev, a[1], "jnp.asarray"), 0);
  if (!v_is_none(a[3]) && value_truth(ev, a[3])) made = array_apart(ev, made, a[0]);
  return array_made_at(ev, "jnp.asarray", made, a[4], a[5]);
}

// a: shape, dtype, device, out_sharding
static Value filled(Eval *ev, const char *what, const Value *a, int64_t value) {
  int64_t dims[IR_MAX_RANK];
  DType dt = v_is_none(a[1]) ? default_float(ev) : take_requested_dtype(ev, a[1], what);
  size_t rank = take_full_shape(ev, a[0], dims, "broadcast_in_dim shape");
  const IrType *type = array_type_checked(ev, dt, rank, dims);
  Value made = array_result(ev, ir_const_i64(trace_builder(ev), type, value));
  return array_made_at(ev, what, made, a[2], a[3]);
}

Value jnp_zeros(Eval *ev, Value *a) { return filled(ev, "jnp.zeros", a, 0); }

Value jnp_ones(Eval *ev, Value *a) { return filled(ev, "jnp.ones", a, 1); }

Value jnp_empty(Eval *ev, Value *a) { return filled(ev, "jnp.empty", a, 0); }

static Value full_of(Eval *ev, size_t rank, const int64_t *dims, Value fill, DType dtype,
                     bool weak) {
  Aval aval;
  if (!value_aval(ev, fill, false, &aval)) fill = array_make(ev, fill, DT_COUNT, 0);
  take_aval(ev, "full", fill, 1, &aval);
  if (dtype == DT_COUNT) {
    dtype = aval.dtype;
    weak = aval.weak;
  }
  const IrType *type = array_type_checked(ev, dtype, rank, dims);
  Value plain = value_unwrap(fill);
  if (plain.kind == V_FLOAT)
    return array_new(ev, ir_const_f64(trace_builder(ev), type, plain.f), weak);
  if (plain.kind == V_INT || plain.kind == V_BOOL)
    return array_new(ev, ir_const_i64(trace_builder(ev), type, plain.i), weak);
  size_t common = rank;
  int64_t out[IR_MAX_RANK];
  memcpy(out, dims, rank * sizeof *out);
  if (!broadcast_dims(&common, out, aval.rank, aval.dims) || common != rank ||
      memcmp(out, dims, rank * sizeof *out) != 0)
    eval_raise(ev, ev->types.ValueError,
               "Incompatible shapes for broadcasting: %.*s and requested shape %.*s",
               STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)),
               STR_FMT(shape_text(ev->arena, rank, dims)));
  return array_new(ev, operand_as(ev, fill, dtype, rank, dims), weak);
}

Value jnp_full(Eval *ev, Value *a) { // shape, fill_value, dtype, device, out_sharding
  int64_t dims[IR_MAX_RANK];
  DType dtype = optional_dtype(ev, a[2], "jnp.full");
  size_t rank = take_full_shape(ev, a[0], dims, "broadcast_in_dim shape");
  Value made = full_of(ev, rank, dims, a[1], dtype, false);
  return array_made_at(ev, "jnp.full", made, a[3], a[4]);
}

// zeros_like and the others: like an array, a ref, a ShapeDtypeStruct, …
// how: dtype, shape, device, out_sharding
static Value full_like(Eval *ev, const char *what, Value a, Value fill, const Value *how) {
  Aval aval;
  if (!value_aval(ev, a, true, &aval)) take_aval(ev, what, array_from(ev, a), 0, &aval);
  size_t rank = aval.rank;
  bool weak = aval.weak;
  if (!v_is_none(how[1])) rank = take_full_shape(ev, how[1], aval.dims, "broadcast_in_dim shape");
  DType dt = aval.dtype;
  if (!v_is_none(how[0])) {
    dt = take_requested_dtype(ev, how[0], what);
    weak = false;
  }
  Value made = array_varying_as(ev, full_of(ev, rank, aval.dims, fill, dt, weak), a);
  bool is_placed = !v_is_none(how[2]) || !v_is_none(how[3]);
  if (v_is_none(how[1]) && !is_placed) return placement_as(ev, made, a);
  return array_made_at(ev, what, made, how[2], how[3]);
}

Value jnp_zeros_like(Eval *ev, Value *a) { // a, dtype, shape, device, out_sharding
  return full_like(ev, "jnp.zeros_like", a[0], v_int(0), a + 1);
}

Value jnp_ones_like(Eval *ev, Value *a) {
  return full_like(ev, "jnp.ones_like", a[0], v_int(1), a + 1);
}

Value jnp_full_like(Eval *ev, Value *a) { // a, fill_value, dtype, shape, device, out_sharding
  return full_like(ev, "jnp.full_like", a[0], a[1], a + 2);
}

// ---- arange -------------------------------------------------------------------------------------
static Value known_number(Eval *ev, Value v, const char *what) {
  Value plain = value_unwrap(v);
  if (plain.kind == V_INT || plain.kind == V_FLOAT || plain.kind == V_BOOL) return plain;
  if (!value_is_array(ev, v) && !value_is_nd(ev, v))
    eval_raise(ev, ev->types.TypeError, "jnp.arange: %s must be a number, got %s", what,
               value_type_name(ev, v));
  NdArray *nd = array_concrete(ev, v, what);
  if (nd->rank != 0)
    eval_raise(ev, ev->types.ValueError,
               "jnp.arange: arguments must be scalars; got %s of shape %.*s", what,
               STR_FMT(shape_text(ev->arena, nd->rank, nd->dims)));
  return nd_item(ev, nd, 0);
}

static double number(Value v) { return v.kind == V_FLOAT ? v.f : (double)v.i; }

static double in_dtype(DType dtype, double value) {
  uint64_t bytes = 0;
  dtype_store_f64(dtype, &bytes, value);
  return dtype_load_f64(dtype, &bytes);
}

static IrValue *scaled_iota(Eval *ev, DType dtype, int64_t count, Value start, Value step) {
  const IrType *type = array_type_checked(ev, dtype, 1, &count);
  IrBuilder *b = trace_builder(ev);
  bool floats = dtype_is_float(dtype);
  DType computed = floats && dtype_bits(dtype) < 32 ? DT_F32 : dtype;
  const IrType *work = array_type_checked(ev, computed, 1, &count);
  bool simple = number(start) == 0 && number(step) == 1;
  if (simple) return ir_iota(b, type, 0);
  IrValue *x = ir_iota(b, work, 0);
  if (!floats) {
    if (step.i != 1) x = ir_binary(b, OP_MUL, x, ir_const_i64(b, work, step.i));
    if (start.i != 0) x = ir_binary(b, OP_ADD, x, ir_const_i64(b, work, start.i));
    return x;
  }
  // As NumPy fills it: the difference of the first two elements, times the index.
  double first = in_dtype(computed, number(start));
  double second = in_dtype(computed, number(start) + number(step));
  double between = in_dtype(computed, second - first);
  x = ir_binary(b, OP_MUL, x, ir_const_f64(b, work, between));
  x = ir_binary(b, OP_ADD, x, ir_const_f64(b, work, first));
  return ir_convert(b, x, dtype);
}

Value jnp_arange(Eval *ev, Value *a) { // start, stop, step, dtype, device, out_sharding
  Aval avals[3];
  size_t count = 0;
  for (int i = 0; i < 3; i++)
    if (!v_is_none(a[i])) take_aval(ev, "jnp.arange", a[i], (size_t)i, &avals[count++]);
  bool single = v_is_none(a[1]);
  Value start = single ? v_int(0) : known_number(ev, a[0], "the jnp.arange argument 'start'");
  Value stop = known_number(ev, single ? a[0] : a[1], "the jnp.arange argument 'stop'");
  Value step =
      v_is_none(a[2]) ? v_int(1) : known_number(ev, a[2], "the jnp.arange argument 'step'");
  bool weak;
  DType dtype = v_is_none(a[3]) ? promote_all(ev, count, avals, &weak)
                                : take_requested_dtype(ev, a[3], "jnp.arange");
  if (number(step) == 0)
    eval_raise(ev, ev->types.ZeroDivisionError, "jnp.arange: the step is zero");
  int64_t n;
  bool floats = start.kind == V_FLOAT || stop.kind == V_FLOAT || step.kind == V_FLOAT;
  if (floats) {
    double size = ceil((number(stop) - number(start)) / number(step));
    if (!(size < 9e15)) eval_raise(ev, ev->types.ValueError, "jnp.arange: the size is too large");
    n = size > 0 ? (int64_t)size : 0;
  } else {
    n = step.i > 0 ? (stop.i - start.i + step.i - 1) / step.i
                   : (start.i - stop.i - step.i - 1) / -step.i;
    if (n < 0) n = 0;
  }
  if (!floats && !dtype_is_float(dtype)) check_python_int(ev, stop);
  if (!dtype_is_float(dtype) && floats) { // NumPy truncates start and step first
    start = v_int((int64_t)number(start));
    step = v_int((int64_t)number(step));
  }
  DType counted = dtype == DT_BOOL ? default_int(ev) : dtype;
  Value made = array_result(ev, scaled_iota(ev, counted, n, start, step));
  if (dtype == DT_BOOL) made = array_astype(ev, made, DT_BOOL);
  return array_made_at(ev, "jnp.arange", made, a[4], a[5]);
}
