// SPDX-License-Identifier: Apache-2.0
// Shapes and axes: their text, the arguments that say them, and the shape that two spread to.
#include "base/buf.h"
#include "base/checked.h"
#include "nd_shape.h"
#include "numpy/numpy_state.h"
#include "python/builtins/builtin_index.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/values/evaluator_state.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
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

// What NumPy and JAX go through: neither sets and dicts nor generators.
static bool is_sequence(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || value_as_dict(v)) return false;
  if (is_a(v, ev->types.set) || is_a(v, ev->types.frozenset)) return false;
  return value_len_opt(ev, v) >= 0;
}

bool shape_read(Eval *ev, Value v, size_t *rank, int64_t dims[ND_MAX_RANK], const char *what,
                Value *wrong) {
  *rank = 1;
  *wrong = v_unbound();
  if (value_as_int(ev, v, dims)) return true;
  const Tuple *tuple = value_as_tuple(v);
  const List *list = tuple ? NULL : value_as_list(v);
  if (!tuple && !list) {
    if (!is_sequence(ev, v)) return false;
    tuple = value_to_tuple(ev, v);
  }
  size_t count = tuple ? tuple->count : list->count;
  const Value *items = tuple ? tuple->items : list->items;
  for (size_t i = 0; i < count; i++) {
    int64_t d;
    if (!value_as_int(ev, items[i], &d)) {
      *wrong = items[i];
      return false;
    }
    if (i < ND_MAX_RANK) dims[i] = d;
  }
  if (count > ND_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "%s has %zu dimensions; at most %d are supported", what,
               count, ND_MAX_RANK);
  *rank = count;
  return true;
}

size_t take_shape(Eval *ev, Value v, int64_t dims[ND_MAX_RANK], const char *what) {
  size_t rank;
  Value wrong = v_unbound();
  if (v.kind != V_BOOL && shape_read(ev, v, &rank, dims, what, &wrong)) return rank;
  if (!v_is_unbound(wrong)) take_index(ev, wrong);
  if (v_is_none(v)) eval_raise(ev, ev->types.TypeError, "Use () not None as shape arguments");
  if (v.kind == V_OBJECT && v.o->type->slots.index) take_index(ev, v);
  eval_raise(ev, ev->types.TypeError,
             "expected a sequence of integers or a single integer, got '%.*s'",
             STR_FMT(value_repr(ev, v)));
}

ShapeFit shape_fit(int64_t count, size_t rank, int64_t *dims) {
  int64_t product = 1, *unknown = NULL;
  bool is_held = true;
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] == -1 && unknown) return SHAPE_UNKNOWNS;
    if (dims[i] == -1)
      unknown = &dims[i];
    else
      is_held = mul_i64(product, dims[i], &product) && is_held;
  }
  if (!unknown) return is_held && product == count ? SHAPE_FITS : SHAPE_DIFFERS;
  if (!is_held) return SHAPE_UNEVEN;
  if (product == 0) return SHAPE_BY_ZERO;
  if (count % product != 0) return SHAPE_UNEVEN;
  *unknown = count / product;
  return SHAPE_FITS;
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
// An axis as it is given; counted from the front if it is one of so many.
static int64_t read_axis(Eval *ev, Value v, int rank, const char *what, bool *is_inside) {
  int64_t axis;
  if (!value_as_int(ev, v, &axis)) axis = take_int(ev, v, what);
  *is_inside = axis >= -rank && axis < rank;
  return *is_inside && axis < 0 ? axis + rank : axis;
}

int take_axis(Eval *ev, Value v, int rank, const char *what) {
  bool is_inside;
  int64_t axis = read_axis(ev, v, rank, what, &is_inside);
  if (!is_inside)
    eval_raise(ev, ev->types.ValueError, "axis %lld is out of bounds for array of dimension %d",
               (long long)axis, rank);
  return (int)axis;
}

int take_axis_of_shape(Eval *ev, Value v, int rank) {
  bool is_inside;
  int64_t axis = read_axis(ev, v, rank, "axis", &is_inside);
  if (!is_inside)
    eval_raise(ev, ev->types.IndexError,
               "tuple index out of range: axis %lld is out of bounds for array of dimension %d",
               (long long)axis, rank);
  return (int)axis;
}

static size_t take_axes_unsorted(Eval *ev, Value v, int rank, int64_t axes[ND_MAX_RANK]) {
  if (v_is_none(v)) {
    for (int i = 0; i < rank; i++) axes[i] = i;
    return (size_t)rank;
  }
  Tuple *tuple = value_as_tuple(v);
  List *list = tuple ? NULL : value_as_list(v);
  if (!tuple && !list) {
    axes[0] = take_axis(ev, v, rank, "axis");
    return 1;
  }
  size_t count = tuple ? tuple->count : list->count;
  const Value *items = tuple ? tuple->items : list->items;
  uint32_t seen = 0;
  for (size_t i = 0; i < count; i++) {
    int axis = take_axis(ev, items[i], rank, "axis");
    if (seen >> axis & 1)
      eval_raise(ev, ev->types.ValueError, "duplicate value in 'axis': %.*s",
                 STR_FMT(value_repr(ev, v)));
    seen |= 1u << axis;
    axes[i] = axis;
  }
  return count;
}

size_t take_axes(Eval *ev, Value v, int rank, int64_t axes[ND_MAX_RANK]) {
  size_t count = take_axes_unsorted(ev, v, rank, axes);
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && axes[j - 1] > axes[j]; j--) {
      int64_t swap = axes[j];
      axes[j] = axes[j - 1];
      axes[j - 1] = swap;
    }
  return count;
}
