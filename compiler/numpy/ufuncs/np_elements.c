// SPDX-License-Identifier: Apache-2.0
// Functions of elements that are one loop each, where they would be many made of ufuncs: np.clip,
// np.isclose, ufunc.at.
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/loops/loops.h"
#include "numpy/loops/loops_parts.h"
#include "numpy/arrays/nd_broadcast.h"
#include "numpy/arrays/nd_layout.h"
#include "numpy/dtypes/nd_promote.h"
#include "numpy/arrays/nd_shape.h"
#include "numpy/arrays/nd_watch.h"
#include "python/modules/module.h"
#include "python/numbers/bigint.h"
#include "python/objects/convert.h"
#include "python/objects/fresh.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "ufunc.h"
#include <string.h>

// A bound that is a number of Python is one of the array's type if that holds it.
static NdArray *bound(Eval *ev, const NdArray *x, Value v) {
  if (value_is_big(v)) {
    if (dtype_is_integer(x->dtype) || x->dtype == DT_BOOL) return NULL;
    v = v_float(nd_python_int_as_double(ev, v));
  }
  NdArray *nd = nd_from_value(ev, v, DT_COUNT, "np.clip");
  bool python = value_is_python_number(ev, v);
  if (nd_promote(x->dtype, false, nd->dtype, python) != x->dtype) return NULL;
  if (python && dtype_is_integer(x->dtype)) {
    int64_t i = v.kind == V_BOOL || v.kind == V_INT ? nd_get_i64(nd, 0) : 0;
    bool fits = i < 0 ? i >= dtype_int_min(x->dtype) : (uint64_t)i <= dtype_int_max(x->dtype);
    if (!fits) return NULL;
  }
  return nd->dtype == x->dtype ? nd : nd_cast(ev, nd, x->dtype);
}

// x between two bounds, or None where there is no loop for that.
static Value native_clip(Eval *ev, Value *a) {
  if (!value_is_nd(ev, a[0])) return v_none();
  NdArray *x = (NdArray *)a[0].o;
  NdLoop *loop = nd_clip_loop(x->dtype);
  if (!loop) return v_none();
  NdArray *low = bound(ev, x, a[1]), *high = low ? bound(ev, x, a[2]) : NULL;
  if (!high) return v_none();
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(3, (NdArray *const[]){x, low, high}, &rank, dims)) return v_none();
  const NdArray *const each[] = {nd_broadcast(ev, x, rank, dims), nd_broadcast(ev, low, rank, dims),
                                 nd_broadcast(ev, high, rank, dims)};
  NdArray *out = nd_new_beside(ev, x->dtype, 3, each);
  nd_walk(loop, 4, (const NdArray *const[]){out, each[0], each[1], each[2]});
  nd_moved(ev, out, x);
  return made(ev, nd_value(ev, out));
}

static NdArray *tolerances(Eval *ev, DType dtype, double relative, double absolute, bool nan) {
  int64_t count = 3;
  NdArray *nd = nd_new(ev, dtype, 1, &count);
  const double values[] = {relative, absolute, nan};
  for (int i = 0; i < 3; i++)
    dtype_store_f64(dtype, nd->data + (size_t)i * dtype_size(dtype), values[i]);
  nd->rank = 0;
  return nd;
}

// Real numbers within tolerances that are numbers; None for others.
static Value native_close(Eval *ev, Value *a) {
  NdArray *x = nd_from_value(ev, a[0], DT_COUNT, "np.isclose"),
          *y = nd_from_value(ev, a[1], DT_COUNT, "np.isclose");
  bool known = value_is_python_number(ev, a[2]) && value_is_python_number(ev, a[3]) &&
               a[2].kind != V_OBJECT && a[3].kind != V_OBJECT && !dtype_is_complex(x->dtype) &&
               !dtype_is_complex(y->dtype);
  if (!known) return v_none();
  DType of_y = DT_F64;
  nd_common(y->dtype, false, DT_F64, true, &of_y);
  DType dtype = nd_promote(x->dtype, false, of_y, false) == DT_F32 ? DT_F32 : DT_F64;
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(2, (NdArray *const[]){x, y}, &rank, dims)) return v_none();
  nd_look_at(ev, x);
  nd_look_at(ev, y);
  const NdArray *limits = tolerances(ev, dtype, take_float(ev, a[2], "rtol"),
                                     take_float(ev, a[3], "atol"), value_truth(ev, a[4]));
  const NdArray *const each[] = {nd_broadcast(ev, nd_as(ev, x, dtype), rank, dims),
                                 nd_broadcast(ev, nd_as(ev, y, dtype), rank, dims),
                                 nd_broadcast(ev, limits, rank, dims)};
  NdArray *out = nd_new_beside(ev, DT_BOOL, 2, each);
  nd_walk(nd_close_loop(dtype), 4, (const NdArray *const[]){out, each[0], each[1], each[2]});
  return made(ev, nd_value(ev, out));
}

