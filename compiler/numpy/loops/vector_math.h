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
// x * y + z, rounded once: the same on every CPU, and one instruction on those that have vectors of
// 256 bits.
#define FMA(x, y, z)  __builtin_fma(x, y, z)
#define FMAF(x, y, z) __builtin_fmaf(x, y, z)

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
  p = FMA(p, r, 1.0 / 40320);
  p = FMA(p, r, 1.0 / 5040);
  p = FMA(p, r, 1.0 / 720);
  p = FMA(p, r, 1.0 / 120);
  p = FMA(p, r, 1.0 / 24);
  p = FMA(p, r, 1.0 / 6);
  p = FMA(p, r, 0.5);
  p = FMA(p, r, 1);
  p = FMA(p, r, 1);
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
  return x != x ? x : scaled_exp(n, FMA(-n, 0x1.ef35793c7673p-45, FMA(-n, 0x1.62e42fefa38p-1, y)));
}

// A positive normal double is mantissa * 2^exponent, the mantissa between sqrt(1/2) and sqrt(2).
#define ROOT_HALF 0x3fe6a09e667f3bcdu // the bits of sqrt(1/2)
LANE double exponent_of(double x) {
  uint64_t above = to_bits(x) - ROOT_HALF + (1024ull << 52);
  return from_bits((above >> 52) + 0x4330000000000000u) - (0x1p52 + 1024);
}
LANE double mantissa_of(double x) {
  return from_bits(((to_bits(x) - ROOT_HALF) & 0x000fffffffffffffu) + ROOT_HALF);
}
#define IS_NORMAL(x) ((x) >= 0x1p-1022 && (x) <= 0x1.fffffffffffffp1023)

// log of a positive normal double: 2 atanh(s) of s = (m - 1) / (m + 1), m between sqrt(1/2) and
// sqrt(2), by the best polynomial of five terms in s^2, off by 2^-37.
LANE double vector_log_normal(double x) {
  double k = exponent_of(x), m = mantissa_of(x);
  double s = (m - 1) / (m + 1), q = s * s, fourth = q * q;
  double low = FMA(q, 0x1.555554d95c0ddp-1, 0x1.0000000004b47p+1),
         high = FMA(q, 0x1.2432390f6bc70p-2, 0x1.999a9ec5d9a00p-2);
  double p = FMA(fourth, FMA(fourth, 0x1.e3c3920ae03c6p-3, high), low);
  return FMA(k, 0x1.62e42fefa39efp-1, s * p);
}

// Zero gives -inf, negative arguments NaN.
LANE double vector_log(double x) {
  double y = vector_log_normal(x);
  y = x == INFINITY ? x : y;
  y = x == 0 ? -INFINITY : y;
  return x >= 0 ? y : NAN;
}

// x^y of a positive normal x, and of a negative one if y is an integer.
LANE double vector_power(double x, double y) {
  double p = vector_exp(y * vector_log_normal(fabs(x))), half = y * 0.5;
  return x < 0 && half != rint(half) ? -p : p;
}

// ---- float64 ------------------------------------------------------------------------------------

#define LOG_2_HIGH 0x1.62e42fee00000p-1 // 21 bits less than a double: its multiples are exact
#define LOG_2_LOW  0x1.a39ef35793c76p-33

// e^r - 1 of |r| <= log(2) / 2: r + r^2 times the best polynomial of degree 9, off by 2^-58.
LANE double expm1_near_0(double r) {
  double z = r * r, fourth = z * z;
  double a = FMA(r, 0x1.5555555555560p-3, 0x1.000000000000cp-1),
         b = FMA(r, 0x1.111111110d9e9p-7, 0x1.555555555001ap-5),
         c = FMA(r, 0x1.a01a01b9b3ceep-13, 0x1.6c16c185a9ff8p-10),
         d = FMA(r, 0x1.71dde250d460cp-19, 0x1.a019969016fbcp-16),
         e = FMA(r, 0x1.af81b1c36bd47p-26, 0x1.28b04a357050ap-22);
  double low = FMA(z, b, a), middle = FMA(z, d, c);
  return FMA(z, FMA(fourth, FMA(fourth, e, middle), low), r);
}

// Of |x| <= 708, whose results are normal.
LANE double exp_normal(double x) {
  double n = rint(x * 0x1.71547652b82fep0);
  double r = FMA(-n, LOG_2_LOW, FMA(-n, LOG_2_HIGH, x));
  return (1 + expm1_near_0(r)) * power_of_two(n);
}

