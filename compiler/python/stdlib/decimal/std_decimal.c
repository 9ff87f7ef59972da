// SPDX-License-Identifier: Apache-2.0
// The module decimal: the class Decimal and what contexts compute, over decimal_*.c. Signals,
// localcontext and named tuples are in library/decimal.pk.
#include "std_decimal.h"
#include "base/buf.h"
#include "base/collected.h"
#include "decimal_functions.h"
#include "decimal_text.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_int.h"
#include "python/builtins/builtin_wrap.h"
#include "python/modules/module.h"
#include "python/numbers/integer.h"
#include "python/objects/convert.h"
#include "python/objects/module_def.h"
#include "python/objects/protocol.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/builtin_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

static DecimalObject *self_decimal(Eval *ev, Value self) {
  DecimalObject *d = value_as_decimal(ev, self);
  if (!d)
    eval_raise(ev, ev->types.TypeError,
               "descriptor requires a 'decimal.Decimal' object but received a '%s'",
               value_type_name(ev, self));
  return d;
}

static Num self_num(Eval *ev, Value self) {
  Num n;
  num_view(&n, self_decimal(ev, self));
  return n;
}

// ---- operators ----------------------------------------------------------------------------------
static DecimalBinary *operation_of(BinaryOp op) {
  switch (op) {
  case BIN_ADD: return num_add;
  case BIN_SUB: return num_subtract;
  case BIN_MUL: return num_multiply;
  case BIN_DIV: return num_divide;
  case BIN_FLOOR_DIV: return num_divide_int;
  case BIN_MOD: return num_remainder;
  case BIN_POW: return num_power;
  default: return NULL;
  }
}

static Value decimal_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  DecimalBinary *operation = operation_of(op);
  if (!operation) return v_not_implemented();
  DecimalContext *context = decimal_current(ev);
  Calc c = calc_of(ev, context);
  Num a, b, out;
  if (!decimal_operand(&c, left, &a) || !decimal_operand(&c, right, &b)) return v_not_implemented();
  operation(&c, &out, &a, &b);
  return decimal_result(context, &c, &out);
}

static Value computed(Eval *ev, DecimalContext *context, DecimalUnary *operation, const Num *a) {
  Calc c = calc_of(ev, context);
  Num out;
  operation(&c, &out, a);
  return decimal_result(context, &c, &out);
}

static Value decimal_unary(Eval *ev, UnaryOp op, Value self) {
  Num a = self_num(ev, self);
  if (op == UN_NEG) return computed(ev, decimal_current(ev), num_minus, &a);
  if (op == UN_POS) return computed(ev, decimal_current(ev), num_plus, &a);
  return v_not_implemented();
}

static bool decimal_truth(Eval *ev, Value self) {
  const DecimalObject *d = self_decimal(ev, self);
  return d->kind != DECIMAL_FINITE || d->size != 0;
}

static Str decimal_str(Eval *ev, Value self) {
  Num n = self_num(ev, self);
  return num_text(ev, &n, false, decimal_current(ev)->capitals);
}

static Str decimal_repr(Eval *ev, Value self) {
  Buf out;
  buf_init(&out, ev->arena);
  buf_printf(&out, "Decimal('%.*s')", STR_FMT(decimal_str(ev, self)));
  return buf_view(&out);
}

static Str formatted(Eval *ev, Value self, Str spec, DecimalContext *context) {
  Calc c = calc_of(ev, context);
  Num n = self_num(ev, self);
  return num_format(&c, &n, spec, context->capitals);
}

static Str decimal_format(Eval *ev, Value self, Str spec) {
  return formatted(ev, self, spec, decimal_current(ev));
}

static Value d_format(Eval *ev, Value *a) {
  Str spec = take_str(ev, a[1], "format argument");
  return make_str(ev, formatted(ev, a[0], spec, take_context(ev, a[2])));
}

// ---- operations of one and two numbers ----------------------------------------------------------
// As a method (self, context=None), and of a context (self, a).
#define UNARY(name, operation)                                                                     \
  static Value d_##name(Eval *ev, Value *a) {                                                      \
    Num n = self_num(ev, a[0]);                                                                    \
    return computed(ev, take_context(ev, a[1]), operation, &n);                                    \
  }                                                                                                \
  static Value c_##name(Eval *ev, Value *a) { return by_context(ev, a, operation); }

