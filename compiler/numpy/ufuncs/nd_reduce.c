// SPDX-License-Identifier: Apache-2.0
// Reductions of host arrays: types of results, what is there before the first element, and the loop
// that reduces (loops/). Sums of floats are made in NumPy's order.
#include "numpy/arrays/nd.h"
#include "numpy/loops/loops.h"
#include "numpy/loops/nd_walk_rounded.h"
#include "nd_errors.h"
#include "numpy/dtypes/nd_promote.h"
#include "numpy/arrays/nd_broadcast.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/arrays/nd_layout.h"
#include "numpy/arrays/nd_watch.h"
#include "python/values/raise.h"
#include <string.h>

static DType reduced_dtype(Ufunc code, DType dtype) {
  if (code == UFUNC_REDUCE_AND || code == UFUNC_REDUCE_OR) return DT_BOOL;
  bool is_extreme = code == UFUNC_REDUCE_MAX || code == UFUNC_REDUCE_MIN;
  if (is_extreme && dtype_is_integer(dtype)) return nd_promote_own(dtype, dtype);
  if (is_extreme || dtype_is_extension(dtype)) return dtype;
  if (dtype == DT_BOOL || dtype_kind(dtype) == 'i') return DT_I64;
  return dtype_kind(dtype) == 'u' ? DT_U64 : dtype;
}

static NdLoop *loop_of(Ufunc code, DType dtype) {
  const Reductions *reductions = nd_reductions(dtype);
  switch (code) {
  case UFUNC_REDUCE_SUM: return reductions->sum;
  case UFUNC_REDUCE_PROD: return reductions->product;
  case UFUNC_REDUCE_MAX: return reductions->max;
  case UFUNC_REDUCE_MIN: return reductions->min;
  case UFUNC_REDUCE_AND: return reductions->all;
  default: return reductions->any;
  }
}

// What is there first: a number that is given, or the elements at index 0 of the reduced axes; of
// sums and products what changes nothing.
static void begin(Eval *ev, Ufunc code, NdArray *to, const NdArray *x, uint32_t axes,
                  const NdArray *initial) {
  if (initial) {
    nd_copy(to, nd_broadcast(ev, nd_as(ev, initial, to->dtype), to->rank, to->dims));
    return;
  }
  bool is_zero = code == UFUNC_REDUCE_SUM || code == UFUNC_REDUCE_OR;
  if (is_zero && to->dtype != DT_F8E8M0FNU) return; // which has no zero
  NdArray *first = nd_view(ev, x);
  for (int d = 0; d < x->rank; d++)
    if (axes >> d & 1) first->dims[d] = 1;
  if (code == UFUNC_REDUCE_MAX || code == UFUNC_REDUCE_MIN) {
    nd_copy(to, first);
    return;
  }
  NdArray *number = nd_new(ev, to->dtype, 0, NULL);
  dtype_store_i64(number->dtype, number->data, !is_zero);
  nd_copy(to, nd_broadcast(ev, number, to->rank, to->dims));
}

// The result as it stands with the reduced axes kept, of one element.
static NdArray *keep_axes(Eval *ev, const NdArray *nd, uint32_t axes, DType dtype, char order) {
  int64_t dims[ND_MAX_RANK];
  for (int d = 0; d < nd->rank; d++) dims[d] = axes >> d & 1 ? 1 : nd->dims[d];
  return nd_new_in_order(ev, dtype, nd->rank, dims, order, nd);
}

static void check_items(Eval *ev, const NdArray *x, uint32_t axes, const char *name) {
  for (int d = 0; d < x->rank; d++)
    if (axes >> d & 1 && x->dims[d] == 0)
      eval_raise(ev, ev->types.ValueError,
                 "zero-size array to reduction operation %s which has no identity", name);
}

static NdArray *drop_axes(NdArray *nd, uint32_t axes) {
  uint8_t rank = 0;
  for (int d = 0; d < nd->rank; d++) {
    if (axes >> d & 1) continue;
    nd->dims[rank] = nd->dims[d];
    nd->strides[rank++] = nd->strides[d];
  }
  nd->rank = rank;
  return nd;
}

// Places along one axis.
static NdArray *pick(Eval *ev, Ufunc code, const NdArray *x, uint32_t axes) {
  NdArray *out = keep_axes(ev, x, axes, DT_I64, 'C');
  if (nd_count(out)) check_items(ev, x, axes, code == UFUNC_ARGMAX ? "maximum" : "minimum");
  int axis = __builtin_ctz(axes), last = x->rank - 1;
  int64_t perm[ND_MAX_RANK];
  for (int d = 0, at = 0; d < x->rank; d++)
    if (d != axis) perm[at++] = d;
  perm[last] = axis;
  const NdArray *rows = nd_as(ev, x, nd_compute_dtype(x->dtype));
  if (axis != last || !nd_is_contiguous(rows))
    rows = nd_contiguous(ev, nd_transposed(ev, rows, perm));
  const Reductions *reductions = nd_reductions(rows->dtype);
  NdPick *place = code == UFUNC_ARGMAX ? reductions->argmax : reductions->argmin;
  int64_t length = rows->dims[last], count = nd_count(out), size = (int64_t)dtype_size(rows->dtype);
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)out->data)[i] = place(rows->data + i * length * size, size, length);
  if (rows != x && !rows->is_view) nd_discard(ev, rows);
  return out;
}

