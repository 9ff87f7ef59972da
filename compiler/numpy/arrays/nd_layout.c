// SPDX-License-Identifier: Apache-2.0
// The orders that elements lie in, and other shapes of the same elements.
#include "base/buf.h"
#include "nd_layout.h"
#include "nd_shape.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include <stdlib.h>
#include <string.h>

char take_order(Eval *ev, Value v) {
  Str text;
  if (v_is_none(v)) return 'K';
  if (!value_as_str(v, &text))
    eval_raise(ev, ev->types.TypeError, "order must be str, not %s", value_type_name(ev, v));
  char order = text.len == 1 ? (char)(text.data[0] & ~0x20) : 0;
  if (order != 'C' && order != 'K' && order != 'F' && order != 'A')
    eval_raise(ev, ev->types.ValueError, "order must be one of 'C', 'F', 'A', or 'K' (got '%.*s')",
               STR_FMT(text));
  return order;
}

static void reverse(const NdArray *nd, int64_t *perm) {
  for (int i = 0; i < nd->rank; i++) perm[i] = nd->rank - 1 - i;
}

static NdArray *reversed(Eval *ev, const NdArray *nd) {
  int64_t perm[ND_MAX_RANK];
  reverse(nd, perm);
  return nd_transposed(ev, nd, perm);
}

static bool is_column_major(const NdArray *nd) {
  int64_t stride = (int64_t)dtype_size(nd->dtype);
  for (int i = 0; i < nd->rank; i++) {
    if (nd->dims[i] != 1 && nd->strides[i] != stride) return false;
    stride *= nd->dims[i];
  }
  return true;
}

// The axes from the one that takes the longest steps to the one that takes the shortest.
static void order_of_steps(const NdArray *nd, int64_t *perm) {
  for (int i = 0; i < nd->rank; i++) {
    int at = i;
    int64_t step = nd->strides[i] < 0 ? -nd->strides[i] : nd->strides[i];
    for (; at > 0; at--) {
      int64_t before = nd->strides[perm[at - 1]];
      if ((before < 0 ? -before : before) >= step || step == 0) break;
      perm[at] = perm[at - 1];
    }
    perm[at] = i;
  }
}

NdArray *nd_by_steps(Eval *ev, const NdArray *nd, int64_t *perm) {
  order_of_steps(nd, perm);
  return nd_transposed(ev, nd, perm);
}

// The axes of a layout, those of the longest steps first.
static void axes_in_order(const NdArray *like, char order, int64_t *perm) {
  if (order == 'A') order = is_column_major(like) && !nd_is_contiguous(like) ? 'F' : 'C';
  if (order == 'K')
    order_of_steps(like, perm);
  else if (order == 'F')
    reverse(like, perm);
  else
    for (int i = 0; i < like->rank; i++) perm[i] = i;
}

NdArray *nd_put_back(NdArray *nd, const int64_t *perm) {
  int64_t dims[ND_MAX_RANK], strides[ND_MAX_RANK];
  for (int i = 0; i < nd->rank; i++) {
    dims[perm[i]] = nd->dims[i];
    strides[perm[i]] = nd->strides[i];
  }
  memcpy(nd->dims, dims, nd->rank * sizeof *dims);
  memcpy(nd->strides, strides, nd->rank * sizeof *strides);
  return nd;
}

// Whether axis i of arrays of one shape is to come behind axis j, which follows it, since it takes
// shorter steps: 1, it is; 0, it is not; -1, no array moves along both.
static int comes_behind(size_t count, const NdArray *const *arrays, int64_t i, int64_t j) {
  int behind = -1;
  for (size_t k = 0; k < count; k++) {
    const NdArray *nd = arrays[k];
    if (nd->dims[i] == 1 || nd->dims[j] == 1 || nd->strides[i] == 0 || nd->strides[j] == 0)
      continue;
    if (llabs(nd->strides[j]) <= llabs(nd->strides[i])) return 0;
    behind = 1;
  }
  return behind;
}

// The axes of arrays of one shape as NumPy walks over them (order K), the longest steps first;
// rows first where the arrays do not agree. False: that is the order that they have.
static bool axes_by_steps(size_t count, const NdArray *const *arrays, int64_t *perm) {
  int rank = arrays[0]->rank;
  bool moved = false;
  for (int i = rank - 1; i >= 0; i--) {
    int at = i;
    for (int j = i + 1; j < rank; j++) {
      int behind = comes_behind(count, arrays, i, perm[j]);
      if (behind == 0) break;
      if (behind > 0) at = j;
    }
    for (int j = i; j < at; j++) perm[j] = perm[j + 1];
    perm[at] = i;
    moved |= at != i;
  }
  return moved;
}