static Value by_context(Eval *ev, Value *a, DecimalUnary *operation) {
  DecimalContext *context = value_as_context(ev, a[0]);
  Calc c = calc_of(ev, context);
  Num n;
  take_decimal(&c, a[1], &n);
  return computed(ev, context, operation, &n);
}

// (self, other, context=None), and of a context (self, a, b).
#define BINARY(name, operation)                                                                    \
  static Value d_##name(Eval *ev, Value *a) {                                                      \
    return computed_of_two(ev, take_context(ev, a[2]), operation, a[0], a[1]);                     \
  }                                                                                                \
  static Value c_##name(Eval *ev, Value *a) {                                                      \
    return computed_of_two(ev, value_as_context(ev, a[0]), operation, a[1], a[2]);                 \
  }
#define CONTEXT_BINARY(name, operation)                                                            \
  static Value c_##name(Eval *ev, Value *a) {                                                      \
    return computed_of_two(ev, value_as_context(ev, a[0]), operation, a[1], a[2]);                 \
  }

static Value computed_of_two(Eval *ev, DecimalContext *context, DecimalBinary *operation,
                             Value left, Value right) {
  Calc c = calc_of(ev, context);
  Num a, b, out;
  take_decimal(&c, left, &a);
  take_decimal(&c, right, &b);
  operation(&c, &out, &a, &b);
  return decimal_result(context, &c, &out);
}

UNARY(exp, num_exp)
UNARY(ln, num_ln)
UNARY(log10, num_log10)
UNARY(sqrt, num_sqrt)
UNARY(logb, num_logb)
UNARY(next_minus, num_next_minus)
UNARY(next_plus, num_next_plus)
UNARY(normalize, num_normalize)
UNARY(logical_invert, num_invert)
BINARY(compare, num_compare_quiet)
BINARY(compare_signal, num_compare_signal)
BINARY(compare_total, num_compare_total)
BINARY(compare_total_mag, num_compare_total_mag)
BINARY(logical_and, num_and)
BINARY(logical_or, num_or)
BINARY(logical_xor, num_xor)
BINARY(max, num_max)
BINARY(max_mag, num_max_mag)
BINARY(min, num_min)
BINARY(min_mag, num_min_mag)
BINARY(next_toward, num_next_toward)
BINARY(remainder_near, num_remainder_near)
BINARY(rotate, num_rotate)
BINARY(scaleb, num_scaleb)
BINARY(shift, num_shift)
CONTEXT_BINARY(add, num_add)
CONTEXT_BINARY(subtract, num_subtract)
CONTEXT_BINARY(multiply, num_multiply)
CONTEXT_BINARY(divide, num_divide)
CONTEXT_BINARY(divide_int, num_divide_int)
CONTEXT_BINARY(remainder, num_remainder)
CONTEXT_BINARY(quantize, num_quantize)

static Value c_plus(Eval *ev, Value *a) { return by_context(ev, a, num_plus); }
static Value c_minus(Eval *ev, Value *a) { return by_context(ev, a, num_minus); }
static Value c_abs(Eval *ev, Value *a) { return by_context(ev, a, num_abs); }

static Value d_abs(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return computed(ev, decimal_current(ev), num_abs, &n);
}

static Value fused(Eval *ev, DecimalContext *context, const Value *operands) {
  Calc c = calc_of(ev, context);
  Num n[3], out;
  for (int i = 0; i < 3; i++) take_decimal(&c, operands[i], &n[i]);
  num_fma(&c, &out, &n[0], &n[1], &n[2]);
  return decimal_result(context, &c, &out);
}
static Value d_fma(Eval *ev, Value *a) { return fused(ev, take_context(ev, a[3]), a); }
static Value c_fma(Eval *ev, Value *a) { return fused(ev, value_as_context(ev, a[0]), a + 1); }