// What ufunc.at does most: sums at places, all of which are there.
typedef void AddAt(char *to, int64_t step, const int64_t *at, int64_t count, int64_t n,
                   const char *values, int64_t size);
#define ADD_AT(name, T)                                                                            \
  static void name(char *to, int64_t step, const int64_t *at, int64_t count, int64_t n,            \
                   const char *values, int64_t size) {                                             \
    for (int64_t i = 0; i < count; i++)                                                            \
      *(T *)(to + (at[i] + (at[i] < 0 ? n : 0)) * step) += *(const T *)(values + i * size);        \
  }
ADD_AT(add_at_f32, float)
ADD_AT(add_at_f64, double)

// flat[place] = op(flat[place], value), one after the other, of a binary operation of the type;
// false where the type has none.
static Value native_at(Eval *ev, Value *a) {
  Ufunc code;
  Str name;
  if (!value_as_str(a[0], &name) || !ufunc_from_name(name, &code)) return v_bool(false);
  NdArray *flat = nd_given(ev, a[1]);
  NdLoop *loop = nd_binary_loop(code, flat->dtype);
  if (!loop) return v_bool(false);
  const NdArray *places = nd_contiguous(ev, nd_from_value(ev, a[2], DT_I64, "ufunc.at")),
                *values = nd_contiguous(ev, nd_from_value(ev, a[3], flat->dtype, "ufunc.at"));
  const int64_t *at = (const int64_t *)places->data;
  int64_t count = nd_count(places), n = nd_count(flat), step = flat->strides[0],
          size = nd_count(values) == 1 ? 0 : (int64_t)dtype_size(flat->dtype);
  static const int64_t still[ND_WALK_MAX] = {0};
  if (code == UFUNC_ADD && nd_are_places(at, count, n)) {
    AddAt *add = flat->dtype == DT_F64 ? add_at_f64 : flat->dtype == DT_F32 ? add_at_f32 : NULL;
    if (add) {
      add(flat->data, step, at, count, n, values->data, size);
      return v_bool(true);
    }
  }
  for (int64_t i = 0; i < count; i++) {
    int64_t place = at[i] < 0 ? at[i] + n : at[i];
    if (place < 0 || place >= n)
      eval_raise(ev, ev->types.IndexError, "index %lld is out of bounds for axis 0 with size %lld",
                 (long long)at[i], (long long)n);
    char *to = flat->data + place * step;
    loop((char *[]){to, to, values->data + i * size}, still, 1);
  }
  return v_bool(true);
}

static Value native_into(Eval *ev, Value *a) {
  Ufunc code;
  Str name;
  if (!value_as_str(a[0], &name) || !ufunc_from_name(name, &code))
    BUG("a function of elements without a loop");
  return nd_computed_into(ev, code, nd_given(ev, a[1]), a[2], a[3]);
}

// a, axis, keepdims: how many elements are not 0.
static Value native_count(Eval *ev, Value *a) {
  if (!v_is_none(a[1]) || value_truth(ev, a[2]))
    return value_call_n(ev, module_lookup(ev, "numpy", "_count_along"), 3, a);
  const NdArray *given = nd_from_value(ev, a[0], DT_COUNT, "np.count_nonzero");
  const NdArray *x = nd_contiguous(ev, nd_as(ev, given, DT_BOOL));
  const uint8_t *set = (const uint8_t *)x->data;
  nd_look_at(ev, x);
  int64_t found = nd_count_true(set, nd_count(x));
  if (x != given && !x->is_view) nd_discard(ev, x);
  return v_object(nd_scalar(ev, DT_I64, &found));
}

static NORETURN void raise_counts(Eval *ev, const NdArray *counts, int64_t n) {
  eval_raise(ev, ev->types.ValueError,
             "operands could not be broadcast together with shape (%lld,) %.*s", (long long)n,
             STR_FMT(shape_close_text(ev->arena, counts->rank, counts->dims)));
}