// The power of two goes in halves: results may be subnormal.
LANE double exp_f64(double x) {
  double y = x > 710 ? 710 : x < -746 ? -746 : x;
  double n = rint(y * 0x1.71547652b82fep0), half = rint(n * 0.5);
  double r = FMA(-n, LOG_2_LOW, FMA(-n, LOG_2_HIGH, y));
  double e = 1 + expm1_near_0(r);
  return x != x ? x : e * power_of_two(half) * power_of_two(n - half);
}

// y, the logarithm of x if x is positive and finite, else what it is.
LANE double log_of_any(double x, double y) {
  y = x == INFINITY ? x : y;
  y = x == 0 ? -INFINITY : y;
  return x >= 0 ? y : x != x ? x : NAN;
}

// What log((1 + s) / (1 - s)) has beyond 2s, by s^3, of q = s^2 of at most 0.0295: the best
// polynomial of seven terms, off by 2^-58.
LANE double log_series(double q) {
  double fourth = q * q;
  double a = FMA(q, 0x1.999999997f85dp-2, 0x1.5555555555593p-1),
         b = FMA(q, 0x1.c71c51c247da3p-3, 0x1.2492494243022p-2),
         c = FMA(q, 0x1.39a0160fd068cp-3, 0x1.74664e5f5eb04p-3);
  double high = FMA(fourth, 0x1.2f16c2ac21b32p-3, c);
  return FMA(fourth, FMA(fourth, high, b), a);
}

// log(1 + f) + low, f between sqrt(1/2) - 1 and sqrt(2) - 1: with s = f / (2 + f) it is
// f - (f^2/2 - s (f^2/2 + R)) of the series R = 2/3 s^2 + 2/5 s^4 + …; `high` is added last.
LANE double log_sum(double f, double high, double low) {
  double s = f / (2 + f), q = s * s, half = 0.5 * f * f;
  return high - ((half - FMA(s, FMA(q, log_series(q), half), low)) - f);
}

LANE double log_normal(double x) {
  double k = exponent_of(x);
  return log_sum(mantissa_of(x) - 1, k * LOG_2_HIGH, k * LOG_2_LOW);
}

// log of x as a power of two, which is exact, and a rest in units of `scale`.
LANE double log_normal_in(double x, double two_high, double two_low, double scale) {
  double k = exponent_of(x), rest = log_sum(mantissa_of(x) - 1, 0, 0);
  return FMA(k, two_high, FMA(k, two_low, rest * scale));
}
#define IN_TWOS(x) log_normal_in(x, 1, 0, 0x1.71547652b82fep0)
#define IN_TENS(x)                                                                                 \
  log_normal_in(x, 0x1.34413509f8000p-2, -0x1.80433b83b532ap-44, 0x1.bcb7b1526e50ep-2)

// Of any x, by a logarithm of normal numbers in which 2^54 is `step`.
#define LOG_OF(x, normal, step)                                                                    \
  log_of_any(x, (x) < 0x1p-1022 ? normal((x)*0x1p54) - (step) : normal(x))
LANE double log_f64(double x) { return LOG_OF(x, log_normal, 54 * 0x1.62e42fefa39efp-1); }