static Value both(Eval *ev, DecimalContext *context, Value left, Value right) {
  Calc c = calc_of(ev, context);
  Num a, b, quotient, rest;
  if (!decimal_operand(&c, left, &a) || !decimal_operand(&c, right, &b)) return v_not_implemented();
  num_divmod(&c, &quotient, &rest, &a, &b);
  decimal_report(ev, context, c.status);
  Value pair[] = {make_decimal(ev, &quotient), make_decimal(ev, &rest)};
  return make_tuple(ev, 2, pair);
}
static Value d_divmod(Eval *ev, Value *a) { return both(ev, decimal_current(ev), a[0], a[1]); }
static Value d_rdivmod(Eval *ev, Value *a) { return both(ev, decimal_current(ev), a[1], a[0]); }
static Value c_divmod(Eval *ev, Value *a) {
  Calc c = calc_of(ev, value_as_context(ev, a[0]));
  Num n;
  take_decimal(&c, a[1], &n);
  take_decimal(&c, a[2], &n);
  return both(ev, value_as_context(ev, a[0]), a[1], a[2]);
}

static Value power(Eval *ev, DecimalContext *context, const Value *operands) {
  Calc c = calc_of(ev, context);
  Num a, b, modulus, out;
  take_decimal(&c, operands[0], &a);
  take_decimal(&c, operands[1], &b);
  if (v_is_none(operands[2])) {
    num_power(&c, &out, &a, &b);
  } else {
    take_decimal(&c, operands[2], &modulus);
    num_power_modulo(&c, &out, &a, &b, &modulus);
  }
  return decimal_result(context, &c, &out);
}
static Value d_pow(Eval *ev, Value *a) {
  Calc c = calc_of(ev, decimal_current(ev));
  Num n;
  for (int i = 1; i < 3; i++)
    if (!v_is_none(a[i]) && !decimal_operand(&c, a[i], &n)) return v_not_implemented();
  return power(ev, decimal_current(ev), a);
}
static Value c_power(Eval *ev, Value *a) { return power(ev, value_as_context(ev, a[0]), a + 1); }

// ---- exponents ----------------------------------------------------------------------------------
static Value d_quantize(Eval *ev, Value *a) { // self, exp, rounding, context
  DecimalContext *context = take_context(ev, a[3]);
  Calc c = calc_of(ev, context);
  Num n = self_num(ev, a[0]), other, out;
  take_decimal(&c, a[1], &other);
  if (!v_is_none(a[2])) c.rounding = take_rounding(ev, a[2]);
  num_quantize(&c, &out, &n, &other);
  return decimal_result(context, &c, &out);
}

static Value integral(Eval *ev, DecimalContext *context, Value v, Value rounding, bool reports) {
  Calc c = calc_of(ev, context);
  Num n, out;
  take_decimal(&c, v, &n);
  if (!v_is_none(rounding)) c.rounding = take_rounding(ev, rounding);
  num_to_integral(&c, &out, &n, reports);
  return decimal_result(context, &c, &out);
}
static Value d_integral(Eval *ev, Value *a) {
  return integral(ev, take_context(ev, a[2]), a[0], a[1], false);
}
static Value d_integral_exact(Eval *ev, Value *a) {
  return integral(ev, take_context(ev, a[2]), a[0], a[1], true);
}
static Value c_integral(Eval *ev, Value *a) {
  return integral(ev, value_as_context(ev, a[0]), a[1], v_none(), false);
}
static Value c_integral_exact(Eval *ev, Value *a) {
  return integral(ev, value_as_context(ev, a[0]), a[1], v_none(), true);
}

static Value d_round(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]), unit, out;
  if (v_is_none(a[1])) return decimal_to_int(ev, &n, DECIMAL_HALF_EVEN);
  if (!value_is_int(a[1])) eval_raise(ev, ev->types.TypeError, "optional arg must be an integer");
  DecimalContext *context = decimal_current(ev);
  Calc c = calc_of(ev, context);
  num_small(&unit, false, 1, -take_index64(ev, a[1]));
  num_quantize(&c, &out, &n, &unit);
  return decimal_result(context, &c, &out);
}

