// SPDX-License-Identifier: Apache-2.0
// Order, places in sorted rows, counts and sets: np.sort and partition, and what np.searchsorted,
// bincount, histogram, isin and unique are made of.
#include "base/collected.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/arrays/nd_layout.h"
#include "nd_methods.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/loops/loops.h"
#include "numpy/arrays/nd.h"
#include "numpy/dtypes/nd_promote.h"
#include "nd_sort.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/objects/fresh.h"
#include "python/objects/protocol.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <string.h>

// Where x belongs in a row that is sorted: before its equals, or behind them.
#define PLACES(name, T, before)                                                                    \
  static void name(int64_t *out, const T *row, int64_t length, const T *values, int64_t count,     \
                   bool behind) {                                                                  \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T x = values[i];                                                                             \
      int64_t low = 0, high = length;                                                              \
      while (low < high) {                                                                         \
        int64_t middle = low + (high - low) / 2;                                                   \
        T y = row[middle];                                                                         \
        bool goes_on = behind ? !(before(x, y)) : before(y, x);                                    \
        low = goes_on ? middle + 1 : low;                                                          \
        high = goes_on ? high : middle;                                                            \
      }                                                                                            \
      out[i] = low;                                                                                \
    }                                                                                              \
  }
#define LESS(x, y)        ((x) < (y))
#define LESS_OR_NAN(x, y) ((x) < (y) || ((y) != (y) && (x) == (x))) // NaN is last
PLACES(places_f64, double, LESS_OR_NAN)
PLACES(places_i64, int64_t, LESS)
PLACES(places_u64, uint64_t, LESS)

// A sorted row and values, neither complex: both in the widest type of their common kind.
static Value native_places(Eval *ev, Value *a) {
  const NdArray *row = nd_from_value(ev, a[0], DT_COUNT, "np.searchsorted"),
                *values = nd_from_value(ev, a[1], DT_COUNT, "np.searchsorted");
  DType common = nd_promote(row->dtype, false, values->dtype, false);
  DType work = dtype_is_float(common) ? DT_F64 : common == DT_U64 ? DT_U64 : DT_I64;
  bool behind = value_truth(ev, a[2]);
  row = nd_contiguous(ev, nd_as(ev, row, work));
  values = nd_contiguous(ev, nd_as(ev, values, work));
  NdArray *out = nd_new_unset(ev, DT_I64, values->rank, values->dims);
  int64_t length = nd_count(row), count = nd_count(values), *to = (int64_t *)out->data;
  if (work == DT_F64)
    places_f64(to, (double *)row->data, length, (double *)values->data, count, behind);
  else if (work == DT_U64)
    places_u64(to, (uint64_t *)row->data, length, (uint64_t *)values->data, count, behind);
  else
    places_i64(to, (int64_t *)row->data, length, (int64_t *)values->data, count, behind);
  return nd_value(ev, out);
}

// ---- counts -------------------------------------------------------------------------------------

static const NdArray *take_counted(Eval *ev, Value v) {
  const NdArray *x = nd_from_value(ev, v, DT_COUNT, "np.bincount");
  if (x->rank != 1)
    eval_raise(ev, ev->types.ValueError, "%s",
               x->rank ? "setting an array element with a sequence. The requested array would "
                         "exceed the maximum number of dimension of 1."
                       : "object of too small depth for desired array");
  bool is_given = value_is_nd(ev, v) || dtype_is_complex(x->dtype);
  bool fits = dtype_is_integer(x->dtype) || x->dtype == DT_BOOL || !is_given;
  if (!fits)
    eval_raise(ev, ev->types.TypeError,
               "Cannot cast array data from %.*s to dtype('int64') according to the rule 'safe'",
               STR_FMT(value_repr(ev, make_dtype(ev, x->dtype))));
  return nd_contiguous(ev, nd_as(ev, x, DT_I64));
}

