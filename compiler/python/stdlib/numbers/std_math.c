// SPDX-License-Identifier: Apache-2.0
// The module math.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_float.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static NORETURN void domain_error(Eval *ev) {
  eval_raise(ev, ev->types.ValueError, "math domain error");
}

static NORETURN void range_error(Eval *ev) {
  eval_raise(ev, ev->types.OverflowError, "math range error");
}

// ---- functions of one double --------------------------------------------------------------------
// A NaN that was none before means outside the domain; an infinity out of something finite an
// overflow, or a pole.
static Value checked(Eval *ev, double x, double result, bool may_overflow) {
  if (isnan(result) && !isnan(x)) domain_error(ev);
  if (isinf(result) && isfinite(x)) {
    if (may_overflow) range_error(ev);
    domain_error(ev);
  }
  return v_float(result);
}

#define ONE(name, function, may_overflow)                                                          \
  static Value m_##name(Eval *ev, Value *a) {                                                      \
    double x = take_real(ev, a[0]);                                                                \
    return checked(ev, x, function(x), may_overflow);                                              \
  }
ONE(acos, acos, false)
ONE(acosh, acosh, false)
ONE(asin, asin, false)
ONE(asinh, asinh, false)
ONE(atan, atan, false)
ONE(atanh, atanh, false)
ONE(cbrt, cbrt, false)
ONE(cos, cos, false)
ONE(cosh, cosh, true)
ONE(erf, erf, false)
ONE(erfc, erfc, false)
ONE(exp, exp, true)
ONE(exp2, exp2, true)
ONE(expm1, expm1, true)
ONE(fabs, fabs, false)
ONE(log1p, log1p, false)
ONE(sin, sin, false)
ONE(sinh, sinh, true)
ONE(sqrt, sqrt, false)
ONE(tan, tan, false)
ONE(tanh, tanh, false)

static Value m_gamma(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]);
  if (x == floor(x)) {
    if (x <= 0 && isfinite(x)) domain_error(ev);
    double product = 1; // exact up to 22!
    if (x > 0 && x <= 23) {
      for (double i = 2; i < x; i++) product *= i;
      return v_float(product);
    }
  }
  if (isinf(x) && x < 0) domain_error(ev);
  return checked(ev, x, tgamma(x), true);
}

static Value m_lgamma(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]);
  if (isinf(x)) return v_float((double)INFINITY);
  if (x <= 0 && x == floor(x)) domain_error(ev);
  if (x == 1 || x == 2) return v_float(0);
  int sign;
  return checked(ev, x, lgamma_r(x, &sign), true);
}

static Value m_degrees(Eval *ev, Value *a) { return v_float(take_real(ev, a[0]) * (180.0 / M_PI)); }

static Value m_radians(Eval *ev, Value *a) { return v_float(take_real(ev, a[0]) * (M_PI / 180.0)); }

static Value m_isfinite(Eval *ev, Value *a) { return v_bool(isfinite(take_real(ev, a[0]))); }

static Value m_isinf(Eval *ev, Value *a) { return v_bool(isinf(take_real(ev, a[0]))); }

static Value m_isnan(Eval *ev, Value *a) { return v_bool(isnan(take_real(ev, a[0]))); }

static Value m_ulp(Eval *ev, Value *a) {
  double x = fabs(take_real(ev, a[0]));
  if (!isfinite(x)) return v_float(x);
  double next = nextafter(x, (double)INFINITY);
  return v_float(isinf(next) ? x - nextafter(x, 0) : next - x);
}

static Value m_frexp(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]);
  int exponent = 0;
  double mantissa = isfinite(x) ? frexp(x, &exponent) : x;
  return make_tuple(ev, 2, (Value[]){v_float(mantissa), v_int(exponent)});
}

static Value m_modf(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]), whole, rest;
  if (isinf(x)) {
    rest = copysign(0.0, x);
    whole = x;
  } else {
    rest = modf(x, &whole);
  }
  return make_tuple(ev, 2, (Value[]){v_float(rest), v_float(whole)});
}

