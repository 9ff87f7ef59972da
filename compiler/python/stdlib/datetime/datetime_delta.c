// SPDX-License-Identifier: Apache-2.0
// Lengths of time: timedelta.
#include <math.h>
#include "base/buf.h"
#include "python/builtins/builtin_wrap.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "std_datetime.h"

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}

static NORETURN void raise_too_long(Eval *ev, __int128 days) {
  if (days >= INT32_MIN && days <= INT32_MAX)
    eval_raise(ev, ev->types.OverflowError, "days=%lld; must have magnitude <= %d", (long long)days,
               MOST_DELTA_DAYS);
  eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C int");
}

Value make_delta(Eval *ev, int64_t days, int64_t seconds, int64_t micros) {
  if (micros < 0 || micros >= MICROS_A_SECOND) {
    int64_t carried = floor_div(micros, MICROS_A_SECOND);
    micros -= carried * MICROS_A_SECOND;
    seconds += carried;
  }
  if (seconds < 0 || seconds >= SECONDS_A_DAY) {
    int64_t carried = floor_div(seconds, SECONDS_A_DAY);
    seconds -= carried * SECONDS_A_DAY;
    days += carried;
  }
  if (days < -MOST_DELTA_DAYS || days > MOST_DELTA_DAYS) raise_too_long(ev, days);
  Delta *d = ARENA_NEW(ev->arena, Delta);
  *d = (Delta){{datetime_types(ev)->delta}, (int32_t)days, (int32_t)seconds, (int32_t)micros};
  return v_object(d);
}

static const __int128 micros_a_day = (__int128)SECONDS_A_DAY * MICROS_A_SECOND;

static Value delta_of_total(Eval *ev, __int128 total) {
  if (total >= INT64_MIN && total <= INT64_MAX) {
    int64_t small = (int64_t)total, seconds = floor_div(small, MICROS_A_SECOND);
    return make_delta(ev, 0, seconds, small - seconds * MICROS_A_SECOND);
  }
  __int128 days = total / micros_a_day;
  if (days * micros_a_day > total) days--;
  if (days < -MOST_DELTA_DAYS || days > MOST_DELTA_DAYS) raise_too_long(ev, days);
  return make_delta(ev, (int64_t)days, 0, (int64_t)(total - days * micros_a_day));
}

static NORETURN void raise_overflow(Eval *ev) {
  eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C int");
}

// ---- making -------------------------------------------------------------------------------------
typedef struct Sum {
  __int128 whole;
  double rest; // what is left over of floats
} Sum;

static void add_part(Eval *ev, Sum *sum, Value v, int64_t unit, const char *name) {
  Value number = value_unwrap(v);
  if (v_is_unbound(v)) return;
  if (number.kind == V_INT || number.kind == V_BOOL) {
    sum->whole += (__int128)number.i * unit;
  } else if (number.kind == V_FLOAT) {
    double whole, fraction = modf(number.f, &whole);
    if (!isfinite(number.f)) int_from_double(ev, number.f);
    if (fabs(whole) > 1e19) raise_overflow(ev);
    sum->whole += (__int128)whole * unit;
    if (fraction == 0) return;
    fraction = modf(fraction * (double)unit, &whole);
    sum->whole += (__int128)whole;
    sum->rest += fraction;
  } else if (int_operand(&number)) {
    raise_overflow(ev);
  } else {
    eval_raise(ev, ev->types.TypeError, "unsupported type for timedelta %s component: %s", name,
               value_type_name(ev, v));
  }
}

static __int128 rounded_sum(const Sum *sum) {
  if (sum->rest == 0) return sum->whole;
  double whole = round(sum->rest);
  if (fabs(whole - sum->rest) == 0.5) { // to an even number of them all
    int odd = (int)(sum->whole & 1);
    whole = 2.0 * round((sum->rest + odd) * 0.5) - odd;
  }
  return sum->whole + (__int128)whole;
}

