// SPDX-License-Identifier: Apache-2.0
// The commonest arithmetic and comparisons of ints and floats, without a call. What they leave (an
// overflow, an error, a mixture of types) is number.h's.
#pragma once
#include "number.h"
#include "python/values/value.h"

// Divisions of 32 bits take half the time, and most numbers are small.
static inline bool quick_are_small(int64_t a, int64_t b) {
  return ((uint64_t)a | (uint64_t)b) >> 32 == 0;
}

static inline bool quick_int_binary(BinaryOp op, int64_t a, int64_t b, int64_t *out) {
  switch (op) {
  case BIN_ADD: return !__builtin_add_overflow(a, b, out);
  case BIN_SUB: return !__builtin_sub_overflow(a, b, out);
  case BIN_MUL: return !__builtin_mul_overflow(a, b, out);
  case BIN_FLOOR_DIV:
    if (b <= 0) return false;
    *out = quick_are_small(a, b) ? (int64_t)((uint32_t)a / (uint32_t)b) : int_floor_divide(a, b);
    return true;
  case BIN_MOD:
    if (b <= 0) return false;
    *out = quick_are_small(a, b) ? (int64_t)((uint32_t)a % (uint32_t)b) : int_floor_modulo(a, b);
    return true;
  case BIN_AND: *out = a & b; return true;
  case BIN_OR: *out = a | b; return true;
  case BIN_XOR: *out = a ^ b; return true;
  default: return false;
  }
}

static inline bool quick_float_binary(BinaryOp op, double a, double b, double *out) {
  switch (op) {
  case BIN_ADD: *out = a + b; return true;
  case BIN_SUB: *out = a - b; return true;
  case BIN_MUL: *out = a * b; return true;
  case BIN_DIV: *out = a / b; return b != 0;
  default: return false;
  }
}

static inline bool quick_binary(BinaryOp op, Value a, Value b, Value *out) {
  if (a.kind == V_INT && b.kind == V_INT) {
    int64_t i;
    if (!quick_int_binary(op, a.i, b.i, &i)) return false;
    *out = v_int(i);
    return true;
  }
  bool a_float = a.kind == V_FLOAT, b_float = b.kind == V_FLOAT;
  if (!(a_float || a.kind == V_INT) || !(b_float || b.kind == V_INT)) return false;
  double f;
  if (!quick_float_binary(op, a_float ? a.f : (double)a.i, b_float ? b.f : (double)b.i, &f) ||
      !(a_float || b_float))
    return false;
  *out = v_float(f);
  return true;
}

// Of two ints or two floats.
static inline bool quick_compare(CompareOp op, Value a, Value b, bool *out) {
  if (op > CMP_GE || a.kind != b.kind) return false;
  if (a.kind == V_INT) {
    switch (op) {
    case CMP_EQ: *out = a.i == b.i; return true;
    case CMP_NE: *out = a.i != b.i; return true;
    case CMP_LT: *out = a.i < b.i; return true;
    case CMP_LE: *out = a.i <= b.i; return true;
    case CMP_GT: *out = a.i > b.i; return true;
    default: *out = a.i >= b.i; return true;
    }
  }
  if (a.kind != V_FLOAT) return false;
  switch (op) {
  case CMP_EQ: *out = a.f == b.f; return true;
  case CMP_NE: *out = a.f != b.f; return true;
  case CMP_LT: *out = a.f < b.f; return true;
  case CMP_LE: *out = a.f <= b.f; return true;
  case CMP_GT: *out = a.f > b.f; return true;
  default: *out = a.f >= b.f; return true;
  }
}