// ---- what a number is ---------------------------------------------------------------------------
// (self), and of a context (self, a).
#define QUESTION(name, test)                                                                       \
  static bool test_##name(const Calc *c UNUSED, const Num *n) { return test; }                     \
  static Value d_##name(Eval *ev, Value *a) {                                                      \
    Calc c = calc_of(ev, decimal_current(ev));                                                     \
    Num n = self_num(ev, a[0]);                                                                    \
    return v_bool(test_##name(&c, &n));                                                            \
  }                                                                                                \
  ASKED(name)
#define ASKED(name)                                                                                \
  static Value c_##name(Eval *ev, Value *a) {                                                      \
    Calc c = calc_of(ev, value_as_context(ev, a[0]));                                              \
    Num n;                                                                                         \
    take_decimal(&c, a[1], &n);                                                                    \
    return v_bool(test_##name(&c, &n));                                                            \
  }
// (self, context=None), and of a context.
#define ASKED_OF_CONTEXT(name)                                                                     \
  static Value d_##name(Eval *ev, Value *a) {                                                      \
    Calc c = calc_of(ev, take_context(ev, a[1]));                                                  \
    Num n = self_num(ev, a[0]);                                                                    \
    return v_bool(test_##name(&c, &n));                                                            \
  }                                                                                                \
  ASKED(name)

QUESTION(is_canonical, n != NULL)
QUESTION(is_finite, n->kind == DECIMAL_FINITE)
QUESTION(is_infinite, n->kind == DECIMAL_INFINITE)
QUESTION(is_nan, num_is_nan(n))
QUESTION(is_qnan, n->kind == DECIMAL_QNAN)
QUESTION(is_snan, n->kind == DECIMAL_SNAN)
QUESTION(is_signed, n->negative)
QUESTION(is_zero, num_is_zero(n))

static bool test_is_normal(const Calc *c, const Num *n) {
  return !num_is_special(n) && n->size && num_adjusted(c->ev, n) >= c->emin;
}
static bool test_is_subnormal(const Calc *c, const Num *n) {
  return !num_is_special(n) && n->size && num_adjusted(c->ev, n) < c->emin;
}
ASKED_OF_CONTEXT(is_normal)
ASKED_OF_CONTEXT(is_subnormal)

static Value class_name(Eval *ev, const Calc *c, const Num *n) {
  if (n->kind == DECIMAL_QNAN) return make_str_c(ev, "NaN");
  if (n->kind == DECIMAL_SNAN) return make_str_c(ev, "sNaN");
  const char *name = n->kind == DECIMAL_INFINITE ? "Infinity"
                     : n->size == 0              ? "Zero"
                     : test_is_normal(c, n)      ? "Normal"
                                                 : "Subnormal";
  return make_str_fmt(ev, "%c%s", n->negative ? '-' : '+', name);
}
static Value d_number_class(Eval *ev, Value *a) {
  Calc c = calc_of(ev, take_context(ev, a[1]));
  Num n = self_num(ev, a[0]);
  return class_name(ev, &c, &n);
}
static Value c_number_class(Eval *ev, Value *a) {
  Calc c = calc_of(ev, value_as_context(ev, a[0]));
  Num n;
  take_decimal(&c, a[1], &n);
  return class_name(ev, &c, &n);
}

static Value same_quantum(Eval *ev, Value left, Value right) {
  Calc c = calc_exact(ev);
  Num a, b;
  take_decimal(&c, left, &a);
  take_decimal(&c, right, &b);
  if (num_is_special(&a) || num_is_special(&b))
    return v_bool((num_is_nan(&a) && num_is_nan(&b)) || (a.kind == b.kind && !num_is_nan(&a)));
  return v_bool(a.exponent == b.exponent);
}
static Value d_same_quantum(Eval *ev, Value *a) { return same_quantum(ev, a[0], a[1]); }
static Value c_same_quantum(Eval *ev, Value *a) { return same_quantum(ev, a[1], a[2]); }

static Value d_adjusted(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return v_int(num_is_special(&n) ? 0 : num_adjusted(ev, &n));
}

static Value radix(Eval *ev, Value *a UNUSED) {
  Num n;
  num_small(&n, false, 10, 0);
  return make_decimal(ev, &n);
}

