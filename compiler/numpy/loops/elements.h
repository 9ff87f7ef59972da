// SPDX-License-Identifier: Apache-2.0
// What loops do to one element where C's operators are not NumPy's.
#pragma once
#include <math.h>
#include <stdint.h>

static inline uint64_t integer_power(uint64_t x, uint64_t n) {
  uint64_t r = 1;
  for (; n > 0; n >>= 1, x *= x)
    if (n & 1) r *= x;
  return r;
}

static inline double log2_of_1p(double x) { return log1p(x) * 0x1.71547652b82fep0; }

// log(power(x) + power(y)) without overflow; `two` is the logarithm of 2.
static inline double log_add(double x, double y, double two, double (*power)(double),
                             double (*log_of_1p)(double)) {
  if (x == y) return x + two; // infinities, too
  double less = x - y;
  if (less > 0) return x + log_of_1p(power(-less));
  return less <= 0 ? y + log_of_1p(power(less)) : less;
}

// The remainder with the sign of y.
static inline double float_mod(double x, double y) {
  double r = fmod(x, y);
  if (r == 0) return copysign(0, y);
  return (r < 0) != (y < 0) ? r + y : r;
}

// The quotient of what the remainder leaves is whole but for its rounding error.
#define FLOOR_DIVIDE(name, T, remainder_of)                                                        \
  static inline T name(T x, T y) {                                                                 \
    if (y == 0) return x / y;                                                                      \
    T rest = remainder_of(x, y), quotient = (x - rest) / y;                                        \
    if (rest != 0 && (rest < 0) != (y < 0)) quotient -= 1;                                         \
    if (quotient == 0) return (T)copysign(0, x / y);                                               \
    T whole = (T)floor(quotient);                                                                  \
    return quotient - whole > (T)0.5 ? whole + 1 : whole;                                          \
  }
FLOOR_DIVIDE(floor_divide_f64, double, fmod)
FLOOR_DIVIDE(floor_divide_f32, float, fmodf)
#define float_floor_divide(x, y)                                                                   \
  _Generic((x), float : floor_divide_f32, default : floor_divide_f64)(x, y)
