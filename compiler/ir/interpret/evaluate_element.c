// SPDX-License-Identifier: Apache-2.0
// What elementwise ops do to one element of each type: ops.def in C. Floats are computed in double
// from the elements' exact values, then rounded to what the type is computed in and to the type:
// what a correctly rounded f32 function would give.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "cells.h"
#include "base/float_function.h"
#include "ir/core/arithmetic.h"

#include <math.h>
#include <string.h>

// Arithmetic takes subnormal f32 and f64 for zero and gives zero for them, as compiled code does
// (prt__enter sets the CPU so).
static double flushed(DType dtype, double value) {
  bool has_range = dtype == DT_F64 || dtype == DT_F32 || dtype == DT_BF16;
  return has_range && fabs(value) < dtype_float_tiny(dtype) ? copysign(0, value) : value;
}

double evaluate_operand(DType dtype, const void *element) {
  return flushed(dtype, dtype_load_f64(dtype, element));
}

double evaluate_round(DType dtype, double value) {
  uint64_t bytes = 0;
  dtype_store_f64(dtype, &bytes, dtype == DT_F64 ? value : (double)(float)value);
  return flushed(dtype, dtype_load_f64(dtype, &bytes));
}

static uint64_t bits_of(DType dtype, const void *element) {
  uint64_t bits = 0;
  memcpy(&bits, element, dtype_size(dtype));
  return dtype_bits(dtype) < 8 ? bits & 15 : bits;
}

// ---- floats ------------------------------------------------------------------------------------
static double sign_of(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x; // zeros and NaN stay
}

