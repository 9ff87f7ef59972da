// SPDX-License-Identifier: Apache-2.0
// The shortest decimal digits of a float. printf and strtod of the C library round correctly, so
// they do the work; what prints is not hurried.
#include "prt_digits.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void take_digits(const char *text, prt_digits *out) {
  out->count = 0;
  for (; *text && *text != 'e'; text++)
    if (*text != '.') out->digits[out->count++] = *text;
  out->exponent = atoi(text + 1);
}

static void trim_digits(prt_digits *d) {
  while (d->count > 1 && d->digits[d->count - 1] == '0') d->count--;
  d->digits[d->count] = 0;
}

// The next greater decimal of as many digits.
static void increment(prt_digits *d) {
  int i = d->count - 1;
  while (i >= 0 && d->digits[i] == '9') d->digits[i--] = '0';
  if (i >= 0) {
    d->digits[i]++;
  } else {
    d->digits[0] = '1';
    d->exponent++;
  }
}

// To the nearest half, ties to even: a multiple of 2^-24, or of 2^-10 of the power of two below it.
static double round_to_half(double x) {
  int exponent;
  frexp(x, &exponent);
  int unit = exponent - 11 < -24 ? -24 : exponent - 11;
  return ldexp(nearbyint(ldexp(x, -unit)), unit);
}

static double read_back(int bits, const prt_digits *d) {
  char text[64];
  snprintf(text, sizeof text, "%c.%.*se%d", d->digits[0], d->count - 1, d->digits + 1, d->exponent);
  if (bits == 32) return (double)strtof(text, NULL);
  double x = strtod(text, NULL);
  return bits == 16 ? round_to_half(x) : x;
}

// Numbers that are not subnormal keep any decimal of so many digits, hence the shortest of up to so
// many is the nearest of so many without its zeros.
static int first_precision(int bits, double x) {
  if (bits == 64) return x < 0x1p-1022 ? 1 : 15;
  if (bits == 32) return x < 0x1p-126 ? 1 : 6;
  return x < 0x1p-14 ? 1 : 3;
}

// A decimal of up to 15 digits whose quotient of two exact doubles is x: no other one of so many
// reads back as x.
static bool take_short(double x, prt_digits *out) {
  enum { MOST_DIGITS = 15, MOST_BEHIND = 18 };
  if (x < 1e-4 || x >= 1e15) return false;
  double power = 1;
  for (int behind = 0; behind <= MOST_BEHIND; behind++, power *= 10) {
    double scaled = nearbyint(x * power);
    if (scaled >= 1e15) return false;
    if (scaled / power != x) continue;
    char reversed[MOST_DIGITS];
    int count = 0;
    for (uint64_t rest = (uint64_t)scaled; rest; rest /= 10)
      reversed[count++] = (char)('0' + rest % 10);
    for (int i = 0; i < count; i++) out->digits[i] = reversed[count - 1 - i];
    out->count = count;
    out->exponent = count - 1 - behind;
    trim_digits(out);
    return true;
  }
  return false;
}

void prt__shortest(int bits, double x, prt_digits *out) {
  enum { ENOUGH = 17 };
  if (bits == 64 && take_short(x, out)) return;
  int exponent;
  // Below a power of two floats lie twice as dense as above it. A decimal of few digits may then
  // read back as x although the nearest one of as many digits, on the dense side, does not.
  bool is_power = x != 0 && frexp(x, &exponent) == 0.5;
  for (int precision = x == 0 ? 1 : first_precision(bits, x); precision <= ENOUGH; precision++) {
    char text[64];
    snprintf(text, sizeof text, "%.*e", precision - 1, x);
    take_digits(text, out);
    if (read_back(bits, out) == x) break;
    if (!is_power || precision == ENOUGH) continue;
    prt_digits above = *out;
    increment(&above);
    if (read_back(bits, &above) != x) continue;
    *out = above;
    break;
  }
  trim_digits(out);
}
