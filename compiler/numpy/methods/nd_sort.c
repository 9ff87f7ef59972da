// SPDX-License-Identifier: Apache-2.0
// Sorting of host arrays along an axis: which rows there are, and where they lie for the loops.
#include "base/collected.h"
#include "base/compare.h"
#include "numpy/arrays/nd_convert.h"
#include "nd_sort.h"
#include "numpy/loops/loops.h"
#include "numpy/loops/loops_sort.h"
#include "numpy/arrays/nd_broadcast.h"
#include "numpy/arrays/nd_layout.h"
#include "nd_methods.h"
#include "python/values/bytes_like.h"
#include "python/objects/type_lookup.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <stdlib.h>
#include <string.h>

static void check_order(Eval *ev, Value order) {
  if (!v_is_none(order))
    eval_raise(ev, ev->types.ValueError, "Cannot specify order when the array has no fields.");
}

static Str take_kind(Eval *ev, Value kind, const char *what) {
  Str text;
  if (!value_as_str(kind, &text) && !value_as_bytes(ev, kind, &text))
    eval_raise(ev, ev->types.TypeError, "%s kind must be str, not %s", what,
               value_type_name(ev, kind));
  return text;
}

void nd_check_sort(Eval *ev, Value kind, Value order, Value stable) {
  if (!v_is_none(kind)) {
    Str text = take_kind(ev, kind, "sort");
    if (text.len == 0 || !strchr("qhsmQHSM", text.data[0]))
      eval_raise(ev, ev->types.ValueError,
                 "sort kind must be one of 'quick', 'heap', or 'stable' (got '%.*s')",
                 STR_FMT(text));
    if (!v_is_none(stable))
      eval_raise(ev, ev->types.ValueError,
                 "`kind` and keyword parameters can't be provided at the same time. Use only one "
                 "of them.");
  }
  check_order(ev, order);
}

void nd_check_select(Eval *ev, Value kind, Value order) {
  Str text = take_kind(ev, kind, "select");
  if (!str_equal(text, STR("introselect")))
    eval_raise(ev, ev->types.ValueError, "select kind must be 'introselect' (got '%.*s')",
               STR_FMT(text));
  check_order(ev, order);
}

// Places that are asked for, in the order of places; NULL: all.
typedef struct Wanted {
  const int64_t *at;
  int64_t count;
} Wanted;

// Elements of an array that is contiguous, along an axis, many rows at once; false: too few, or too
// long ones.
static bool sort_side_by_side(Eval *ev, NdArray *nd, int axis) {
  int64_t n = nd->dims[axis], inner = 1, size = (int64_t)dtype_size(nd->dtype), all = nd_count(nd);
  for (int d = axis + 1; d < nd->rank; d++) inner *= nd->dims[d];
  int64_t lanes = nd_sort_lanes(nd->dtype, n, inner == 1);
  int64_t rows = inner == 1 && n ? all / n : inner, step = inner * size,
          next = inner == 1 ? n * size : size;
  if (lanes == 0 || rows < lanes) return false;
  char *room = arena_alloc_buffer(ev->arena, nd_lanes_room(n));
  for (int64_t outer = 0; outer < all / (rows * n); outer++)
    for (int64_t i = 0; i < rows; i += lanes)
      nd_sort_side_by_side(nd->dtype, nd->data + outer * rows * n * size + i * next, step, n, next,
                           rows - i < lanes ? rows - i : lanes, room);
  arena_discard(ev->arena, room);
  return true;
}

// Where rows lie one after the other, in a type that is computed in; false: they do not.
static bool sort_in_place(Eval *ev, NdArray *nd, int axis) {
  if (nd->dtype != nd_compute_dtype(nd->dtype) || !nd_is_contiguous(nd)) return false;
  int64_t n = nd->dims[axis], all = nd_count(nd), size = (int64_t)dtype_size(nd->dtype);
  if (all == 0 || sort_side_by_side(ev, nd, axis)) return true;
  if (axis != nd->rank - 1 || (uintptr_t)nd->data % dtype_size(nd->dtype)) return false;
  char *room = arena_alloc_buffer(ev->arena, nd_sort_room(nd->dtype, n, false));
  for (int64_t i = 0; i < all / n; i++) nd_sort_row(nd->dtype, nd->data + i * n * size, n, room);
  arena_discard(ev->arena, room);
  return true;
}

