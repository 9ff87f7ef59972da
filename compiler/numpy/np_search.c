// SPDX-License-Identifier: Apache-2.0
// Places in sorted rows, and counts of small integers: what np.searchsorted, isin and bincount are
// made of.
#include "nd.h"
#include "nd_promote.h"
#include "nd_sort.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/objects/fresh.h"
#include "python/objects/protocol.h"
#include "python/values/values.h"
#include "python/values/raise.h"

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

// How often each of 0 … n-1 is in x, or what the weights of its places sum up to.
static Value native_counts(Eval *ev, Value *a) {
  const NdArray *x = nd_contiguous(ev, nd_from_value(ev, a[0], DT_I64, "np.bincount"));
  bool is_weighted = !v_is_none(a[1]);
  const NdArray *weights =
      is_weighted ? nd_contiguous(ev, nd_from_value(ev, a[1], DT_F64, "np.bincount")) : NULL;
  int64_t n = take_int(ev, a[2], "the number of bins"), count = nd_count(x);
  const int64_t *at = (const int64_t *)x->data;
  if (is_weighted && nd_count(weights) != count)
    eval_raise(ev, ev->types.ValueError, "The weights and list don't have the same length.");
  NdArray *out = nd_new(ev, is_weighted ? DT_F64 : DT_I64, 1, &n);
  for (int64_t i = 0; i < count; i++) {
    if (at[i] < 0 || at[i] >= n)
      eval_raise(ev, ev->types.ValueError, "'list' argument must have no negative elements");
    if (is_weighted)
      ((double *)out->data)[at[i]] += ((const double *)weights->data)[i];
    else
      ((int64_t *)out->data)[at[i]]++;
  }
  return v_object(out);
}

// a, axis, kind, order, stable: any kind is stable.
static Value sort_of(Eval *ev, Value *a, bool positions) {
  if (!v_is_none(a[3]))
    eval_raise(ev, ev->types.ValueError, "Cannot specify order when the array has no fields.");
  const NdArray *x = nd_from_value(ev, a[0], DT_COUNT, positions ? "np.argsort" : "np.sort");
  return made(ev, v_object(nd_sorted(ev, x, a[1], positions)));
}

static Value native_sort(Eval *ev, Value *a) { return sort_of(ev, a, false); }
static Value native_argsort(Eval *ev, Value *a) { return sort_of(ev, a, true); }

static const NativeDef natives[] = {
    {"sort(a, axis=-1, kind=None, order=None, *, stable=None)", native_sort},
    {"argsort(a, axis=-1, kind=None, order=None, *, stable=None)", native_argsort},
    {"places(row, values, behind)", native_places},
    {"counts(x, weights, n)", native_counts},
    {NULL, NULL},
};

const ModuleDef module_np_search = {.name = "_np_search", .functions = natives};
