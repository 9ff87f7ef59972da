// SPDX-License-Identifier: Apache-2.0
// NumPy's errors of floating point.
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/arrays/nd_layout.h"
#include "nd_errors.h"
#include "numpy/arrays/nd_watch.h"
#include "numpy/loops/loops.h"
#include "numpy/arrays/nd_broadcast.h"
#include "numpy/numpy_state.h"
#include "python/modules/module.h"
#include "python/values/new_value.h"
#include "python/objects/value_call.h"
#include "python/objects/protocol.h"
#include <float.h>
#include <math.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <fenv.h>
#endif

// ---- the CPU's flags ----------------------------------------------------------------------------

#if defined(__x86_64__)
// Writing the register takes longer than a short loop; most often there is nothing to clear.
static void clear_flags(void) {
  const unsigned reported = _MM_EXCEPT_DIV_ZERO | _MM_EXCEPT_OVERFLOW | _MM_EXCEPT_UNDERFLOW |
                            _MM_EXCEPT_INVALID,
                 csr = _mm_getcsr();
  if (csr & reported) _mm_setcsr(csr & ~reported);
}

static unsigned raised_flags(void) {
  unsigned csr = _mm_getcsr();
  return (csr & _MM_EXCEPT_DIV_ZERO ? 1u << ND_ERROR_DIVIDE : 0) |
         (csr & _MM_EXCEPT_OVERFLOW ? 1u << ND_ERROR_OVER : 0) |
         (csr & _MM_EXCEPT_UNDERFLOW ? 1u << ND_ERROR_UNDER : 0) |
         (csr & _MM_EXCEPT_INVALID ? 1u << ND_ERROR_INVALID : 0);
}
#else
static void clear_flags(void) { feclearexcept(FE_ALL_EXCEPT); }

static unsigned raised_flags(void) {
  int flags = fetestexcept(FE_ALL_EXCEPT);
  return (flags & FE_DIVBYZERO ? 1u << ND_ERROR_DIVIDE : 0) |
         (flags & FE_OVERFLOW ? 1u << ND_ERROR_OVER : 0) |
         (flags & FE_UNDERFLOW ? 1u << ND_ERROR_UNDER : 0) |
         (flags & FE_INVALID ? 1u << ND_ERROR_INVALID : 0);
}
#endif

// ---- which operations ---------------------------------------------------------------------------

typedef enum Watch { WATCH_NOTHING, WATCH_FLAGS, WATCH_VALUES } Watch;

static Watch watch_of(Ufunc code) {
  switch (code) {
  case UFUNC_ADD:
  case UFUNC_SUB:
  case UFUNC_MUL:
  case UFUNC_DIV:
  case UFUNC_SQRT:
  case UFUNC_SQUARE:
  case UFUNC_RECIPROCAL: return WATCH_FLAGS;
  case UFUNC_EXP:
  case UFUNC_EXP2:
  case UFUNC_EXPM1:
  case UFUNC_LOG:
  case UFUNC_LOG2:
  case UFUNC_LOG10:
  case UFUNC_LOG1P:
  case UFUNC_SIN:
  case UFUNC_COS:
  case UFUNC_TAN:
  case UFUNC_ASIN:
  case UFUNC_ACOS:
  case UFUNC_SINH:
  case UFUNC_COSH:
  case UFUNC_ACOSH:
  case UFUNC_ATANH:
  case UFUNC_HYPOT:
  case UFUNC_REM:
  case UFUNC_MOD:
  case UFUNC_FLOORDIV:
  case UFUNC_POW: return WATCH_VALUES;
  default: return WATCH_NOTHING;
  }
}

bool nd_errors_by_value(Ufunc code) { return watch_of(code) == WATCH_VALUES; }

static bool is_division(Ufunc code) {
  return code == UFUNC_FLOORDIV || code == UFUNC_MOD || code == UFUNC_REM;
}

static bool is_real(DType dtype) { return dtype == DT_F16 || dtype == DT_F32 || dtype == DT_F64; }

bool nd_errors_watched(Eval *ev, Ufunc code, DType dtype) {
  if (!ev->numpy->reported_errors) return false;
  Watch watch = watch_of(code);
  if (dtype_is_integer(dtype)) return is_division(code);
  bool is_simple = watch == WATCH_FLAGS && code != UFUNC_SQRT,
       is_watched = is_real(dtype) || (is_simple && dtype_is_complex(dtype));
  if (watch == WATCH_NOTHING || !is_watched) return false;
  if (watch == WATCH_FLAGS) clear_flags();
  return true;
}

