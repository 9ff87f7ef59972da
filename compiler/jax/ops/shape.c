// SPDX-License-Identifier: Apache-2.0
// Operations of jax.numpy that move elements: reshape, transpose, broadcast, concatenate, where, …
#include "jax/array/array_shape.h"
#include "numpy/arrays/nd.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "shape.h"
#include "jax/array/scalar_type.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "create.h"
#include "jax/array/arith.h"
#include "jax/array/array.h"
#include "jax/array/key_array.h"
#include "jax/array/operands.h"
#include "jax/array/promote.h"
#include "natives.h"
#include <string.h>

// Keys are moved by their places; false: the array holds none.
static bool move_keys(Eval *ev, const char *function, size_t count, const Value *a, Value *out) {
  if (!value_is_key(ev, a[0])) return false;
  Value args[4] = {make_str_c(ev, function)};
  memcpy(args + 1, a, count * sizeof *a);
  *out = value_call_n(ev, module_lookup(ev, "jax.random._key_arrays", "moved"), count + 1, args);
  return true;
}

static Value transposed_all(Eval *ev, Value a, const Aval *aval) {
  int64_t perm[IR_MAX_RANK];
  for (int i = 0; i < aval->rank; i++) perm[i] = aval->rank - 1 - i;
  if (aval->rank < 2) return array_from(ev, a);
  return array_new(ev, ir_transpose(trace_builder(ev), array_ir(ev, a, DT_COUNT), perm),
                   aval->weak);
}

Value array_reshaped(Eval *ev, Value a, Value shape, Value order) {
  Aval aval;
  int64_t dims[IR_MAX_RANK];
  Str text = take_str(ev, order, "order");
  if (value_is_key(ev, a)) return value_call_method(ev, a, "reshape", 1, &shape);
  take_aval(ev, "reshape", a, 0, &aval);
  size_t rank = take_array_shape(ev, shape, dims, "shape");
  array_fit_shape(ev, aval.rank, aval.dims, rank, dims);
  array_type_checked(ev, aval.dtype, rank, dims); // of no elements, but of large sizes
  bool fortran = str_equal(text, STR("F"));
  if (str_equal(text, STR("A")))
    eval_raise(ev, ev->types.NotImplementedError, "np.reshape order=A is not implemented.");
  if (!fortran && !str_equal(text, STR("C")))
    eval_raise(ev, ev->types.ValueError, "Unexpected value for 'order' argument: %.*s.",
               STR_FMT(text));
  if (!fortran) {
    IrValue *x = array_ir(ev, a, DT_COUNT);
    if (rank == aval.rank && memcmp(dims, aval.dims, rank * sizeof *dims) == 0)
      return array_from(ev, a);
    return array_new(ev, ir_reshape(trace_builder(ev), x, rank, dims), aval.weak);
  }
  int64_t reversed[IR_MAX_RANK];
  for (size_t i = 0; i < rank; i++) reversed[i] = dims[rank - 1 - i];
  Value t = transposed_all(ev, a, &aval);
  Value r = array_new(ev, ir_reshape(trace_builder(ev), array_ir(ev, t, DT_COUNT), rank, reversed),
                      aval.weak);
  return transposed_all(ev, r, &((const Array *)r.o)->aval);
}

Value jnp_reshape(Eval *ev, Value *a) { // a, shape, order, copy, out_sharding
  refuse_keyword(ev, "jnp.reshape", "out_sharding", a[4]);
  return array_reshaped(ev, a[0], a[1], a[2]);
}

Value jnp_ravel(Eval *ev, Value *a) { // a, order, out_sharding
  refuse_keyword(ev, "jnp.ravel", "out_sharding", a[2]);
  return array_apart(ev, array_reshaped(ev, a[0], v_int(-1), a[1]), a[0]);
}

NORETURN void array_raise_no_permutation(Eval *ev, Value axes, const Aval *aval) {
  eval_raise(
      ev, ev->types.TypeError,
      "transpose permutation isn't a permutation of operand dimensions, got permutation %.*s "
      "for operand shape %.*s.",
      STR_FMT(value_repr(ev, axes)), STR_FMT(shape_text(ev->arena, aval->rank, aval->dims)));
}

