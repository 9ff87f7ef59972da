// SPDX-License-Identifier: Apache-2.0
// jax.lax.gather and scatter, with dimension numbers checked before the op is made.
#include "jax/array/array_shape.h"
#include "numpy/arrays/nd.h"
#include "ir/core/ir.h"
#include "jax/array/scalar_type.h"
#include "jax/array/subscript.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "jax/array/array.h"
#include "jax/array/promote.h"
#include "natives.h"
#include <string.h>

typedef struct Numbers { // a GatherDimensionNumbers or ScatterDimensionNumbers object, by its
                         // attributes
  Eval *ev;
  Value object;
  const char *what;
} Numbers;

static size_t numbers_field(const Numbers *n, const char *field, int64_t out[IR_MAX_RANK]) {
  Value v = value_getattr_c(n->ev, n->object, field);
  Tuple *items = value_to_tuple(n->ev, v);
  if (items->count > IR_MAX_RANK)
    eval_raise(n->ev, n->ev->types.TypeError, "%s: %s has too many entries", n->what, field);
  for (size_t i = 0; i < items->count; i++) out[i] = take_int(n->ev, items->items[i], field);
  return items->count;
}

static void check_dims(const Numbers *n, const char *field, size_t count, const int64_t *dims,
                       int64_t rank, bool sorted) {
  uint64_t seen = 0;
  for (size_t i = 0; i < count; i++) {
    bool bad = dims[i] < 0 || dims[i] >= rank || (seen >> dims[i] & 1) ||
               (sorted && i && dims[i] <= dims[i - 1]);
    if (bad)
      eval_raise(n->ev, n->ev->types.TypeError,
                 "%s: %s must be %sdistinct dimensions in [0, %lld), got %.*s", n->what, field,
                 sorted ? "sorted, " : "", (long long)rank,
                 STR_FMT(shape_text(n->ev->arena, count, dims)));
    seen |= 1ull << dims[i];
  }
}

static bool contains(size_t count, const int64_t *dims, int64_t d) {
  for (size_t i = 0; i < count; i++)
    if (dims[i] == d) return true;
  return false;
}

static void read_numbers(const Numbers *n, bool scatter, const Aval *operand, const Aval *indices,
                         GatherSpec *spec) {
  Eval *ev = n->ev;
  spec->offset_count =
      numbers_field(n, scatter ? "update_window_dims" : "offset_dims", spec->offset_dims);
  spec->collapsed_count =
      numbers_field(n, scatter ? "inserted_window_dims" : "collapsed_slice_dims", spec->collapsed);
  spec->map_count =
      numbers_field(n, scatter ? "scatter_dims_to_operand_dims" : "start_index_map", spec->map);
  spec->batch_count = numbers_field(n, "operand_batching_dims", spec->operand_batch);
  size_t other =
      numbers_field(n, scatter ? "scatter_indices_batching_dims" : "start_indices_batching_dims",
                    spec->index_batch);
  if (other != spec->batch_count)
    eval_raise(ev, ev->types.TypeError,
               "%s: the batching dimensions of operand and indices differ in number", n->what);
  if (indices->rank == 0 || indices->dims[indices->rank - 1] != (int64_t)spec->map_count)
    eval_raise(ev, ev->types.TypeError,
               "%s: the last dimension of the indices must be the number of dimensions they index, "
               "%zu; got indices of shape %.*s",
               n->what, spec->map_count,
               STR_FMT(shape_text(ev->arena, indices->rank, indices->dims)));
  int64_t result_rank = (int64_t)spec->offset_count + indices->rank - 1;
  check_dims(n, "the window dimensions", spec->offset_count, spec->offset_dims, result_rank, true);
  check_dims(n, "the collapsed dimensions", spec->collapsed_count, spec->collapsed, operand->rank,
             true);
  check_dims(n, "the index map", spec->map_count, spec->map, operand->rank, false);
  check_dims(n, "operand_batching_dims", spec->batch_count, spec->operand_batch, operand->rank,
             true);
  check_dims(n, "the batching dimensions of the indices", spec->batch_count, spec->index_batch,
             indices->rank - 1, false);
  if (spec->offset_count + spec->collapsed_count + spec->batch_count != operand->rank)
    eval_raise(ev, ev->types.TypeError,
               "%s: window, collapsed and batching dimensions (%zu + %zu + %zu) must make up the "
               "%d dimensions of the operand",
               n->what, spec->offset_count, spec->collapsed_count, spec->batch_count,
               operand->rank);
  for (size_t i = 0; i < spec->batch_count; i++)
    if (operand->dims[spec->operand_batch[i]] != indices->dims[spec->index_batch[i]])
      eval_raise(ev, ev->types.TypeError,
                 "%s: batching dimensions of operand and indices differ in size", n->what);
}

static void take_indices(Eval *ev, const char *what, Value v, Aval *aval) {
  take_aval(ev, what, v, 1, aval);
  if (!dtype_is_integer(aval->dtype))
    eval_raise(ev, ev->types.TypeError, "%s: indices must have an integer type, got %s", what,
               dtype_name(aval->dtype));
}

