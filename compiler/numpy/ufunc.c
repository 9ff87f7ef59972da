// SPDX-License-Identifier: Apache-2.0
// Arithmetic on host arrays with NumPy 2's dtype rules. Floats are computed in double and rounded
// to the result's type (which for + - * / and sqrt is the correctly rounded result), integers in 64
// bits and wrapped.
#include "ufunc.h"
#include "base/float_function.h"
#include "nd_index.h"
#include "nd_promote.h"
#include "nd_watch.h"
#include "nd_shape.h"
#include "python/objects/raise.h"
#include "python/objects/values.h"
#include <math.h>
#include <string.h>

// ---- the table ----------------------------------------------------------------------------------

typedef enum UfuncKind { UNARY, BINARY, COMPARE, REDUCE } UfuncKind;

static const struct {
  const char *name;
  UfuncKind kind;
} ufuncs[UFUNC_COUNT] = {
#define FLOAT_FUNCTION(id, name, value) [UFUNC_##id] = {name, UNARY},
#include "base/float_function.def"
#undef FLOAT_FUNCTION
#define UFUNC(id, name, class) [UFUNC_##id] = {name, class},
#include "ufunc.def"
#undef UFUNC
};
_Static_assert((int)UFUNC_RECIPROCAL == (int)FLOAT_RECIPROCAL, "float functions come first");

static const char *ufunc_name(Ufunc code) { return ufuncs[code].name; }

bool ufunc_from_name(Str name, Ufunc *out) {
  for (size_t i = 0; i < UFUNC_COUNT; i++) {
    if (!str_equal(name, str_from_c(ufuncs[i].name))) continue;
    *out = (Ufunc)i;
    return true;
  }
  return false;
}

// ---- one element --------------------------------------------------------------------------------

static double float_unary(Ufunc code, double x) {
  if (code == UFUNC_SIGN) return isnan(x) ? x : (x > 0) - (x < 0); // 0 of -0.0, not as JAX
  return float_function((FloatFunction)code, x);
}

static double float_mod(double x, double y) {
  double r = fmod(x, y);
  if (r == 0) return copysign(0, y);
  return (r < 0) != (y < 0) ? r + y : r;
}

static double float_binary(Ufunc code, double x, double y) {
  switch (code) {
  case UFUNC_ADD: return x + y;
  case UFUNC_SUB: return x - y;
  case UFUNC_MUL: return x * y;
  case UFUNC_DIV: return x / y;
  case UFUNC_REM: return fmod(x, y);
  case UFUNC_FLOORDIV: return y == 0 ? x / y : floor((x - float_mod(x, y)) / y + 0.5);
  case UFUNC_MOD: return float_mod(x, y);
  case UFUNC_MAX: return isnan(x) ? x : isnan(y) ? y : x > y ? x : y;
  case UFUNC_MIN: return isnan(x) ? x : isnan(y) ? y : x < y ? x : y;
  case UFUNC_POW: return pow(x, y);
  case UFUNC_ATAN2: return atan2(x, y);
  case UFUNC_NEXTAFTER: return nextafter(x, y);
  default: BUG("no such binary op on host floats: %s", ufunc_name(code));
  }
}

static uint64_t integer_power(uint64_t x, int64_t n) {
  uint64_t r = 1;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) r *= x;
  return r;
}

static int64_t integer_divide(bool is_unsigned, int64_t x, int64_t y, bool floor_it,
                              int64_t *rest) {
  *rest = 0;
  if (y == 0) return 0;
  if (is_unsigned) {
    *rest = (int64_t)((uint64_t)x % (uint64_t)y);
    return (int64_t)((uint64_t)x / (uint64_t)y);
  }
  if (y == -1) return (int64_t)(0 - (uint64_t)x);
  int64_t q = x / y, r = x % y;
  if (floor_it && r != 0 && (r < 0) != (y < 0)) q--, r += y;
  *rest = r;
  return q;
}