static Value delta_new(Eval *ev, Value *a) {
  static const struct {
    int64_t unit;
    const char *name;
    int at;
  } parts[] = {{1, "microseconds", 3},       {1000, "milliseconds", 4}, {1000000, "seconds", 2},
               {60000000, "minutes", 5},     {3600000000, "hours", 6},  {86400000000, "days", 1},
               {7 * 86400000000, "weeks", 7}};
  Sum sum = {0};
  for (size_t i = 0; i < COUNT_OF(parts); i++)
    add_part(ev, &sum, a[parts[i].at], parts[i].unit, parts[i].name);
  Type *delta = datetime_types(ev)->delta;
  return payload_wrap(ev, (Type *)a[0].o, delta, delta_of_total(ev, rounded_sum(&sum)));
}

// ---- arithmetic ---------------------------------------------------------------------------------
// The nearest integer, of two the even one; `b` is not 0.
static __int128 divide_nearest(__int128 a, __int128 b) {
  if (b < 0) {
    a = -a;
    b = -b;
  }
  __int128 q = a / b, r = a % b;
  if (r < 0) {
    q--;
    r += b;
  }
  if (r > b - r || (r == b - r && q & 1)) q++;
  return q;
}

static __int128 floor_divide(__int128 a, __int128 b) {
  __int128 q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static Value int_of(Eval *ev, __int128 x) {
  if (x >= INT64_MIN && x <= INT64_MAX) return v_int((int64_t)x);
  int64_t high = (int64_t)(x >> 32), low = (int64_t)(x & 0xffffffff);
  return int_add(ev, int_multiply(ev, v_int(high), v_int((int64_t)1 << 32)), v_int(low));
}

// x = mantissa * 2^exponent; the mantissa is odd or 0.
static int64_t float_parts(Eval *ev, double x, int *exponent) {
  if (!isfinite(x))
    eval_raise(ev, isnan(x) ? ev->types.ValueError : ev->types.OverflowError,
               "cannot convert %s to integer ratio", isnan(x) ? "NaN" : "Infinity");
  int64_t mantissa = (int64_t)ldexp(frexp(x, exponent), 53);
  *exponent -= 53;
  while (mantissa && !(mantissa & 1)) {
    mantissa /= 2;
    ++*exponent;
  }
  return mantissa;
}

static __int128 doubled(Eval *ev, __int128 x, int times) { // 2^times
  for (; times > 0 && x; times--) {
    if (x > (__int128)1 << 120 || x < -((__int128)1 << 120)) raise_overflow(ev);
    x *= 2;
  }
  return x;
}

static __int128 times_float(Eval *ev, __int128 total, double x) {
  int exponent;
  __int128 product = total * float_parts(ev, x, &exponent); // 67 and 53 bits
  if (exponent >= 0) return doubled(ev, product, exponent);
  return exponent < -124 ? 0 : divide_nearest(product, (__int128)1 << -exponent);
}

static __int128 by_float(Eval *ev, __int128 total, double x) {
  int exponent;
  __int128 divisor = float_parts(ev, x, &exponent);
  if (!divisor) eval_raise(ev, ev->types.ZeroDivisionError, "integer division or modulo by zero");
  if (exponent <= 0) return divide_nearest(doubled(ev, total, -exponent), divisor);
  return exponent > 70 ? 0 : divide_nearest(total, divisor << exponent);
}

static void demand_nonzero(Eval *ev, bool is_zero, const char *why) {
  if (is_zero) eval_raise(ev, ev->types.ZeroDivisionError, "%s", why);
}

static Value of_two(Eval *ev, BinaryOp op, const Delta *a, const Delta *b) {
  if (op == BIN_ADD)
    return make_delta(ev, (int64_t)a->days + b->days, (int64_t)a->seconds + b->seconds,
                      (int64_t)a->micros + b->micros);
  if (op == BIN_SUB)
    return make_delta(ev, (int64_t)a->days - b->days, (int64_t)a->seconds - b->seconds,
                      (int64_t)a->micros - b->micros);
  __int128 x = delta_total(a), y = delta_total(b);
  switch (op) {
  case BIN_DIV:
    demand_nonzero(ev, y == 0, "division by zero");
    return value_binary(ev, BIN_DIV, int_of(ev, x), int_of(ev, y));
  case BIN_FLOOR_DIV:
    demand_nonzero(ev, y == 0, "integer division or modulo by zero");
    return int_of(ev, floor_divide(x, y));
  case BIN_MOD:
    demand_nonzero(ev, y == 0, "integer modulo by zero");
    return delta_of_total(ev, x - floor_divide(x, y) * y);
  default: return v_not_implemented();
  }
}

// total op n, for an integer n.
static Value with_int(Eval *ev, BinaryOp op, __int128 total, Value n) {
  bool is_big = n.kind == V_OBJECT;
  __int128 product;
  switch (op) {
  case BIN_MUL:
    if (total && (is_big || __builtin_mul_overflow(total, (__int128)n.i, &product)))
      raise_overflow(ev);
    return delta_of_total(ev, total ? product : 0);
  case BIN_DIV:
    demand_nonzero(ev, !is_big && n.i == 0, "integer division or modulo by zero");
    return delta_of_total(ev, is_big ? 0 : divide_nearest(total, n.i));
  case BIN_FLOOR_DIV:
    demand_nonzero(ev, !is_big && n.i == 0, "integer division or modulo by zero");
    if (!is_big) return delta_of_total(ev, floor_divide(total, n.i));
    return delta_of_total(
        ev,
        total && (total < 0) != value_truth(ev, value_compare(ev, CMP_LT, n, v_int(0))) ? -1 : 0);
  default: return v_not_implemented();
  }
}

static Value delta_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  const Delta *a = value_as_delta(ev, left), *b = value_as_delta(ev, right);
  if (a && b) return of_two(ev, op, a, b);
  if (!a && op != BIN_MUL) return v_not_implemented();
  Value number = value_unwrap(a ? right : left);
  const Delta *d = a ? a : b;
  if (number.kind == V_FLOAT) {
    if (op == BIN_MUL) return delta_of_total(ev, times_float(ev, delta_total(d), number.f));
    if (op == BIN_DIV) return delta_of_total(ev, by_float(ev, delta_total(d), number.f));
    return v_not_implemented();
  }
  if (!int_operand(&number)) return v_not_implemented();
  return with_int(ev, op, delta_total(d), number);
}

