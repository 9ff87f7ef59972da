// SPDX-License-Identifier: Apache-2.0
// jax.lax: constants, conversions, and the operations that move elements.
#include "jax/array/array_shape.h"
#include "base/buf.h"
#include "base/map.h"
#include "numpy/arrays/nd.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "jax/array/scalar_type.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "create.h"
#include "jax/array/array.h"
#include "jax/array/array_data.h"
#include "jax/array/operands.h"
#include "jax/array/promote.h"
#include "natives.h"
#include "shape.h"
#include <string.h>

static size_t take_ints(Eval *ev, Value v, int64_t out[IR_MAX_RANK], const char *what) {
  Tuple *items = value_to_tuple(ev, v);
  if (items->count > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "%s has too many entries", what);
  for (size_t i = 0; i < items->count; i++) out[i] = take_int(ev, items->items[i], what);
  return items->count;
}

static void require_count(Eval *ev, Type *raised, const char *what, const char *argument,
                          size_t count, size_t rank) {
  if (count != rank)
    eval_raise(ev, raised,
               "%s %s must have length equal to the number of dimensions of the operand; got %zu "
               "for %zu dimensions",
               what, argument, count, rank);
}

// ---- constants ----------------------------------------------------------------------------------
static DType take_iota_dtype(Eval *ev, Value v, const char *what) {
  DType dtype = take_requested_dtype(ev, v, what);
  if (dtype == DT_BOOL)
    eval_raise(ev, ev->types.TypeError,
               "iota does not accept dtype bool. Accepted dtypes are subtypes of integer, "
               "floating, complexfloating.");
  return dtype;
}

Value lax_iota(Eval *ev, Value *a) { // dtype, size
  int64_t dims[IR_MAX_RANK];
  DType dtype = take_iota_dtype(ev, a[0], "lax.iota");
  take_full_shape(ev, make_tuple(ev, 1, &a[1]), dims, "iota shape");
  int64_t n = dims[0];
  if (n < 0)
    eval_raise(ev, ev->types.TypeError,
               "iota shape must have every element be nonnegative, got (%lld,).", (long long)n);
  return array_result(ev, ir_iota(trace_builder(ev), array_type_checked(ev, dtype, 1, &n), 0));
}

Value lax_broadcasted_iota(Eval *ev, Value *a) { // dtype, shape, dimension, out_sharding
  int64_t dims[IR_MAX_RANK];
  DType dtype = take_iota_dtype(ev, a[0], "lax.broadcasted_iota");
  size_t rank = take_full_shape(ev, a[1], dims, "iota shape");
  int64_t dim = take_int(ev, a[2], "dimension");
  if (dim < 0 || dim >= (int64_t)rank)
    eval_raise(ev, ev->types.ValueError,
               "iota dimension must be between 0 and len(shape), got dimension=%lld for shape=%.*s",
               (long long)dim, STR_FMT(shape_text(ev->arena, rank, dims)));
  Value made = array_result(
      ev, ir_iota(trace_builder(ev), array_type_checked(ev, dtype, rank, dims), (int)dim));
  return array_made_at(ev, "lax.broadcasted_iota", made, v_none(), a[3]);
}

static void require_scalar_fill(Eval *ev, const Aval *fill) {
  if (fill->rank)
    eval_raise(ev, ev->types.TypeError,
               "full must be called with scalar fill_value, got fill_value.shape %.*s.",
               STR_FMT(shape_text(ev->arena, fill->rank, fill->dims)));
}

Value lax_full(Eval *ev, Value *a) { // shape, fill_value, dtype, sharding
  Aval aval;
  take_aval(ev, "full", a[1], 1, &aval);
  require_scalar_fill(ev, &aval);
  Value args[5] = {a[0], a[1], a[2], a[3], v_none()};
  return jnp_full(ev, args);
}

Value lax_full_like(Eval *ev, Value *a) { // x, fill_value, dtype, shape, sharding
  Aval fill;
  take_aval(ev, "full_like", a[1], 1, &fill);
  require_scalar_fill(ev, &fill);
  Value args[6] = {a[0], a[1], a[2], a[3], a[4], v_none()};
  return jnp_full_like(ev, args);
}

