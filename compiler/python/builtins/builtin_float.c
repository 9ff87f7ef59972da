// SPDX-License-Identifier: Apache-2.0
// float.
#include "python/values/builtin_state.h"
#include "builtin_float.h"
#include "builtin_complex.h"
#include "builtin_index.h"
#include "python/builtins/text/builtin_text.h"
#include "builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/values/bytes_like.h"
#include "python/objects/convert.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "python/values/new_value.h"
#include "python/numbers/number.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/builtins/text/builtin_format.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool float_operand(Eval *ev, Value v, double *out) {
  if (v.kind == V_OBJECT) v = value_unwrap(v);
  if (v.kind == V_FLOAT) {
    *out = v.f;
    return true;
  }
  if (!int_operand(&v)) return false;
  if (!big_as_double(v, out))
    eval_raise(ev, ev->types.OverflowError, "int too large to convert to float");
  return true;
}

bool float_of_object(Eval *ev, Value v, double *out) {
  Value number;
  if (number_of_object(ev, v, &number)) return float_operand(ev, number, out);
  Value result = special_call(ev, v, ev->builtin->names.dunder_float, 0, NULL);
  if (!v_is_unbound(result)) {
    Value plain = value_unwrap(result);
    if (plain.kind != V_FLOAT)
      eval_raise(ev, ev->types.TypeError, "%s.__float__ returned non-float (type %s)",
                 value_type_name(ev, v), value_type_name(ev, result));
    *out = plain.f;
    return true;
  }
  result = take_index_opt(ev, v);
  return !v_is_unbound(result) && float_operand(ev, result, out);
}

double take_real(Eval *ev, Value v) {
  double x;
  if (float_operand(ev, v, &x) || float_of_object(ev, v, &x)) return x;
  eval_raise(ev, ev->types.TypeError, "must be real number, not %s", value_type_name(ev, v));
}

// ---- arithmetic ---------------------------------------------------------------------------------
static NORETURN void raise_range(Eval *ev) {
  Value args[] = {v_int(34), make_str_c(ev, "Numerical result out of range")};
  eval_raise_value(ev, value_call_n(ev, v_object(ev->types.OverflowError), 2, args));
}

static double float_pow(Eval *ev, double a, double b) {
  if (a == 0 && b < 0)
    eval_raise(ev, ev->types.ZeroDivisionError, "0.0 cannot be raised to a negative power");
  double result = pow(a, b);
  if (isinf(result) && isfinite(a) && isfinite(b)) raise_range(ev);
  return result;
}

static Value float_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op > BIN_POW) return v_not_implemented();
  double a, b;
  if (!float_operand(ev, left, &a) || !float_operand(ev, right, &b)) return v_not_implemented();
  if (b == 0 && (op == BIN_DIV || op == BIN_FLOOR_DIV || op == BIN_MOD)) {
    eval_raise(ev, ev->types.ZeroDivisionError, "%s",
               op == BIN_DIV         ? "float division by zero"
               : op == BIN_FLOOR_DIV ? "float floor division by zero"
                                     : "float modulo");
  }
  switch (op) {
  case BIN_ADD: return v_float(a + b);
  case BIN_SUB: return v_float(a - b);
  case BIN_MUL: return v_float(a * b);
  case BIN_DIV: return v_float(a / b);
  case BIN_FLOOR_DIV: return v_float(float_floor_divide(a, b));
  case BIN_MOD: return v_float(float_modulo(a, b));
  default:
    if (a < 0 && isfinite(a) && isfinite(b) && b != floor(b)) return complex_power(ev, a, b);
    return v_float(float_pow(ev, a, b));
  }
}

static Value float_unary(Eval *ev UNUSED, UnaryOp op, Value self) {
  double x = value_unwrap(self).f;
  if (op == UN_NEG) return v_float(-x);
  if (op == UN_POS) return v_float(x);
  return v_not_implemented();
}

static Value float_compare(Eval *ev UNUSED, CompareOp op, Value left, Value right) {
  double a = value_unwrap(left).f;
  Value other = value_unwrap(right);
  int order;
  if (other.kind == V_FLOAT) {
    if (isnan(a) || isnan(other.f)) return v_bool(op == CMP_NE);
    order = (a > other.f) - (a < other.f);
  } else if (int_operand(&other)) {
    if (isnan(a)) return v_bool(op == CMP_NE);
    order = -big_compare_double(other, a);
  } else {
    return v_not_implemented();
  }
  return v_bool(order_holds(op, order));
}

static uint64_t float_hash(Eval *ev UNUSED, Value self) {
  return hash_double(value_unwrap(self).f);
}

static bool float_truth(Eval *ev UNUSED, Value self) { return value_unwrap(self).f != 0; }

