// SPDX-License-Identifier: Apache-2.0
// numpy.fft's transforms along one axis, by plans (np_fft_plan.h): rows of an array come as
// columns, some at a time. They are computed in float64, and given in the precision of what was
// transformed. library/numpy/fft.pk makes those along several axes of them.
#include "base/collected.h"
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/loops/complex_types.h"
#include "numpy/arrays/nd_watch.h"
#include "np_fft_plan.h"
#include "numpy/numpy_state.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/type_lookup.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/evaluator_state.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <string.h>

// What goes in and comes out.
typedef enum Side { WHOLE, REAL, HALF } Side; // complex numbers, real ones, half a spectrum

typedef struct Kind {
  Side from, to;
  bool is_inverse;    // with the other sign in the exponent
  bool is_normalized; // divided by the length where norm says nothing
  bool is_conjugate;  // of a half's
} Kind;

// One transform of rows.
typedef struct Job {
  const Kind *kind;
  int64_t length, rows;      // of the transform
  int64_t given, made;       // numbers of a row, of those that are read and in the result
  DType part;                // of both arrays' numbers: float32 or float64
  int64_t step_in, step_out; // from one number of a row to the next
  double scale;
} Job;

static bool is_half_float(const Eval *ev, Value v) {
  return value_is_nd(ev, v) && ((const NdArray *)v.o)->dtype == DT_F16;
}

static double rounded_to_half(double x) {
  char half[2];
  dtype_store_f64(DT_F16, half, x);
  return dtype_load_f64(DT_F16, half);
}

static double scale_of(Eval *ev, Value norm, const Kind *kind, int64_t n) {
  Str name = str_from_c("backward");
  bool is_known = v_is_none(norm) || value_as_str(norm, &name);
  bool is_backward = str_equal(name, str_from_c("backward")),
       is_forward = str_equal(name, str_from_c("forward"));
  if (is_known && str_equal(name, str_from_c("ortho"))) return 1 / sqrt((double)n);
  if (!is_known || (!is_backward && !is_forward))
    eval_raise(ev, ev->types.ValueError,
               "Invalid norm value %.*s; should be \"backward\",\"ortho\" or \"forward\".",
               STR_FMT(value_str(ev, norm)));
  return is_backward == kind->is_normalized ? 1 / (double)n : 1;
}

// Where no length is given, NumPy looks it up in the shape.
static int axis_of(Eval *ev, Value v, int rank, bool is_looked_up) {
  int64_t axis;
  bool is_whole = value_as_int(ev, v, &axis);
  if (is_looked_up && is_whole && (axis < -rank || axis >= rank))
    eval_raise(ev, ev->types.IndexError, "tuple index out of range");
  if (is_looked_up && !is_whole)
    eval_raise(ev, ev->types.TypeError, "tuple indices must be integers or slices, not %s",
               value_type_name(ev, v));
  if (value_as_int(ev, v, &axis) && axis >= -rank && axis < rank)
    return (int)(axis < 0 ? axis + rank : axis);
  Value args[] = {v, v_int(rank)}; // says what is wrong
  return (int)take_int(ev, value_call_n(ev, module_lookup(ev, "numpy._axes", "_axis_of"), 2, args),
                       "axis");
}

// Of the types that are computed in; `is_made`: for this alone.
static const NdArray *operand(Eval *ev, Value v, bool *is_made) {
  const NdArray *x = nd_from_value(ev, v, DT_COUNT, "np.fft");
  *is_made = x->dtype != DT_F32 && x->dtype != DT_F64 && !dtype_is_complex(x->dtype);
  nd_look_at(ev, x);
  return !*is_made ? x : nd_cast(ev, x, x->dtype == DT_F16 ? DT_F32 : DT_F64);
}

static void negate(double *x, int64_t count) {
  for (int64_t i = 0; i < count; i++) x[i] = -x[i];
}

// The numbers behind those that are given are 0.
static void load(const Job *job, const NdArray *in, FftParts x, const char *const *from,
                 int64_t lanes, int64_t wanted) {
  int64_t apart = dtype_is_complex(in->dtype) ? (int64_t)dtype_size(job->part) : 0,
          count = job->given < wanted ? job->given : wanted;
  fft_load(job->part, x, from, job->step_in, apart, count, lanes);
  size_t rest = (size_t)((wanted - count) * lanes) * sizeof(double);
  if (!rest) return;
  memset(x.re + count * lanes, 0, rest);
  memset(x.im + count * lanes, 0, rest);
}