Value array_permuted(Eval *ev, Value a, Value axes) {
  Aval aval;
  int64_t perm[IR_MAX_RANK];
  take_aval(ev, "transpose", a, 0, &aval);
  if (v_is_none(axes)) return transposed_all(ev, a, &aval);
  Tuple *items = value_to_tuple(ev, axes);
  uint32_t seen = 0;
  bool identity = true;
  for (size_t i = 0; i < items->count; i++) {
    int axis = take_axis(ev, items->items[i], aval.rank, "axes");
    if (i < aval.rank) perm[i] = axis;
    seen |= 1u << axis;
    identity = identity && axis == (int)i;
  }
  if (items->count != aval.rank || seen != (1u << aval.rank) - 1u)
    array_raise_no_permutation(ev, axes, &aval);
  if (identity) return array_from(ev, a);
  return array_new(ev, ir_transpose(trace_builder(ev), array_ir(ev, a, DT_COUNT), perm), aval.weak);
}

Value jnp_transpose(Eval *ev, Value *a) {
  Value keys;
  if (move_keys(ev, "transpose", 2, a, &keys)) return keys;
  return array_permuted(ev, a[0], a[1]);
}

Value array_transposed(Eval *ev, Value self, bool matrix) {
  Aval aval;
  take_aval(ev, "transpose", self, 0, &aval);
  if (!matrix) return transposed_all(ev, self, &aval);
  if (aval.rank < 2)
    eval_raise(ev, ev->types.ValueError, "x.mT requires x to have at least 2 dimensions, got %d",
               aval.rank);
  int64_t perm[IR_MAX_RANK];
  for (int i = 0; i < aval.rank; i++) perm[i] = i;
  perm[aval.rank - 1] = aval.rank - 2;
  perm[aval.rank - 2] = aval.rank - 1;
  return array_new(ev, ir_transpose(trace_builder(ev), array_ir(ev, self, DT_COUNT), perm),
                   aval.weak);
}

Value jnp_matrix_transpose(Eval *ev, Value *a) { return array_transposed(ev, a[0], true); }

// An axis that indexes the list of all axes, and is marked so.
static int take_axis_as_index(Eval *ev, Value v, int rank, const char *what) {
  int64_t axis;
  if (!value_as_int(ev, v, &axis)) axis = take_int(ev, v, what);
  if (axis < -rank || axis >= rank)
    eval_raise(ev, ev->types.IndexError, "index %lld is out of bounds for axis 0 with size %d",
               (long long)axis, rank);
  return (int)(axis < 0 ? axis + rank : axis);
}

Value jnp_swapaxes(Eval *ev, Value *a) {
  Aval aval;
  int64_t perm[IR_MAX_RANK];
  Value keys;
  if (move_keys(ev, "swapaxes", 3, a, &keys)) return keys;
  take_aval(ev, "swapaxes", a[0], 0, &aval);
  int i = take_axis_as_index(ev, a[1], aval.rank, "axis1"),
      j = take_axis_as_index(ev, a[2], aval.rank, "axis2");
  for (int k = 0; k < aval.rank; k++) perm[k] = k == i ? j : k == j ? i : k;
  if (i == j) return array_apart(ev, array_from(ev, a[0]), a[0]);
  return array_new(ev, ir_transpose(trace_builder(ev), array_ir_plain(ev, a[0]), perm), aval.weak);
}

// An axis, or several, of which one may be named twice.
static size_t take_moved(Eval *ev, Value v, int rank, int64_t axes[IR_MAX_RANK], const char *what) {
  v = array_axes_given(ev, v);
  if (!value_as_tuple(v) && !value_as_list(v)) {
    axes[0] = take_axis(ev, v, rank, what);
    return 1;
  }
  const Tuple *items = value_to_tuple(ev, v);
  if (items->count > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "%s: too many dimensions", what);
  for (size_t i = 0; i < items->count; i++) axes[i] = take_axis(ev, items->items[i], rank, what);
  return items->count;
}