// ---- logarithms: of ints of any size ------------------------------------------------------------
static double log_of(Eval *ev, Value v, double (*function)(double)) {
  double x;
  Value plain = value_unwrap(v);
  if (plain.kind == V_OBJECT && value_is_big(plain)) {
    if (big_sign(plain) < 0) domain_error(ev);
    if (!big_as_double(plain, &x)) { // 2^shift * y
      int64_t shift = big_bit_length(plain) - 60;
      big_as_double(big_binary(ev, BIN_SHR, plain, v_int(shift)), &x);
      return function(x) + function(2.0) * (double)shift;
    }
  } else {
    x = take_real(ev, v);
  }
  if (x <= 0) domain_error(ev);
  return function(x);
}

static Value m_log(Eval *ev, Value *a) {
  double x = log_of(ev, a[0], log);
  if (v_is_unbound(a[1])) return v_float(x);
  double base = log_of(ev, a[1], log);
  if (base == 0) eval_raise(ev, ev->types.ZeroDivisionError, "float division by zero");
  return v_float(x / base);
}

static Value m_log2(Eval *ev, Value *a) { return v_float(log_of(ev, a[0], log2)); }

static Value m_log10(Eval *ev, Value *a) { return v_float(log_of(ev, a[0], log10)); }

// ---- two doubles --------------------------------------------------------------------------------
static Value m_atan2(Eval *ev, Value *a) {
  double y = take_real(ev, a[0]);
  return v_float(atan2(y, take_real(ev, a[1])));
}

static Value m_copysign(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]);
  return v_float(copysign(x, take_real(ev, a[1])));
}

static Value m_nextafter(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]);
  return v_float(nextafter(x, take_real(ev, a[1])));
}

static Value m_fmod(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]), y = take_real(ev, a[1]), result = fmod(x, y);
  if (isnan(result) && !isnan(x) && !isnan(y)) domain_error(ev);
  return v_float(result);
}

static Value m_remainder(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]), y = take_real(ev, a[1]), result = remainder(x, y);
  if (isnan(result) && !isnan(x) && !isnan(y)) domain_error(ev);
  return v_float(result);
}

static Value m_pow(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]), y = take_real(ev, a[1]), result = pow(x, y);
  if (isnan(result) && !isnan(x) && !isnan(y)) domain_error(ev);
  if (isinf(result) && isfinite(x) && isfinite(y)) {
    if (x == 0) domain_error(ev);
    range_error(ev);
  }
  return v_float(result);
}

static Value m_ldexp(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]);
  Value exponent = take_index_opt(ev, a[1]);
  if (v_is_unbound(exponent))
    eval_raise(ev, ev->types.TypeError, "Expected an int as second argument to ldexp.");
  if (x == 0 || !isfinite(x)) return v_float(x);
  int64_t e = take_index_clamped(ev, exponent);
  double result = ldexp(x, e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e);
  if (isinf(result)) range_error(ev);
  return v_float(result);
}

static Value m_isclose(Eval *ev, Value *a) {
  double x = take_real(ev, a[0]), y = take_real(ev, a[1]);
  double relative = take_real(ev, a[2]), absolute = take_real(ev, a[3]);
  if (relative < 0 || absolute < 0)
    eval_raise(ev, ev->types.ValueError, "tolerances must be non-negative");
  if (x == y) return v_bool(true);
  if (isinf(x) || isinf(y)) return v_bool(false);
  double difference = fabs(x - y);
  return v_bool(difference <= fabs(relative * y) || difference <= fabs(relative * x) ||
                difference <= absolute);
}

// ---- sums and norms -----------------------------------------------------------------------------
// The exact sum as doubles that do not overlap, least first; `partials` has room for one more.
static size_t add_partial(double *partials, size_t count, double x) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    double y = partials[i];
    if (fabs(x) < fabs(y)) {
      double swap = x;
      x = y;
      y = swap;
    }
    double high = x + y, low = y - (high - x);
    if (low != 0) partials[kept++] = low;
    x = high;
  }
  partials[kept++] = x;
  return kept;
}

