// SPDX-License-Identifier: Apache-2.0
// Reductions of host arrays. Floats are accumulated in double, integers in 64 bits and wrapped.
#include "nd_watch.h"
#include "ufunc.h"
#include "python/objects/raise.h"
#include <math.h>

typedef struct Cell { // one result being accumulated
  double f;
  int64_t i, at; // at: of argmax and argmin
  bool any;
} Cell;

static void accumulate(Ufunc code, const NdArray *x, int64_t i, int64_t along, Cell *c) {
  if (dtype_is_float(x->dtype)) {
    double v = nd_get_f64(x, i);
    bool better = !c->any || (isnan(v) && !isnan(c->f)) ||
                  (code == UFUNC_ARGMAX || code == UFUNC_REDUCE_MAX ? v > c->f : v < c->f);
    switch (code) {
    case UFUNC_REDUCE_SUM: c->f += v; break;
    case UFUNC_REDUCE_PROD: c->f = c->any ? c->f * v : v; break;
    case UFUNC_REDUCE_AND: c->i = (c->any ? c->i : 1) && v != 0; break;
    case UFUNC_REDUCE_OR: c->i = c->i || v != 0; break;
    default:
      if (better && !(c->any && isnan(c->f))) c->f = v, c->at = along;
    }
  } else {
    int64_t v = nd_get_i64(x, i);
    bool is_unsigned = dtype_kind(x->dtype) != 'i';
    bool greater = is_unsigned ? (uint64_t)v > (uint64_t)c->i : v > c->i;
    bool better =
        !c->any ||
        (code == UFUNC_ARGMAX || code == UFUNC_REDUCE_MAX ? greater : !greater && v != c->i);
    switch (code) {
    case UFUNC_REDUCE_SUM: c->i = (int64_t)((uint64_t)c->i + (uint64_t)v); break;
    case UFUNC_REDUCE_PROD: c->i = c->any ? (int64_t)((uint64_t)c->i * (uint64_t)v) : v; break;
    case UFUNC_REDUCE_AND: c->i = (c->any ? c->i : 1) && v; break;
    case UFUNC_REDUCE_OR: c->i = c->i || v; break;
    default:
      if (better) c->i = v, c->at = along;
    }
  }
  c->any = true;
}

static DType reduced_dtype(Ufunc code, DType dtype) {
  if (code == UFUNC_REDUCE_AND || code == UFUNC_REDUCE_OR) return DT_BOOL;
  if (code == UFUNC_ARGMAX || code == UFUNC_ARGMIN) return DT_I64;
  if (code != UFUNC_REDUCE_SUM && code != UFUNC_REDUCE_PROD) return dtype;
  if (dtype == DT_BOOL || dtype_kind(dtype) == 'i') return DT_I64;
  return dtype_kind(dtype) == 'u' ? DT_U64 : dtype;
}

NdArray *nd_reduce(Eval *ev, Ufunc code, const NdArray *x, uint32_t axes, bool keepdims,
                   DType dtype) {
  int64_t kept[ND_MAX_RANK], shape[ND_MAX_RANK], out_stride[ND_MAX_RANK],
      count = nd_count(x), cells = 1, along_stride[ND_MAX_RANK], along = 1;
  size_t rank = 0;
  for (int d = 0; d < x->rank; d++) {
    kept[d] = axes >> d & 1 ? 1 : x->dims[d];
    if (!(axes >> d & 1) || keepdims) shape[rank++] = kept[d];
  }
  for (int d = x->rank; d-- > 0;) {
    out_stride[d] = axes >> d & 1 ? 0 : cells;
    along_stride[d] = axes >> d & 1 ? along : 0;
    cells *= kept[d];
    if (axes >> d & 1) along *= x->dims[d];
  }
  bool needs_items = code == UFUNC_REDUCE_MAX || code == UFUNC_REDUCE_MIN || code == UFUNC_ARGMAX ||
                     code == UFUNC_ARGMIN;
  if (needs_items && along == 0 && cells > 0)
    eval_raise(ev, ev->types.ValueError,
               "zero-size array to reduction operation %s which has no identity",
               code == UFUNC_REDUCE_MAX ? "maximum" : "minimum");
  nd_look_at(ev, x);
  Cell *cell = ARENA_ARRAY(ev->arena, Cell, cells + 1);
  for (int64_t i = 0; i < count; i++) {
    int64_t rest = i, to = 0, position = 0;
    for (int d = x->rank; d-- > 0;) {
      int64_t p = rest % x->dims[d];
      rest /= x->dims[d];
      to += p * out_stride[d];
      position += p * along_stride[d];
    }
    accumulate(code, x, i, position, &cell[to]);
  }
  DType result = dtype != DT_COUNT ? dtype : reduced_dtype(code, x->dtype);
  NdArray *out = nd_new(ev, result, rank, shape);
  bool from_float = dtype_is_float(x->dtype) && code != UFUNC_REDUCE_AND &&
                    code != UFUNC_REDUCE_OR && code != UFUNC_ARGMAX && code != UFUNC_ARGMIN;
  for (int64_t i = 0; i < cells; i++) {
    char *target = out->data + (size_t)i * dtype_size(result);
    Cell *c = &cell[i];
    if (!c->any && (code == UFUNC_REDUCE_PROD || code == UFUNC_REDUCE_AND)) c->f = 1, c->i = 1;
    if (code == UFUNC_ARGMAX || code == UFUNC_ARGMIN)
      dtype_store_i64(result, target, c->at);
    else if (from_float)
      dtype_store_f64(result, target, c->f);
    else
      dtype_store_i64(result, target, c->i);
  }
  return out;
}
