// SPDX-License-Identifier: Apache-2.0
// Functions of float32 elements in double, without branches, so that a compiler makes vectors of
// them. Relative errors are below 2^-36: what is rounded to float32 is within 0.501 ulp.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint64_t to_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// 2^n * e^r of an integer n between -1022 and 1023 and |r| <= log(2) / 2: the Taylor series of e^r
// to r^9.
static inline double scaled_exp(double n, double r) {
  double p = 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  return p * from_bits(to_bits(n + (0x1p52 + 1023)) << 52);
}

// Arguments beyond what a float32 result tells apart are drawn in: 2^-200 rounds to 0, 2^200 to
// infinity. NaN stays.
static inline double vector_exp2(double x) {
  double y = x > 200 ? 200 : x < -200 ? -200 : x;
  double n = rint(y);
  return x != x ? x : scaled_exp(n, (y - n) * 0x1.62e42fefa39efp-1);
}

static inline double vector_exp(double x) {
  double y = x > 140 ? 140 : x < -140 ? -140 : x;
  double n = rint(y * 0x1.71547652b82fep0);
  return x != x ? x : scaled_exp(n, (y - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45);
}

// log of a positive normal double: 2 atanh(s) of s = (m - 1) / (m + 1), m between sqrt(1/2) and
// sqrt(2), to s^13. Zero gives -inf, negative arguments NaN.
static inline double vector_log(double x) {
  uint64_t bits = to_bits(x), top = bits - 0x3fe6a09e667f3bcdu;
  double k = from_bits((top >> 52) + 0x4330000000000000u) - 0x1p52;
  k = k > 2047 ? k - 4096 : k;
  double m = from_bits((top & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
  double s = (m - 1) / (m + 1), q = s * s, p = 2.0 / 13;
  p = p * q + 2.0 / 11;
  p = p * q + 2.0 / 9;
  p = p * q + 2.0 / 7;
  p = p * q + 2.0 / 5;
  p = p * q + 2.0 / 3;
  p = p * q + 2;
  double y = k * 0x1.62e42fefa39efp-1 + s * p;
  y = x == INFINITY ? x : y;
  y = x == 0 ? -INFINITY : y;
  return x >= 0 ? y : NAN;
}

static inline double vector_tanh(double x) {
  double y = 1 - 2 / (vector_exp(2 * x) + 1);
  return fabs(x) < 0x1p-13 ? x : y;
}