// Memory that nothing has been written to; of the module's own statements, which bind data, zeros.
Value lax_empty(Eval *ev, Value *a) { // shape, dtype, out_sharding
  refuse_keyword(ev, "lax.empty", "out_sharding", a[2]);
  int64_t dims[IR_MAX_RANK];
  DType dtype = take_requested_dtype(ev, a[1], "lax.empty");
  size_t rank = take_full_shape(ev, a[0], dims, "the shape of lax.empty");
  array_type_checked(ev, dtype, rank, dims);
  if (ev->trace->level->kind == LEVEL_RUN)
    return jnp_empty(ev, (Value[]){a[0], a[1], v_none(), v_none()});
  IrBuilder *b = trace_builder(ev);
  IrValue *ref =
      ir_alloc(b, ir_ref_type(trace_module(ev), SPACE_HBM, dtype, rank, dims), STR("empty"));
  if (!ev->trace->unwritten) ev->trace->unwritten = map_new(ev->arena);
  map_set(ev->trace->unwritten, ref, ref);
  return array_result(ev, ir_load_all(b, ref));
}

// ---- conversions --------------------------------------------------------------------------------
Value lax_convert_element_type(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "convert_element_type", a[0], 0, &aval);
  bool weak = v_is_none(a[1]) && aval.weak;
  DType dtype =
      v_is_none(a[1]) ? aval.dtype : take_requested_dtype(ev, a[1], "convert_element_type");
  return array_new(ev, array_ir_cast(ev, a[0], dtype), weak);
}

Value lax_bitcast_convert_type(Eval *ev, Value *a) {
  Aval aval;
  take_aval(ev, "bitcast_convert_type", a[0], 0, &aval);
  DType dtype = take_requested_dtype(ev, a[1], "bitcast_convert_type");
  unsigned from = dtype_bits(aval.dtype), to = dtype_bits(dtype);
  if ((aval.dtype == DT_BOOL) != (dtype == DT_BOOL))
    eval_raise(ev, ev->types.TypeError,
               "lax.bitcast_convert_type does not support bool or complex values unless the "
               "operand and destination types match.");
  if (to > from && (aval.rank == 0 || aval.dims[aval.rank - 1] != (int64_t)(to / from)))
    eval_raise(ev, ev->types.ValueError,
               "Attempting to convert array of shape %.*s from %s of %u bits to %s of %u bits: the "
               "last dimension must be %u",
               STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)), dtype_name(aval.dtype), from,
               dtype_name(dtype), to, to / from);
  return array_result(ev, ir_bitcast(trace_builder(ev), array_ir_plain(ev, a[0]), dtype));
}

// ---- shape --------------------------------------------------------------------------------------
Value lax_broadcast(Eval *ev, Value *a) { // operand, sizes, out_sharding
  refuse_keyword(ev, "lax.broadcast", "out_sharding", a[2]);
  Aval aval;
  int64_t dims[2 * IR_MAX_RANK];
  take_aval(ev, "broadcast", a[0], 0, &aval);
  size_t extra = take_full_shape(ev, a[1], dims, "broadcast sizes");
  if (extra + aval.rank > IR_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "broadcast: too many dimensions");
  memcpy(dims + extra, aval.dims, aval.rank * sizeof *dims);
  array_type_checked(ev, aval.dtype, extra + aval.rank, dims);
  return array_new(
      ev, ir_broadcast_to(trace_builder(ev), array_ir_plain(ev, a[0]), extra + aval.rank, dims),
      aval.weak);
}