// Pairs of real numbers, as complex ones.
static void load_pairs(const Job *job, FftParts x, const char *const *from, int64_t lanes) {
  int64_t h = job->length / 2, step = job->step_in,
          given = job->given < job->length ? job->given : job->length, pairs = given / 2,
          last = pairs + given % 2;
  fft_load(job->part, x, from, 2 * step, step, pairs, lanes);
  if (step == 0) // one number everywhere; to fft_load: no imaginary parts
    memcpy(x.im, x.re, (size_t)(pairs * lanes) * sizeof *x.im);
  for (int64_t j = 0; given % 2 && j < lanes; j++) {
    const char *single = from[j] + 2 * pairs * step;
    x.re[pairs * lanes + j] = dtype_load_f64(job->part, single);
    x.im[pairs * lanes + j] = 0;
  }
  size_t rest = (size_t)((h - last) * lanes) * sizeof(double);
  if (!rest) return;
  memset(x.re + last * lanes, 0, rest);
  memset(x.im + last * lanes, 0, rest);
}

// The half of a spectrum that the other one mirrors, of real numbers of an odd count.
static void mirror(FftParts x, int64_t n, int64_t lanes) {
  memset(x.im, 0, (size_t)lanes * sizeof *x.im);
  for (int64_t k = 1; k <= n / 2; k++)
    for (int64_t j = 0; j < lanes; j++) {
      x.re[(n - k) * lanes + j] = x.re[k * lanes + j];
      x.im[(n - k) * lanes + j] = -x.im[k * lanes + j];
    }
}

// Some rows.
static void transform(Eval *ev, const Job *job, const NdArray *in, FftPlan *plan, FftParts x,
                      FftParts other, const char *const *from, char *const *to, int64_t lanes) {
  const Kind *kind = job->kind;
  int64_t n = job->length, size = (int64_t)dtype_size(job->part);
  bool is_halved = plan && n % 2 == 0 && (kind->from == REAL || kind->to == REAL);
  if (kind->from == REAL && is_halved)
    load_pairs(job, x, from, lanes);
  else
    load(job, in, x, from, lanes, kind->from == HALF ? n / 2 + 1 : n);
  if (kind->from == HALF && kind->is_conjugate) negate(x.im, (n / 2 + 1) * lanes);
  if (kind->from == HALF && is_halved) {
    memset(x.im, 0, (size_t)lanes * sizeof *x.im);
    memset(x.im + n / 2 * lanes, 0, (size_t)lanes * sizeof *x.im);
    fft_join_halves(x, fft_half_roots(ev, plan), n / 2, lanes);
  } else if (kind->from == HALF) {
    mirror(x, n, lanes);
  }
  FftParts done = kind->is_inverse
                      ? fft_swapped(fft_run(ev, plan, fft_swapped(x), fft_swapped(other), lanes))
                      : fft_run(ev, plan, x, other, lanes);
  if (kind->to == HALF && is_halved) fft_split_halves(done, fft_half_roots(ev, plan), n / 2, lanes);
  if (kind->to == HALF && kind->is_conjugate) negate(done.im, job->made * lanes);
  bool gives_pairs = kind->to == REAL && is_halved;
  int64_t apart = gives_pairs ? job->step_out : kind->to == REAL ? 0 : size;
  fft_store(job->part, to, job->step_out * (gives_pairs ? 2 : 1), apart, done,
            gives_pairs ? n / 2 : job->made, lanes,
            kind->to == HALF && is_halved ? job->scale / 2 : job->scale);
}

// Where the rows of an array begin, which go along all axes but one.
typedef struct Rows {
  const NdArray *nd;
  int axis;
  int64_t at[ND_MAX_RANK];
  char *row;
} Rows;

static char *next_row(Rows *rows) {
  char *row = rows->row;
  for (int d = rows->nd->rank; d-- > 0;) {
    if (d == rows->axis) continue;
    rows->row += rows->nd->strides[d];
    if (++rows->at[d] < rows->nd->dims[d]) break;
    rows->row -= rows->nd->strides[d] * rows->nd->dims[d];
    rows->at[d] = 0;
  }
  return row;
}

// As many as a register of the widest kind has numbers, or twice as many of short rows.
enum { FEW_LANES = 8, MOST_LANES = 16, SHORT = 64 };

static void run(Eval *ev, const Job *job, const NdArray *in, NdArray *out, int axis) {
  const Kind *kind = job->kind;
  bool is_halved = job->length % 2 == 0 && (kind->from == REAL || kind->to == REAL);
  FftPlan *plan = fft_plan(ev, is_halved ? job->length / 2 : job->length);
  int64_t most = job->length <= SHORT ? MOST_LANES : FEW_LANES,
          lanes = job->rows < most ? job->rows : most;
  if (lanes < FEW_LANES / 2 || !fft_goes_side_by_side(plan, lanes)) lanes = 1;
  int64_t room = (job->length + 2) * lanes;
  double *numbers = arena_alloc_buffer(ev->arena, (size_t)room * 4 * sizeof *numbers);
  FftParts x = {numbers, numbers + room}, other = {numbers + 2 * room, numbers + 3 * room};
  Rows reads = {.nd = in, .axis = axis, .row = in->data},
       writes = {.nd = out, .axis = axis, .row = out->data};
  const char *from[MOST_LANES];
  char *to[MOST_LANES];
  for (int64_t i = 0, some; i < job->rows; i += some) {
    some = job->rows - i < lanes ? job->rows - i : lanes;
    for (int64_t j = 0; j < some; j++) from[j] = next_row(&reads), to[j] = next_row(&writes);
    transform(ev, job, in, plan, x, other, from, to, some);
  }
  arena_discard(ev->arena, numbers);
}

