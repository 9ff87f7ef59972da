// SPDX-License-Identifier: Apache-2.0
// More functions of float64 without branches, made of those of vector_math.h: within 4 ulp, and
// what C's functions of the same name give of zeros, infinities and NaN.
#pragma once
#include "vector_math.h"

// ---- powers and logarithms ----------------------------------------------------------------------

LANE double lane_exp2(double x) {
  double y = x > 1025 ? 1025 : x < -1080 ? -1080 : x;
  double n = rint(y), half = rint(n * 0.5);
  double e = 1 + expm1_near_0((y - n) * 0x1.62e42fefa39efp-1);
  return x != x ? x : e * power_of_two(half) * power_of_two(n - half);
}

LANE double lane_expm1(double x) {
  double y = x > 700 ? 700 : x < -40 ? -40 : x;
  double n = rint(y * 0x1.71547652b82fep0);
  double r = (y - n * LOG_2_HIGH) - n * LOG_2_LOW, power = power_of_two(n);
  double t = power * expm1_near_0(r) + (power - 1);
  return x > 700 ? exp_f64(x) : x != x || x == 0 ? x : t;
}

// What 1 + x loses is put right in the first order.
LANE double lane_log1p(double x) {
  double u = 1 + x, lost = x - (u - 1), y = log_f64(u) + lost / u;
  return x == INFINITY || x == 0 ? x : u == 0 ? -INFINITY : y;
}

// log of x as a power of two, which is exact, and a rest in units of `scale`.
LANE double log_in_units(double x, double two_high, double two_low, double scale) {
  double scaled = x < 0x1p-1022 ? x * 0x1p54 : x;
  double k = exponent_of(scaled), m = mantissa_of(scaled);
  k = x < 0x1p-1022 ? k - 54 : k;
  return log_of_any(x, k * two_high + (k * two_low + log_f64(m) * scale));
}

LANE double lane_log2(double x) { return log_in_units(x, 1, 0, 0x1.71547652b82fep0); }

LANE double lane_log10(double x) {
  return log_in_units(x, 0x1.34413509f8000p-2, -0x1.80433b83b532ap-44, 0x1.bcb7b1526e50ep-2);
}

// By way of the logarithm, and one step of Newton's.
LANE double lane_cbrt(double x) {
  double whole = fabs(x), up = whole < 0x1p-900 ? 0x1p300 : 1,
         back = whole < 0x1p-900 ? 0x1p-100 : 1;
  double a = whole * up, t = exp_f64(log_f64(a) * (1.0 / 3));
  double y = (t - (t * t * t - a) / (3 * t * t)) * back;
  y = whole == INFINITY ? x : y;
  return whole == 0 ? x : copysign(y, x);
}

// ---- hyperbolic functions -----------------------------------------------------------------------

LANE double lane_cosh(double x) {
  double y = fabs(x), small = y > 600 ? 600 : y, e = exp_f64(small), half = exp_f64(y * 0.5);
  return y > 600 ? 0.5 * half * half : 0.5 * e + 0.5 / e;
}

LANE double lane_sinh(double x) {
  double y = fabs(x), small = y > 600 ? 600 : y, e = lane_expm1(small), half = exp_f64(y * 0.5);
  double t = y > 600 ? 0.5 * half * half : 0.5 * (e + e / (e + 1));
  return x != x ? x : copysign(t, x);
}

LANE double lane_asinh(double x) {
  double y = fabs(x), z = y > 0x1p500 ? 1 : y * y;
  double t = lane_log1p(y + z / (1 + sqrt(1 + z)));
  t = y > 0x1p28 ? log_f64(y) + 0x1.62e42fefa39efp-1 : t;
  return x != x ? x : copysign(y < 0x1p-28 ? y : t, x);
}

LANE double lane_acosh(double x) {
  double y = x > 0x1p28 ? 2 : x, t = y - 1;
  double near = lane_log1p(t + sqrt(2 * t + t * t)), far = log_f64(x) + 0x1.62e42fefa39efp-1;
  near = x < 1 ? NAN : near;
  return x > 0x1p28 ? far : near;
}

LANE double lane_atanh(double x) {
  double y = fabs(x), t = 0.5 * lane_log1p(2 * y / (1 - y));
  t = y == 1 ? INFINITY : y > 1 ? NAN : t;
  return x != x ? x : copysign(y < 0x1p-28 ? y : t, x);
}

// ---- inverses of circular functions -------------------------------------------------------------