// The number that a reduction begins with, in the type of the result.
static const NdArray *first_of(Eval *ev, Value given, DType result) {
  bool is_own = value_is_nd(ev, given);
  const NdArray *initial = nd_from_value(ev, given, is_own ? DT_COUNT : result, "initial");
  return nd_as(ev, initial, result);
}

// How many of the elements are true, of all.
static NdArray *count_true(Eval *ev, const NdArray *x, DType result) {
  NdArray *out = nd_new(ev, result, 0, NULL);
  dtype_store_i64(result, out->data, nd_count_true((const uint8_t *)x->data, nd_count(x)));
  return out;
}

// Elements that become others one by one come to the loop in rows: they are never all converted.
static NdLoop *conversion(const NdArray *x, DType result, DType work) {
  return x->dtype != work && result == work ? nd_cast_loop(x->dtype, work) : NULL;
}

// Sums and products of a type that is computed in float32; NULL of others.
static NdArray *reduce_rounded(Eval *ev, Ufunc code, const NdArray *x, uint32_t axes, DType result,
                               const NdArray *initial) {
  bool is_known = (code == UFUNC_REDUCE_SUM || code == UFUNC_REDUCE_PROD) &&
                  dtype_is_float(result) && nd_compute_dtype(result) == DT_F32 && result != DT_F32;
  if (!is_known) return NULL;
  NdRounding rounding = {.always = dtype_is_extension(result)};
  if (dtype_size(result) == 1) {
    rounding.values = nd_cast_table(ev, result, DT_F32);
    rounding.codes = (const uint8_t *)nd_cast_table(ev, DT_F32, result);
  } else {
    rounding.widen = nd_cast_loop(result, DT_F32), rounding.narrow = nd_cast_loop(DT_F32, result);
    rounding.fold = nd_fold_loop(code, result);
  }
  const NdArray *from = nd_as(ev, x, result);
  NdArray *out = keep_axes(ev, x, axes, result, nd_is_contiguous(x) ? 'C' : 'K');
  begin(ev, code, out, from, axes, initial);
  const NdArray *each = nd_broadcast(ev, out, x->rank, x->dims);
  bool watched = nd_errors_begin(ev, result);
  nd_walk_rounded(loop_of(code, DT_F32), &rounding, (const NdArray *const[]){each, from});
  if (watched) nd_errors_end(ev, out, from, "reduce");
  if (from != x) nd_discard(ev, from);
  return out;
}

NdArray *nd_reduce(Eval *ev, Ufunc code, const NdArray *x, uint32_t axes, bool keepdims,
                   DType dtype, Value given) {
  nd_look_at(ev, x);
  NdArray *out;
  if (code == UFUNC_ARGMAX || code == UFUNC_ARGMIN) {
    out = pick(ev, code, x, axes);
  } else {
    DType result = dtype != DT_COUNT ? dtype : reduced_dtype(code, x->dtype),
          work = nd_compute_dtype(result);
    const NdArray *initial = v_is_none(given) ? NULL : first_of(ev, given, result);
    if (result == DT_BOOL && code == UFUNC_REDUCE_SUM) code = UFUNC_REDUCE_OR;
    if (result == DT_BOOL && code == UFUNC_REDUCE_PROD) code = UFUNC_REDUCE_AND;
    bool counts = code == UFUNC_REDUCE_SUM && x->dtype == DT_BOOL && result == DT_I64 &&
                  axes == (1u << x->rank) - 1 && !keepdims && !initial && nd_is_contiguous(x);
    if (counts) return count_true(ev, x, result);
    NdArray *rounded = work != result ? reduce_rounded(ev, code, x, axes, result, initial) : NULL;
    if (rounded) return keepdims ? rounded : drop_axes(rounded, axes);
    bool is_extreme = code == UFUNC_REDUCE_MAX || code == UFUNC_REDUCE_MIN;
    NdLoop *convert = is_extreme ? NULL : conversion(x, result, work);
    const NdArray *from = convert ? x : nd_as(ev, nd_as(ev, x, result), work);
    out = keep_axes(ev, x, axes, work, nd_is_contiguous(x) ? 'C' : 'K');
    if (is_extreme && !initial)
      check_items(ev, x, axes, code == UFUNC_REDUCE_MAX ? "maximum" : "minimum");
    begin(ev, code, out, from, axes, initial);
    const NdArray *each = nd_broadcast(ev, out, x->rank, x->dims);
    bool watched = (code == UFUNC_REDUCE_SUM || code == UFUNC_REDUCE_PROD) && work == result &&
                   nd_errors_begin(ev, work);
    const NdArray *const both[] = {each, from};
    if (convert)
      nd_walk_converted(loop_of(code, work), convert, dtype_size(work), both);
    else
      nd_walk_in_order(loop_of(code, work), 2, both);
    if (watched) nd_errors_end(ev, out, from, "reduce");
    if (from != x && !from->is_view) nd_discard(ev, from);
    if (work != result) out = nd_in_order(ev, out, result, 'K', false);
  }
  return keepdims ? out : drop_axes(out, axes);
}