// The same as NumPy joins arrays: each axis goes in front of those before it that take shorter
// steps.
static bool axes_by_steps_joined(size_t count, const NdArray *const *arrays, int64_t *perm) {
  bool moved = false;
  for (int i = 0; i < arrays[0]->rank; i++) {
    int at = i;
    for (int j = i - 1; j >= 0; j--) {
      int behind = comes_behind(count, arrays, perm[j], i);
      if (behind == 0) break;
      if (behind > 0) at = j;
    }
    for (int j = i; j > at; j--) perm[j] = perm[j - 1];
    perm[at] = i;
    moved |= at != i;
  }
  return moved;
}

// Of a type and a shape, the axes laid out in an order.
static NdArray *new_by(Eval *ev, DType dtype, uint8_t rank, const int64_t *dims,
                       const int64_t *perm) {
  int64_t ordered[ND_MAX_RANK];
  for (int i = 0; i < rank; i++) ordered[i] = dims[perm[i]];
  return nd_put_back(nd_new_unset(ev, dtype, rank, ordered), perm);
}

NdArray *nd_new_beside(Eval *ev, DType dtype, size_t count, const NdArray *const *arrays) {
  const NdArray *first = arrays[0];
  int64_t perm[ND_MAX_RANK];
  if (first->rank < 2 || !axes_by_steps(count, arrays, perm))
    return nd_new_unset(ev, dtype, first->rank, first->dims);
  return new_by(ev, dtype, first->rank, first->dims, perm);
}

NdArray *nd_new_along(Eval *ev, DType dtype, const int64_t *dims, size_t count,
                      const NdArray *const *arrays) {
  uint8_t rank = arrays[0]->rank;
  int64_t perm[ND_MAX_RANK];
  if (rank < 2 || !axes_by_steps_joined(count, arrays, perm))
    return nd_new_unset(ev, dtype, rank, dims);
  return new_by(ev, dtype, rank, dims, perm);
}

NdArray *nd_in_order(Eval *ev, NdArray *nd, DType dtype, char order, bool copies) {
  bool lies_so = order == 'C'   ? nd_is_contiguous(nd)
                 : order == 'F' ? is_column_major(nd)
                 : order == 'A' ? nd_is_contiguous(nd) || is_column_major(nd)
                                : true;
  if (lies_so && !copies && nd->dtype == dtype) return nd;
  if (nd_is_contiguous(nd) && order != 'F') return nd_cast(ev, nd, dtype);
  int64_t perm[ND_MAX_RANK];
  axes_in_order(nd, order, perm);
  return nd_put_back(nd_cast(ev, nd_transposed(ev, nd, perm), dtype), perm);
}

NdArray *nd_new_in_order(Eval *ev, DType dtype, size_t rank, const int64_t *dims, char order,
                         const NdArray *like) {
  bool is_beside = like && like->rank == rank && !nd_is_contiguous(like);
  if (order == 'C' || rank == 0 || (order != 'F' && !is_beside))
    return nd_new(ev, dtype, rank, dims);
  NdArray shape = {.dtype = dtype, .rank = (uint8_t)rank};
  int64_t perm[ND_MAX_RANK], ordered[ND_MAX_RANK];
  axes_in_order(like && like->rank == rank ? like : &shape, order, perm);
  for (size_t i = 0; i < rank; i++) ordered[i] = dims[perm[i]];
  return nd_put_back(nd_new(ev, dtype, rank, ordered), perm);
}

// ---- other shapes -------------------------------------------------------------------------------

// As NumPy writes a shape of which one size is not said: that is left out at the head.
static Str wanted_text(Eval *ev, size_t rank, const int64_t *dims) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = rank && dims[0] < 0 ? 1 : 0; i < rank; i++) {
    if (buf.len) buf_char(&buf, ',');
    if (dims[i] < 0)
      buf_c(&buf, "newaxis");
    else
      buf_printf(&buf, "%lld", (long long)dims[i]);
  }
  if (rank == 1) buf_char(&buf, ',');
  return buf_view(&buf);
}

