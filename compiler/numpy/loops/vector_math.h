// SPDX-License-Identifier: Apache-2.0
// Functions of elements without branches, so that a compiler makes vectors of them. Those of
// float32 in double (vector_…) have relative errors below 2^-36: what is rounded to float32 is
// within 0.501 ulp. Those in the elements' own type (…_f32, …_f64) are within 2 ulp.
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

// A call in a loop would leave it without vectors.
#define LANE static inline __attribute__((always_inline))

LANE double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

LANE uint64_t to_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// 2^n of an integer n between -1022 and 1023.
LANE double power_of_two(double n) { return from_bits(to_bits(n + (0x1p52 + 1023)) << 52); }

// 2^n * e^r of an integer n between -1022 and 1023 and |r| <= log(2) / 2: the Taylor series of e^r
// to r^9.
LANE double scaled_exp(double n, double r) {
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
  return p * power_of_two(n);
}

// Arguments beyond what a float32 result tells apart are drawn in: 2^-200 rounds to 0, 2^200 to
// infinity. NaN stays.
LANE double vector_exp2(double x) {
  double y = x > 200 ? 200 : x < -200 ? -200 : x;
  double n = rint(y);
  return x != x ? x : scaled_exp(n, (y - n) * 0x1.62e42fefa39efp-1);
}