// x, weights, minlength: how often each number is in x, or what the weights of its places sum up
// to.
static Value native_bincount(Eval *ev, Value *a) {
  const NdArray *x = take_counted(ev, a[0]);
  bool is_weighted = !v_is_none(a[1]);
  const NdArray *weights =
      is_weighted ? nd_contiguous(ev, nd_from_value(ev, a[1], DT_F64, "np.bincount")) : NULL;
  int64_t n = take_int(ev, a[2], "minlength"), count = nd_count(x);
  const int64_t *at = (const int64_t *)x->data;
  if (n < 0) eval_raise(ev, ev->types.ValueError, "'minlength' must not be negative");
  uint64_t bits = 0; // the first one is set if any number is negative
  for (int64_t i = 0; i < count; i++) {
    bits |= (uint64_t)at[i];
    n = at[i] >= n ? at[i] + 1 : n;
  }
  if (bits >> 63)
    eval_raise(ev, ev->types.ValueError, "'list' argument must have no negative elements");
  if (is_weighted && nd_count(weights) != count)
    eval_raise(ev, ev->types.ValueError, "The weights and list don't have the same length.");
  nd_must_fit(ev, DT_I64, 1, &n);
  NdArray *out = nd_new(ev, is_weighted ? DT_F64 : DT_I64, 1, &n);
  int64_t *counts = (int64_t *)out->data;
  double *sums = (double *)out->data;
  for (int64_t i = 0; is_weighted && i < count; i++) sums[at[i]] += ((double *)weights->data)[i];
  for (int64_t i = 0; !is_weighted && i < count; i++) counts[at[i]]++;
  return made(ev, v_object(out));
}

// Of real numbers, how many fall into each bin between edges at about equal distances: a guess, and
// the edges themselves settle it. What lies outside is left out, the last bin holds its right edge.
static Value native_histogram(Eval *ev, Value *a) {
  enum { ROW = 2048 };
  const NdArray *x = nd_contiguous(ev, nd_given(ev, a[0])),
                *edges = nd_contiguous(ev, nd_from_value(ev, a[1], DT_F64, "np.histogram"));
  NdLoop *widen = nd_cast_loop(x->dtype, DT_F64);
  if (!widen || dtype_is_complex(x->dtype) || x->dtype == DT_F16) return v_none();
  int64_t bins = nd_count(edges) - 1, all = nd_count(x), size = (int64_t)dtype_size(x->dtype);
  NdArray *out = nd_new(ev, DT_I64, 1, &bins);
  int64_t *counts = (int64_t *)out->data;
  const double *edge = (const double *)edges->data, first = edge[0], last = edge[bins],
               scale = (double)bins / (last - first);
  double row[ROW];
  for (int64_t i = 0, n; i < all; i += n) {
    n = all - i < ROW ? all - i : ROW;
    widen((char *[]){(char *)row, x->data + i * size}, (int64_t[]){sizeof *row, size}, n);
    for (int64_t k = 0; k < n; k++) {
      if (!(row[k] >= first && row[k] <= last)) continue;
      double guess = (row[k] - first) * scale; // NaN where the edges are too near
      int64_t bin = guess >= (double)bins ? bins - 1 : guess > 0 ? (int64_t)guess : 0;
      while (bin > 0 && row[k] < edge[bin]) bin--;
      while (bin < bins - 1 && row[k] >= edge[bin + 1]) bin++;
      counts[bin]++;
    }
  }
  return made(ev, v_object(out));
}

// ---- sets ---------------------------------------------------------------------------------------

