// SPDX-License-Identifier: Apache-2.0
// Shapes and axes: their text, the arguments that say them, and the shape that two spread to.
#include "base/buf.h"
#include "nd_shape.h"
#include "numpy/numpy_state.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include <string.h>

static Str dims_text(Arena *arena, size_t rank, const int64_t *dims, const char *separator) {
  Buf buf;
  buf_init(&buf, arena);
  buf_char(&buf, '(');
  for (size_t i = 0; i < rank; i++) {
    if (i) buf_c(&buf, separator);
    buf_printf(&buf, "%lld", (long long)dims[i]);
  }
  buf_c(&buf, rank == 1 ? ",)" : ")");
  return buf_view(&buf);
}

Str shape_text(Arena *arena, size_t rank, const int64_t *dims) {
  return dims_text(arena, rank, dims, ", ");
}

Str shape_close_text(Arena *arena, size_t rank, const int64_t *dims) {
  return dims_text(arena, rank, dims, ",");
}

static bool is_traced(Eval *ev, Value v) {
  const NdHooks *hooks = &ev->numpy->hooks;
  return hooks->is_traced && hooks->is_traced(ev, v);
}

static int64_t take_dim(Eval *ev, Value v, Value whole) {
  int64_t d;
  if (value_as_int(ev, v, &d)) return d;
  const char *hint = "";
  if (is_traced(ev, v))
    hint = " The value is known only when the program runs: shapes are fixed when it is traced "
           "(mark the argument static, or compute the size from .shape)";
  eval_raise(ev, ev->types.TypeError,
             "Shapes must be 1D sequences of concrete values of integer type, got %.*s.%s",
             STR_FMT(value_repr(ev, whole)), hint);
}

size_t take_shape(Eval *ev, Value v, int64_t dims[ND_MAX_RANK], const char *what) {
  int64_t single;
  if (value_as_int(ev, v, &single)) {
    dims[0] = single;
    return 1;
  }
  Tuple *tuple = value_as_tuple(v);
  List *list = tuple ? NULL : value_as_list(v);
  if (!tuple && !list) {
    bool sequence = !is_traced(ev, v) && v.kind == V_OBJECT && value_len_opt(ev, v) >= 0 &&
                    value_type(ev, v) != ev->types.string;
    if (!sequence) take_dim(ev, v, make_tuple(ev, 1, &v));
    tuple = value_to_tuple(ev, v);
  }
  size_t count = tuple ? tuple->count : list->count;
  const Value *items = tuple ? tuple->items : list->items;
  for (size_t i = 0; i < count; i++) {
    int64_t d = take_dim(ev, items[i], v);
    if (i < ND_MAX_RANK) dims[i] = d;
  }
  if (count > ND_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "%s has %zu dimensions; at most %d are supported", what,
               count, ND_MAX_RANK);
  return count;
}

// As take_shape, and no dimension may be negative.
size_t take_full_shape(Eval *ev, Value v, int64_t dims[ND_MAX_RANK], const char *what) {
  size_t rank = take_shape(ev, v, dims, what);
  for (size_t i = 0; i < rank; i++)
    if (dims[i] < 0)
      eval_raise(ev, ev->types.TypeError, "%s must have every element be nonnegative, got %.*s.",
                 what, STR_FMT(shape_text(ev->arena, rank, dims)));
  return rank;
}

bool broadcast_dims(size_t *rank, int64_t *dims, size_t other_rank, const int64_t *other) {
  size_t out = *rank > other_rank ? *rank : other_rank;
  int64_t result[ND_MAX_RANK];
  for (size_t i = 0; i < out; i++) {
    int64_t a = i < out - *rank ? 1 : dims[i - (out - *rank)];
    int64_t b = i < out - other_rank ? 1 : other[i - (out - other_rank)];
    if (a != b && a != 1 && b != 1) return false;
    result[i] = a == 1 ? b : a;
  }
  memcpy(dims, result, out * sizeof *dims);
  *rank = out;
  return true;
}

// ---- axes ---------------------------------------------------------------------------------------
int take_axis(Eval *ev, Value v, int rank, const char *what) {
  int64_t axis;
  if (!value_as_int(ev, v, &axis)) axis = take_int(ev, v, what);
  if (axis < -rank || axis >= rank)
    eval_raise(ev, ev->types.ValueError, "axis %lld is out of bounds for array of dimension %d",
               (long long)axis, rank);
  return (int)(axis < 0 ? axis + rank : axis);
}

int take_axis_of_shape(Eval *ev, Value v, int rank, const char *what) {
  int64_t axis;
  if (!value_as_int(ev, v, &axis)) axis = take_int(ev, v, what);
  if (axis < -rank || axis >= rank)
    eval_raise(ev, ev->types.IndexError,
               "tuple index out of range: axis %lld is out of bounds for array of dimension %d",
               (long long)axis, rank);
  return (int)(axis < 0 ? axis + rank : axis);
}

static size_t take_axes_unsorted(Eval *ev, Value v, int rank, int64_t axes[ND_MAX_RANK],
                                 const char *what) {
  if (v_is_none(v)) {
    for (int i = 0; i < rank; i++) axes[i] = i;
    return (size_t)rank;
  }
  Tuple *tuple = value_as_tuple(v);
  List *list = tuple ? NULL : value_as_list(v);
  if (!tuple && !list) {
    axes[0] = take_axis(ev, v, rank, what);
    return 1;
  }
  size_t count = tuple ? tuple->count : list->count;
  const Value *items = tuple ? tuple->items : list->items;
  uint32_t seen = 0;
  for (size_t i = 0; i < count; i++) {
    int axis = take_axis(ev, items[i], rank, what);
    if (seen >> axis & 1)
      eval_raise(ev, ev->types.ValueError, "duplicate value in 'axis': %.*s",
                 STR_FMT(value_repr(ev, v)));
    seen |= 1u << axis;
    axes[i] = axis;
  }
  return count;
}

size_t take_axes(Eval *ev, Value v, int rank, int64_t axes[ND_MAX_RANK], const char *what) {
  size_t count = take_axes_unsorted(ev, v, rank, axes, what);
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && axes[j - 1] > axes[j]; j--) {
      int64_t swap = axes[j];
      axes[j] = axes[j - 1];
      axes[j - 1] = swap;
    }
  return count;
}