// Their sum, rounded once.
static double sum_partials(const double *partials, size_t count) {
  if (count == 0) return 0;
  double high = partials[--count], low = 0;
  while (count > 0) {
    double x = high, y = partials[--count];
    high = x + y;
    low = y - (high - x);
    if (low != 0) break;
  }
  // Half-way cases: what is below decides.
  if (count > 0 && ((low < 0 && partials[count - 1] < 0) || (low > 0 && partials[count - 1] > 0))) {
    double y = low * 2, x = high + y;
    if (y == x - high) high = x;
  }
  return high;
}

static Value m_fsum(Eval *ev, Value *a) {
  const Tuple *items = value_to_tuple(ev, a[0]);
  double *partials = ARENA_ARRAY(ev->arena, double, items->count + 1);
  size_t count = 0;
  double special = 0;
  bool has_special = false, has_inf = false;
  for (size_t i = 0; i < items->count; i++) {
    double x = take_real(ev, items->items[i]);
    if (!isfinite(x)) {
      has_special = true;
      has_inf |= isinf(x);
      special += x;
      continue;
    }
    count = add_partial(partials, count, x);
    if (isinf(partials[count - 1]))
      eval_raise(ev, ev->types.OverflowError, "intermediate overflow in fsum");
  }
  if (!has_special) return v_float(sum_partials(partials, count));
  if (isnan(special) && has_inf) {
    bool has_nan = false;
    for (size_t i = 0; i < items->count; i++) has_nan |= isnan(take_real(ev, items->items[i]));
    if (!has_nan) eval_raise(ev, ev->types.ValueError, "-inf + inf in fsum");
  }
  return v_float(special);
}

// The square root of the sum of squares, in extended precision.
static double norm(const double *items, size_t count) {
  double most = 0;
  bool has_nan = false;
  for (size_t i = 0; i < count; i++) {
    double x = fabs(items[i]);
    has_nan |= isnan(x);
    if (x > most) most = x;
  }
  if (isinf(most)) return most;
  if (has_nan) return (double)NAN;
  if (most == 0) return 0;
  int exponent;
  frexp(most, &exponent);
  long double sum = 0;
  for (size_t i = 0; i < count; i++) {
    long double x = ldexpl((long double)items[i], -exponent);
    sum += x * x;
  }
  return (double)ldexpl(sqrtl(sum), exponent);
}

enum { FEW_NUMBERS = 8 };

static Value m_hypot(Eval *ev, Value *a) {
  const Tuple *items = value_as_tuple(a[0]);
  double few[FEW_NUMBERS], *values = few;
  if (items->count > FEW_NUMBERS) values = ARENA_ARRAY(ev->arena, double, items->count);
  for (size_t i = 0; i < items->count; i++) values[i] = take_real(ev, items->items[i]);
  return v_float(norm(values, items->count));
}

static Value m_dist(Eval *ev, Value *a) {
  const Tuple *p = value_to_tuple(ev, a[0]), *q = value_to_tuple(ev, a[1]);
  if (p->count != q->count)
    eval_raise(ev, ev->types.ValueError, "both points must have the same number of dimensions");
  double few[FEW_NUMBERS], *values = few;
  if (p->count > FEW_NUMBERS) values = ARENA_ARRAY(ev->arena, double, p->count);
  for (size_t i = 0; i < p->count; i++)
    values[i] = take_real(ev, p->items[i]) - take_real(ev, q->items[i]);
  return v_float(norm(values, p->count));
}

static Value m_prod(Eval *ev, Value *a) {
  Value product = a[1], item, iterator = value_iter(ev, a[0]);
  for (; value_next(ev, iterator, &item); eval_step(ev))
    product = value_binary(ev, BIN_MUL, product, item);
  return product;
}