Value jnp_moveaxis(Eval *ev, Value *a) { // a, source, destination
  Aval aval;
  int64_t from[IR_MAX_RANK], to[IR_MAX_RANK], perm[IR_MAX_RANK];
  Value keys;
  if (move_keys(ev, "moveaxis", 3, a, &keys)) return keys;
  take_aval(ev, "moveaxis", a[0], 0, &aval);
  if (v_is_none(a[1]) || v_is_none(a[2]))
    eval_raise(ev, ev->types.TypeError, "moveaxis: source and destination must be given");
  size_t n = take_moved(ev, a[1], aval.rank, from, "source");
  size_t m = take_moved(ev, a[2], aval.rank, to, "destination");
  if (n != m)
    eval_raise(ev, ev->types.ValueError, "Inconsistent number of elements: %zu vs %zu", n, m);
  for (int i = 0; i < aval.rank; i++) perm[i] = -1;
  uint32_t moved = 0, taken = 0;
  for (size_t i = 0; i < n; i++) {
    perm[to[i]] = from[i];
    moved |= 1u << from[i];
    taken |= 1u << to[i];
  }
  if ((size_t)__builtin_popcount(moved) != n || (size_t)__builtin_popcount(taken) != n)
    eval_raise(ev, ev->types.TypeError,
               "transpose permutation isn't a permutation of operand dimensions: source %.*s and "
               "destination %.*s of moveaxis name an axis twice, for operand shape %.*s.",
               STR_FMT(shape_text(ev->arena, n, from)), STR_FMT(shape_text(ev->arena, m, to)),
               STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
  int next = 0;
  for (int i = 0; i < aval.rank; i++) {
    if (perm[i] >= 0) continue;
    while (moved >> next & 1) next++;
    perm[i] = next++;
  }
  return array_new(ev, ir_transpose(trace_builder(ev), array_ir_plain(ev, a[0]), perm), aval.weak);
}

Value jnp_squeeze(Eval *ev, Value *a) { // a, axis
  Aval aval;
  int64_t axes[IR_MAX_RANK], dims[IR_MAX_RANK];
  Value keys;
  if (move_keys(ev, "squeeze", 2, a, &keys)) return keys;
  take_aval(ev, "squeeze", a[0], 0, &aval);
  uint32_t dropped = 0;
  if (v_is_none(a[1])) {
    for (int i = 0; i < aval.rank; i++)
      if (aval.dims[i] == 1) dropped |= 1u << i;
  } else {
    size_t count = take_axes(ev, a[1], aval.rank, axes);
    for (size_t i = 0; i < count; i++) {
      if (aval.dims[axes[i]] != 1)
        eval_raise(ev, ev->types.ValueError,
                   "cannot select an axis to squeeze out which has size not equal to one, got "
                   "shape=%.*s and "
                   "dimensions=%.*s",
                   STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)),
                   STR_FMT(shape_text(ev->arena, count, axes)));
      dropped |= 1u << axes[i];
    }
  }
  size_t rank = 0;
  for (int i = 0; i < aval.rank; i++)
    if (!(dropped >> i & 1)) dims[rank++] = aval.dims[i];
  return array_new(ev, ir_reshape(trace_builder(ev), array_ir_plain(ev, a[0]), rank, dims),
                   aval.weak);
}

Value jnp_expand_dims(Eval *ev, Value *a) { // a, axis
  Aval aval;
  int64_t axes[IR_MAX_RANK], dims[IR_MAX_RANK];
  Value keys;
  if (move_keys(ev, "expand_dims", 2, a, &keys)) return keys;
  take_aval(ev, "expand_dims", a[0], 0, &aval);
  int64_t added = value_len_opt(ev, a[1]);
  int rank = aval.rank + (int)(added < 0 ? 1 : added);
  if (rank > IR_MAX_RANK) eval_raise(ev, ev->types.ValueError, "the array has too many dimensions");
  if (v_is_none(a[1])) eval_raise(ev, ev->types.TypeError, "expand_dims: axis must be given");
  size_t count = take_axes(ev, a[1], rank, axes);
  size_t next = 0, from = 0;
  for (int i = 0; i < rank; i++) {
    bool is_new = next < count && axes[next] == i;
    dims[i] = is_new ? 1 : aval.dims[from];
    next += is_new;
    from += !is_new;
  }
  return array_new(ev, ir_reshape(trace_builder(ev), array_ir_plain(ev, a[0]), (size_t)rank, dims),
                   aval.weak);
}