// Whether each of some integers is among others, by a table of all between the least and the
// greatest of those; None: that would be large, or they are no integers.
static Value native_among(Eval *ev, Value *a) {
  const NdArray *x = nd_given(ev, a[0]), *known = nd_given(ev, a[1]);
  int64_t count = nd_count(x), others = nd_count(known);
  if (!nd_can_cast(x->dtype, DT_I64, CAST_SAFE) || !nd_can_cast(known->dtype, DT_I64, CAST_SAFE) ||
      !others)
    return v_none();
  x = nd_contiguous(ev, nd_as(ev, x, DT_I64));
  known = nd_contiguous(ev, nd_as(ev, known, DT_I64));
  const int64_t *in = (const int64_t *)known->data, *at = (const int64_t *)x->data;
  int64_t low = in[0], high = in[0];
  for (int64_t i = 1; i < others; i++) {
    low = in[i] < low ? in[i] : low;
    high = in[i] > high ? in[i] : high;
  }
  uint64_t range = (uint64_t)high - (uint64_t)low;
  if (range > 6 * (uint64_t)(count + others)) return v_none(); // as NumPy has it
  uint8_t *table = arena_alloc_bytes(ev->arena, (size_t)range + 1);
  for (int64_t i = 0; i < others; i++) table[in[i] - low] = 1;
  NdArray *out = nd_new_unset(ev, DT_BOOL, x->rank, x->dims);
  for (int64_t i = 0; i < count; i++) {
    uint64_t place = (uint64_t)at[i] - (uint64_t)low;
    out->data[i] = place <= range && table[place <= range ? place : 0];
  }
  arena_discard(ev->arena, table);
  return made(ev, v_object(out));
}

// Each element of a sorted row once, and where it begins, unless NULL.
#define DISTINCT(name, T, same)                                                                    \
  static int64_t name(T *row, int64_t count, bool nan_is_one, int64_t *begins) {                   \
    int64_t kept = count > 0;                                                                      \
    (void)nan_is_one;                                                                              \
    if (begins && count) begins[0] = 0;                                                            \
    T x = count > 0 ? row[0] : 0;                                                                  \
    for (int64_t i = 1; i < count; i++) {                                                          \
      T y = row[i];                                                                                \
      row[kept] = y;                                                                               \
      if (begins) begins[kept] = i;                                                                \
      kept += !(same);                                                                             \
      x = y;                                                                                       \
    }                                                                                              \
    return kept;                                                                                   \
  }
#define SAME_FLOAT x == y || (nan_is_one && x != x && y != y)
DISTINCT(distinct_1, uint8_t, x == y)
DISTINCT(distinct_2, uint16_t, x == y)
DISTINCT(distinct_4, uint32_t, x == y)
DISTINCT(distinct_8, uint64_t, x == y)
DISTINCT(distinct_f32, float, SAME_FLOAT)
DISTINCT(distinct_f64, double, SAME_FLOAT)

// Both zeros are one: that which comes first stays.
static void keep_first_zero(const NdArray *x, NdArray *row) {
  int64_t size = (int64_t)dtype_size(x->dtype), count = nd_count(x), at = 0, end = row->dims[0];
  while (at < end) {
    int64_t middle = at + (end - at) / 2;
    if (nd_get_f64(row, middle) < 0)
      at = middle + 1;
    else
      end = middle;
  }
  if (at == row->dims[0] || nd_get_f64(row, at) != 0) return;
  for (int64_t i = 0; i < count; i++) {
    if (nd_get_f64(x, i) != 0) continue;
    memcpy(row->data + at * size, nd_element(x, i), (size_t)size);
    return;
  }
}

static int64_t distinct_row(DType dtype, void *row, int64_t count, bool nan_is_one,
                            int64_t *begins) {
  if (dtype == DT_F32) return distinct_f32(row, count, nan_is_one, begins);
  if (dtype == DT_F64) return distinct_f64(row, count, nan_is_one, begins);
  switch (dtype_size(dtype)) {
  case 1: return distinct_1(row, count, nan_is_one, begins);
  case 2: return distinct_2(row, count, nan_is_one, begins);
  case 4: return distinct_4(row, count, nan_is_one, begins);
  default: return distinct_8(row, count, nan_is_one, begins);
  }
}