// The axis goes to the end and back.
static NdArray *sorted(Eval *ev, const NdArray *nd, Value axis, bool positions,
                       const Wanted *some) {
  if (v_is_none(axis) || (positions && nd->rank == 0)) {
    nd = (NdArray *)nd_reshape(ev, nd, v_int(-1), 'C', v_none()).o;
    axis = v_is_none(axis) ? v_int(-1) : axis;
  }
  int d = nd_axis(ev, axis, nd->rank), last = nd->rank - 1;
  DType work = nd_compute_dtype(nd->dtype);
  int64_t perm[ND_MAX_RANK], count = nd_count(nd), n = nd->dims[d];
  NdArray *copy = nd_cast(ev, nd, work), *rows = copy;
  if (!positions && !some && sort_in_place(ev, copy, d))
    return work == nd->dtype ? copy : nd_cast(ev, copy, nd->dtype);
  if (d != last) {
    for (int i = 0; i < nd->rank; i++) perm[i] = i == last ? d : i == d ? last : i;
    rows = nd_cast(ev, nd_transposed(ev, copy, perm), work);
    nd_discard(ev, copy);
  }
  NdArray *out = positions ? nd_new_unset(ev, DT_I64, nd->rank, rows->dims) : rows;
  char *room = count ? arena_alloc_buffer(ev->arena, nd_sort_room(work, n, positions)) : NULL;
  int64_t size = (int64_t)dtype_size(work);
  for (int64_t i = 0; n && i < count / n; i++) {
    int64_t *places = positions ? (int64_t *)out->data + i * n : NULL;
    if (some && !dtype_is_complex(work))
      nd_select_row(work, rows->data + i * n * size, n, some->at, some->count, places, room);
    else if (positions)
      nd_sort_places(work, rows->data + i * n * size, n, (int64_t *)out->data + i * n, room);
    else
      nd_sort_row(work, rows->data + i * n * size, n, room);
  }
  if (room) arena_discard(ev->arena, room);
  if (positions) nd_discard(ev, rows);
  if (d != last) {
    NdArray *back = nd_cast(ev, nd_transposed(ev, out, perm), out->dtype);
    nd_discard(ev, out);
    out = back;
  }
  return positions || work == nd->dtype ? out : nd_cast(ev, out, nd->dtype);
}

// kth as integers, which are places of rows of n elements; those of an array with no elements may
// be anywhere.
static NdArray *take_places(Eval *ev, const NdArray *given, int64_t n, bool is_empty) {
  if (given->dtype == DT_BOOL)
    eval_raise(ev, ev->types.ValueError, "Booleans unacceptable as partition index");
  if (!dtype_is_integer(given->dtype))
    eval_raise(ev, ev->types.TypeError, "Partition index must be integer");
  NdArray *kth = nd_cast(ev, given, DT_I64);
  int64_t *at = (int64_t *)kth->data, count = nd_count(kth);
  for (int64_t i = 0; i < count && !is_empty; i++) {
    if (at[i] < -n || at[i] >= n)
      eval_raise(ev, ev->types.ValueError, "kth(=%lld) out of bounds (%lld)",
                 (long long)(at[i] < 0 ? at[i] + n : at[i]), (long long)n);
    if (at[i] < 0) at[i] += n;
  }
  qsort(at, (size_t)count, sizeof *at, compare_i64);
  return kth;
}

// kth as an array, one of a rank that it may have.
static const NdArray *take_kth(Eval *ev, Value wanted) {
  const NdArray *given = nd_from_value(ev, wanted, DT_COUNT, "kth");
  if (given->rank > 1 && wanted.kind == V_OBJECT && (const NdArray *)wanted.o == given)
    eval_raise(ev, ev->types.ValueError, "object too deep for desired array");
  if (given->rank > 1)
    eval_raise(ev, ev->types.ValueError,
               "setting an array element with a sequence. The requested array would exceed the "
               "maximum number of dimension of 1.");
  return given;
}

static NdArray *partitioned(Eval *ev, const NdArray *nd, const NdArray *given, Value axis,
                            bool positions) {
  bool is_flat = v_is_none(axis) || (positions && nd->rank == 0);
  int64_t all = nd_count(nd), n = is_flat ? all : nd->dims[nd_axis(ev, axis, nd->rank)];
  const NdArray *kth = take_places(ev, given, n, all == 0);
  return sorted(ev, nd, axis, positions, &(Wanted){(const int64_t *)kth->data, nd_count(kth)});
}

NdArray *nd_partitioned(Eval *ev, const NdArray *nd, Value wanted, Value axis, bool positions) {
  return partitioned(ev, nd, take_kth(ev, wanted), axis, positions);
}

void nd_partition(Eval *ev, NdArray *nd, Value wanted, Value axis) {
  const NdArray *given = take_kth(ev, wanted);
  nd_axes(ev, axis, nd->rank);
  if (nd->readonly) eval_raise(ev, ev->types.ValueError, "partition array is read-only");
  NdArray *out = partitioned(ev, nd, given, axis, false);
  nd_copy(nd, nd_broadcast(ev, out, nd->rank, nd->dims));
  nd_discard(ev, out);
}

NdArray *nd_sorted(Eval *ev, const NdArray *nd, Value axis, bool positions) {
  return sorted(ev, nd, axis, positions, NULL);
}

void nd_sort(Eval *ev, NdArray *nd, Value axis) {
  if (nd->readonly) eval_raise(ev, ev->types.ValueError, "sort array is read-only");
  bool is_own = nd->rank > 0 && !v_is_none(axis);
  if (is_own && sort_in_place(ev, nd, nd_axis(ev, axis, nd->rank))) return;
  NdArray *out = sorted(ev, nd, axis, false, NULL);
  nd_copy(nd, nd_broadcast(ev, out, nd->rank, nd->dims));
  nd_discard(ev, out);
}