static Value array_broadcast(Eval *ev, Value a, size_t rank, const int64_t *dims) {
  Aval aval;
  take_aval(ev, "broadcast_to", a, 0, &aval);
  Aval wanted = {.dtype = aval.dtype, .rank = (uint8_t)rank};
  memcpy(wanted.dims, dims, rank * sizeof *dims);
  check_broadcast_to(ev, aval, &wanted);
  IrValue *x = operand_as(ev, a, aval.dtype, rank, dims);
  return array_new(ev, x, aval.weak);
}

Value jnp_broadcast_to(Eval *ev, Value *a) { // array, shape, out_sharding
  int64_t dims[IR_MAX_RANK];
  refuse_keyword(ev, "jnp.broadcast_to", "out_sharding", a[2]);
  Value keys;
  if (move_keys(ev, "broadcast_to", 2, a, &keys)) return keys;
  size_t rank = take_full_shape(ev, a[1], dims, "broadcast_in_dim shape");
  return array_broadcast(ev, a[0], rank, dims);
}

// ---- several arrays -----------------------------------------------------------------------------
static Tuple *array_sequence(Eval *ev, const char *what, Value v) {
  if (value_is_array(ev, v) || value_is_nd(ev, v)) return value_to_tuple(ev, v);
  Tuple *tuple = value_as_tuple(v);
  if (tuple) return tuple;
  if (value_as_list(v)) return value_to_tuple(ev, v);
  eval_raise(ev, ev->types.TypeError, "%s requires a sequence of arrays, got %s", what,
             value_type_name(ev, v));
}

// "jnp.stack(x, y)": the second array stands where the axis does.
static void refuse_array_as_axis(Eval *ev, const char *what, Value axis) {
  Aval aval;
  if (!value_is_arraylike(ev, axis) || !value_aval(ev, axis, false, &aval) || aval.rank == 0)
    return;
  eval_raise(ev, ev->types.TypeError,
             "Only integer scalar arrays can be converted to a scalar index.; the arrays are one "
             "argument, a list: did you mean 'jnp.%s([x, y])'?",
             what);
}

static Value concatenate(Eval *ev, const char *what, Tuple *arrays, Value axis_value, DType dtype) {
  size_t count = arrays->count;
  if (count == 0) eval_raise(ev, ev->types.ValueError, "Need at least one array to concatenate.");
  refuse_array_as_axis(ev, what, axis_value);
  Aval *avals = ARENA_ARRAY(ev->arena, Aval, count);
  Value *items = ARENA_ARRAY(ev->arena, Value, count);
  for (size_t i = 0; i < count; i++) {
    items[i] = arrays->items[i];
    if (v_is_none(items[i]))
      eval_raise(ev, ev->types.TypeError,
                 "%s requires ndarray or scalar arguments, got <class 'NoneType'> at position %zu.",
                 what, i);
    if (!value_is_arraylike(ev, items[i])) items[i] = array_from(ev, items[i]);
    take_aval(ev, what, items[i], i, &avals[i]);
    if (avals[i].rank == 0 && !v_is_none(axis_value))
      eval_raise(ev, ev->types.ValueError, "Zero-dimensional arrays cannot be concatenated.");
  }
  bool weak = false;
  if (dtype == DT_COUNT) dtype = promote_all(ev, count, avals, &weak);
  IrValue **parts = ARENA_ARRAY(ev->arena, IrValue *, count);
  int axis = v_is_none(axis_value) ? 0 : take_axis(ev, axis_value, avals[0].rank, "axis");
  for (size_t i = 0; i < count; i++) {
    parts[i] = operand_as(ev, items[i], dtype, avals[i].rank, avals[i].dims);
    if (v_is_none(axis_value)) {
      int64_t n = aval_count(&avals[i]);
      parts[i] = ir_reshape(trace_builder(ev), parts[i], 1, &n);
      continue;
    }
    bool fits = avals[i].rank == avals[0].rank;
    for (int d = 0; fits && d < avals[0].rank; d++)
      fits = d == axis || avals[i].dims[d] == avals[0].dims[d];
    if (!fits && avals[i].rank != avals[0].rank)
      eval_raise(ev, ev->types.TypeError,
                 "Cannot concatenate arrays with different numbers of dimensions: got %.*s, %.*s.",
                 STR_FMT(shape_text(ev->arena, avals[0].rank, avals[0].dims)),
                 STR_FMT(shape_text(ev->arena, avals[i].rank, avals[i].dims)));
    if (!fits)
      eval_raise(ev, ev->types.TypeError,
                 "Cannot concatenate arrays with shapes that differ in dimensions other than the "
                 "one being "
                 "concatenated: concatenating along dimension %d for shapes %.*s, %.*s.",
                 axis, STR_FMT(shape_text(ev->arena, avals[0].rank, avals[0].dims)),
                 STR_FMT(shape_text(ev->arena, avals[i].rank, avals[i].dims)));
  }
  IrValue *x = count == 1 ? parts[0] : ir_concat(trace_builder(ev), count, parts, axis);
  return array_new(ev, x, weak);
}