// ---- by value -----------------------------------------------------------------------------------

// Where finite operands give an infinity that is no overflow.
static bool is_pole(Ufunc code, double x, double y) {
  switch (code) {
  case UFUNC_LOG:
  case UFUNC_LOG2:
  case UFUNC_LOG10: return x == 0;
  case UFUNC_LOG1P: return x == -1;
  case UFUNC_ATANH: return x == 1 || x == -1;
  case UFUNC_POW: return x == 0;
  case UFUNC_FLOORDIV: return y == 0;
  default: return false;
  }
}

static unsigned error_of(Ufunc code, double out, double x, double y) {
  if (out != out) return x == x && y == y ? 1u << ND_ERROR_INVALID : 0;
  bool is_new = out - out != 0 && x - x == 0 && y - y == 0;
  if (!is_new) return 0;
  return is_pole(code, x, y) ? 1u << ND_ERROR_DIVIDE : 1u << ND_ERROR_OVER;
}

static unsigned compared(Eval *ev, Ufunc code, const NdArray *out, const NdArray *x,
                         const NdArray *y) {
  const NdArray *row = nd_contiguous(ev, out);
  if (nd_all_within(row->dtype, row->data, nd_count(row), DBL_MAX)) return 0;
  unsigned found = 0;
  for (int64_t i = 0, count = nd_count(out); i < count; i++) {
    double value = nd_get_f64(out, i);
    if (value - value != 0)
      found |= error_of(code, value, nd_get_f64(x, i), y ? nd_get_f64(y, i) : 0);
  }
  return found;
}

static bool has_integer(Eval *ev, const NdArray *y, int64_t value) {
  NdArray each;
  nd_header(&each, y); // what is spread over others is looked at once
  for (int d = 0; d < y->rank; d++)
    if (y->strides[d] == 0 && y->dims[d]) each.dims[d] = 1;
  NdArray *wanted = nd_new(ev, y->dtype, 0, NULL),
          *tests = nd_new_unset(ev, DT_BOOL, each.rank, each.dims);
  if (nd_count(tests) == 0) return false;
  dtype_store_i64(y->dtype, wanted->data, value);
  nd_walk(nd_binary_loop(UFUNC_EQ, y->dtype), 3,
          (const NdArray *const[]){tests, &each, nd_broadcast(ev, wanted, each.rank, each.dims)});
  return memchr(tests->data, 1, (size_t)nd_count(tests)) != NULL;
}

static unsigned errors_of_integers(Eval *ev, Ufunc code, const NdArray *x, const NdArray *y) {
  unsigned found = has_integer(ev, y, 0) ? 1u << ND_ERROR_DIVIDE : 0;
  if (code != UFUNC_FLOORDIV || !dtype_is_signed(y->dtype) || !has_integer(ev, y, -1)) return found;
  int64_t least = dtype_int_min(x->dtype);
  for (int64_t i = 0, count = nd_count(x); i < count; i++)
    if (nd_get_i64(x, i) == least && nd_get_i64(y, i) == -1) return found | 1u << ND_ERROR_OVER;
  return found;
}

// Which errors elements can be the results of.
static unsigned possible_errors(const NdArray *nd) {
  unsigned possible = 1u << ND_ERROR_UNDER;
  NdArray each;
  nd_header(&each, nd);
  bool is_pair = dtype_is_complex(nd->dtype);
  if (is_pair) each.dtype = dtype_of_parts(nd->dtype);
  for (int part = 0; part <= is_pair; part++, each.data += dtype_size(each.dtype))
    for (int64_t i = 0, count = nd_count(&each); i < count; i++) {
      double number = nd_get_f64(&each, i);
      if (isnan(number)) possible |= 1u << ND_ERROR_INVALID;
      if (!isfinite(number)) possible |= 1u << ND_ERROR_OVER | 1u << ND_ERROR_DIVIDE;
    }
  return possible;
}

static bool is_f16_finite(Eval *ev, const NdArray *nd) {
  const NdArray *row = nd_contiguous(ev, nd);
  const uint16_t *codes = (const uint16_t *)row->data;
  unsigned most = 0;
  for (int64_t i = 0, count = nd_count(row); i < count; i++) {
    unsigned magnitude = codes[i] & 0x7fff;
    most = magnitude > most ? magnitude : most;
  }
  return most < 0x7c00;
}