// ---- integers -----------------------------------------------------------------------------------
static Value to_integer(Eval *ev, Value v, double (*function)(double), Name method) {
  Value plain = value_unwrap(v);
  if (plain.kind == V_FLOAT) return int_from_double(ev, function(plain.f));
  if (int_operand(&plain)) return plain.kind == V_BOOL ? v_int(plain.i) : plain;
  Value result = special_call(ev, v, method, 0, NULL);
  if (!v_is_unbound(result)) return result;
  if (function == trunc) {
    eval_raise(ev, ev->types.TypeError, "type %s doesn't define __trunc__ method",
               value_type_name(ev, v));
  }
  return int_from_double(ev, function(take_real(ev, v)));
}

static Value m_ceil(Eval *ev, Value *a) {
  return to_integer(ev, a[0], ceil, ev->builtin->names.dunder_ceil);
}

static Value m_floor(Eval *ev, Value *a) {
  return to_integer(ev, a[0], floor, ev->builtin->names.dunder_floor);
}

static Value m_trunc(Eval *ev, Value *a) {
  return to_integer(ev, a[0], trunc, ev->builtin->names.dunder_trunc);
}

static Value absolute(Eval *ev, Value v) { return big_sign(v) < 0 ? big_negate(ev, v) : v; }

static Value m_gcd(Eval *ev, Value *a) {
  const Tuple *items = value_as_tuple(a[0]);
  Value result = v_int(0);
  for (size_t i = 0; i < items->count; i++)
    result = big_gcd(ev, result, take_index(ev, items->items[i]));
  return result;
}

static Value m_lcm(Eval *ev, Value *a) {
  const Tuple *items = value_as_tuple(a[0]);
  Value result = v_int(1);
  for (size_t i = 0; i < items->count; i++) {
    Value item = absolute(ev, take_index(ev, items->items[i]));
    if (big_sign(item) == 0) {
      result = item;
      continue;
    }
    Value common = big_gcd(ev, result, item);
    if (big_sign(common) == 0) continue;
    result = int_multiply(ev, big_binary(ev, BIN_FLOOR_DIV, result, common), item);
  }
  return result;
}

static Value m_factorial(Eval *ev, Value *a) {
  Value n = take_index(ev, a[0]);
  uint64_t count;
  if (big_sign(n) < 0)
    eval_raise(ev, ev->types.ValueError, "factorial() not defined for negative values");
  if (!big_as_u64(n, &count) || count > INT64_MAX) {
    eval_raise(ev, ev->types.OverflowError, "factorial() argument should not exceed %lld",
               (long long)INT64_MAX);
  }
  return big_factorial(ev, count);
}

static Value m_isqrt(Eval *ev, Value *a) {
  Value n = take_index(ev, a[0]);
  if (big_sign(n) < 0) eval_raise(ev, ev->types.ValueError, "isqrt() argument must be nonnegative");
  return big_sqrt(ev, n);
}

static void check_counts(Eval *ev, Value n, Value k) {
  if (big_sign(n) < 0) eval_raise(ev, ev->types.ValueError, "n must be a non-negative integer");
  if (big_sign(k) < 0) eval_raise(ev, ev->types.ValueError, "k must be a non-negative integer");
}

static Value m_comb(Eval *ev, Value *a) {
  Value n = take_index(ev, a[0]), k = take_index(ev, a[1]);
  check_counts(ev, n, k);
  if (big_compare(k, n) > 0) return v_int(0);
  if (n.kind != V_OBJECT) {
    int64_t most = n.i - k.i;
    return big_binomial(ev, n, (uint64_t)(most < k.i ? most : k.i));
  }
  Value rest = big_binary(ev, BIN_SUB, n, k);
  if (big_compare(rest, k) < 0) k = rest;
  uint64_t count;
  if (!big_as_u64(k, &count)) {
    eval_raise(ev, ev->types.OverflowError, "min(n - k, k) must not exceed %lld",
               (long long)INT64_MAX);
  }
  return big_binomial(ev, n, count);
}

