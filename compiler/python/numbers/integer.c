// SPDX-License-Identifier: Apache-2.0
// Integers of any size: small ones in the Value, the others by GMP (bigint.c).
#include <math.h>

#include "base/checked.h"
#include "python/values/builtin_state.h"
#include "bigint.h"
#include "integer.h"
#include "number.h"
#include "python/values/raise.h"
#include "python/values/values.h"

bool int_operand(Value *v) {
  if (v->kind == V_INT || v->kind == V_BOOL) return true;
  if (v->kind != V_OBJECT) return false;
  if (value_is_big(*v)) return true;
  Value inner = value_unwrap(*v);
  if (inner.kind != V_INT && inner.kind != V_BOOL && !value_is_big(inner)) return false;
  *v = inner;
  return true;
}

bool int_as_double(Value v, double *out, bool *overflow) {
  if (overflow) *overflow = false;
  if (!int_operand(&v)) return false;
  if (big_as_double(v, out)) return true;
  if (overflow) *overflow = true;
  return false;
}

Value int_from_double(Eval *ev, double integral) {
  if (isnan(integral)) eval_raise(ev, ev->types.ValueError, "cannot convert float NaN to integer");
  if (isinf(integral))
    eval_raise(ev, ev->types.OverflowError, "cannot convert float infinity to integer");
  return big_from_double(ev, integral);
}

Value int_from_digits(Eval *ev, Str digits, int base) { return big_parse(ev, digits, base); }

static bool small_power(int64_t base, int64_t exponent, int64_t *out) {
  int64_t result = 1;
  for (;;) {
    if (exponent & 1 && !mul_i64(result, base, &result)) return false;
    exponent >>= 1;
    if (exponent == 0) break;
    if (!mul_i64(base, base, &base)) return false;
  }
  *out = result;
  return true;
}

// False: to be done with big numbers. b is not zero for the divisions.
static bool small_binary(BinaryOp op, int64_t a, int64_t b, int64_t *out) {
  switch (op) {
  case BIN_ADD: return add_i64(a, b, out);
  case BIN_SUB: return !__builtin_sub_overflow(a, b, out);
  case BIN_MUL: return mul_i64(a, b, out);
  case BIN_FLOOR_DIV:
    if (b == -1) return !__builtin_sub_overflow((int64_t)0, a, out);
    *out = int_floor_divide(a, b);
    return true;
  case BIN_MOD: *out = b == -1 ? 0 : int_floor_modulo(a, b); return true;
  case BIN_POW: return small_power(a, b, out);
  case BIN_SHL: return b >= 0 && b < 63 && mul_i64(a, (int64_t)1 << b, out);
  case BIN_SHR:
    if (b < 0) return false;
    *out = a >> (b > 63 ? 63 : b);
    return true;
  case BIN_AND: *out = a & b; return true;
  case BIN_OR: *out = a | b; return true;
  case BIN_XOR: *out = a ^ b; return true;
  default: return false;
  }
}

static NORETURN void raise_no_division(Eval *ev, const char *message) {
  eval_raise(ev, ev->types.ZeroDivisionError, "%s", message);
}

Value int_arithmetic(Eval *ev, BinaryOp op, Value a, Value b) {
  bool is_small = a.kind != V_OBJECT && b.kind != V_OBJECT;
  if (op == BIN_FLOOR_DIV || op == BIN_MOD || op == BIN_DIV) {
    if (b.kind != V_OBJECT && b.i == 0) {
      raise_no_division(ev, op == BIN_DIV         ? "division by zero"
                            : op == BIN_FLOOR_DIV ? "integer division or modulo by zero"
                                                  : "integer modulo by zero");
    }
    if (op == BIN_DIV) return v_float(big_true_divide(ev, a, b));
  }
  if (op == BIN_POW && big_sign(b) < 0) {
    double x, y;
    if (big_sign(a) == 0) raise_no_division(ev, "0.0 cannot be raised to a negative power");
    if (!big_as_double(a, &x) || !big_as_double(b, &y))
      eval_raise(ev, ev->types.OverflowError, "int too large to convert to float");
    return v_float(pow(x, y));
  }
  if (op == BIN_SHL && b.kind == V_OBJECT && big_sign(b) > 0 && big_sign(a) != 0)
    eval_raise(ev, ev->types.OverflowError, "too many digits in integer");
  int64_t small;
  if (is_small && small_binary(op, a.i, b.i, &small)) return v_int(small);
  return big_binary(ev, op, a, b);
}

Value int_add(Eval *ev, Value a, Value b) { return int_arithmetic(ev, BIN_ADD, a, b); }

Value int_multiply(Eval *ev, Value a, Value b) { return int_arithmetic(ev, BIN_MUL, a, b); }

Value int_divmod(Eval *ev, Value a, Value b, Value *remainder) {
  if (a.kind == V_OBJECT && (b.kind == V_OBJECT || b.i != 0))
    return big_divmod(ev, a, b, remainder);
  Value quotient = int_arithmetic(ev, BIN_FLOOR_DIV, a, b);
  *remainder = int_arithmetic(ev, BIN_MOD, a, b);
  return quotient;
}

Str int_text(Eval *ev, Value v) {
  // The number of digits is about bits * log10(2); the check is exact for what lies near the limit.
  if (v.kind == V_OBJECT && big_bit_length(v) > INT_MAX_STR_DIGITS * 3) {
    Str text = big_bit_length(v) < INT_MAX_STR_DIGITS * 4 ? big_text(ev->arena, v, 10)
                                                          : (Str){NULL, SIZE_MAX};
    if (text.len - (big_sign(v) < 0) > INT_MAX_STR_DIGITS) {
      eval_raise(ev, ev->types.ValueError,
                 "Exceeds the limit (%d digits) for integer string conversion; "
                 "use sys.set_int_max_str_digits() to increase the limit",
                 INT_MAX_STR_DIGITS);
    }
    return text;
  }
  return big_text(ev->arena, v, 10);
}