// ---- copies -------------------------------------------------------------------------------------
static Value with_sign(Eval *ev, Value v, int sign) { // 0, 1; -1: the other one
  Calc c = calc_exact(ev);
  Num n;
  take_decimal(&c, v, &n);
  n.negative = sign < 0 ? !n.negative : sign != 0;
  return make_decimal(ev, &n);
}
static Value d_copy_abs(Eval *ev, Value *a) { return with_sign(ev, a[0], 0); }
static Value c_copy_abs(Eval *ev, Value *a) { return with_sign(ev, a[1], 0); }
static Value d_copy_negate(Eval *ev, Value *a) { return with_sign(ev, a[0], -1); }
static Value c_copy_negate(Eval *ev, Value *a) { return with_sign(ev, a[1], -1); }
static Value signed_as(Eval *ev, Value v, Value other) {
  Calc c = calc_exact(ev);
  Num n;
  take_decimal(&c, other, &n);
  return with_sign(ev, v, n.negative);
}
static Value d_copy_sign(Eval *ev, Value *a) { return signed_as(ev, a[0], a[1]); }
static Value c_copy_sign(Eval *ev, Value *a) { return signed_as(ev, a[1], a[2]); }

static Value same(Eval *ev UNUSED, Value *a) { return a[0]; }
static Value c_canonical(Eval *ev, Value *a) {
  if (!value_as_decimal(ev, a[1]))
    eval_raise(ev, ev->types.TypeError, "argument must be a Decimal");
  return a[1];
}
static Value c_copy_decimal(Eval *ev, Value *a) {
  if (value_as_decimal(ev, a[1])) return a[1];
  Calc c = calc_exact(ev);
  Num n;
  take_decimal(&c, a[1], &n);
  return make_decimal(ev, &n);
}

// ---- as other values ----------------------------------------------------------------------------
static Value d_int(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return decimal_to_int(ev, &n, DECIMAL_DOWN);
}
static Value d_floor(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return decimal_to_int(ev, &n, DECIMAL_FLOOR);
}
static Value d_ceil(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return decimal_to_int(ev, &n, DECIMAL_CEILING);
}
static Value d_float(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return v_float(decimal_to_double(ev, &n));
}
static Value d_complex(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return make_complex(ev, decimal_to_double(ev, &n), 0);
}
static Value d_ratio(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  return decimal_to_ratio(ev, &n);
}

static Value d_as_tuple(Eval *ev, Value *a) {
  Num n = self_num(ev, a[0]);
  Value fields[3] = {v_int(n.negative), v_none(), v_int(n.exponent)};
  Str digits = num_digit_text(ev, &n);
  if (num_is_nan(&n) && n.size == 0) digits.len = 0;
  Tuple *values = tuple_new(ev, digits.len);
  for (size_t i = 0; i < digits.len; i++) values->items[i] = v_int(digits.data[i] - '0');
  fields[1] = v_object(values);
  if (num_is_special(&n))
    fields[2] = make_str_c(ev, n.kind == DECIMAL_INFINITE ? "F"
                               : n.kind == DECIMAL_QNAN   ? "n"
                                                          : "N");
  return value_call_n(ev, module_lookup(ev, "decimal", "DecimalTuple"), 3, fields);
}

static Value text_of(Eval *ev, Value v, bool engineering, const DecimalContext *context) {
  Calc c = calc_exact(ev);
  Num n;
  take_decimal(&c, v, &n);
  return make_str(ev, num_text(ev, &n, engineering, context->capitals));
}
static Value d_eng_string(Eval *ev, Value *a) {
  return text_of(ev, a[0], true, take_context(ev, a[1]));
}
static Value c_eng_string(Eval *ev, Value *a) {
  return text_of(ev, a[1], true, value_as_context(ev, a[0]));
}
static Value c_sci_string(Eval *ev, Value *a) {
  return text_of(ev, a[1], false, value_as_context(ev, a[0]));
}

static Value d_reduce(Eval *ev, Value *a) {
  Value text = make_str(ev, decimal_str(ev, a[0]));
  Value pair[] = {v_object(a[0].o->type), make_tuple(ev, 1, &text)};
  return make_tuple(ev, 2, pair);
}