LANE double vector_exp(double x) {
  double y = x > 140 ? 140 : x < -140 ? -140 : x;
  double n = rint(y * 0x1.71547652b82fep0);
  return x != x ? x : scaled_exp(n, (y - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45);
}

// A positive normal double is mantissa * 2^exponent, the mantissa between sqrt(1/2) and sqrt(2).
#define ROOT_HALF 0x3fe6a09e667f3bcdu // the bits of sqrt(1/2)
LANE double exponent_of(double x) {
  double k = from_bits(((to_bits(x) - ROOT_HALF) >> 52) + 0x4330000000000000u) - 0x1p52;
  return k > 2047 ? k - 4096 : k;
}
LANE double mantissa_of(double x) {
  return from_bits(((to_bits(x) - ROOT_HALF) & 0x000fffffffffffffu) + ROOT_HALF);
}

// log of a positive normal double: 2 atanh(s) of s = (m - 1) / (m + 1), m between sqrt(1/2) and
// sqrt(2), to s^13. Zero gives -inf, negative arguments NaN.
LANE double vector_log(double x) {
  double k = exponent_of(x), m = mantissa_of(x);
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

// ---- float64 ------------------------------------------------------------------------------------

#define LOG_2_HIGH 0x1.62e42fee00000p-1 // 21 bits less than a double: its multiples are exact
#define LOG_2_LOW  0x1.a39ef35793c76p-33

// e^r - 1 of |r| <= log(2) / 2: the Taylor series to r^13.
LANE double expm1_near_0(double r) {
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  return r + r * r * p;
}

// The power of two goes in halves: results may be subnormal.
LANE double exp_f64(double x) {
  double y = x > 710 ? 710 : x < -746 ? -746 : x;
  double n = rint(y * 0x1.71547652b82fep0), half = rint(n * 0.5);
  double r = (y - n * LOG_2_HIGH) - n * LOG_2_LOW;
  double e = 1 + expm1_near_0(r);
  return x != x ? x : e * power_of_two(half) * power_of_two(n - half);
}

// y, the logarithm of x if x is positive and finite, else what it is.
LANE double log_of_any(double x, double y) {
  y = x == INFINITY ? x : y;
  y = x == 0 ? -INFINITY : y;
  return x >= 0 ? y : x != x ? x : NAN;
}

// The series of log((1 + s) / (1 - s)) in q = s^2, from 2/5 on; p: its terms beyond 2/19.
LANE double log_series(double p, double q) {
  p = p * q + 2.0 / 19;
  p = p * q + 2.0 / 17;
  p = p * q + 2.0 / 15;
  p = p * q + 2.0 / 13;
  p = p * q + 2.0 / 11;
  p = p * q + 2.0 / 9;
  p = p * q + 2.0 / 7;
  return p * q + 2.0 / 5;
}

// log of m * 2^k, m between sqrt(1/2) and sqrt(2): with f = m - 1, s = f / (2 + f) it is
// f - (f^2/2 - s (f^2/2 + R)) of the series R = 2/3 s^2 + 2/5 s^4 + …
LANE double log_f64(double x) {
  double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
  double k = exponent_of(scaled), m = mantissa_of(scaled);
  k = x < 0x1p-1022 ? k - 54 : k;
  double f = m - 1, s = f / (2 + f), q = s * s, p = log_series(2.0 / 21, q) * q + 2.0 / 3;
  double half = 0.5 * f * f;
  return log_of_any(x, k * LOG_2_HIGH - ((half - (s * (half + q * p) + k * LOG_2_LOW)) - f));
}

// (e^2y - 1) / (e^2y + 1) of y = |x|.
LANE double tanh_f64(double x) {
  double y = fabs(x), twice = y > 20 ? 40 : 2 * y;
  double n = rint(twice * 0x1.71547652b82fep0);
  double r = (twice - n * LOG_2_HIGH) - n * LOG_2_LOW, power = power_of_two(n);
  double t = power * expm1_near_0(r) + (power - 1);
  return x != x ? x : copysign(y < 0x1p-28 ? y : t / (t + 2), x);
}

// ---- sine and cosine ----------------------------------------------------------------------------

// Beyond this the multiples of pi/2 below have more bits than a double.
#define CIRCLE_LIMIT 0x1p19
#define HALF_PI_1    0x1.921fb54400000p0 // 33 bits
#define HALF_PI_2    0x1.0b4611a600000p-34
#define HALF_PI_3    0x1.3198a2e037073p-69

// What is left of x beyond n pi/2, by the series of its sine or of its cosine, as n says; `turn` is
// 1 for the cosine of x. |x| <= CIRCLE_LIMIT.
LANE double circle_f64(double x, uint64_t turn) {
  double shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = shifted - 0x1.8p52;
  uint64_t quarter = to_bits(shifted) + turn;
  double first = x - n * HALF_PI_1, second = n * HALF_PI_2, left = first - second;
  double rest = ((first - left) - second) - n * HALF_PI_3;
  double r = left + rest, low = (left - r) + rest, z = r * r; // low: what r has lost
  double s = 1.0 / 355687428096000;
  s = s * z - 1.0 / 1307674368000;
  s = s * z + 1.0 / 6227020800;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  double sine = r + (r * z * s + low);
  double c = 1.0 / 20922789888000;
  c = c * z - 1.0 / 87178291200;
  c = c * z + 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  double half = 0.5 * z, w = 1 - half, cosine = w + (((1 - w) - half) + (z * z * c - r * low));
  double y = quarter & 1 ? cosine : sine;
  return from_bits(to_bits(y) ^ (quarter & 2) << 62);
}

// The same for results that are rounded to float32.
LANE double circle_near(double x, uint64_t turn) {
  double shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, n = shifted - 0x1.8p52;
  uint64_t quarter = to_bits(shifted) + turn;
  double r = (x - n * HALF_PI_1) - n * HALF_PI_2, z = r * r;
  double s = -1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  double c = 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z - 0.5;
  double y = quarter & 1 ? 1 + z * c : r + r * z * s;
  return from_bits(to_bits(y) ^ (quarter & 2) << 62);
}

// ---- float32 ------------------------------------------------------------------------------------

// 2^n of an integer n between -126 and 127.
LANE float power_of_two_f32(float n) {
  float x = n + (0x1p23f + 127);
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits <<= 23;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// e^r - 1 of |r| <= log(2) / 2: the Taylor series to r^7.
LANE float expm1_near_0_f32(float r) {
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  return r + r * r * p;
}

#define LOG_2_HIGH_F32 0x1.63p-1f // 9 bits
#define LOG_2_LOW_F32  -0x1.bd0106p-13f

LANE float exp_f32(float x) {
  float y = x > 89 ? 89 : x < -104 ? -104 : x;
  float n = rintf(y * 0x1.715476p0f), half = rintf(n * 0.5f);
  float r = (y - n * LOG_2_HIGH_F32) - n * LOG_2_LOW_F32;
  float e = 1 + expm1_near_0_f32(r);
  return x != x ? x : e * power_of_two_f32(half) * power_of_two_f32(n - half);
}

LANE float tanh_f32(float x) {
  float y = fabsf(x), twice = y > 10 ? 20 : 2 * y;
  float n = rintf(twice * 0x1.715476p0f);
  float r = (twice - n * LOG_2_HIGH_F32) - n * LOG_2_LOW_F32, power = power_of_two_f32(n);
  float t = power * expm1_near_0_f32(r) + (power - 1);
  return x != x ? x : copysignf(y < 0x1p-13f ? y : t / (t + 2), x);
}