// atan of |r| <= tan(pi/16), the series to r^25.
LANE double atan_near_0(double r) {
  double z = r * r, p = 1.0 / 25;
  p = p * z - 1.0 / 23;
  p = p * z + 1.0 / 21;
  p = p * z - 1.0 / 19;
  p = p * z + 1.0 / 17;
  p = p * z - 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z - 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z - 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z - 1.0 / 3;
  return r + r * (z * p);
}

// atan of a quotient of numbers that are not negative, one of them not 0: angles of 0, pi/8 and
// pi/4 are taken off, and off pi/2 where it is above 1.
LANE double atan_of_quotient(double up, double down) {
  double low = up < down ? up : down, high = up < down ? down : up;
  double tangent = low > 0.6681786379192989 * high   ? 1
                   : low > 0.1989123673796580 * high ? 0x1.a827999fcef32p-2 // tan(pi/8)
                                                     : 0;
  double angle = tangent == 1 ? 0x1.921fb54442d18p-1 : tangent == 0 ? 0 : 0x1.921fb54442d18p-2;
  double lost = tangent == 1   ? 0x1.1a62633145c07p-55
                : tangent == 0 ? 0
                               : 0x1.c398861b78b55p-59; // of the rounded tangent
  double r = (low - tangent * high) / (high + tangent * low);
  double t = angle + (atan_near_0(r) + lost);
  return up > down ? 0x1.921fb54442d18p0 - (t - 0x1.1a62633145c07p-54) : t;
}

LANE double lane_atan(double x) {
  double y = fabs(x), big = y > 0x1p300 ? 0x1p300 : y;
  return x != x ? x : copysign(atan_of_quotient(big, 1), x);
}

LANE double lane_asin(double x) {
  double y = fabs(x), t = atan_of_quotient(y, sqrt((1 - y) * (1 + y)));
  return x != x ? x : copysign(y > 1 ? NAN : y < 0x1p-27 ? y : t, x);
}

LANE double lane_acos(double x) {
  double t = 2 * atan_of_quotient(sqrt(1 - x), sqrt(1 + x));
  return x != x ? x : fabs(x) > 1 ? NAN : t;
}

// ---- of two -------------------------------------------------------------------------------------

// x^y of a positive normal x: the logarithm as a sum of two doubles, so that its product with y is
// off by less than the result's last digit. Its parts: k log 2, 2s of s = (m - 1) / (m + 1), and
// the series of what is beyond 2s.
LANE double lane_power(double x, double y) {
  double k = exponent_of(x), m = mantissa_of(x);
  double f = m - 1, d = 2 + f, d_low = f - (d - 2), s = f / d;
  double cut = from_bits(to_bits(s) & 0xfffffffff8000000u),
         d_cut = from_bits(to_bits(d) & 0xfffffffff8000000u);
  double rest = ((f - cut * d_cut) - cut * ((d - d_cut) + d_low)) / d; // s is cut + rest
  double q = s * s, p = log_series(2.0 / 23 * q + 2.0 / 21, q);
  double q_high = cut * cut, q_low = rest * (cut + s), cube = 2.0 / 3; // cut has 26 bits
  double series = (cube + p * q) * s * (q_high + q_low);
  double high = k * LOG_2_HIGH, low = k * LOG_2_LOW;
  double sum = high + 2 * cut,
         sum_low = (high - (sum - 2 * cut)) + (2 * cut - (sum - (sum - 2 * cut)));
  double tail = sum_low + (low + (2 * rest + series));
  double log_high = sum + tail, log_low = tail - (log_high - sum);
  double l_cut = from_bits(to_bits(log_high) & 0xfffffffff8000000u),
         y_cut = from_bits(to_bits(y) & 0xfffffffff8000000u);
  double product = log_high * y;
  double off = ((l_cut * y_cut - product) + (l_cut * (y - y_cut) + (log_high - l_cut) * y_cut)) +
               (log_high - l_cut) * (y - y_cut) + log_low * y;
  double bounded = product > 710 ? 710 : product < -746 ? -746 : product;
  off = fabs(product) > 746 ? 0 : off;
  double n = rint(bounded * 0x1.71547652b82fep0), half = rint(n * 0.5);
  double r = ((bounded - n * LOG_2_HIGH) - n * LOG_2_LOW) + off;
  return (1 + expm1_near_0(r)) * power_of_two(half) * power_of_two(n - half);
}

// The same of a negative x, and an integer y.
LANE double lane_signed_power(double x, double y) {
  double p = lane_power(fabs(x), y), half = y * 0.5;
  return x < 0 && half != rint(half) ? -p : p;
}