static double ir_evaluate_unary(OpCode code, double x) {
  switch (code) {
#define FLOAT_FUNCTION(id, name, value)                                                            \
  case OP_##id:                                                                                    \
    return float_function(FLOAT_##id, x);
#include "base/float_function.def"
#undef FLOAT_FUNCTION
  default: BUG("'%s' of a float", op_info(code)->name);
  }
}

// NaN wins, and -0.0 is less than 0.0.
static double float_max(double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}

// jnp.remainder and jnp.floor_divide, every step rounded to the type.
static double float_mod(DType dtype, double x, double y) {
  double rest = fmod(x, y);
  bool correct = rest != 0 && (rest < 0) != (y < 0);
  return correct ? evaluate_round(dtype, rest + y) : rest;
}

static double float_floordiv(DType dtype, double x, double y) {
  double rest = fmod(x, y);
  double dividend = y == 0 ? x : evaluate_round(dtype, x - rest);
  double quotient = evaluate_round(dtype, dividend / y);
  double y_sign = sign_of(y), rest_sign = sign_of(rest);
  if (rest != 0 && y_sign != rest_sign) quotient = evaluate_round(dtype, quotient - 1);
  return round(quotient);
}

// The next value of the type's own grid.
static double next_after(DType dtype, double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  uint64_t bits = 0, sign = (uint64_t)1 << (dtype_bits(dtype) - 1);
  if (x == 0) {
    bits = 1 | (y < 0 ? sign : 0);
  } else {
    dtype_store_f64(dtype, &bits, x);
    bits += (x < y) == (x > 0) ? 1 : (uint64_t)-1;
  }
  return dtype_load_f64(dtype, &bits);
}

double evaluate_float_binary(OpCode code, DType dtype, double x, double y) {
  switch (code) {
  case OP_ADD: return evaluate_round(dtype, x + y);
  case OP_SUB: return evaluate_round(dtype, x - y);
  case OP_MUL: return evaluate_round(dtype, x * y);
  case OP_DIV: return evaluate_round(dtype, x / y);
  case OP_REM: return fmod(x, y);
  case OP_FLOORDIV: return float_floordiv(dtype, x, y);
  case OP_MOD: return float_mod(dtype, x, y);
  case OP_MAX: return float_max(x, y);
  case OP_MIN: return -float_max(-x, -y);
  case OP_POW: return evaluate_round(dtype, pow(x, y));
  case OP_ATAN2: return evaluate_round(dtype, atan2(x, y));
  case OP_NEXTAFTER: return next_after(dtype, x, y);
  default: BUG("'%s' of floats", op_info(code)->name);
  }
}

// Rounds to `mantissa` bits in the type's own code, then takes the exponents that are too large to
// infinity and those that are too small to zero.
static void reduce_precision(const IrOp *op, DType dtype, const char *x, char *out) {
  int own_mantissa = -ilogb(dtype_float_eps(dtype));
  int own_exponent = (int)dtype_bits(dtype) - 1 - own_mantissa;
  int64_t mantissa = ir_attr_int(op, ATTR_MANTISSA_BITS);
  int64_t exponent = ir_attr_int(op, ATTR_EXPONENT_BITS);
  double value = dtype_load_f64(dtype, x);
  uint64_t bits = bits_of(dtype, x);
  memcpy(out, x, dtype_size(dtype));
  if (value != value || isinf(value)) return;
  if (mantissa < own_mantissa) {
    uint64_t drop = (uint64_t)(own_mantissa - mantissa), last = bits >> drop & 1;
    bits += ((uint64_t)1 << (drop - 1)) - 1 + last;
    bits &= ~(((uint64_t)1 << drop) - 1);
  }
  if (exponent < own_exponent) {
    uint64_t sign = bits >> (dtype_bits(dtype) - 1) << (dtype_bits(dtype) - 1);
    int64_t own_bias = ((int64_t)1 << (own_exponent - 1)) - 1;
    int64_t bias = ((int64_t)1 << (exponent - 1)) - 1;
    int64_t biased = (int64_t)((bits & ~sign) >> own_mantissa);
    uint64_t infinity = (((uint64_t)1 << own_exponent) - 1) << own_mantissa;
    if (biased > own_bias + bias) bits = sign | infinity;
    if (biased <= own_bias - bias) bits = sign;
  }
  memcpy(out, &bits, dtype_size(dtype));
}

// ---- integers ----------------------------------------------------------------------------------
// Whether x < y; every type but u64 is held by an int64_t.
static bool int_less(DType dtype, int64_t x, int64_t y) {
  return dtype == DT_U64 ? (uint64_t)x < (uint64_t)y : x < y;
}

// Results may lie outside of the type; storing them wraps.
static int64_t int_unary(OpCode code, DType dtype, int64_t x) {
  unsigned width = dtype_bits(dtype);
  uint64_t bits = (uint64_t)x & (width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1);
  switch (code) {
  case OP_NEG: return (int64_t)(0 - (uint64_t)x);
  case OP_ABS: return int_less(dtype, x, 0) ? (int64_t)(0 - (uint64_t)x) : x;
  case OP_SIGN: return int_less(dtype, 0, x) - int_less(dtype, x, 0);
  case OP_NOT: return dtype == DT_BOOL ? !x : ~x;
  case OP_POPCOUNT: return __builtin_popcountll(bits);
  case OP_CLZ: return bits ? __builtin_clzll(bits) - (64 - (int64_t)width) : (int64_t)width;
  default: BUG("'%s' of an integer", op_info(code)->name);
  }
}

static int64_t int_div(DType dtype, int64_t x, int64_t y) {
  if (y == 0) return -1;
  if (dtype == DT_U64) return (int64_t)((uint64_t)x / (uint64_t)y);
  return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y; // the least by -1 wraps
}

static int64_t int_rem(DType dtype, int64_t x, int64_t y) {
  if (y == 0) return x;
  if (dtype == DT_U64) return (int64_t)((uint64_t)x % (uint64_t)y);
  return y == -1 ? 0 : x % y;
}

static int64_t int_floordiv(DType dtype, int64_t x, int64_t y) {
  if (!dtype_is_signed(dtype)) return int_div(dtype, x, y);
  bool correct = (x > 0) - (x < 0) != (y > 0) - (y < 0) && int_rem(dtype, x, y) != 0;
  return int_div(dtype, x, y) - correct;
}

static int64_t int_mod(DType dtype, int64_t x, int64_t y) {
  int64_t rest = y == 0 ? 0 : int_rem(dtype, x, y);
  return dtype_is_signed(dtype) && rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static int64_t int_shift(OpCode code, DType dtype, int64_t x, int64_t y) {
  unsigned width = dtype_bits(dtype);
  uint64_t mask = UINT64_MAX >> (64 - width), count = (uint64_t)y & mask;
  bool too_far = count >= width;
  int64_t sign_filled =
      (int64_t)((uint64_t)x << (64 - width)) >> (64 - width); // of unsigned types too
  switch (code) {
  case OP_SHL: return too_far ? 0 : (int64_t)((uint64_t)x << count);
  case OP_SHR_LOGICAL: return too_far ? 0 : (int64_t)(((uint64_t)x & mask) >> count);
  default: return sign_filled >> (too_far ? width - 1 : count);
  }
}

int64_t evaluate_int_binary(OpCode code, DType dtype, int64_t x, int64_t y) {
  switch (code) {
  case OP_ADD: return (int64_t)((uint64_t)x + (uint64_t)y);
  case OP_SUB: return (int64_t)((uint64_t)x - (uint64_t)y);
  case OP_MUL: return (int64_t)((uint64_t)x * (uint64_t)y);
  case OP_DIV: return int_div(dtype, x, y);
  case OP_REM: return int_rem(dtype, x, y);
  case OP_FLOORDIV: return int_floordiv(dtype, x, y);
  case OP_MOD: return int_mod(dtype, x, y);
  case OP_MAX: return int_less(dtype, y, x) ? x : y;
  case OP_MIN: return int_less(dtype, x, y) ? x : y;
  case OP_AND: return x & y;
  case OP_OR: return x | y;
  case OP_XOR: return x ^ y;
  case OP_SHL:
  case OP_SHR:
  case OP_SHR_LOGICAL: return int_shift(code, dtype, x, y);
  default: BUG("'%s' of integers", op_info(code)->name);
  }
}

// ---- elements ----------------------------------------------------------------------------------
static bool compare(OpCode code, DType dtype, const char *x, const char *y) {
  bool less, equal;
  if (dtype_is_float(dtype)) {
    double a = evaluate_operand(dtype, x), b = evaluate_operand(dtype, y);
    if (a != a || b != b) return code == OP_NE;
    less = a < b;
    equal = a == b;
  } else {
    int64_t a = dtype_load_i64(dtype, x), b = dtype_load_i64(dtype, y);
    less = int_less(dtype, a, b);
    equal = a == b;
  }
  switch (code) {
  case OP_EQ: return equal;
  case OP_NE: return !equal;
  case OP_LT: return less;
  case OP_LE: return less || equal;
  case OP_GT: return !less && !equal;
  case OP_GE: return !less;
  default: BUG("'%s' compares nothing", op_info(code)->name);
  }
}

static double int_to_float(DType to, DType from, int64_t x) {
  if (to == DT_F64) return from == DT_U64 ? (double)(uint64_t)x : (double)x;
  return (double)(from == DT_U64 ? (float)(uint64_t)x : (float)x);
}

// What is rounded to narrower floats: an f64 goes to 16 bits by way of f32, as in XLA.
static double float_to_float(DType from, DType to, const char *x) {
  double value = dtype_load_f64(from, x);
  return from == DT_F64 && dtype_bits(to) == 16 ? (double)(float)value : value;
}

// Integers become narrow floats by way of f32.
static void convert(DType from, DType to, const char *x, char *out) {
  bool is_by_bits = from == DT_BF16 && to == DT_BOOL; // as in compiled code: convert_dtype
  if (is_by_bits)
    dtype_store_f64(to, out, dtype_load_f64(from, x));
  else if (dtype_is_float(from))
    dtype_store_f64(to, out,
                    dtype_is_float(to) ? float_to_float(from, to, x) : evaluate_operand(from, x));
  else if (dtype_is_float(to))
    dtype_store_f64(to, out, int_to_float(to, from, dtype_load_i64(from, x)));
  else
    dtype_store_i64(to, out, dtype_load_i64(from, x));
}

static uint32_t rotate(uint32_t x, unsigned count) { return x << count | x >> (32 - count); }

static void threefry(const uint32_t in[4], uint32_t out[2]) {
  static const unsigned char rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t keys[3] = {in[0], in[1], in[0] ^ in[1] ^ 0x1BD11BDA};
  uint32_t x = in[2] + keys[0], y = in[3] + keys[1];
  for (unsigned group = 0; group < 5; group++) {
    for (unsigned i = 0; i < 4; i++) {
      x += y;
      y = rotate(y, rotations[group % 2][i]) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  out[0] = x;
  out[1] = y;
}

static void element_threefry(const char *const *operands, char *const *results) {
  uint32_t in[4], out[2];
  for (int i = 0; i < 4; i++) memcpy(&in[i], operands[i], sizeof in[i]);
  threefry(in, out);
  for (int i = 0; i < 2; i++) memcpy(results[i], &out[i], sizeof out[i]);
}

static void element_arithmetic(const IrOp *op, DType dtype, const char *const *x, char *out) {
  bool is_unary = op->operand_count == 1;
  OpCode code = dtype == DT_BOOL ? arithmetic_of(op->code)->on_bool : op->code;
  if (dtype_is_float(dtype)) {
    double a = evaluate_operand(dtype, x[0]);
    double value = is_unary ? evaluate_round(dtype, ir_evaluate_unary(code, a))
                            : evaluate_float_binary(code, dtype, a, evaluate_operand(dtype, x[1]));
    dtype_store_f64(dtype, out, value == value ? value : NAN); // one NaN, whatever the host makes
  } else {
    int64_t a = dtype_load_i64(dtype, x[0]);
    int64_t value = is_unary ? int_unary(code, dtype, a)
                             : evaluate_int_binary(code, dtype, a, dtype_load_i64(dtype, x[1]));
    dtype_store_i64(dtype, out, value);
  }
}

void evaluate_element(const IrOp *op, const char *const *operands, char *const *results) {
  DType dtype = op->operands[0]->type->dtype, result = op->results[0]->type->dtype;
  bool is_float = dtype_is_float(dtype);
  uint64_t sign = is_float ? (uint64_t)1 << (dtype_bits(dtype) - 1) : 0, bits;
  switch (op->code) {
  case OP_SELECT:
    memcpy(results[0], dtype_load_i64(DT_BOOL, operands[0]) ? operands[1] : operands[2],
           dtype_size(result));
    return;
  case OP_THREEFRY: element_threefry(operands, results); return;
  case OP_CONVERT: convert(dtype, result, operands[0], results[0]); return;
  case OP_BITCAST:
    bits = bits_of(dtype, operands[0]);
    if (dtype_is_float(result))
      memcpy(results[0], &bits, dtype_size(result));
    else
      dtype_store_i64(result, results[0], (int64_t)bits);
    return;
  case OP_IS_FINITE:
    dtype_store_i64(DT_BOOL, results[0], isfinite(dtype_load_f64(dtype, operands[0])));
    return;
  case OP_REDUCE_PRECISION: reduce_precision(op, dtype, operands[0], results[0]); return;
  case OP_NEG:
  case OP_ABS: // of a float: only the sign's bit, of NaN too
    if (!is_float || dtype_float_format(dtype).special == 'z' || dtype == DT_F8E8M0FNU) break;
    bits = bits_of(dtype, operands[0]);
    bits = op->code == OP_NEG ? bits ^ sign : bits & ~sign;
    memcpy(results[0], &bits, dtype_size(dtype));
    return;
  default: break;
  }
  if (op_info(op->code)->op_class == CLASS_COMPARE)
    dtype_store_i64(DT_BOOL, results[0], compare(op->code, dtype, operands[0], operands[1]));
  else
    element_arithmetic(op, dtype, operands, results[0]);
}
