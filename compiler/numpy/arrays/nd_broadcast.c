// SPDX-License-Identifier: Apache-2.0
// Broadcasting by NumPy's rules. In: arrays, or one and a shape. Out: the shape that all are
// broadcast to; a view in which the stride of a dimension that is repeated is 0.
#include "nd_broadcast.h"
#include "nd_shape.h"
#include "python/values/raise.h"
#include <string.h>

bool nd_common_shape(size_t count, NdArray *const *arrays, uint8_t *rank, int64_t *dims) {
  *rank = 0;
  for (size_t i = 0; i < count; i++)
    if (arrays[i]->rank > *rank) *rank = arrays[i]->rank;
  for (int d = 0; d < *rank; d++) {
    dims[d] = 1;
    for (size_t i = 0; i < count; i++) {
      int axis = d - (*rank - arrays[i]->rank);
      int64_t n = axis < 0 ? 1 : arrays[i]->dims[axis];
      if (n == 1) continue;
      if (dims[d] != 1 && dims[d] != n) return false;
      dims[d] = n;
    }
  }
  return true;
}

NdArray *nd_broadcast_opt(Eval *ev, const NdArray *nd, size_t rank, const int64_t *dims) {
  NdArray *view = nd_view(ev, nd);
  size_t lead = rank - nd->rank;
  bool fits = nd->rank <= rank;
  for (size_t i = 0; fits && i < rank; i++) {
    int64_t n = i < lead ? 1 : nd->dims[i - lead];
    if (n != 1 && n != dims[i]) fits = false;
    view->dims[i] = dims[i];
    view->strides[i] = n == 1 ? 0 : nd->strides[i - lead];
  }
  // Leading dimensions of size 1 may be dropped in an assignment.
  if (nd->rank > rank) {
    size_t extra = nd->rank - rank;
    fits = true;
    for (size_t i = 0; i < extra; i++) fits &= nd->dims[i] == 1;
    if (fits) {
      NdArray *tail = nd_view(ev, nd);
      tail->rank = (uint8_t)rank;
      memmove(tail->dims, tail->dims + extra, rank * sizeof *tail->dims);
      memmove(tail->strides, tail->strides + extra, rank * sizeof *tail->strides);
      return nd_broadcast_opt(ev, tail, rank, dims);
    }
  }
  if (!fits) return NULL;
  view->rank = (uint8_t)rank;
  view->readonly = true;
  return view;
}

NdArray *nd_broadcast(Eval *ev, const NdArray *nd, size_t rank, const int64_t *dims) {
  NdArray *view = nd_broadcast_opt(ev, nd, rank, dims);
  if (!view)
    eval_raise(ev, ev->types.ValueError,
               "could not broadcast input array from shape %.*s into shape %.*s",
               STR_FMT(shape_close_text(ev->arena, nd->rank, nd->dims)),
               STR_FMT(shape_close_text(ev->arena, rank, dims)));
  return view;
}