static Str float_repr_slot(Eval *ev, Value self) {
  return float_repr(ev->arena, value_unwrap(self).f);
}

static Str float_format_slot(Eval *ev, Value self, Str spec) {
  return format_float(ev, value_unwrap(self).f, spec);
}

// ---- making -------------------------------------------------------------------------------------
static double float_from_text(Eval *ev, Value original, Str text) {
  double x;
  if (float_parse(ev->arena, text_number_ascii(ev->arena, text), &x)) return x;
  Str shown = value_repr(ev, original);
  eval_raise(ev, ev->types.ValueError, "could not convert string to float: %.*s", STR_FMT(shown));
}

static Value float_new(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  double x = 0;
  Str text;
  if (!v_is_unbound(a[1])) {
    if (value_as_str(a[1], &text)) {
      x = float_from_text(ev, a[1], text);
    } else if (value_as_bytes(ev, a[1], &text)) {
      x = float_from_text(ev, a[1], text);
    } else if (!float_operand(ev, a[1], &x) && !float_of_object(ev, a[1], &x)) {
      eval_raise(ev, ev->types.TypeError,
                 "float() argument must be a string or a real number, not '%s'",
                 value_type_name(ev, a[1]));
    }
  }
  return payload_wrap(ev, cls, ev->types.floating, v_float(x));
}

static Value float_of(Eval *ev, const Args *args) {
  if (!args_are(args, 1, 1)) return v_unbound();
  Value x = args->items[0];
  if (x.kind == V_FLOAT) return x;
  if (x.kind == V_INT || x.kind == V_BOOL) return v_float((double)x.i);
  return is_a(x, ev->types.string) ? v_float(float_from_text(ev, x, ((const StrObject *)x.o)->text))
                                   : v_unbound();
}

// ---- methods ------------------------------------------------------------------------------------
static double self_float(Eval *ev, Value self) {
  Value plain = value_unwrap(self);
  double x; // of a native type that derives from float
  if (plain.kind == V_FLOAT) return plain.f;
  if (type_is_subtype(value_type(ev, self), ev->types.floating) && float_of_object(ev, self, &x))
    return x;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'float' object but received a '%s'",
             value_type_name(ev, self));
}

static Value float_same(Eval *ev, Value *a) { return v_float(self_float(ev, a[0])); }

static Value float_is_integer(Eval *ev, Value *a) {
  double x = self_float(ev, a[0]);
  return v_bool(isfinite(x) && floor(x) == x);
}

static Value float_trunc(Eval *ev, Value *a) {
  return int_from_double(ev, trunc(self_float(ev, a[0])));
}

static Value float_floor(Eval *ev, Value *a) {
  return int_from_double(ev, floor(self_float(ev, a[0])));
}

static Value float_ceil(Eval *ev, Value *a) {
  return int_from_double(ev, ceil(self_float(ev, a[0])));
}

static Value float_abs(Eval *ev, Value *a) { return v_float(fabs(self_float(ev, a[0]))); }

static Value float_round_method(Eval *ev, Value *a) {
  double x = self_float(ev, a[0]);
  if (v_is_unbound(a[1]) || v_is_none(a[1])) return int_from_double(ev, nearbyint(x));
  double result = float_round(x, take_index_clamped(ev, a[1]));
  if (isinf(result) && isfinite(x))
    eval_raise(ev, ev->types.OverflowError, "rounded value too large to represent");
  return v_float(result);
}

static Value float_divmod(Eval *ev, Value *a) {
  double x, y;
  if (!float_operand(ev, a[0], &x) || !float_operand(ev, a[1], &y)) return v_not_implemented();
  if (y == 0) eval_raise(ev, ev->types.ZeroDivisionError, "float divmod()");
  return make_tuple(ev, 2,
                    (Value[]){v_float(float_floor_divide(x, y)), v_float(float_modulo(x, y))});
}

static Value float_rdivmod(Eval *ev, Value *a) { return float_divmod(ev, (Value[]){a[1], a[0]}); }

static Value float_pow_method(Eval *ev, Value *a) {
  if (!v_is_none(a[2]))
    eval_raise(ev, ev->types.TypeError,
               "pow() 3rd argument not allowed unless all arguments are integers");
  return float_binary(ev, BIN_POW, a[0], a[1]);
}