Value lax_broadcast_in_dim(Eval *ev,
                           Value *a) { // operand, shape, broadcast_dimensions, out_sharding
  refuse_keyword(ev, "lax.broadcast_in_dim", "out_sharding", a[3]);
  Aval aval;
  int64_t dims[IR_MAX_RANK], to[IR_MAX_RANK];
  take_aval(ev, "broadcast_in_dim", a[0], 0, &aval);
  size_t rank = take_full_shape(ev, a[1], dims, "broadcast_in_dim shape"),
         count = take_ints(ev, a[2], to, "broadcast_dimensions");
  Str shape = shape_text(ev->arena, rank, dims), places = shape_text(ev->arena, count, to);
  if (count != aval.rank)
    eval_raise(ev, ev->types.TypeError,
               "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got "
               "broadcast_dimensions %.*s for operand ndim %d.",
               STR_FMT(places), aval.rank);
  for (size_t i = 0; i < count; i++) {
    if (to[i] < 0 || to[i] >= (int64_t)rank || (i && to[i] <= to[i - 1]))
      eval_raise(ev, ev->types.TypeError,
                 "broadcast_in_dim broadcast_dimensions must be strictly increasing dimensions of "
                 "the target shape; got %.*s for target shape %.*s",
                 STR_FMT(places), STR_FMT(shape));
    if (aval.dims[i] != 1 && aval.dims[i] != dims[to[i]])
      eval_raise(ev, ev->types.TypeError,
                 "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their "
                 "corresponding dimensions in the target "
                 "broadcast shape; got operand of shape %.*s, target broadcast shape %.*s, "
                 "broadcast_dimensions %.*s ",
                 STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)), STR_FMT(shape),
                 STR_FMT(places));
  }
  const IrType *type = array_type_checked(ev, aval.dtype, rank, dims);
  return array_new(ev, ir_broadcast(trace_builder(ev), array_ir_plain(ev, a[0]), type, to),
                   aval.weak);
}

Value lax_reshape(Eval *ev, Value *a) { // operand, new_sizes, dimensions, out_sharding
  refuse_keyword(ev, "lax.reshape", "out_sharding", a[3]);
  Value x = v_is_none(a[2]) ? a[0] : array_permuted(ev, a[0], a[2]);
  int64_t dims[IR_MAX_RANK];
  size_t rank = take_array_shape(ev, a[1], dims, "reshape new_sizes");
  array_require_sizes(ev, rank, dims);
  return array_reshaped(ev, x, a[1], make_str_c(ev, "C"));
}

// Dimensions that are counted from the first alone, as lax has them; their number.
static size_t take_dimensions(Eval *ev, const char *what, Value v, int rank,
                              int64_t dims[IR_MAX_RANK]) {
  size_t count = take_ints(ev, v, dims, "dimensions");
  Str shown = shape_text(ev->arena, count, dims);
  for (size_t i = 0; i < count; i++) {
    if (dims[i] < 0)
      eval_raise(ev, ev->types.TypeError,
                 "%s dimensions must have every element be nonnegative, got %.*s.", what,
                 STR_FMT(shown));
    for (size_t k = 0; k < i; k++)
      if (dims[k] == dims[i])
        eval_raise(ev, ev->types.TypeError, "%s dimensions must be unique, got %.*s.", what,
                   STR_FMT(shown));
  }
  for (size_t i = 0; i < count; i++)
    if (dims[i] >= rank)
      eval_raise(ev, ev->types.TypeError,
                 "%s dimensions must all be less than operand ndim, got dimensions %.*s for "
                 "operand ndim %d.",
                 what, STR_FMT(shown), rank);
  return count;
}

Value lax_transpose(Eval *ev, Value *a) { // operand, permutation
  Aval aval;
  int64_t perm[IR_MAX_RANK];
  take_aval(ev, "transpose", a[0], 0, &aval);
  size_t count = take_ints(ev, a[1], perm, "permutation");
  for (size_t i = 0; i < count; i++)
    if (perm[i] < 0 || perm[i] >= aval.rank) array_raise_no_permutation(ev, a[1], &aval);
  return array_permuted(ev, a[0], a[1]);
}

Value lax_squeeze(Eval *ev, Value *a) { return jnp_squeeze(ev, a); }

Value lax_expand_dims(Eval *ev, Value *a) { return jnp_expand_dims(ev, a); }

