// SPDX-License-Identifier: Apache-2.0
// More functions of float64 without branches, made of those of vector_math.h: within 4 ulp, and
// what C's functions of the same name give of zeros, infinities and NaN.
#pragma once
#include "vector_math.h"

// ---- powers and logarithms ----------------------------------------------------------------------

LANE double exp2_normal(double x) {
  double n = rint(x);
  return (1 + expm1_near_0((x - n) * 0x1.62e42fefa39efp-1)) * power_of_two(n);
}

LANE double lane_exp2(double x) {
  double y = x > 1025 ? 1025 : x < -1080 ? -1080 : x;
  double n = rint(y), half = rint(n * 0.5);
  double e = 1 + expm1_near_0((y - n) * 0x1.62e42fefa39efp-1);
  return x != x ? x : e * power_of_two(half) * power_of_two(n - half);
}

// Of |x| <= 700.
LANE double expm1_normal(double x) {
  double n = rint(x * 0x1.71547652b82fep0);
  double r = FMA(-n, LOG_2_LOW, FMA(-n, LOG_2_HIGH, x)), power = power_of_two(n);
  return FMA(power, expm1_near_0(r), power - 1);
}

LANE double lane_expm1(double x) {
  double t = expm1_normal(x > 700 ? 700 : x < -40 ? -40 : x);
  return x > 700 ? exp_f64(x) : x != x || x == 0 ? x : t;
}

// Of 1 + x a normal number: what the sum has lost is put back in units of its mantissa.
LANE double log1p_normal(double x) {
  double u = 1 + x, lost = x - (u - 1), k = exponent_of(u);
  double f = FMA(lost, power_of_two(-k), mantissa_of(u) - 1);
  return log_sum(f, k * LOG_2_HIGH, k * LOG_2_LOW);
}
#define IS_LOG1P_NORMAL(x) ((x) >= -0x1.fffffffffffffp-1 && (x) <= 0x1p1000 && (x) != 0)

LANE double lane_log1p(double x) {
  double u = 1 + x, y = x > 0x1p1000 ? log_f64(x) : log1p_normal(x);
  y = u == 0 ? -INFINITY : u < 0 ? NAN : y;
  return x == INFINITY || x == 0 || x != x ? x : y;
}

LANE double lane_log2(double x) { return LOG_OF(x, IN_TWOS, 54); }

LANE double lane_log10(double x) { return LOG_OF(x, IN_TENS, 54 * 0x1.34413509f79ffp-2); }

// A third of the exponent and of the fraction behind it is right to 5 bits; each step of Halley's
// makes three times as many of them.
LANE double cbrt_step(double t, double a) {
  double cube = t * t * t;
  return t + t * ((a - cube) / (2 * cube + a));
}

LANE double lane_cbrt(double x) {
  // Where three times the cube is a normal number.
  double whole = fabs(x),
         up = whole < 0x1p-900  ? 0x1p300
              : whole > 0x1p900 ? 0x1p-300
                                : 1,
         back = whole < 0x1p-900  ? 0x1p-100
                : whole > 0x1p900 ? 0x1p100
                                  : 1;
  double a = whole * up, t;
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  bits = (bits >> 32) * 0xaaaaaaab >> 33;
  bits = (bits + 0x2a9f7893) << 32;
  memcpy(&t, &bits, sizeof t);
  double y = cbrt_step(cbrt_step(cbrt_step(t, a), a), a) * back;
  return whole == 0 || !(whole < INFINITY) ? x : copysign(y, x);
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

// Of |x| <= 700, whose results are normal or as small as x.
LANE double cosh_normal(double x) {
  double e = exp_normal(fabs(x));
  return 0.5 * e + 0.5 / e;
}
LANE double sinh_normal(double x) {
  double e = expm1_normal(fabs(x));
  return copysign(0.5 * (e + e / (e + 1)), x);
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

// atan of |r| <= tan(pi/16): the best polynomial to r^17, off by 2^-63.
LANE double atan_near_0(double r) {
  double z = r * r, fourth = z * z;
  double a = FMA(z, 0x1.9999999997fe8p-3, -0x1.5555555555551p-2),
         b = FMA(z, 0x1.c71c6fe4a5b69p-4, -0x1.24924922cd7d8p-3),
         c = FMA(z, 0x1.3afb2562217efp-4, -0x1.745c88e82ac1dp-4),
         d = FMA(z, 0x1.9c6e7745d8bafp-5, -0x1.0e98daaee6658p-4);
  double low = FMA(fourth, b, a), high = FMA(fourth, d, c);
  return FMA(r, z * FMA(fourth * fourth, high, low), r);
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

// The angle of a point whose coordinates are finite, not both 0, and far from what overflows.
LANE double lane_atan2(double y, double x) {
  double a = atan_of_quotient(fabs(y), fabs(x));
  return copysign(x < 0 ? 0x1.921fb54442d18p1 - (a - 0x1.1a62633145c07p-53) : a, y);
}

// x^y of a positive normal x: the logarithm as a sum of two doubles, so that its product with y is
// off by less than the result's last digit. Its parts: k log 2, 2s of s = (m - 1) / (m + 1), and
// the series of what is beyond 2s. What a product loses a fused one finds.
LANE double lane_power(double x, double y) {
  double k = exponent_of(x), m = mantissa_of(x);
  double f = m - 1, d = 2 + f, d_low = f - (d - 2), inverse = 1 / d, s = f * inverse;
  double rest = (FMA(-s, d, f) - s * d_low) * inverse; // the quotient is s + rest
  double q = s * s, q_low = FMA(s, s, -q) + 2 * s * rest;
  double cube = s * q, cube_low = FMA(s, q, -cube) + (s * q_low + rest * q);
  double p = log_series(q), series = cube * p, series_low = FMA(cube, p, -series) + cube_low * p;
  double high = k * LOG_2_HIGH, twice = 2 * s;
  double sum = high + twice, back = sum - twice, sum_low = (high - back) + (twice - (sum - back));
  double log_high = sum + series;
  double tail = ((sum - log_high) + series) + (sum_low + FMA(k, LOG_2_LOW, 2 * rest + series_low));
  double product = log_high * y, off = FMA(log_high, y, -product) + tail * y;
  double bounded = product > 710 ? 710 : product < -746 ? -746 : product;
  off = fabs(product) > 746 ? 0 : off;
  double n = rint(bounded * 0x1.71547652b82fep0), half = rint(n * 0.5);
  double r = FMA(-n, LOG_2_LOW, FMA(-n, LOG_2_HIGH, bounded)) + off;
  return (1 + expm1_near_0(r)) * power_of_two(half) * power_of_two(n - half);
}

// The same of a negative x, and an integer y.
LANE double lane_signed_power(double x, double y) {
  double p = lane_power(fabs(x), y), half = y * 0.5;
  return x < 0 && half != rint(half) ? -p : p;
}