// The elements in order, each once, and how often each is there if that is asked for; None: of
// types that are not compared by their bits.
static Value native_distinct(Eval *ev, Value *a) {
  const NdArray *x = nd_from_value(ev, a[0], DT_COUNT, "np.unique");
  bool is_float = x->dtype == DT_F32 || x->dtype == DT_F64, nan_is_one = value_truth(ev, a[1]),
       is_counted = value_truth(ev, a[2]);
  if (!is_float && !dtype_is_integer(x->dtype) && x->dtype != DT_BOOL) return v_none();
  if (dtype_bits(x->dtype) < 8 && x->dtype != DT_BOOL) return v_none();
  NdArray *out = nd_sorted(ev, x, v_none(), false);
  int64_t all = out->dims[0],
          *begins =
              is_counted ? arena_alloc_buffer(ev->arena, ((size_t)all + 1) * sizeof *begins) : NULL,
          count = distinct_row(x->dtype, out->data, all, nan_is_one, begins);
  NdArray *kept = nd_new_unset(ev, x->dtype, 1, &count);
  if (count) memcpy(kept->data, out->data, (size_t)count * dtype_size(x->dtype));
  nd_discard(ev, out);
  if (is_float) keep_first_zero(x, kept);
  if (!is_counted) return made(ev, v_object(kept));
  NdArray *counts = nd_new_unset(ev, DT_I64, 1, &count);
  begins[count] = all;
  for (int64_t i = 0; i < count; i++) ((int64_t *)counts->data)[i] = begins[i + 1] - begins[i];
  arena_discard(ev->arena, begins);
  return make_tuple(ev, 2, (Value[]){v_object(kept), v_object(counts)});
}

// ---- order --------------------------------------------------------------------------------------

// a, axis, kind, order, stable
static Value sort_of(Eval *ev, Value *a, bool positions) {
  nd_check_sort(ev, a[2], a[3], a[4]);
  const NdArray *x = nd_from_value(ev, a[0], DT_COUNT, positions ? "np.argsort" : "np.sort");
  if (positions || v_is_none(a[1]) || nd_is_contiguous(x))
    return made(ev, v_object(nd_sorted(ev, x, a[1], positions)));
  int64_t perm[ND_MAX_RANK]; // as it lies
  const NdArray *lying = nd_by_steps(ev, x, perm);
  int axis = 0, d = nd_axis(ev, a[1], x->rank);
  while (perm[axis] != d) axis++;
  return made(ev, v_object(nd_put_back(nd_sorted(ev, lying, v_int(axis), false), perm)));
}

static Value native_sort(Eval *ev, Value *a) { return sort_of(ev, a, false); }
static Value native_argsort(Eval *ev, Value *a) { return sort_of(ev, a, true); }

// a, kth, axis, kind, order
static Value partition_of(Eval *ev, Value *a, bool positions) {
  nd_check_select(ev, a[3], a[4]);
  const NdArray *x =
      nd_from_value(ev, a[0], DT_COUNT, positions ? "np.argpartition" : "np.partition");
  return made(ev, v_object(nd_partitioned(ev, x, a[1], a[2], positions)));
}

static Value native_partition(Eval *ev, Value *a) { return partition_of(ev, a, false); }
static Value native_argpartition(Eval *ev, Value *a) { return partition_of(ev, a, true); }

static const NativeDef natives[] = {
    {"sort(a, axis=-1, kind=None, order=None, *, stable=None)", native_sort},
    {"argsort(a, axis=-1, kind=None, order=None, *, stable=None)", native_argsort},
    {"partition(a, kth, axis=-1, kind='introselect', order=None)", native_partition},
    {"argpartition(a, kth, axis=-1, kind='introselect', order=None)", native_argpartition},
    {"places(row, values, behind)", native_places},
    {"bincount(x, /, weights=None, minlength=0)", native_bincount},
    {"histogram(x, edges)", native_histogram},
    {"among(x, known)", native_among},
    {"distinct(x, nan_is_one, is_counted)", native_distinct},
    {NULL, NULL},
};

const ModuleDef module_np_search = {.name = "_np_search", .functions = natives};