static int64_t integer_binary(Ufunc code, bool is_unsigned, int64_t x, int64_t y, unsigned bits) {
  uint64_t a = (uint64_t)x, b = (uint64_t)y;
  int64_t rest;
  bool less = is_unsigned ? a < b : x < y;
  switch (code) {
  case UFUNC_ADD: return (int64_t)(a + b);
  case UFUNC_SUB: return (int64_t)(a - b);
  case UFUNC_MUL: return (int64_t)(a * b);
  case UFUNC_DIV: return integer_divide(is_unsigned, x, y, false, &rest);
  case UFUNC_FLOORDIV: return integer_divide(is_unsigned, x, y, true, &rest);
  case UFUNC_REM: integer_divide(is_unsigned, x, y, false, &rest); return rest;
  case UFUNC_MOD: integer_divide(is_unsigned, x, y, true, &rest); return rest;
  case UFUNC_MAX: return less ? y : x;
  case UFUNC_MIN: return less ? x : y;
  case UFUNC_POW: return (int64_t)integer_power(a, y);
  case UFUNC_AND: return (int64_t)(a & b);
  case UFUNC_OR: return (int64_t)(a | b);
  case UFUNC_XOR: return (int64_t)(a ^ b);
  case UFUNC_SHL: return b >= bits ? 0 : (int64_t)(a << b);
  case UFUNC_SHR:
    return b >= bits ? (is_unsigned || x >= 0 ? 0 : -1) : is_unsigned ? (int64_t)(a >> b) : x >> b;
  default: BUG("no such binary op on host integers: %s", ufunc_name(code));
  }
}

static bool compare_order(Ufunc code, int order) { // -1, 0, 1; 2: unordered
  switch (code) {
  case UFUNC_EQ: return order == 0;
  case UFUNC_NE: return order != 0;
  case UFUNC_LT: return order == -1;
  case UFUNC_LE: return order == -1 || order == 0;
  case UFUNC_GT: return order == 1;
  default: return order == 1 || order == 0;
  }
}

// ---- arrays -------------------------------------------------------------------------------------

typedef struct Operand {
  NdArray *nd;
  bool python; // made from a Python scalar
} Operand;

// False: not something NumPy would take (a jax.Array, a string …).
static bool take_operand(Eval *ev, Value v, Operand *out) {
  Value scalar = value_unwrap(v);
  if (scalar.kind >= V_BOOL && scalar.kind <= V_FLOAT) {
    *out = (Operand){nd_from_value(ev, scalar, DT_COUNT, "an operand"), true};
    return true;
  }
  if (!value_is_nd(ev, v) && !value_as_list(v) && !value_as_tuple(v)) return false;
  *out = (Operand){nd_from_value(ev, v, DT_COUNT, "an operand"), false};
  return true;
}

bool nd_is_operand(Eval *ev, Value v) {
  Operand o;
  return take_operand(ev, v, &o);
}

static Operand need_operand(Eval *ev, Value v) {
  Operand o;
  if (take_operand(ev, v, &o)) return o;
  return (Operand){nd_from_value(ev, v, DT_COUNT, "an operand"), false};
}

static bool is_compare(Ufunc code) { return ufuncs[code].kind == COMPARE; }

static DType result_dtype(Eval *ev, Ufunc code, DType common) {
  bool is_float = dtype_is_float(common);
  bool bitwise = code == UFUNC_AND || code == UFUNC_OR || code == UFUNC_XOR || code == UFUNC_SHL ||
                 code == UFUNC_SHR;
  if (bitwise && is_float)
    eval_raise(ev, ev->types.TypeError, "ufunc '%s' not supported for the input types",
               ufunc_name(code));
  if (code == UFUNC_DIV || code == UFUNC_ATAN2) return is_float ? common : DT_F64;
  if (common == DT_BOOL && (code == UFUNC_SUB))
    eval_raise(ev, ev->types.TypeError,
               "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, "
               "the `^` operator, or the logical_xor function instead.");
  if (common == DT_BOOL && !bitwise && code != UFUNC_ADD && code != UFUNC_MUL &&
      code != UFUNC_MAX && code != UFUNC_MIN)
    return DT_I8;
  return common;
}

// Either operand's elements that were never written make the result's so. Masks are beyond this:
// `&` and `|` leave out what one side of them decides.
static void moved_by(Eval *ev, Ufunc code, const NdArray *out, const NdArray *x, const NdArray *y) {
  if (code != UFUNC_AND && code != UFUNC_OR)
    nd_moved(ev, out, nd_is_partly_unwritten(ev, x) ? x : y);
}