Value lax_concatenate(Eval *ev, Value *a) { // operands, dimension
  Tuple *parts = value_to_tuple(ev, a[0]);
  if (parts->count == 0)
    eval_raise(ev, ev->types.ValueError, "concatenate requires a non-empty sequences of arrays");
  Aval *avals = ARENA_ARRAY(ev->arena, Aval, parts->count);
  for (size_t i = 0; i < parts->count; i++)
    take_aval(ev, "concatenate", parts->items[i], i, &avals[i]);
  if (parts->count == 1 && value_is_array(ev, parts->items[0])) return parts->items[0];
  int64_t dimension = take_int(ev, a[1], "dimension");
  if (dimension < 0 || dimension >= avals[0].rank) {
    Buf shapes;
    buf_init(&shapes, ev->arena);
    for (size_t i = 0; i < parts->count; i++)
      buf_printf(&shapes, "%s%.*s", i ? ", " : "",
                 STR_FMT(shape_text(ev->arena, avals[i].rank, avals[i].dims)));
    eval_raise(ev, ev->types.TypeError,
               "concatenate dimension out of bounds: dimension %lld for shapes %.*s.",
               (long long)dimension, STR_FMT(buf_view(&shapes)));
  }
  lax_same_dtypes(ev, "concatenate", "concatenate", parts->count, avals);
  Value args[3] = {v_object(parts), a[1], v_none()};
  return jnp_concatenate(ev, args);
}