// operand, start_indices, dimension_numbers, slice_sizes, unique_indices, indices_are_sorted, mode,
// fill_value
Value lax_gather(Eval *ev, Value *a) {
  Aval aval, indices;
  Numbers n = {ev, a[2], "gather"};
  take_aval(ev, "gather", a[0], 0, &aval);
  take_indices(ev, "gather", a[1], &indices);
  bool fills = !v_is_none(a[7]);
  uint64_t fill = 0;
  GatherSpec spec = {.mode = take_gather_mode(ev, a[6], WINDOW_CLIP)};
  if (spec.mode == WINDOW_FILL) {
    spec.fill = &fill;
    if (!fills)
      default_fill(aval.dtype, &fill);
    else {
      NdArray *nd = array_concrete(ev, a[7], "fill_value");
      if (dtype_is_float(nd->dtype))
        dtype_store_f64(aval.dtype, &fill, dtype_load_f64(nd->dtype, nd->data));
      else
        dtype_store_i64(aval.dtype, &fill, dtype_load_i64(nd->dtype, nd->data));
    }
  }
  read_numbers(&n, false, &aval, &indices, &spec);
  size_t count = take_full_shape(ev, a[3], spec.sizes, "slice_sizes");
  if (count != aval.rank)
    eval_raise(
        ev, ev->types.TypeError,
        "gather: slice_sizes must have one entry for each of the %d dimensions of the operand",
        aval.rank);
  size_t window = 0;
  for (int d = 0; d < aval.rank; d++) {
    bool one = contains(spec.collapsed_count, spec.collapsed, d) ||
               contains(spec.batch_count, spec.operand_batch, d);
    if (spec.sizes[d] > aval.dims[d] || (one && spec.sizes[d] > 1))
      eval_raise(ev, ev->types.TypeError,
                 "gather: slice_sizes %.*s do not fit the operand of shape %.*s (collapsed "
                 "dimensions have size 1)",
                 STR_FMT(value_repr(ev, a[3])),
                 STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
    if (!one) spec.window_dims[window++] = spec.sizes[d];
  }
  IrValue *x = array_ir(ev, a[0], DT_COUNT), *at = index_as_i32(ev, array_ir(ev, a[1], DT_COUNT));
  return array_new(ev, build_gather(ev, x, at, &spec)->results[0], aval.weak);
}

// operand, scatter_indices, updates, dimension_numbers, indices_are_sorted, unique_indices, mode
static Value scatter(Eval *ev, const char *what, ScatterCombine how, Value *a) {
  Aval avals[2], indices;
  Numbers n = {ev, a[3], what};
  take_aval(ev, what, a[0], 0, &avals[0]);
  take_aval(ev, what, a[2], 2, &avals[1]);
  lax_same_dtypes(ev, what, NULL, 2, avals);
  take_indices(ev, what, a[1], &indices);
  const Aval *updates = &avals[1];
  GatherSpec spec = {.mode = take_scatter_mode(ev, a[6])};
  read_numbers(&n, true, &avals[0], &indices, &spec);
  size_t batch = 0, window = 0;
  int64_t expected[IR_MAX_RANK];
  size_t rank = spec.offset_count + indices.rank - 1u;
  bool fits = updates->rank == rank;
  for (int d = 0; d < avals[0].rank; d++)
    if (!contains(spec.collapsed_count, spec.collapsed, d) &&
        !contains(spec.batch_count, spec.operand_batch, d))
      spec.window_dims[window++] = avals[0].dims[d];
  window = 0;
  for (size_t d = 0; fits && d < rank; d++) {
    if (contains(spec.offset_count, spec.offset_dims, (int64_t)d)) {
      expected[d] = spec.window_dims[window++];
      fits = updates->dims[d] <= expected[d];
    } else {
      expected[d] = indices.dims[batch++];
      fits = updates->dims[d] == expected[d];
    }
  }
  if (!fits)
    eval_raise(ev, ev->types.TypeError,
               "%s: updates of shape %.*s do not go with indices of shape %.*s and an operand of "
               "shape %.*s",
               what, STR_FMT(shape_text(ev->arena, updates->rank, updates->dims)),
               STR_FMT(shape_text(ev->arena, indices.rank, indices.dims)),
               STR_FMT(shape_text(ev->arena, avals[0].rank, avals[0].dims)));
  IrValue *x = array_ir(ev, a[0], DT_COUNT), *at = index_as_i32(ev, array_ir(ev, a[1], DT_COUNT)),
          *new = array_ir(ev, a[2], DT_COUNT);
  return array_new(ev, build_scatter(ev, x, at, new, &spec, how)->results[0],
                   avals[0].weak && avals[1].weak);
}

Value lax_scatter(Eval *ev, Value *a) { return scatter(ev, "scatter", COMBINE_SET, a); }
Value lax_scatter_add(Eval *ev, Value *a) { return scatter(ev, "scatter_add", COMBINE_ADD, a); }
Value lax_scatter_mul(Eval *ev, Value *a) { return scatter(ev, "scatter_mul", COMBINE_MUL, a); }
Value lax_scatter_min(Eval *ev, Value *a) { return scatter(ev, "scatter_min", COMBINE_MIN, a); }
Value lax_scatter_max(Eval *ev, Value *a) { return scatter(ev, "scatter_max", COMBINE_MAX, a); }