static Value delta_divmod(Eval *ev, Value *a) {
  const Delta *x = value_as_delta(ev, a[0]), *y = value_as_delta(ev, a[1]);
  if (!x || !y)
    eval_raise(ev, ev->types.TypeError, "unsupported operand type(s) for divmod(): '%s' and '%s'",
               value_type_name(ev, a[0]), value_type_name(ev, a[1]));
  __int128 total = delta_total(x), by = delta_total(y);
  demand_nonzero(ev, by == 0, "integer division or modulo by zero");
  __int128 quotient = floor_divide(total, by);
  Value pair[] = {int_of(ev, quotient), delta_of_total(ev, total - quotient * by)};
  return make_tuple(ev, 2, pair);
}

static Value negative(Eval *ev, const Delta *d) {
  return make_delta(ev, -(int64_t)d->days, -(int64_t)d->seconds, -(int64_t)d->micros);
}

static Value delta_unary(Eval *ev, UnaryOp op, Value self) {
  const Delta *d = value_as_delta(ev, self);
  if (op == UN_NEG) return negative(ev, d);
  return op == UN_POS ? make_delta(ev, d->days, d->seconds, d->micros) : v_not_implemented();
}

static Value delta_abs(Eval *ev, Value *a) {
  const Delta *d = value_as_delta(ev, a[0]);
  return d->days < 0 ? negative(ev, d) : make_delta(ev, d->days, d->seconds, d->micros);
}