static Value float_ratio(Eval *ev, Value *a) {
  double x = self_float(ev, a[0]);
  if (isinf(x)) eval_raise(ev, ev->types.OverflowError, "cannot convert Infinity to integer ratio");
  if (isnan(x)) eval_raise(ev, ev->types.ValueError, "cannot convert NaN to integer ratio");
  int exponent;
  int64_t mantissa = (int64_t)ldexp(frexp(x, &exponent), 53);
  exponent -= 53;
  for (; mantissa != 0 && mantissa % 2 == 0; mantissa /= 2) exponent++;
  if (mantissa == 0) exponent = 0;
  Value unit = big_binary(ev, BIN_SHL, v_int(1), v_int(abs(exponent)));
  Value items[] = {v_int(mantissa), v_int(1)};
  if (exponent > 0) {
    items[0] = int_multiply(ev, items[0], unit);
  } else {
    items[1] = unit;
  }
  return make_tuple(ev, 2, items);
}

static Value float_hex(Eval *ev, Value *a) {
  double x = self_float(ev, a[0]);
  if (!isfinite(x)) return make_str(ev, float_repr(ev->arena, x));
  const char *sign = signbit(x) ? "-" : "";
  if (x == 0) return make_str_fmt(ev, "%s0x0.0p+0", sign);
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff);
  unsigned long long fraction = bits & (((uint64_t)1 << 52) - 1);
  int lead = exponent != 0;
  return make_str_fmt(ev, "%s0x%d.%013llxp%+d", sign, lead, fraction,
                      lead ? exponent - 1023 : -1022);
}

static bool is_hex_float(const char *p) {
  size_t digits = 0;
  bool has_point = false;
  if (p[0] == '0' && (p[1] | 32) == 'x') p += 2;
  for (; *p && strchr("0123456789abcdefABCDEF.", *p); p++) {
    if (*p != '.')
      digits++;
    else if (has_point)
      return false;
    else
      has_point = true;
  }
  if (digits == 0) return false;
  if ((*p | 32) == 'p') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!*p) return false;
    while (*p >= '0' && *p <= '9') p++;
  }
  return *p == 0;
}

static Value float_fromhex(Eval *ev, Value *a) {
  Str text = take_str(ev, a[1], "argument of fromhex()");
  while (text.len > 0 && (unsigned char)text.data[0] <= ' ') text.data++, text.len--;
  while (text.len > 0 && (unsigned char)text.data[text.len - 1] <= ' ') text.len--;
  double x;
  const char *p = str_copy(ev->arena, text).data;
  bool negative = *p == '-';
  const char *number = *p == '-' || *p == '+' ? p + 1 : p;
  if (is_hex_float(number)) {
    bool has_prefix = number[0] == '0' && (number[1] | 32) == 'x';
    x = strtod(str_format(ev->arena, "%s%s", has_prefix ? "" : "0x", number).data, NULL);
    if (isinf(x))
      eval_raise(ev, ev->types.OverflowError,
                 "hexadecimal value too large to represent as a float");
  } else if (!strchr("iInN", number[0]) || !float_parse(ev->arena, str_from_c(number), &x)) {
    eval_raise(ev, ev->types.ValueError, "invalid hexadecimal floating-point string");
  }
  Value result = v_float(negative ? -x : x);
  if (a[0].o == (Object *)ev->types.floating) return result;
  return value_call_n(ev, a[0], 1, &result);
}

static Value float_real(Eval *ev, Value self) { return v_float(self_float(ev, self)); }

static Value float_imag(Eval *ev UNUSED, Value self UNUSED) { return v_float(0); }

static const NativeGetter float_getters[] = {{"real", float_real}, {"imag", float_imag}, {0}};

static const NativeDef float_methods[] = {
    {"__new__(cls, x=, /)", float_new},
    {"is_integer(self, /)", float_is_integer},
    {"as_integer_ratio(self, /)", float_ratio},
    {"hex(self, /)", float_hex},
    {"fromhex(cls, string, /)", float_fromhex},
    {"conjugate(self, /)", float_same},
    {"__float__(self, /)", float_same},
    {"__int__(self, /)", float_trunc},
    {"__trunc__(self, /)", float_trunc},
    {"__floor__(self, /)", float_floor},
    {"__ceil__(self, /)", float_ceil},
    {"__abs__(self, /)", float_abs},
    {"__round__(self, ndigits=, /)", float_round_method},
    {"__divmod__(self, value, /)", float_divmod},
    {"__rdivmod__(self, value, /)", float_rdivmod},
    {"__pow__(self, value, mod=None, /)", float_pow_method},
    {0},
};

static const NativeType float_type = {
    .slots = {.make = float_of,
              .binary = float_binary,
              .unary = float_unary,
              .compare = float_compare,
              .hash = float_hash,
              .truth = float_truth,
              .repr = float_repr_slot,
              .format = float_format_slot},
    .methods = float_methods,
    .getters = float_getters,
};

void builtin_float_init(Eval *ev) { native_type_define(ev, ev->types.floating, &float_type); }