// Each slice along the axis as often as its count says, or all as often as the one that there is.
static Value native_repeat(Eval *ev, Value *a) {
  const NdArray *x = nd_contiguous(ev, nd_given(ev, a[0]));
  const NdArray *counts = nd_from_value(ev, a[1], DT_COUNT, "np.repeat");
  int axis = (int)a[2].i;
  bool is_number = value_is_python_number(ev, a[1]);
  if (!is_number && !nd_can_cast(counts->dtype, DT_I64, CAST_SAFE))
    eval_raise(ev, ev->types.TypeError,
               "Cannot cast array data from %.*s to dtype('int64') according to the rule 'safe'",
               STR_FMT(value_repr(ev, make_dtype(ev, counts->dtype))));
  counts = nd_contiguous(ev, nd_as(ev, counts, DT_I64));
  int64_t n = x->dims[axis], total = 0, dims[ND_MAX_RANK], inner = (int64_t)dtype_size(x->dtype);
  bool is_one = nd_count(counts) == 1 && counts->rank <= 1;
  if (!is_one && (counts->rank != 1 || counts->dims[0] != n)) raise_counts(ev, counts, n);
  const int64_t *times = (const int64_t *)counts->data;
  for (int64_t i = 0; i < n; i++) {
    int64_t more = times[is_one ? 0 : i];
    if (more < 0)
      eval_raise(ev, ev->types.ValueError,
                 is_one ? "negative dimensions are not allowed"
                        : "repeats may not contain negative values.");
    if (more > INT64_MAX - total) eval_raise(ev, ev->types.ValueError, "array is too big");
    total += more;
  }
  memcpy(dims, x->dims, x->rank * sizeof *dims);
  dims[axis] = total;
  for (int d = axis + 1; d < x->rank; d++) inner *= x->dims[d];
  NdArray *out = nd_new_unset(ev, x->dtype, x->rank, dims);
  size_t element = dtype_size(x->dtype);
  int64_t outer = inner && n ? nd_count(x) * (int64_t)dtype_size(x->dtype) / (inner * n) : 0;
  char *to = out->data, *from = x->data;
  bool are_elements = inner == (int64_t)element;
  if (are_elements && is_one && total) nd_repeat_each(element, to, from, outer * n, times[0]);
  for (int64_t i = 0; i < outer * n && !(are_elements && is_one); i++, from += inner) {
    int64_t more = times[is_one ? 0 : i % n];
    if (are_elements)
      nd_repeat_each(element, to, from, 1, more);
    else
      for (int64_t k = 0; k < more; k++) memcpy(to + k * inner, from, (size_t)inner);
    to += more * inner;
  }
  nd_moved(ev, out, x);
  return made(ev, v_object(out));
}

// The running results of each row.
static Value scanned(Eval *ev, const NdArray *x, NdLoop *scan) {
  NdArray *out = nd_new_unset(ev, x->dtype, x->rank, x->dims);
  const NdArray *from = nd_contiguous(ev, x);
  const int64_t step = (int64_t)dtype_size(x->dtype), n = x->dims[x->rank - 1];
  for (int64_t i = 0, count = nd_count(x); i < count; i += n)
    scan((char *[]){out->data + i * step, from->data + i * step}, (int64_t[]){step, step}, n);
  nd_moved(ev, out, x);
  return made(ev, v_object(out));
}

// The running results of a binary operation along an axis, of elements of one type that it keeps;
// None where there is no loop for that.
static Value native_accumulate(Eval *ev, Value *a) {
  Ufunc code;
  Str name;
  if (!value_is_nd(ev, a[1])) return v_none(); // of objects, or texts
  const NdArray *x = (const NdArray *)a[1].o;
  if (!value_as_str(a[0], &name) || !ufunc_from_name(name, &code) || x->dtype == DT_BOOL ||
      (code >= UFUNC_EQ && code <= UFUNC_GE))
    return v_none();
  NdLoop *loop = nd_binary_loop(code, x->dtype);
  if (!loop) return v_none();
  int axis = (int)a[2].i;
  const Reductions *scans = nd_reductions(x->dtype);
  NdLoop *scan = code == UFUNC_MAX ? scans->scan_max : code == UFUNC_MIN ? scans->scan_min : NULL;
  if (scan && axis == x->rank - 1 && nd_is_contiguous(x)) return scanned(ev, x, scan);
  NdArray *out = nd_in_order(ev, nd_view(ev, x), x->dtype, 'K', true);
  int64_t perm[ND_MAX_RANK], n = x->dims[axis];
  for (int d = 0, at = 0; d < x->rank; d++)
    if (d != axis) perm[at++] = d;
  perm[x->rank - 1] = axis;
  NdArray slice = *nd_transposed(ev, out, perm); // the axis last
  int64_t step = slice.strides[--slice.rank];
  NdArray before = slice;
  if (nd_count(&slice) == 1) {
    static const int64_t still[ND_WALK_MAX] = {0};
    char *at = out->data;
    for (int64_t i = 1; i < n; i++, at += step)
      loop((char *[]){at + step, at, at + step}, still, 1);
    return made(ev, v_object(out));
  }
  for (int64_t i = 1; i < n; i++) {
    slice.data = before.data + step;
    nd_walk(loop, 3, (const NdArray *const[]){&slice, &before, &slice});
    before.data = slice.data;
  }
  return made(ev, v_object(out));
}