static size_t take_new_shape(Eval *ev, Value shape, int64_t count, int64_t *dims) {
  size_t rank = take_shape(ev, shape, dims, "shape");
  for (size_t i = 0; i < rank; i++)
    if (dims[i] < 0) dims[i] = -1;
  ShapeFit fit = shape_fit(count, rank, dims);
  if (fit == SHAPE_UNKNOWNS)
    eval_raise(ev, ev->types.ValueError, "can only specify one unknown dimension");
  if (fit != SHAPE_FITS)
    eval_raise(ev, ev->types.ValueError, "cannot reshape array of size %lld into shape (%.*s)",
               (long long)count, STR_FMT(wanted_text(ev, rank, dims)));
  return rank;
}

// Strides of a shape over the elements of nd in row-major order, if there are some: groups of old
// dimensions become groups of new ones of as many elements, and each old group takes even steps.
static bool strides_for(const NdArray *nd, size_t rank, const int64_t *dims, int64_t *strides) {
  int64_t old_dims[ND_MAX_RANK], old_strides[ND_MAX_RANK];
  size_t old_rank = 0, old = 0, at = 0;
  for (int d = 0; d < nd->rank; d++) {
    if (nd->dims[d] == 1) continue;
    old_dims[old_rank] = nd->dims[d];
    old_strides[old_rank++] = nd->strides[d];
  }
  while (old < old_rank) {
    size_t old_end = old + 1, end = at + 1;
    int64_t old_count = old_dims[old], count = at < rank ? dims[at] : 0;
    while (count != old_count) {
      if (count < old_count) {
        if (end >= rank) return false;
        count *= dims[end++];
      } else {
        if (old_end >= old_rank) return false;
        old_count *= old_dims[old_end++];
      }
    }
    for (size_t i = old; i + 1 < old_end; i++)
      if (old_strides[i] != old_strides[i + 1] * old_dims[i + 1]) return false;
    int64_t stride = old_strides[old_end - 1];
    for (size_t i = end; i-- > at;) {
      strides[i] = stride;
      stride *= dims[i];
    }
    old = old_end;
    at = end;
  }
  int64_t last = at ? strides[at - 1] : (int64_t)dtype_size(nd->dtype);
  for (; at < rank; at++) strides[at] = last; // of one element each
  return true;
}

static NdArray *reshaped(Eval *ev, const NdArray *nd, size_t rank, const int64_t *dims,
                         Value copy) {
  int64_t strides[ND_MAX_RANK], stride = (int64_t)dtype_size(nd->dtype);
  bool copies = !v_is_none(copy) && value_truth(ev, copy);
  bool is_even = nd_is_contiguous(nd) || nd_count(nd) == 0;
  if (is_even) {
    for (size_t i = rank; i-- > 0;) {
      strides[i] = stride;
      stride *= dims[i] ? dims[i] : 1;
    }
  }
  bool fits = is_even || (!copies && strides_for(nd, rank, dims, strides));
  if (!fits && !v_is_none(copy) && !copies)
    eval_raise(ev, ev->types.ValueError, "Unable to avoid creating a copy while reshaping.");
  if (!fits || copies) return reshaped(ev, nd_cast(ev, nd, nd->dtype), rank, dims, v_none());
  NdArray *out = nd_view(ev, nd);
  out->rank = (uint8_t)rank;
  memcpy(out->dims, dims, rank * sizeof *dims);
  memcpy(out->strides, strides, rank * sizeof *strides);
  return out;
}

Value nd_reshape(Eval *ev, const NdArray *nd, Value shape, char order, Value copy) {
  int64_t dims[ND_MAX_RANK];
  size_t rank = take_new_shape(ev, shape, nd_count(nd), dims);
  if (order == 'K')
    eval_raise(ev, ev->types.ValueError, "order 'K' is not permitted for reshaping");
  if (order == 'A') order = is_column_major(nd) && !nd_is_contiguous(nd) ? 'F' : 'C';
  if (order == 'C') return v_object(reshaped(ev, nd, rank, dims, copy));
  for (size_t i = 0, j = rank; i + 1 < j; i++) {
    int64_t d = dims[i];
    dims[i] = dims[--j];
    dims[j] = d;
  }
  return v_object(reversed(ev, reshaped(ev, reversed(ev, nd), rank, dims, copy)));
}