// ---- telling ------------------------------------------------------------------------------------

void nd_errors_found(Eval *ev, unsigned errors, bool scalar, const char *name) {
  errors &= ev->numpy->reported_errors;
  for (int i = 0; errors && i < ND_ERRORS; i++) {
    if (!(errors >> i & 1)) continue;
    Value args[] = {v_int(i), make_str_fmt(ev, "%s%s", scalar ? "scalar " : "", name)};
    value_call_n(ev, module_lookup(ev, "numpy._errors", "found"), 2, args);
  }
}

void nd_errors_report(Eval *ev, Ufunc code, bool scalar, const NdArray *out, const NdArray *x,
                      const NdArray *y) {
  unsigned errors;
  if (dtype_is_integer(x->dtype))
    errors = errors_of_integers(ev, code, x, y);
  else if (nd_errors_by_value(code))
    errors = compared(ev, code, out, x, y);
  else
    errors = raised_flags();
  if (errors && dtype_is_complex(out->dtype)) errors &= possible_errors(out);
  if (errors) nd_errors_found(ev, errors, scalar, ufunc_numpy_name(code));
}

bool nd_errors_possible(const Eval *ev, const NdArray *out) {
  bool is_float = out->dtype == DT_F32 || out->dtype == DT_F64;
  bool tells_underflow = ev->numpy->reported_errors >> ND_ERROR_UNDER & 1;
  return !is_float || tells_underflow || !isfinite(nd_get_f64(out, 0));
}

bool nd_errors_begin(Eval *ev, DType dtype) {
  bool is_watched = is_real(dtype) || dtype_is_complex(dtype);
  if (!ev->numpy->reported_errors || !is_watched) return false;
  clear_flags();
  return true;
}

void nd_errors_end(Eval *ev, const NdArray *out, const NdArray *x, const char *name) {
  unsigned errors = raised_flags() & ev->numpy->reported_errors;
  bool is_f16 = out->dtype == DT_F16; // which is rounded without the CPU's flags
  if (!errors && (!is_f16 || is_f16_finite(ev, out))) return;
  unsigned possible = possible_errors(out);
  if (is_f16 && possible >> ND_ERROR_OVER & 1 && !(possible_errors(x) >> ND_ERROR_OVER & 1))
    errors |= 1u << ND_ERROR_OVER;
  errors &= possible;
  if (errors) nd_errors_found(ev, errors, false, name);
}

enum { MOST_F16 = 65519 }; // what is less than a number more is rounded to the greatest

void nd_errors_of_narrowing(Eval *ev, const NdArray *wide, DType dtype, bool scalar,
                            const char *name) {
  if (dtype != DT_F16 || !(ev->numpy->reported_errors >> ND_ERROR_OVER & 1)) return;
  const NdArray *row = nd_contiguous(ev, wide);
  if (nd_all_within(row->dtype, row->data, nd_count(row), MOST_F16)) return;
  for (int64_t i = 0, count = nd_count(row); i < count; i++) {
    double number = fabs(nd_get_f64(row, i));
    if (!isfinite(number) || number < MOST_F16 + 1) continue;
    nd_errors_found(ev, 1u << ND_ERROR_OVER, scalar, name);
    return;
  }
}

void nd_errors_of_sign(Eval *ev, Ufunc code, const NdArray *x) {
  if (!x->is_scalar || !dtype_is_integer(x->dtype)) return;
  int64_t number = nd_get_i64(x, 0);
  bool is_beyond = !dtype_is_signed(x->dtype) ? code == UFUNC_NEG && number != 0
                                              : number == dtype_int_min(x->dtype);
  if (is_beyond) nd_errors_found(ev, 1u << ND_ERROR_OVER, true, ufunc_numpy_name(code));
}

// ---- casts --------------------------------------------------------------------------------------
// The greatest magnitude that a cast to a type takes without an error; 0: there is none to find.
// (The CPU converts to integers of 32 or 64 bits, and what is shorter is cut from those.)
static double most_of_cast(const Eval *ev, DType from, DType to) {
  if (!ev->numpy->reported_errors || !is_real(from)) return 0;
  if (from == DT_F16) return dtype_is_integer(to) ? 65504 : 0;
  if (to == DT_F16) return 65519.99; // what rounds to the greatest
  if (dtype_is_complex(to)) to = dtype_of_parts(to);
  if (from == DT_F64 && to == DT_F32) return 0x1.fffffefffffffp127;
  if (!dtype_is_integer(to)) return 0;
  bool is_short = dtype_bits(to) < 32 || to == DT_I32;
  return is_short ? 2147483647 : to == DT_U64 ? 0x1.fffffffffffffp63 : 0x1.fffffffffffffp62;
}