// Arrays of PRNG keys are joined by their bits; false: there are none.
static bool join_keys(Eval *ev, const char *function, Tuple *arrays, Value axis, Value dtype,
                      Value *out) {
  if (!arrays->count || !value_is_key(ev, arrays->items[0])) return false;
  Value args[] = {module_lookup(ev, "jax.numpy", function), v_object(arrays), axis, dtype};
  *out = value_call_n(ev, module_lookup(ev, "jax.random._key_arrays", "joined"), 4, args);
  return true;
}

Value jnp_concatenate(Eval *ev, Value *a) { // arrays, axis, dtype
  if ((value_is_array(ev, a[0]) || value_is_nd(ev, a[0])) && v_is_none(a[1]))
    return array_reshaped(ev, a[0], v_int(-1), make_str_c(ev, "C"));
  Tuple *arrays = array_sequence(ev, "concatenate", a[0]);
  Value keys;
  if (join_keys(ev, "concatenate", arrays, a[1], a[2], &keys)) return keys;
  DType dtype = v_is_none(a[2]) ? DT_COUNT : take_requested_dtype(ev, a[2], "jnp.concatenate");
  return concatenate(ev, "concatenate", arrays, a[1], dtype);
}

Value jnp_stack(Eval *ev, Value *a) { // arrays, axis, out, dtype
  refuse_keyword(ev, "jnp.stack", "out", a[2]);
  Tuple *arrays = array_sequence(ev, "stack", a[0]);
  refuse_array_as_axis(ev, "stack", a[1]);
  if (arrays->count == 0) eval_raise(ev, ev->types.ValueError, "Need at least one array to stack.");
  Value keys;
  if (join_keys(ev, "stack", arrays, a[1], a[3], &keys)) return keys;
  DType dtype = v_is_none(a[3]) ? DT_COUNT : take_requested_dtype(ev, a[3], "jnp.stack");
  Tuple *expanded = tuple_new(ev, arrays->count);
  Aval first, aval;
  for (size_t i = 0; i < arrays->count; i++) {
    Value item = array_from(ev, arrays->items[i]);
    take_aval(ev, "stack", item, i, i ? &aval : &first);
    if (i && (aval.rank != first.rank ||
              memcmp(aval.dims, first.dims, first.rank * sizeof *aval.dims) != 0))
      eval_raise(ev, ev->types.ValueError,
                 "All input arrays must have the same shape. Got %.*s, %.*s.",
                 STR_FMT(shape_text(ev->arena, first.rank, first.dims)),
                 STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
    Value args[2] = {item, a[1]};
    expanded->items[i] = jnp_expand_dims(ev, args);
  }
  return concatenate(ev, "stack", expanded, a[1], dtype);
}

Value jnp_where(Eval *ev, Value *a) { // condition, x, y, size, fill_value
  if (v_is_none(a[1]) && v_is_none(a[2])) {
    Value args[4] = {a[0], a[3], a[4]};
    const Name names[] = {name_intern_c(ev->session->interner, "size"),
                          name_intern_c(ev->session->interner, "fill_value")};
    Args call = {1, args, 2, names, args + 1};
    return value_call(ev, module_lookup(ev, "jax.numpy", "nonzero"), &call);
  }
  if (v_is_none(a[1]) || v_is_none(a[2]))
    eval_raise(ev, ev->types.TypeError,
               "where requires ndarray or scalar arguments, got <class 'NoneType'> at position %d. "
               "Either both or neither of the x and y arguments should be provided to jnp.where",
               v_is_none(a[1]) ? 1 : 2);
  if (!v_is_none(a[3]) || !v_is_none(a[4]))
    eval_raise(ev, ev->types.ValueError,
               "size and fill_value arguments cannot be used in three-term where function.");
  if (value_is_key(ev, a[1]) && value_is_key(ev, a[2]))
    return value_call_n(ev, module_lookup(ev, "jax.random._key_arrays", "chosen"), 3, a);
  Aval c, x, y;
  take_aval(ev, "where", a[0], 0, &c);
  take_aval(ev, "where", a[1], 1, &x);
  take_aval(ev, "where", a[2], 2, &y);
  bool weak;
  DType dtype = promote_or_raise(ev, x.dtype, x.weak, y.dtype, y.weak, &weak);
  size_t rank = c.rank;
  int64_t dims[IR_MAX_RANK];
  memcpy(dims, c.dims, sizeof dims);
  if (!broadcast_dims(&rank, dims, x.rank, x.dims) || !broadcast_dims(&rank, dims, y.rank, y.dims))
    raise_broadcast(ev, NULL, 3, (const Aval *const[]){&c, &x, &y});
  IrValue *cv, *xv = operand_as(ev, a[1], dtype, rank, dims),
               *yv = operand_as(ev, a[2], dtype, rank, dims);
  cv = operand_as(ev, a[0], DT_BOOL, rank, dims);
  return array_new(ev, ir_select(trace_builder(ev), cv, xv, yv), weak);
}

Value jnp_astype(Eval *ev, Value *a) { // x, dtype, copy, device
  DType dtype = v_is_none(a[1]) ? default_float(ev) : take_requested_dtype(ev, a[1], "astype");
  return array_made_at(ev, "astype", array_astype(ev, a[0], dtype), a[3], v_none());
}

// jnp.shape, ndim, size: of anything that has a shape.
static void shape_of(Eval *ev, const char *what, Value v, Aval *aval) {
  if (value_aval(ev, v, true, aval)) return;
  if (value_is_key(ev, v)) {
    *aval = ((const KeyArray *)v.o)->data->aval;
    aval->rank = (uint8_t)(aval->rank - key_dims(ev, v));
    return;
  }
  take_aval(ev, what, array_from(ev, v), 0, aval);
}

Value jnp_shape(Eval *ev, Value *a) {
  Aval aval;
  shape_of(ev, "shape", a[0], &aval);
  return make_tuple_i64(ev, aval.rank, aval.dims);
}

Value jnp_ndim(Eval *ev, Value *a) {
  Aval aval;
  shape_of(ev, "ndim", a[0], &aval);
  return v_int(aval.rank);
}

Value jnp_size(Eval *ev, Value *a) { // a, axis
  Aval aval;
  shape_of(ev, "size", a[0], &aval);
  int64_t axes[IR_MAX_RANK], n = 1;
  size_t count = take_axes(ev, a[1], aval.rank, axes);
  for (size_t i = 0; i < count; i++) n *= aval.dims[axes[i]];
  return v_int(n);
}

Value jnp_concat(Eval *ev, Value *a) { // arrays, axis
  Value args[3] = {a[0], a[1], v_none()};
  return jnp_concatenate(ev, args);
}