static Value m_perm(Eval *ev, Value *a) {
  if (v_is_none(a[1])) return m_factorial(ev, a);
  Value n = take_index(ev, a[0]), k = take_index(ev, a[1]);
  check_counts(ev, n, k);
  if (big_compare(k, n) > 0) return v_int(0);
  uint64_t count;
  if (!big_as_u64(k, &count))
    eval_raise(ev, ev->types.OverflowError, "k must not exceed %lld", (long long)INT64_MAX);
  Value product = v_int(1);
  for (uint64_t i = 0; i < count; i++) {
    product = int_multiply(ev, product, big_binary(ev, BIN_SUB, n, v_int((int64_t)i)));
    eval_step(ev);
  }
  return product;
}

static const NativeDef functions[] = {
    {"acos(x, /)", m_acos},
    {"acosh(x, /)", m_acosh},
    {"asin(x, /)", m_asin},
    {"asinh(x, /)", m_asinh},
    {"atan(x, /)", m_atan},
    {"atan2(y, x, /)", m_atan2},
    {"atanh(x, /)", m_atanh},
    {"cbrt(x, /)", m_cbrt},
    {"ceil(x, /)", m_ceil},
    {"comb(n, k, /)", m_comb},
    {"copysign(x, y, /)", m_copysign},
    {"cos(x, /)", m_cos},
    {"cosh(x, /)", m_cosh},
    {"degrees(x, /)", m_degrees},
    {"dist(p, q, /)", m_dist},
    {"erf(x, /)", m_erf},
    {"erfc(x, /)", m_erfc},
    {"exp(x, /)", m_exp},
    {"exp2(x, /)", m_exp2},
    {"expm1(x, /)", m_expm1},
    {"fabs(x, /)", m_fabs},
    {"factorial(x, /)", m_factorial},
    {"floor(x, /)", m_floor},
    {"fmod(x, y, /)", m_fmod},
    {"frexp(x, /)", m_frexp},
    {"fsum(seq, /)", m_fsum},
    {"gamma(x, /)", m_gamma},
    {"gcd(*integers)", m_gcd},
    {"hypot(*coordinates)", m_hypot},
    {"isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)", m_isclose},
    {"isfinite(x, /)", m_isfinite},
    {"isinf(x, /)", m_isinf},
    {"isnan(x, /)", m_isnan},
    {"isqrt(n, /)", m_isqrt},
    {"lcm(*integers)", m_lcm},
    {"ldexp(x, i, /)", m_ldexp},
    {"lgamma(x, /)", m_lgamma},
    {"log(x, base=, /)", m_log},
    {"log10(x, /)", m_log10},
    {"log1p(x, /)", m_log1p},
    {"log2(x, /)", m_log2},
    {"modf(x, /)", m_modf},
    {"nextafter(x, y, /)", m_nextafter},
    {"perm(n, k=None, /)", m_perm},
    {"pow(x, y, /)", m_pow},
    {"prod(iterable, /, *, start=1)", m_prod},
    {"radians(x, /)", m_radians},
    {"remainder(x, y, /)", m_remainder},
    {"sin(x, /)", m_sin},
    {"sinh(x, /)", m_sinh},
    {"sqrt(x, /)", m_sqrt},
    {"tan(x, /)", m_tan},
    {"tanh(x, /)", m_tanh},
    {"trunc(x, /)", m_trunc},
    {"ulp(x, /)", m_ulp},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "pi", v_float(M_PI));
  module_set(ev, module, "e", v_float(M_E));
  module_set(ev, module, "tau", v_float(2 * M_PI));
  module_set(ev, module, "inf", v_float((double)INFINITY));
  module_set(ev, module, "nan", v_float((double)NAN));
}

const ModuleDef module_math = {.name = "math", .functions = functions, .init = init};