// Of a cast whose elements are not all within that: an integer that is none, or a finite number
// that became infinite.
static void report_cast(Eval *ev, const NdArray *x, DType dtype, double most) {
  if (dtype_is_integer(dtype)) {
    nd_errors_found(ev, 1u << ND_ERROR_INVALID, false, "cast");
    return;
  }
  for (int64_t i = 0, count = nd_count(x); i < count; i++) {
    double number = nd_get_f64(x, i);
    if (!isfinite(number) || fabs(number) <= most) continue;
    nd_errors_found(ev, 1u << ND_ERROR_OVER, false, "cast");
    return;
  }
}

static bool is_finite(Eval *ev, const NdArray *x) {
  int64_t count = nd_count(x), i = 0;
  if (x->dtype == DT_F32) {
    int64_t perm[ND_MAX_RANK];
    const NdArray *row = nd_contiguous(ev, nd_by_steps(ev, x, perm));
    return nd_all_within(DT_F32, row->data, count, FLT_MAX);
  }
  while (i < count && isfinite(nd_get_f64(x, i))) i++;
  return i == count;
}

void nd_errors_of_cast(Eval *ev, const NdArray *x, DType dtype) {
  bool is_pair = dtype_is_complex(x->dtype) && dtype != DT_BOOL;
  if (is_pair && dtype_is_complex(dtype))
    nd_errors_of_cast(ev, nd_parts(ev, x, true), dtype_of_parts(dtype));
  if (is_pair) {
    nd_errors_of_cast(ev, nd_parts(ev, x, false),
                      dtype_is_complex(dtype) ? dtype_of_parts(dtype) : dtype);
    return;
  }
  double most = most_of_cast(ev, x->dtype, dtype);
  if (most == 0) return;
  const NdArray *row = nd_contiguous(ev, x);
  bool fits = x->dtype == DT_F16 ? is_f16_finite(ev, row)
                                 : nd_all_within(row->dtype, row->data, nd_count(row), most);
  if (!fits) report_cast(ev, row, dtype, most);
}

NdArray *nd_cast_reported(Eval *ev, const NdArray *x, DType dtype) {
  enum { ROW = 2048 }; // what is still in the first cache when it is converted
  double most = most_of_cast(ev, x->dtype, dtype);
  if (most > 0 && dtype == DT_F32) { // what does not fit is infinite now
    NdArray *out = nd_in_order(ev, nd_view(ev, x), dtype, 'K', true);
    if (!is_finite(ev, out)) report_cast(ev, x, dtype, most);
    return out;
  }
  NdLoop *loop =
      most > 0 && x->dtype != DT_F16 && nd_is_contiguous(x) ? nd_cast_loop(x->dtype, dtype) : NULL;
  if (!loop) return NULL;
  NdArray *out = nd_new_unset(ev, dtype, x->rank, x->dims);
  const int64_t steps[] = {(int64_t)dtype_size(dtype), (int64_t)dtype_size(x->dtype)};
  bool fits = true;
  for (int64_t i = 0, n, count = nd_count(x); i < count; i += n) {
    n = count - i < ROW ? count - i : ROW;
    char *const at[] = {out->data + i * steps[0], x->data + i * steps[1]};
    fits = nd_all_within(x->dtype, at[1], n, most) && fits;
    loop(at, steps, n);
  }
  if (!fits) report_cast(ev, x, dtype, most);
  nd_moved(ev, out, x);
  return out;
}

void nd_errors_of_made(Eval *ev, const NdArray *made, Value from) {
  bool is_narrow = made->dtype == DT_F16 || made->dtype == DT_F32;
  if (!is_narrow || !(ev->numpy->reported_errors >> ND_ERROR_OVER & 1)) return;
  bool is_own = value_is_nd(ev, from);
  if (is_own && ((const NdArray *)from.o)->dtype == made->dtype) return;
  if (is_finite(ev, made)) return;
  const NdArray *wide =
      is_own ? (const NdArray *)from.o : nd_from_value(ev, from, DT_F64, "a cast");
  nd_errors_of_cast(ev, wide, made->dtype);
}
