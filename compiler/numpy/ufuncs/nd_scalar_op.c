// SPDX-License-Identifier: Apache-2.0
// Operators between single numbers, which programs use in their loops: no arrays are made, and no
// flags of the CPU are asked, for a result that is finite is no error that NumPy reports.
#include "numpy/arrays/nd.h"
#include "nd_scalar_op.h"
#include "nd_errors.h"
#include "numpy/numpy_state.h"
#include <math.h>
#include <string.h>

typedef struct Single {
  DType dtype; // F32, F64 or I64
  bool is_python;
  double number;
  int64_t integer;
} Single;

static bool take_single(const Eval *ev, Value v, Single *out) {
  if (v.kind == V_FLOAT) {
    *out = (Single){DT_F64, true, v.f, 0};
    return true;
  }
  if (v.kind == V_INT) {
    *out = (Single){DT_I64, true, (double)v.i, v.i};
    return true;
  }
  if (v.kind != V_OBJECT) return false;
  const NdArray *nd = (const NdArray *)v.o;
  const Type *const *scalars = (const Type *const *)ev->numpy->nd_scalars;
  if (v.o->type == scalars[DT_F64]) {
    *out = (Single){.dtype = DT_F64};
    memcpy(&out->number, nd->data, sizeof out->number);
  } else if (v.o->type == scalars[DT_F32]) {
    float x;
    memcpy(&x, nd->data, sizeof x);
    *out = (Single){.dtype = DT_F32, .number = (double)x};
  } else if (v.o->type == scalars[DT_I64]) {
    *out = (Single){.dtype = DT_I64};
    memcpy(&out->integer, nd->data, sizeof out->integer);
    out->number = (double)out->integer;
  } else {
    return false;
  }
  return true;
}

// NumPy 2's promotion of the three; a number of Python decides the kind alone. False: none of them.
static bool common_type(const Single *x, const Single *y, DType *out) {
  if (x->is_python && y->is_python) return false;
  DType a = x->dtype, b = y->dtype;
  if (a == b && a != DT_F64)
    *out = a;
  else if (a == DT_F32 || b == DT_F32) {
    const Single *other = a == DT_F32 ? y : x;
    if (!other->is_python && other->dtype == DT_I64) return false; // float64, by way of both
    *out = other->is_python ? DT_F32 : DT_F64;
  } else {
    *out = DT_F64;
  }
  return true;
}

#define COMPARED(code, x, y, result)                                                               \
  switch (code) {                                                                                  \
  case UFUNC_EQ: result = (x) == (y); break;                                                       \
  case UFUNC_NE: result = (x) != (y); break;                                                       \
  case UFUNC_LT: result = (x) < (y); break;                                                        \
  case UFUNC_LE: result = (x) <= (y); break;                                                       \
  case UFUNC_GT: result = (x) > (y); break;                                                        \
  case UFUNC_GE: result = (x) >= (y); break;                                                       \
  default: break;                                                                                  \
  }

static Value truth(Eval *ev, bool x) { return v_object(nd_scalar(ev, DT_BOOL, &x)); }

// What is not finite takes the way of arrays, which reports errors.
#define FLOATS(name, T, dtype)                                                                     \
  static Value name(Eval *ev, Ufunc code, T x, T y) {                                              \
    T result;                                                                                      \
    switch (code) {                                                                                \
    case UFUNC_ADD: result = x + y; break;                                                         \
    case UFUNC_SUB: result = x - y; break;                                                         \
    case UFUNC_MUL: result = x * y; break;                                                         \
    case UFUNC_DIV: result = x / y; break;                                                         \
    default: return v_unbound();                                                                   \
    }                                                                                              \
    return isfinite(result) ? v_object(nd_scalar(ev, dtype, &result)) : v_unbound();               \
  }
FLOATS(of_f64, double, DT_F64)
FLOATS(of_f32, float, DT_F32)

static Value of_i64(Eval *ev, Ufunc code, int64_t x, int64_t y) {
  int64_t result;
  bool is_division = code == UFUNC_FLOORDIV || code == UFUNC_MOD, is_beyond = false;
  if (is_division && (y == 0 || y == -1)) return v_unbound();
  switch (code) {
  case UFUNC_ADD: is_beyond = __builtin_add_overflow(x, y, &result); break;
  case UFUNC_SUB: is_beyond = __builtin_sub_overflow(x, y, &result); break;
  case UFUNC_MUL: is_beyond = __builtin_mul_overflow(x, y, &result); break;
  case UFUNC_FLOORDIV: result = x / y - (x % y != 0 && (x < 0) != (y < 0)); break;
  case UFUNC_MOD: result = x % y + (x % y != 0 && (x < 0) != (y < 0) ? y : 0); break;
  case UFUNC_AND: result = x & y; break;
  case UFUNC_OR: result = x | y; break;
  case UFUNC_XOR: result = x ^ y; break;
  case UFUNC_DIV: return of_f64(ev, code, (double)x, (double)y);
  default: return v_unbound();
  }
  return is_beyond ? v_unbound() : v_object(nd_scalar(ev, DT_I64, &result));
}

Value nd_scalar_operator(Eval *ev, Ufunc code, Value left, Value right) {
  const NumpyState *state = ev->numpy;
  Single x, y;
  DType dtype;
  bool is_watched =
      state->hooks.moved || state->hooks.looked_at || state->reported_errors >> ND_ERROR_UNDER & 1;
  if (is_watched || !take_single(ev, left, &x) || !take_single(ev, right, &y) ||
      !common_type(&x, &y, &dtype))
    return v_unbound();
  bool is_compare = code == UFUNC_EQ || code == UFUNC_NE || code == UFUNC_LT || code == UFUNC_LE ||
                    code == UFUNC_GT || code == UFUNC_GE,
       result = false;
  if (dtype == DT_I64) {
    if (!is_compare) return of_i64(ev, code, x.integer, y.integer);
    COMPARED(code, x.integer, y.integer, result)
  } else if (dtype == DT_F64) {
    if (!is_compare) return of_f64(ev, code, x.number, y.number);
    COMPARED(code, x.number, y.number, result)
  } else {
    float a = (float)x.number,
          b = (float)y.number; // of integers, too: rounded twice, as NumPy does
    bool fits = isfinite(a) == isfinite(x.number) && isfinite(b) == isfinite(y.number);
    if (!fits) return v_unbound();
    if (!is_compare) return of_f32(ev, code, a, b);
    COMPARED(code, a, b, result)
  }
  return truth(ev, result);
}