static Value decimal_real(Eval *ev UNUSED, Value self) { return self; }
static Value decimal_imag(Eval *ev, Value self UNUSED) {
  Num n;
  num_small(&n, false, 0, 0);
  return make_decimal(ev, &n);
}

// ---- making -------------------------------------------------------------------------------------
static Value as_class(Eval *ev, Type *cls, Value v) {
  return payload_wrap(ev, cls, decimal_state(ev)->decimal, v);
}

static Value d_new(Eval *ev, Value *a) { // cls, value, context
  Type *cls = (Type *)a[0].o;
  if (v_is_none(a[2]) && value_unwrap(a[1]).kind == V_OBJECT && value_as_decimal(ev, a[1]) &&
      cls == decimal_state(ev)->decimal)
    return value_unwrap(a[1]);
  return as_class(ev, cls, decimal_of_value(ev, a[1], NULL, take_context(ev, a[2])));
}

static Value float_exactly(Eval *ev, Value v, DecimalContext *context) {
  Calc c = context ? calc_of(ev, context) : calc_exact(ev);
  Num n;
  Value plain = value_unwrap(v);
  if (plain.kind == V_FLOAT)
    num_of_double(&c, &n, plain.f);
  else if (value_is_int(v))
    take_decimal(&c, v, &n);
  else
    eval_raise(ev, ev->types.TypeError, "argument must be int or float");
  if (!context) return make_decimal(ev, &n);
  num_finish(&c, &n);
  return decimal_result(context, &c, &n);
}

static Value d_from_float(Eval *ev, Value *a) { // cls, f
  Type *cls = (Type *)a[0].o;
  Value v = float_exactly(ev, a[1], NULL);
  return cls == decimal_state(ev)->decimal ? v : value_call_n(ev, a[0], 1, &v);
}

static Value c_create_decimal(Eval *ev, Value *a) {
  DecimalContext *context = value_as_context(ev, a[0]);
  return decimal_of_value(ev, a[1], context, context);
}

static Value c_from_float(Eval *ev, Value *a) {
  return float_exactly(ev, a[1], value_as_context(ev, a[0]));
}