static Value delta_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const Delta *a = value_as_delta(ev, left), *b = value_as_delta(ev, right);
  if (!a || !b) return v_not_implemented();
  int64_t order = a->days != b->days         ? (int64_t)a->days - b->days
                  : a->seconds != b->seconds ? (int64_t)a->seconds - b->seconds
                                             : (int64_t)a->micros - b->micros;
  return ordered(op, order, 0);
}

static bool delta_truth(Eval *ev, Value self) {
  const Delta *d = value_as_delta(ev, self);
  return d->days || d->seconds || d->micros;
}

static uint64_t delta_hash(Eval *ev, Value self) {
  const Delta *d = value_as_delta(ev, self);
  return hash_int(d->days * (int64_t)SECONDS_A_DAY + d->seconds) * 1000003 ^ (uint64_t)d->micros;
}

// ---- as other values ----------------------------------------------------------------------------
static Str delta_repr(Eval *ev, Value self) {
  const Delta *d = value_as_delta(ev, self);
  const char *names[] = {"days", "seconds", "microseconds"};
  int32_t parts[] = {d->days, d->seconds, d->micros};
  Buf out;
  buf_init(&out, ev->arena);
  buf_printf(&out, "%s(",
             self.o->type == datetime_types(ev)->delta ? "datetime.timedelta"
                                                       : type_shown(self.o->type));
  const char *between = "";
  for (size_t i = 0; i < 3; i++) {
    if (!parts[i]) continue;
    buf_printf(&out, "%s%s=%d", between, names[i], parts[i]);
    between = ", ";
  }
  buf_c(&out, *between ? ")" : "0)");
  return buf_view(&out);
}

static Str delta_str(Eval *ev, Value self) {
  const Delta *d = value_as_delta(ev, self);
  Buf out;
  buf_init(&out, ev->arena);
  if (d->days) buf_printf(&out, "%d day%s, ", d->days, d->days == 1 || d->days == -1 ? "" : "s");
  buf_printf(&out, "%d:%02d:%02d", d->seconds / 3600, d->seconds / 60 % 60, d->seconds % 60);
  if (d->micros) buf_printf(&out, ".%06d", d->micros);
  return buf_view(&out);
}

static Value delta_total_seconds(Eval *ev, Value *a) {
  __int128 total = delta_total(value_as_delta(ev, a[0]));
  if (total >= -((__int128)1 << 53) && total <= (__int128)1 << 53)
    return v_float((double)(int64_t)total / MICROS_A_SECOND);
  return value_binary(ev, BIN_DIV, int_of(ev, total), v_int(MICROS_A_SECOND));
}

static Value delta_days(Eval *ev, Value self) { return v_int(value_as_delta(ev, self)->days); }
static Value delta_seconds(Eval *ev, Value self) {
  return v_int(value_as_delta(ev, self)->seconds);
}
static Value delta_micros(Eval *ev, Value self) { return v_int(value_as_delta(ev, self)->micros); }
static Value delta_whole(Eval *ev, Value self) {
  return int_of(ev, delta_total(value_as_delta(ev, self)));
}

static const NativeType delta_type = {
    .slots = {.binary = delta_binary,
              .unary = delta_unary,
              .compare = delta_compare,
              .truth = delta_truth,
              .hash = delta_hash,
              .repr = delta_repr,
              .str = delta_str},
    .methods = (const NativeDef[]){{"__new__(cls, /, days=, seconds=, microseconds=, "
                                    "milliseconds=, minutes=, hours=, weeks=)",
                                    delta_new},
                                   {"total_seconds(self, /)", delta_total_seconds},
                                   {"__abs__(self, /)", delta_abs},
                                   {"__divmod__(self, other, /)", delta_divmod},
                                   {0}},
    .getters = (const NativeGetter[]){{"days", delta_days},
                                      {"seconds", delta_seconds},
                                      {"microseconds", delta_micros},
                                      {"_total", delta_whole},
                                      {0}},
};

void datetime_delta_init(Eval *ev) {
  Type *delta = native_type_new(ev, "datetime", "timedelta", NULL, &delta_type);
  delta->full_name = "datetime.timedelta";
  datetime_types(ev)->delta = delta;
}
