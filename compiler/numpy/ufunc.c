// SPDX-License-Identifier: Apache-2.0
// Arithmetic on host arrays with NumPy 2's dtype rules: types of results, operands brought to them
// and to one shape, and the loop that computes the elements (loops/).
#include "ufunc.h"
#include "base/float_function.h"
#include "loops/loops.h"
#include "nd_index.h"
#include "nd_promote.h"
#include "nd_watch.h"
#include "nd_shape.h"
#include "python/objects/raise.h"
#include "python/objects/values.h"
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
  if (code == UFUNC_DIV || code == UFUNC_ATAN2 || code == UFUNC_NEXTAFTER)
    return is_float ? common : DT_F64;
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

// NumPy's integers have no fractions to give.
static void check_powers(Eval *ev, const NdArray *exponents) {
  if (dtype_kind(exponents->dtype) != 'i' || nd_count(exponents) == 0) return;
  const NdArray *least =
      nd_reduce(ev, UFUNC_REDUCE_MIN, exponents, (1u << exponents->rank) - 1, false, DT_COUNT);
  if (nd_get_i64(least, 0) < 0)
    eval_raise(ev, ev->types.ValueError, "Integers to negative integer powers are not allowed.");
}

static const NdArray *operand(Eval *ev, const NdArray *x, DType dtype, DType work, size_t rank,
                              const int64_t *dims) {
  return nd_broadcast(ev, nd_as(ev, nd_as(ev, x, dtype), work), rank, dims);
}

static NdArray *binary(Eval *ev, Ufunc code, Operand x, Operand y) {
  DType common = nd_promote(x.nd->dtype, x.python, y.nd->dtype, y.python);
  DType dtype = is_compare(code) ? common : result_dtype(ev, code, common);
  NdArray *both[] = {x.nd, y.nd};
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(2, both, &rank, dims))
    eval_raise(ev, ev->types.ValueError,
               "operands could not be broadcast together with shapes %.*s %.*s",
               STR_FMT(shape_text(ev->arena, x.nd->rank, x.nd->dims)),
               STR_FMT(shape_text(ev->arena, y.nd->rank, y.nd->dims)));
  DType work = nd_compute_dtype(dtype);
  if (code == UFUNC_POW && !dtype_is_float(dtype)) check_powers(ev, y.nd);
  NdLoop *loop = nd_binary_loop(code, work);
  if (!loop) BUG("no loop of %s on %s", ufunc_name(code), dtype_name(work));
  const NdArray *a = operand(ev, x.nd, dtype, work, rank, dims),
                *b = operand(ev, y.nd, dtype, work, rank, dims);
  NdArray *out = nd_new(ev, is_compare(code) ? DT_BOOL : work, rank, dims);
  nd_walk(loop, 3, (const NdArray *const[]){out, a, b});
  if (!is_compare(code) && work != dtype) out = nd_cast(ev, out, dtype);
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

static NdArray *are_finite(Eval *ev, const NdArray *x) {
  NdArray *out = nd_new(ev, DT_BOOL, x->rank, x->dims);
  if (dtype_is_float(x->dtype)) x = nd_as(ev, x, nd_compute_dtype(x->dtype));
  NdLoop *loop = nd_finite_loop(x->dtype);
  if (loop)
    nd_walk(loop, 2, (const NdArray *const[]){out, x});
  else
    memset(out->data, 1, (size_t)nd_count(out));
  return out;
}

// Functions that have no loop of their own: element by element, in double.
static void by_element(NdArray *out, Ufunc code, const NdArray *x) {
  for (int64_t i = 0, n = nd_count(x); i < n; i++)
    dtype_store_f64(out->dtype, (char *)nd_element(out, i),
                    float_function((FloatFunction)code, nd_get_f64(x, i)));
}

Value nd_unary(Eval *ev, Ufunc code, Value v) {
  const NdArray *x = nd_from_value(ev, v, DT_COUNT, "an operand");
  NdArray *out;
  if (code == UFUNC_IS_FINITE) {
    out = are_finite(ev, x);
  } else {
    bool integers = !dtype_is_float(x->dtype) && keeps_integers(code);
    DType dtype = integers ? x->dtype : nd_inexact(x->dtype), work = nd_compute_dtype(dtype);
    const NdArray *operand = nd_as(ev, nd_as(ev, x, dtype), work);
    NdLoop *loop = nd_unary_loop(code, work);
    out = nd_new(ev, work, x->rank, x->dims);
    if (loop)
      nd_walk(loop, 2, (const NdArray *const[]){out, operand});
    else
      by_element(out, code, operand);
    if (work != dtype) out = nd_cast(ev, out, dtype);
  }
  nd_moved(ev, out, x);
  return nd_value(ev, out);
}

Value nd_operator(Eval *ev, Ufunc code, Value left, Value right) {
  Operand x, y;
  if (!take_operand(ev, left, &x) || !take_operand(ev, right, &y)) return v_not_implemented();
  return nd_value(ev, binary(ev, code, x, y));
}