// Of float32 or float64: the fractions and the exponents.
static Value native_frexp(Eval *ev, Value *a) {
  const NdArray *x = nd_given(ev, a[0]);
  NdArray *fractions = nd_new_beside(ev, x->dtype, 1, &x),
          *exponents = nd_new_beside(ev, DT_I32, 1, &x);
  nd_walk(nd_split_loop(x->dtype), 3, (const NdArray *const[]){fractions, exponents, x});
  nd_moved(ev, fractions, x);
  nd_moved(ev, exponents, x);
  return make_tuple(ev, 2, (Value[]){nd_value(ev, fractions), nd_value(ev, exponents)});
}

// Of float32 or float64, with numbers for NaN and both infinities.
static Value native_numbers(Eval *ev, Value *a) {
  int64_t perm[ND_MAX_RANK];
  const NdArray *given = nd_by_steps(ev, nd_given(ev, a[0]), perm), *x = nd_contiguous(ev, given);
  NdArray *out = nd_new_unset(ev, x->dtype, x->rank, x->dims);
  nd_numbers(x->dtype, out->data, x->data, nd_count(x), take_float(ev, a[1], "nan"),
             take_float(ev, a[2], "posinf"), take_float(ev, a[3], "neginf"));
  nd_moved(ev, out, x);
  if (x != given) nd_discard(ev, x);
  return made(ev, v_object(nd_put_back(out, perm)));
}

// The last of points that rise which is at most x, or -1: where they are few, how many are, counted
// for many x at once.
enum { FEW_POINTS = 32 };
ND_CLONES static void places_among_few(int64_t *places, const double *x, int64_t count,
                                       const double *points, int64_t n) {
  for (int64_t i = 0; i < count; i++) places[i] = -1;
  for (int64_t k = 0; k < n; k++) {
    const double point = points[k];
    for (int64_t i = 0; i < count; i++) places[i] += point <= x[i];
  }
}
static void places_among(int64_t *places, const double *x, int64_t count, const double *points,
                         int64_t n) {
  for (int64_t i = 0; i < count; i++) {
    const double *at = points;
    for (int64_t left = n; left > 1; left -= left / 2)
      at = at[left / 2] <= x[i] ? at + left / 2 : at;
    places[i] = at - points - (*at > x[i]);
  }
}

// What NumPy makes of x behind point j, the line between two points.
static double on_line(double x, const double *xp, const double *fp, int64_t j) {
  if (xp[j] == x) return fp[j];
  double slope = (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]), y = slope * (x - xp[j]) + fp[j];
  if (y == y) return y;
  y = slope * (x - xp[j + 1]) + fp[j + 1];
  return y != y && fp[j] == fp[j + 1] ? fp[j] : y;
}

// x, xp, fp, left, right: of float64, the points in a row.
static Value native_interp(Eval *ev, Value *a) {
  enum { ROW = 512 };
  const NdArray *x = nd_contiguous(ev, nd_given(ev, a[0])),
                *points = nd_contiguous(ev, nd_given(ev, a[1])),
                *values = nd_contiguous(ev, nd_given(ev, a[2]));
  double left = take_float(ev, a[3], "left"), right = take_float(ev, a[4], "right");
  const double *xp = (const double *)points->data, *fp = (const double *)values->data,
               *from = (const double *)x->data;
  NdArray *out = nd_new_unset(ev, DT_F64, x->rank, x->dims);
  double *to = (double *)out->data;
  int64_t places[ROW], n = nd_count(points);
  for (int64_t i = 0, rows, count = nd_count(x); i < count; i += rows) {
    rows = count - i < ROW ? count - i : ROW;
    (n <= FEW_POINTS ? places_among_few : places_among)(places, from + i, rows, xp, n);
    for (int64_t k = 0; k < rows; k++) {
      int64_t j = places[k];
      double at = from[i + k];
      to[i + k] = at != at     ? n == 1 ? fp[0] : at
                  : j < 0      ? left
                  : j < n - 1  ? on_line(at, xp, fp, j)
                  : at > xp[j] ? right
                               : fp[j];
    }
  }
  nd_moved(ev, out, x);
  return made(ev, v_object(out));
}

static const NativeDef natives[] = {
    {"interp(x, xp, fp, left, right)", native_interp},
    {"frexp(x)", native_frexp},
    {"numbers(x, nan, high, low)", native_numbers},
    {"into(op, out, x, y=)", native_into},
    {"clip(x, low, high)", native_clip},
    {"close(x, y, relative, absolute, nan)", native_close},
    {"at(op, flat, places, values)", native_at},
    {"count_nonzero(a, axis=None, *, keepdims=False)", native_count},
    {"repeat(x, counts, axis)", native_repeat},
    {"accumulate(op, x, axis)", native_accumulate},
    {NULL, NULL},
};

const ModuleDef module_np_elements = {.name = "_np_elements", .functions = natives};