static NdArray *binary(Eval *ev, Ufunc code, Operand x, Operand y) {
  DType common = nd_promote(x.nd->dtype, x.python, y.nd->dtype, y.python);
  DType compute = is_compare(code) ? common : result_dtype(ev, code, common);
  NdArray *both[] = {x.nd, y.nd};
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(2, both, &rank, dims))
    eval_raise(ev, ev->types.ValueError,
               "operands could not be broadcast together with shapes %.*s %.*s",
               STR_FMT(shape_text(ev->arena, x.nd->rank, x.nd->dims)),
               STR_FMT(shape_text(ev->arena, y.nd->rank, y.nd->dims)));
  NdArray *a = nd_broadcast(ev, nd_cast(ev, x.nd, compute), rank, dims),
          *b = nd_broadcast(ev, nd_cast(ev, y.nd, compute), rank, dims);
  NdArray *out = nd_new(ev, is_compare(code) ? DT_BOOL : compute, rank, dims);
  size_t size = dtype_size(out->dtype);
  int64_t count = nd_count(out);
  bool is_float = dtype_is_float(compute), is_unsigned = dtype_kind(compute) != 'i';
  for (int64_t i = 0; i < count; i++) {
    char *target = out->data + (size_t)i * size;
    if (is_float) {
      double p = nd_get_f64(a, i), q = nd_get_f64(b, i);
      int order = p < q ? -1 : p > q ? 1 : p == q ? 0 : 2;
      if (is_compare(code))
        *target = compare_order(code, order);
      else
        dtype_store_f64(compute, target, float_binary(code, p, q));
    } else {
      int64_t p = nd_get_i64(a, i), q = nd_get_i64(b, i);
      bool less = is_unsigned ? (uint64_t)p < (uint64_t)q : p < q;
      if (is_compare(code))
        *target = compare_order(code, p == q ? 0 : less ? -1 : 1);
      else if (compute == DT_BOOL && code == UFUNC_ADD)
        *target = (p | q) != 0;
      else
        dtype_store_i64(compute, target,
                        integer_binary(code, is_unsigned, p, q, dtype_bits(compute)));
    }
  }
  moved_by(ev, code, out, a, b);
  return out;
}

Value nd_binary(Eval *ev, Ufunc code, Value x, Value y) {
  return nd_value(ev, binary(ev, code, need_operand(ev, x), need_operand(ev, y)));
}

static bool keeps_integers(Ufunc code) {
  return code == UFUNC_NEG || code == UFUNC_ABS || code == UFUNC_SIGN || code == UFUNC_FLOOR ||
         code == UFUNC_CEIL || code == UFUNC_TRUNC || code == UFUNC_ROUND_EVEN || code == UFUNC_NOT;
}

Value nd_unary(Eval *ev, Ufunc code, Value v) {
  NdArray *x = nd_from_value(ev, v, DT_COUNT, "an operand");
  if (code == UFUNC_IS_FINITE) {
    NdArray *out = nd_new(ev, DT_BOOL, x->rank, x->dims);
    for (int64_t i = 0, n = nd_count(x); i < n; i++)
      out->data[i] = !dtype_is_float(x->dtype) || isfinite(nd_get_f64(x, i));
    nd_moved(ev, out, x);
    return nd_value(ev, out);
  }
  bool integers = !dtype_is_float(x->dtype) && keeps_integers(code);
  DType dtype = integers ? x->dtype : nd_inexact(x->dtype);
  NdArray *out = nd_new(ev, dtype, x->rank, x->dims);
  size_t size = dtype_size(dtype);
  for (int64_t i = 0, n = nd_count(x); i < n; i++) {
    char *target = out->data + (size_t)i * size;
    if (!integers) {
      dtype_store_f64(dtype, target, float_unary(code, nd_get_f64(x, i)));
      continue;
    }
    int64_t p = nd_get_i64(x, i);
    if (code == UFUNC_NEG) p = (int64_t)(0 - (uint64_t)p);
    if (code == UFUNC_ABS && dtype_kind(dtype) == 'i' && p < 0) p = (int64_t)(0 - (uint64_t)p);
    if (code == UFUNC_SIGN) p = (p > 0) - (p < 0);
    if (code == UFUNC_NOT) p = dtype == DT_BOOL ? !p : ~p;
    dtype_store_i64(dtype, target, p);
  }
  nd_moved(ev, out, x);
  return nd_value(ev, out);
}

Value nd_operator(Eval *ev, Ufunc code, Value left, Value right) {
  Operand x, y;
  if (!take_operand(ev, left, &x) || !take_operand(ev, right, &y)) return v_not_implemented();
  return nd_value(ev, binary(ev, code, x, y));
}
