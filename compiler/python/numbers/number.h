// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of ints, bools and floats that fit a Value: what expressions do most
// (number.c).
#pragma once
#include "python/values/evaluator.h"

bool order_holds(CompareOp op,
                 int order); // of two of which the first is less (< 0), equal (0), or greater
// Arithmetic of int, bool and float that stays in them. False: not of these kinds, or it overflows,
// or is left to the slots.
bool number_binary(Eval *ev, BinaryOp op, Value a, Value b, Value *out);
bool number_compare(CompareOp op, Value a, Value b, bool *out);
// Rounded down; of b, which is not 0, the rest has the sign. Not INT64_MIN by -1.
static inline int64_t int_floor_divide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
static inline int64_t int_floor_modulo(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
// The same of floats, where b is not zero.
double float_floor_divide(double a, double b);
double float_modulo(double a, double b);