static const char *ufunc_of(const Kind *kind, int64_t n) {
  if (kind->to == HALF) return n % 2 == 0 ? "rfft_n_even" : "rfft_n_odd";
  return kind->from == HALF ? "irfft" : kind->is_inverse ? "ifft" : "fft";
}

static Value given_to(Eval *ev, const char *name, Value out, NdArray *made) {
  const Tuple *outs = value_as_tuple(out);
  if (outs && outs->count == 1) out = outs->items[0];
  if (v_is_none(out)) return v_object(made);
  NdArray *to = value_is_nd(ev, out) ? (NdArray *)out.o : NULL;
  if (!to) eval_raise(ev, ev->types.TypeError, "return arrays must be of ArrayType");
  if (to->readonly) eval_raise(ev, ev->types.ValueError, "output array is read-only");
  if (to->rank != made->rank || memcmp(to->dims, made->dims, made->rank * sizeof *made->dims) != 0)
    eval_raise(ev, ev->types.ValueError, "output array has wrong shape.");
  ufunc_check_store(ev, name, made->dtype, to->dtype);
  nd_copy(to, nd_as(ev, made, to->dtype));
  nd_moved(ev, to, made);
  return out;
}

// a, n, axis, norm, out
static Value along_axis(Eval *ev, const Kind *kind, Value *a) {
  bool is_made;
  const NdArray *in = operand(ev, a[0], &is_made);
  int axis = axis_of(ev, a[2], in->rank, v_is_none(a[1]));
  int64_t given = in->dims[axis], n = !v_is_none(a[1])     ? take_int(ev, a[1], "n")
                                      : kind->from == HALF ? 2 * (given - 1)
                                                           : given;
  if (n < 1)
    eval_raise(ev, ev->types.ValueError, "Invalid number of FFT data points (%lld) specified.",
               (long long)n);
  if (kind->from == REAL && dtype_is_complex(in->dtype))
    eval_raise(ev, ev->types.TypeError,
               "ufunc '%s' not supported for the input types, and the inputs could not be safely "
               "coerced to any supported types according to the casting rule ''safe''",
               ufunc_of(kind, n));
  DType part = dtype_of_parts(in->dtype);
  int64_t dims[ND_MAX_RANK], made = kind->to == HALF ? n / 2 + 1 : n;
  memcpy(dims, in->dims, in->rank * sizeof *dims);
  dims[axis] = made;
  DType dtype = kind->to == REAL ? part : part == DT_F32 ? DT_C64 : DT_C128;
  NdArray *out = nd_new_unset(ev, dtype, in->rank, dims);
  Job job = {kind,
             n,
             nd_count(out) / made,
             given,
             made,
             part,
             in->strides[axis],
             out->strides[axis],
             scale_of(ev, a[3], kind, n)};
  if (is_half_float(ev, a[0])) job.scale = rounded_to_half(job.scale);
  if (job.rows) run(ev, &job, in, out, axis);
  nd_moved(ev, out, in);
  if (is_made) nd_discard(ev, in);
  if (kind->to == REAL && is_half_float(ev, a[0]))
    out = nd_cast(ev, out, DT_F16); // computed in float32
  return given_to(ev, ufunc_of(kind, n), a[4], out);
}

#define KIND(name, from, to, is_inverse, is_normalized, is_conjugate)                              \
  static Value native_##name(Eval *ev, Value *a) {                                                 \
    static const Kind kind = {from, to, is_inverse, is_normalized, is_conjugate};                  \
    return along_axis(ev, &kind, a);                                                               \
  }
KIND(fft, WHOLE, WHOLE, false, false, false)
KIND(ifft, WHOLE, WHOLE, true, true, false)
KIND(rfft, REAL, HALF, false, false, false)
KIND(irfft, HALF, REAL, true, true, false)
KIND(hfft, HALF, REAL, true, false, true)
KIND(ihfft, REAL, HALF, false, true, true)

static const NativeDef natives[] = {
#define TRANSFORM(name) {#name "(a, n=None, axis=-1, norm=None, out=None)", native_##name},
    TRANSFORM(fft) TRANSFORM(ifft) TRANSFORM(rfft) TRANSFORM(irfft) TRANSFORM(hfft)
        TRANSFORM(ihfft){NULL, NULL},
};

const ModuleDef module_np_fft = {.name = "numpy.fft", .functions = natives};