// ---- tables -------------------------------------------------------------------------------------
#define WITH_CONTEXT(name)                                                                         \
  { #name "(self, context=None)", d_##name }
#define WITH_OTHER(name)                                                                           \
  { #name "(self, other, context=None)", d_##name }
#define ALONE(name)                                                                                \
  { #name "(self, /)", d_##name }
#define OF_CONTEXT(name)                                                                           \
  { #name "(self, x, /)", c_##name }
#define OF_CONTEXT_AND_TWO(name)                                                                   \
  { #name "(self, a, b)", c_##name }
#define BOTH(KIND)                                                                                 \
  KIND(compare), KIND(compare_signal), KIND(compare_total), KIND(compare_total_mag),               \
      KIND(logical_and), KIND(logical_or), KIND(logical_xor), KIND(max), KIND(max_mag), KIND(min), \
      KIND(min_mag), KIND(next_toward), KIND(remainder_near), KIND(rotate), KIND(scaleb),          \
      KIND(shift), KIND(copy_sign), KIND(same_quantum)
#define ONE(KIND)                                                                                  \
  KIND(exp), KIND(ln), KIND(log10), KIND(sqrt), KIND(logb), KIND(next_minus), KIND(next_plus),     \
      KIND(normalize), KIND(logical_invert), KIND(is_normal), KIND(is_subnormal),                  \
      KIND(number_class)
#define ASK(KIND)                                                                                  \
  KIND(is_canonical), KIND(is_finite), KIND(is_infinite), KIND(is_nan), KIND(is_qnan),             \
      KIND(is_snan), KIND(is_signed), KIND(is_zero), KIND(copy_abs), KIND(copy_negate)

static const NativeDef decimal_methods[] = {
    {"__new__(cls, value='0', context=None)", d_new},
    {"from_float(cls, f, /)", d_from_float},
    ONE(WITH_CONTEXT),
    BOTH(WITH_OTHER),
    ASK(ALONE),
    {"quantize(self, exp, rounding=None, context=None)", d_quantize},
    {"to_integral(self, rounding=None, context=None)", d_integral},
    {"to_integral_value(self, rounding=None, context=None)", d_integral},
    {"to_integral_exact(self, rounding=None, context=None)", d_integral_exact},
    {"to_eng_string(self, context=None)", d_eng_string},
    {"fma(self, other, third, context=None)", d_fma},
    {"adjusted(self, /)", d_adjusted},
    {"as_tuple(self, /)", d_as_tuple},
    {"as_integer_ratio(self, /)", d_ratio},
    {"canonical(self, /)", same},
    {"conjugate(self, /)", same},
    {"radix(self, /)", radix},
    {"__abs__(self, /)", d_abs},
    {"__divmod__(self, value, /)", d_divmod},
    {"__rdivmod__(self, value, /)", d_rdivmod},
    {"__pow__(self, value, mod=None, /)", d_pow},
    {"__round__(self, ndigits=None, /)", d_round},
    {"__int__(self, /)", d_int},
    {"__trunc__(self, /)", d_int},
    {"__floor__(self, /)", d_floor},
    {"__ceil__(self, /)", d_ceil},
    {"__float__(self, /)", d_float},
    {"__complex__(self, /)", d_complex},
    {"__copy__(self, /)", same},
    {"__deepcopy__(self, memo, /)", same},
    {"__reduce__(self, /)", d_reduce},
    {"__format__(self, spec, context=None, /)", d_format},
    {0},
};

const NativeDef decimal_context_operations[] = {
    ONE(OF_CONTEXT),
    BOTH(OF_CONTEXT_AND_TWO),
    ASK(OF_CONTEXT),
    OF_CONTEXT(abs),
    OF_CONTEXT(plus),
    OF_CONTEXT(minus),
    OF_CONTEXT(canonical),
    OF_CONTEXT(copy_decimal),
    OF_CONTEXT_AND_TWO(add),
    OF_CONTEXT_AND_TWO(subtract),
    OF_CONTEXT_AND_TWO(multiply),
    OF_CONTEXT_AND_TWO(divide),
    OF_CONTEXT_AND_TWO(divide_int),
    OF_CONTEXT_AND_TWO(remainder),
    OF_CONTEXT_AND_TWO(quantize),
    {"divmod(self, a, b)", c_divmod},
    {"fma(self, a, b, c)", c_fma},
    {"power(self, a, b, modulo=None)", c_power},
    {"to_integral(self, x, /)", c_integral},
    {"to_integral_value(self, x, /)", c_integral},
    {"to_integral_exact(self, x, /)", c_integral_exact},
    {"to_eng_string(self, x, /)", c_eng_string},
    {"to_sci_string(self, x, /)", c_sci_string},
    {"create_decimal(self, num='0', /)", c_create_decimal},
    {"create_decimal_from_float(self, f, /)", c_from_float},
    {"radix(self, /)", radix},
    {0},
};

static const NativeGetter decimal_getters[] = {{"real", decimal_real}, {"imag", decimal_imag}, {0}};

static void decimal_discard(Eval *ev, Value self) { arena_discard(ev->arena, self.o); }

static const NativeType decimal_type = {
    .slots = {.binary = decimal_binary,
              .unary = decimal_unary,
              .compare = decimal_compare,
              .hash = decimal_hash,
              .truth = decimal_truth,
              .repr = decimal_repr,
              .str = decimal_str,
              .format = decimal_format,
              .discard = decimal_discard},
    .methods = decimal_methods,
    .getters = decimal_getters,
};

static void init(Eval *ev, ModuleObject *module) {
  ev->builtin->decimal = ARENA_NEW(ev->arena, DecimalState);
  types_of_extension(ev, "decimal");
  decimal_state(ev)->decimal = native_type_new(ev, "decimal", "Decimal", NULL, &decimal_type);
  decimal_context_init(ev, module);
  module_set(ev, module, "Decimal", v_object(decimal_state(ev)->decimal));
}

const ModuleDef module_decimal = {.name = "decimal", .functions = decimal_functions, .init = init};