Value lax_pad(Eval *ev, Value *a) { // operand, padding_value, padding_config
  Aval aval, fill;
  int64_t low[IR_MAX_RANK], high[IR_MAX_RANK], interior[IR_MAX_RANK];
  take_aval(ev, "pad", a[0], 0, &aval);
  take_aval(ev, "pad", a[1], 1, &fill);
  if (fill.dtype != aval.dtype && a[1].kind == V_OBJECT)
    eval_raise(ev, ev->types.TypeError,
               "pad operand and padding_value must be same dtype: got %s and %s.",
               dtype_name(aval.dtype), dtype_name(fill.dtype));
  if (fill.dtype != aval.dtype &&
      !(fill.weak && dtype_is_float(fill.dtype) == dtype_is_float(aval.dtype)))
    eval_raise(ev, ev->types.TypeError,
               "pad operand and padding_value must be same dtype: got %s and %s.",
               dtype_name(aval.dtype), dtype_name(fill.dtype));
  if (fill.rank)
    eval_raise(ev, ev->types.ValueError,
               "padding_value must be a scalar; got np.shape(padding_value)=%.*s",
               STR_FMT(shape_text(ev->arena, fill.rank, fill.dims)));
  Tuple *config = value_to_tuple(ev, a[2]);
  if (config->count != aval.rank)
    eval_raise(ev, ev->types.ValueError,
               "length of padding_config must equal the number of axes of operand, got "
               "padding_config %.*s for operand shape %.*s",
               STR_FMT(value_repr(ev, a[2])), STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
  for (size_t i = 0; i < config->count; i++) {
    int64_t three[IR_MAX_RANK];
    if (take_ints(ev, config->items[i], three, "padding_config") != 3)
      eval_raise(ev, ev->types.TypeError,
                 "padding_config must be a sequence of (low, high, interior)");
    low[i] = three[0], high[i] = three[1], interior[i] = three[2];
    if (interior[i] < 0)
      eval_raise(ev, ev->types.ValueError,
                 "interior padding in padding_config must be nonnegative, got padding_config %.*s",
                 STR_FMT(value_repr(ev, a[2])));
    int64_t inner = aval.dims[i] ? aval.dims[i] + (aval.dims[i] - 1) * interior[i] : 0;
    if (inner + low[i] + high[i] < 0)
      eval_raise(
          ev, ev->types.ValueError,
          "Dimension size after padding is not at least 0, got result dimension %lld for axis %zu",
          (long long)(inner + low[i] + high[i]), i);
    aval.dims[i] = inner + low[i] + high[i];
  }
  array_type_checked(ev, aval.dtype, aval.rank, aval.dims);
  IrValue *x = array_ir_plain(ev, a[0]), *value = array_ir_cast(ev, a[1], aval.dtype);
  return array_new(ev, ir_pad(trace_builder(ev), x, value, low, high, interior),
                   aval.weak && fill.weak);
}

Value lax_slice(Eval *ev, Value *a) { // operand, start_indices, limit_indices, strides
  Aval aval;
  int64_t starts[IR_MAX_RANK], limits[IR_MAX_RANK], strides[IR_MAX_RANK];
  take_aval(ev, "slice", a[0], 0, &aval);
  require_count(ev, ev->types.ValueError, "slice", "start_indices",
                take_ints(ev, a[1], starts, "start_indices"), aval.rank);
  require_count(ev, ev->types.ValueError, "slice", "limit_indices",
                take_ints(ev, a[2], limits, "limit_indices"), aval.rank);
  if (v_is_none(a[3]))
    for (int i = 0; i < aval.rank; i++) strides[i] = 1;
  else
    require_count(ev, ev->types.TypeError, "slice", "strides",
                  take_ints(ev, a[3], strides, "strides"), aval.rank);
  for (int i = 0; i < aval.rank; i++) {
    if (limits[i] > aval.dims[i])
      eval_raise(ev, ev->types.TypeError,
                 "slice limit_indices must be less than or equal to operand shape, got "
                 "limit_indices %.*s for operand shape %.*s.",
                 STR_FMT(shape_text(ev->arena, aval.rank, limits)),
                 STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
    if (starts[i] < 0 || starts[i] > limits[i] || strides[i] < 1)
      eval_raise(
          ev, ev->types.TypeError,
          "slice start_indices must be nonnegative and not above limit_indices, strides positive; "
          "got start_indices %.*s, limit_indices %.*s, strides %.*s for operand shape %.*s",
          STR_FMT(value_repr(ev, a[1])), STR_FMT(value_repr(ev, a[2])),
          STR_FMT(value_repr(ev, a[3])), STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
  }
  return array_new(ev,
                   ir_slice(trace_builder(ev), array_ir_plain(ev, a[0]), starts, limits, strides),
                   aval.weak);
}

Value lax_rev(Eval *ev, Value *a) { // operand, dimensions
  Aval aval;
  int64_t dims[IR_MAX_RANK];
  take_aval(ev, "rev", a[0], 0, &aval);
  size_t count = take_dimensions(ev, "rev", a[1], aval.rank, dims);
  if (count == 0) return array_apart(ev, array_from(ev, a[0]), a[0]);
  return array_new(ev, ir_rev(trace_builder(ev), array_ir_plain(ev, a[0]), count, dims), aval.weak);
}

// ---- slices that move ---------------------------------------------------------------------------
// The start indices as i32 scalars; negative ones count from the end unless that is turned off.
static void take_starts(Eval *ev, const char *what, Value v, Value allow_negative, const Aval *aval,
                        IrValue **starts) {
  Tuple *items;
  if (value_is_array(ev, v) || value_is_nd(ev, v)) {
    Aval vector;
    take_aval(ev, what, v, 1, &vector);
    if (vector.rank != 1)
      eval_raise(ev, ev->types.TypeError,
                 "%s indices must be a 1D array or sequence, got shape %.*s", what,
                 STR_FMT(shape_text(ev->arena, vector.rank, vector.dims)));
  }
  items = value_to_tuple(ev, v);
  if (items->count != aval->rank)
    eval_raise(ev, ev->types.ValueError,
               "Length of slice indices must match number of operand dimensions (%zu vs %.*s)",
               items->count, STR_FMT(shape_text(ev->arena, aval->rank, aval->dims)));
  int64_t known;
  for (size_t i = 0; i < items->count; i++) known_int(ev, items->items[i], &known);
  Tuple *flags = value_as_tuple(allow_negative) || value_as_list(allow_negative)
                     ? value_to_tuple(ev, allow_negative)
                     : NULL;
  for (size_t i = 0; i < items->count; i++) {
    Value item = items->items[i];
    bool wrap = value_truth(ev, flags ? flags->items[i] : allow_negative);
    int64_t n;
    if (known_int(ev, item, &n)) {
      if (n < 0 && wrap) n += aval->dims[i];
      starts[i] = ir_i32(trace_builder(ev), (int32_t)(n < INT32_MIN   ? INT32_MIN
                                                      : n > INT32_MAX ? INT32_MAX
                                                                      : n));
      continue;
    }
    Aval scalar;
    take_aval(ev, what, item, i, &scalar);
    if (scalar.rank || !dtype_is_integer(scalar.dtype))
      eval_raise(ev, ev->types.TypeError,
                 "index arguments to %s must be scalars of integer type, got %.*s", what,
                 STR_FMT(aval_text(ev->arena, &scalar)));
    IrValue *x = index_as_i32(ev, array_ir(ev, item, DT_COUNT));
    IrBuilder *b = trace_builder(ev);
    if (wrap && dtype_is_signed(scalar.dtype)) {
      IrValue *negative = ir_binary(b, OP_LT, x, ir_i32(b, 0));
      x = ir_select(b, negative, ir_binary(b, OP_ADD, x, ir_i32(b, (int32_t)aval->dims[i])), x);
    }
    starts[i] = x;
  }
}

Value lax_dynamic_slice(Eval *ev,
                        Value *a) { // operand, start_indices, slice_sizes, allow_negative_indices
  Aval aval;
  int64_t sizes[IR_MAX_RANK];
  IrValue *starts[IR_MAX_RANK];
  take_aval(ev, "dynamic_slice", a[0], 0, &aval);
  size_t count = take_full_shape(ev, a[2], sizes, "dynamic_slice slice_sizes");
  require_count(ev, ev->types.ValueError, "dynamic_slice", "slice_sizes", count, aval.rank);
  for (int i = 0; i < aval.rank; i++)
    if (sizes[i] > aval.dims[i])
      eval_raise(ev, ev->types.TypeError,
                 "slice slice_sizes must be less than or equal to operand shape, got slice_sizes "
                 "%.*s for operand shape %.*s.",
                 STR_FMT(shape_text(ev->arena, count, sizes)),
                 STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
  take_starts(ev, "dynamic_slice", a[1], a[3], &aval, starts);
  return array_new(ev, ir_dynamic_slice(trace_builder(ev), array_ir_plain(ev, a[0]), starts, sizes),
                   aval.weak);
}

Value lax_dynamic_update_slice(Eval *ev,
                               Value *a) { // operand, update, start_indices, allow_negative_indices
  Aval avals[2];
  IrValue *starts[IR_MAX_RANK];
  take_aval(ev, "dynamic_update_slice", a[0], 0, &avals[0]);
  take_aval(ev, "dynamic_update_slice", a[1], 1, &avals[1]);
  lax_same_dtypes(ev, "dynamic_update_slice", NULL, 2, avals);
  if (avals[0].rank != avals[1].rank)
    eval_raise(ev, ev->types.TypeError,
               "dynamic_update_slice update must have the same rank as operand, got update shape "
               "%.*s for operand shape %.*s.",
               STR_FMT(shape_text(ev->arena, avals[1].rank, avals[1].dims)),
               STR_FMT(shape_text(ev->arena, avals[0].rank, avals[0].dims)));
  for (int i = 0; i < avals[0].rank; i++)
    if (avals[1].dims[i] > avals[0].dims[i])
      eval_raise(ev, ev->types.TypeError,
                 "dynamic_update_slice update shape must be smaller than operand shape, got update "
                 "shape %.*s for operand shape %.*s.",
                 STR_FMT(shape_text(ev->arena, avals[1].rank, avals[1].dims)),
                 STR_FMT(shape_text(ev->arena, avals[0].rank, avals[0].dims)));
  take_starts(ev, "dynamic_update_slice", a[2], a[3], &avals[0], starts);
  IrValue *x = array_ir_plain(ev, a[0]), *update = array_ir_plain(ev, a[1]);
  return array_new(ev, ir_dynamic_update_slice(trace_builder(ev), x, update, starts),
                   avals[0].weak && avals[1].weak);
}
