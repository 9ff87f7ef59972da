// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of ints, bools and floats that fit a Value: what expressions do most.
#include <math.h>

#include "python/values/evaluator_state.h"
#include "number.h"
#include "python/values/raise.h"

#define EXACT_INT ((int64_t)1 << 53) // up to here doubles hold every integer

// ---- ints ---------------------------------------------------------------------------------------
static bool exact_in_double(int64_t i) { return i >= -EXACT_INT && i <= EXACT_INT; }

static bool int_binary(Eval *ev, BinaryOp op, int64_t a, int64_t b, Value *out) {
  int64_t result;
  switch (op) {
  case BIN_ADD:
    if (__builtin_add_overflow(a, b, &result)) return false;
    break;
  case BIN_SUB:
    if (__builtin_sub_overflow(a, b, &result)) return false;
    break;
  case BIN_MUL:
    if (__builtin_mul_overflow(a, b, &result)) return false;
    break;
  case BIN_FLOOR_DIV:
    if (b == 0) eval_raise(ev, ev->types.ZeroDivisionError, "integer division or modulo by zero");
    if (b == -1) return false; // may overflow
    result = int_floor_divide(a, b);
    break;
  case BIN_MOD:
    if (b == 0) eval_raise(ev, ev->types.ZeroDivisionError, "integer modulo by zero");
    result = b == -1 ? 0 : int_floor_modulo(a, b);
    break;
  case BIN_DIV:
    if (b == 0) eval_raise(ev, ev->types.ZeroDivisionError, "division by zero");
    if (!exact_in_double(a) || !exact_in_double(b)) return false;
    *out = v_float((double)a / (double)b);
    return true;
  case BIN_SHL:
    if (b < 0 || b > 62 || a < -(INT64_MAX >> b) || a > INT64_MAX >> b) return false;
    result = (int64_t)((uint64_t)a << b);
    break;
  case BIN_SHR:
    if (b < 0) return false;
    result = a >> (b > 63 ? 63 : b);
    break;
  case BIN_AND: result = a & b; break;
  case BIN_OR: result = a | b; break;
  case BIN_XOR: result = a ^ b; break;
  default: return false;
  }
  *out = v_int(result);
  return true;
}

// ---- floats -------------------------------------------------------------------------------------
double float_modulo(double a, double b) {
  double rest = fmod(a, b);
  if (rest == 0) return copysign(0.0, b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}

double float_floor_divide(double a, double b) {
  double rest = fmod(a, b), quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return copysign(0.0, a / b);
  double whole = floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

static bool float_binary(Eval *ev, BinaryOp op, double a, double b, Value *out) {
  switch (op) {
  case BIN_ADD: *out = v_float(a + b); return true;
  case BIN_SUB: *out = v_float(a - b); return true;
  case BIN_MUL: *out = v_float(a * b); return true;
  case BIN_DIV:
    if (b == 0) eval_raise(ev, ev->types.ZeroDivisionError, "float division by zero");
    *out = v_float(a / b);
    return true;
  case BIN_FLOOR_DIV:
    if (b == 0) eval_raise(ev, ev->types.ZeroDivisionError, "float floor division by zero");
    *out = v_float(float_floor_divide(a, b));
    return true;
  case BIN_MOD:
    if (b == 0) eval_raise(ev, ev->types.ZeroDivisionError, "float modulo");
    *out = v_float(float_modulo(a, b));
    return true;
  default: return false;
  }
}

static bool is_small_int(Value v) { return v.kind == V_INT || v.kind == V_BOOL; }

bool number_binary(Eval *ev, BinaryOp op, Value a, Value b, Value *out) {
  if (is_small_int(a) && is_small_int(b)) {
    if (a.kind == V_BOOL && b.kind == V_BOOL && (op == BIN_AND || op == BIN_OR || op == BIN_XOR)) {
      bool x = a.i != 0, y = b.i != 0;
      *out = v_bool(op == BIN_AND ? x && y : op == BIN_OR ? x || y : x != y);
      return true;
    }
    return int_binary(ev, op, a.i, b.i, out);
  }
  if (a.kind == V_FLOAT && (b.kind == V_FLOAT || is_small_int(b)))
    return float_binary(ev, op, a.f, b.kind == V_FLOAT ? b.f : (double)b.i, out);
  if (b.kind == V_FLOAT && is_small_int(a)) return float_binary(ev, op, (double)a.i, b.f, out);
  return false;
}

// ---- comparison ---------------------------------------------------------------------------------
// -1, 0, 1; an int64 against a double that is no NaN, exactly.
static int compare_int_float(int64_t i, double f) {
  if (f >= 9223372036854775808.0) return -1;
  if (f < -9223372036854775808.0) return 1;
  int64_t whole = (int64_t)f;
  if (i != whole) return i < whole ? -1 : 1;
  double rest = f - (double)whole;
  return rest > 0 ? -1 : rest < 0;
}

bool order_holds(CompareOp op, int order) {
  switch (op) {
  case CMP_EQ: return order == 0;
  case CMP_NE: return order != 0;
  case CMP_LT: return order < 0;
  case CMP_LE: return order <= 0;
  case CMP_GT: return order > 0;
  default: return order >= 0;
  }
}

bool number_compare(CompareOp op, Value a, Value b, bool *out) {
  if (is_small_int(a) && is_small_int(b)) {
    *out = order_holds(op, a.i < b.i ? -1 : a.i > b.i);
    return true;
  }
  bool a_float = a.kind == V_FLOAT, b_float = b.kind == V_FLOAT;
  if (!(a_float || is_small_int(a)) || !(b_float || is_small_int(b))) return false;
  if ((a_float && isnan(a.f)) || (b_float && isnan(b.f))) {
    *out = op == CMP_NE;
    return true;
  }
  int order;
  if (a_float && b_float)
    order = a.f < b.f ? -1 : a.f > b.f;
  else if (a_float)
    order = -compare_int_float(b.i, a.f);
  else
    order = compare_int_float(a.i, b.f);
  *out = order_holds(op, order);
  return true;
}