// (e^2y - 1) / (e^2y + 1) of y = |x|.
LANE double tanh_f64(double x) {
  double y = fabs(x), twice = y > 20 ? 40 : 2 * y;
  double n = rint(twice * 0x1.71547652b82fep0);
  double r = FMA(-n, LOG_2_LOW, FMA(-n, LOG_2_HIGH, twice)), power = power_of_two(n);
  double t = FMA(power, expm1_near_0(r), power - 1);
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
  double shifted = FMA(x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = shifted - 0x1.8p52;
  uint64_t quarter = to_bits(shifted) + turn;
  double first = x - n * HALF_PI_1, second = n * HALF_PI_2, left = first - second;
  double rest = ((first - left) - second) - n * HALF_PI_3;
  double r = left + rest, low = (left - r) + rest, z = r * r; // low: what r has lost
  double s = 1.0 / 355687428096000;
  s = FMA(s, z, -1.0 / 1307674368000);
  s = FMA(s, z, 1.0 / 6227020800);
  s = FMA(s, z, -1.0 / 39916800);
  s = FMA(s, z, 1.0 / 362880);
  s = FMA(s, z, -1.0 / 5040);
  s = FMA(s, z, 1.0 / 120);
  s = FMA(s, z, -1.0 / 6);
  double sine = r + FMA(r * z, s, low);
  double c = 1.0 / 20922789888000;
  c = FMA(c, z, -1.0 / 87178291200);
  c = FMA(c, z, 1.0 / 479001600);
  c = FMA(c, z, -1.0 / 3628800);
  c = FMA(c, z, 1.0 / 40320);
  c = FMA(c, z, -1.0 / 720);
  c = FMA(c, z, 1.0 / 24);
  double half = 0.5 * z, w = 1 - half, cosine = w + (((1 - w) - half) + (z * z * c - r * low));
  double y = quarter & 1 ? cosine : sine;
  return from_bits(to_bits(y) ^ (quarter & 2) << 62);
}

// The same for results that are rounded to float32.
LANE double circle_near(double x, uint64_t turn) {
  double shifted = FMA(x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = shifted - 0x1.8p52;
  uint64_t quarter = to_bits(shifted) + turn;
  double r = FMA(-n, HALF_PI_2, FMA(-n, HALF_PI_1, x)), z = r * r;
  double fourth = z * z;
  double s = FMA(fourth, FMA(z, 0x1.6cd85f1e13947p-19, -0x1.a00f9dc19f13ap-13),
                 FMA(z, 0x1.111108966b241p-7, -0x1.5555554cba108p-3));
  double middle = FMA(z, 0x1.a00f1197d0e12p-16, -0x1.6c16b4006f2d5p-10);
  double c = FMA(fourth, FMA(fourth, -0x1.23d80510daa41p-22, middle),
                 FMA(z, 0x1.55555546f46dep-5, -0x1.ffffffffebfc7p-2));
  double y = quarter & 1 ? FMA(z, c, 1) : FMA(r * z, s, r);
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
  p = FMAF(p, r, 1.0f / 720);
  p = FMAF(p, r, 1.0f / 120);
  p = FMAF(p, r, 1.0f / 24);
  p = FMAF(p, r, 1.0f / 6);
  p = FMAF(p, r, 0.5f);
  return FMAF(r * r, p, r);
}

#define LOG_2_HIGH_F32 0x1.63p-1f // 9 bits
#define LOG_2_LOW_F32  -0x1.bd0106p-13f

LANE float exp_f32(float x) {
  float y = x > 89 ? 89 : x < -104 ? -104 : x;
  float n = rintf(y * 0x1.715476p0f), half = rintf(n * 0.5f);
  float r = FMAF(-n, LOG_2_LOW_F32, FMAF(-n, LOG_2_HIGH_F32, y));
  float e = 1 + expm1_near_0_f32(r);
  return x != x ? x : e * power_of_two_f32(half) * power_of_two_f32(n - half);
}

LANE float tanh_f32(float x) {
  float y = fabsf(x), twice = y > 10 ? 20 : 2 * y;
  float n = rintf(twice * 0x1.715476p0f);
  float r = FMAF(-n, LOG_2_LOW_F32, FMAF(-n, LOG_2_HIGH_F32, twice)), power = power_of_two_f32(n);
  float t = FMAF(power, expm1_near_0_f32(r), power - 1);
  return x != x ? x : copysignf(y < 0x1p-13f ? y : t / (t + 2), x);
}

// A positive normal x is (1 + f) * 2^exponent, 1 + f between sqrt(1/2) and sqrt(2).
#define ROOT_HALF_F32 0x3f3504f3 // the bits of sqrt(1/2)
typedef struct MantissaF32 {
  float exponent, f;
} MantissaF32;
LANE MantissaF32 mantissa_f32(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  int32_t above = bits - ROOT_HALF_F32, mantissa = (above & 0x007fffff) + ROOT_HALF_F32;
  float m;
  memcpy(&m, &mantissa, sizeof m);
  return (MantissaF32){(float)(above >> 23), m - 1};
}

// log(1 + f) - f: -f^2 / 2 + f^3 P(f), P the best polynomial of degree 8, off by 2^-30.
LANE float log_rest_f32(float f) {
  float z = f * f, fourth = z * z;
  float a = FMAF(f, -0x1.000006p-2f, 0x1.555548p-2f), b = FMAF(f, -0x1.555c4ep-3f, 0x1.99a4b6p-3f),
        c = FMAF(f, -0x1.fc2210p-4f, 0x1.233766p-3f), d = FMAF(f, -0x1.de3bf2p-4f, 0x1.e6f094p-4f);
  float p = FMAF(fourth, FMAF(fourth, 0x1.145724p-4f, FMAF(z, d, c)), FMAF(z, b, a));
  return z * FMAF(f, p, -0.5f);
}

LANE float log_sum_f32(float exponent, float f) {
  float low = FMAF(exponent, LOG_2_LOW_F32, log_rest_f32(f));
  return FMAF(exponent, LOG_2_HIGH_F32, f + low);
}

LANE float log_normal_f32(float x) {
  MantissaF32 m = mantissa_f32(x);
  return log_sum_f32(m.exponent, m.f);
}

// Of -1 < x <= 2^100: what the sum has lost is put back in units of its mantissa.
LANE float log1p_normal_f32(float x) {
  float u = 1 + x, lost = x - (u - 1);
  MantissaF32 m = mantissa_f32(u);
  return log_sum_f32(m.exponent, FMAF(lost, power_of_two_f32(-m.exponent), m.f));
}

// In units whose number for a factor of 2 is `two`, and for one of e `e`, of which `e_high` are the
// first twelve bits.
LANE float log_normal_in_f32(float x, float two_high, float two_low, float e_high, float e_low) {
  MantissaF32 m = mantissa_f32(x);
  float first = m.f * e_high, lost = FMAF(m.f, e_high, -first), rest = log_rest_f32(m.f);
  float low = FMAF(m.exponent, two_low, FMAF(rest, e_high, FMAF(m.f + rest, e_low, lost)));
  return FMAF(m.exponent, two_high, first + low);
}

// e^r - 1 of |r| <= log(2) / 2: r + r^2 times the best polynomial of degree 5, off by 2^-34.
LANE float expm1_reduced_f32(float r) {
  float z = r * r;
  float p =
      FMAF(z, FMAF(r, 0x1.a1b4f8p-13f, 0x1.6d9686p-10f), FMAF(r, 0x1.111080p-7f, 0x1.555480p-5f));
  return FMAF(z, FMAF(z, p, FMAF(r, 0x1.555556p-3f, 0.5f)), r);
}

// e^x, and e^x - 1, of |x| <= 87, whose results are normal.
LANE float exp_normal_f32(float x) {
  float n = rintf(x * 0x1.715476p0f);
  float r = FMAF(-n, LOG_2_LOW_F32, FMAF(-n, LOG_2_HIGH_F32, x));
  return (1 + expm1_reduced_f32(r)) * power_of_two_f32(n);
}
LANE float expm1_normal_f32(float x) {
  float n = rintf(x * 0x1.715476p0f), power = power_of_two_f32(n);
  float r = FMAF(-n, LOG_2_LOW_F32, FMAF(-n, LOG_2_HIGH_F32, x));
  return FMAF(power, expm1_reduced_f32(r), power - 1);
}

// 2^x of |x| <= 125: 1 + r P(r) of what is left beyond an integer, P the best polynomial of degree
// 6, off by 2^-34.
LANE float exp2_normal_f32(float x) {
  float n = rintf(x), r = x - n, z = r * r;
  float p = FMAF(z, FMAF(z, 0x1.00f132p-16f, FMAF(r, 0x1.445e6ap-13f, 0x1.5d8724p-10f)),
                 FMAF(r, 0x1.3b29f0p-7f, 0x1.c6b08ep-5f));
  p = FMAF(z, p, FMAF(r, 0x1.ebfbe0p-3f, 0x1.62e430p-1f));
  return FMAF(r, p, 1) * power_of_two_f32(n);
}

// Beyond 1 it is pi/2 less that of the inverse: r + r^3 P(r^2), P the best polynomial of degree 8,
// off by 2^-28.
LANE float atan_f32(float x) {
  float y = fabsf(x), r = y > 1 ? 1 / y : y, z = r * r, fourth = z * z;
  float a = FMAF(z, 0x1.999276p-3f, -0x1.555540p-2f), b = FMAF(z, 0x1.c0d278p-4f, -0x1.2426f8p-3f),
        c = FMAF(z, 0x1.dd0e38p-5f, -0x1.58dc4ap-4f), d = FMAF(z, 0x1.6a8e34p-7f, -0x1.01aee6p-5f);
  float p = FMAF(fourth, FMAF(fourth, FMAF(fourth, -0x1.defc4ap-10f, d), c), b);
  p = FMAF(r * z, FMAF(fourth, p, a), r);
  return copysignf(y > 1 ? 0x1.921fb6p0f - (p + 0x1.777a5cp-25f) : p, x);
}

// Up to here the three parts of pi/2 below leave what is left of x near enough.
#define CIRCLE_LIMIT_F32 0x1p16f
#define HALF_PI_1_F32    0x1.921fb6p0f
#define HALF_PI_2_F32    -0x1.777a5cp-25f
#define HALF_PI_3_F32    -0x1.ee59dap-50f

// What is left of x beyond n pi/2, and n, of which the last two bits count.
LANE float beyond_quarters_f32(float x, uint32_t *n_bits) {
  float shifted = FMAF(x, 0x1.45f306p-1f, 0x1.8p23f), n = shifted - 0x1.8p23f;
  memcpy(n_bits, &shifted, sizeof *n_bits);
  float r = FMAF(-n, HALF_PI_1_F32, x);
  r = FMAF(-n, HALF_PI_2_F32, r);
  return FMAF(-n, HALF_PI_3_F32, r);
}
LANE float sine_of_rest_f32(float r) {
  float z = r * r;
  float s = FMAF(z, FMAF(z, -0x1.994eb2p-13f, 0x1.110760p-7f), -0x1.555546p-3f);
  return FMAF(r * z, s, r);
}
LANE float cosine_of_rest_f32(float r) {
  float z = r * r;
  float c = FMAF(z, FMAF(z, 0x1.9a0258p-16f, -0x1.6c0c8cp-10f), 0x1.55554ap-5f);
  return FMAF(z, FMAF(z, c, -0.5f), 1);
}

// The sine of x, or its cosine if `turn` is 1: what is left of x beyond n pi/2, by the series of
// its sine or of its cosine, as n says.
LANE float circle_f32(float x, uint32_t turn) {
  uint32_t quarter, bits;
  float r = beyond_quarters_f32(x, &quarter);
  quarter += turn;
  float y = quarter & 1 ? cosine_of_rest_f32(r) : sine_of_rest_f32(r);
  memcpy(&bits, &y, sizeof bits);
  bits ^= (quarter & 2) << 30;
  memcpy(&y, &bits, sizeof y);
  return y;
}

// The tangent of what is left of x beyond n pi/2, or of an odd n -1 by it.
LANE float tan_f32(float x) {
  uint32_t quarter;
  float r = beyond_quarters_f32(x, &quarter);
  float sine = sine_of_rest_f32(r), cosine = cosine_of_rest_f32(r);
  return quarter & 1 ? -cosine / sine : sine / cosine;
}

// Of |x| <= 87, whose results are normal or as small as x.
LANE float cosh_normal_f32(float x) {
  float e = exp_normal_f32(fabsf(x));
  return 0.5f * e + 0.5f / e;
}
LANE float sinh_normal_f32(float x) {
  float e = expm1_normal_f32(fabsf(x));
  return copysignf(0.5f * (e + e / (e + 1)), x);
}

// Of a normal x: one by the root, whose bits are about a third of x's, is made better twice by the
// series of (1 - c)^(-1/3), and the root once by Newton's step.
LANE float inverse_cbrt_step(float r, float a) {
  float c = FMAF(-a * r, r * r, 1);
  return FMAF(r * c, FMAF(c, 2.0f / 9, 1.0f / 3), r);
}
LANE float cbrt_normal_f32(float x) {
  float a = fabsf(x), r;
  int32_t bits;
  memcpy(&bits, &a, sizeof bits);
  bits = 0x54a2fa8c - (int32_t)((float)bits * (1.0f / 3));
  memcpy(&r, &bits, sizeof r);
  r = inverse_cbrt_step(inverse_cbrt_step(r, a), a);
  float square = r * r, y = a * square;
  return copysignf(FMAF(FMAF(-y * y, y, a) * square, 1.0f / 3, y), x);
}

// Of |x| <= 1. Beyond 1/2 it is pi/2 less twice that of the root of (1 - |x|) / 2: r + r^3 P(r^2).
LANE float asin_f32(float x) {
  float y = fabsf(x), z = y > 0.5f ? 0.5f - 0.5f * y : y * y, r = y > 0.5f ? sqrtf(z) : y;
  float p = FMAF(z, FMAF(z, 0x1.14f246p-5f, 0x1.17ca52p-6f), 0x1.fdcf78p-6f);
  p = FMAF(z, FMAF(z, FMAF(z, p, 0x1.6d58cep-5f), 0x1.33343cp-4f), 0x1.555554p-3f);
  p = FMAF(r * z, p, r);
  return copysignf(y > 0.5f ? FMAF(-2, p, -0x1.777a5cp-25f) + 0x1.921fb6p0f : p, x);
}
