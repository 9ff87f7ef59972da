// SPDX-License-Identifier: Apache-2.0
// The shortest decimal digits of a float. printf and strtod of the C library round correctly, so
// they do the work; what prints is not hurried.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "prt_internal.h"

static void take_digits(const char *text, prt_digits *out) {
  out->count = 0;
  for (; *text && *text != 'e'; text++)
    if (*text != '.') out->digits[out->count++] = *text;
  out->exponent = atoi(text + 1);
  while (out->count > 1 && out->digits[out->count - 1] == '0') out->count--;
  out->digits[out->count] = 0;
}

// The next greater decimal of `precision` digits: above a power of two floats lie half as dense as
// below, so that it may read back as x where the nearest decimal, on the dense side, does not.
static void increment(const prt_digits *from, int precision, prt_digits *out) {
  *out = *from;
  while (out->count < precision) out->digits[out->count++] = '0';
  int i = out->count - 1;
  while (i >= 0 && out->digits[i] == '9') out->digits[i--] = '0';
  if (i >= 0) {
    out->digits[i]++;
  } else {
    out->digits[0] = '1';
    out->exponent++;
  }
  while (out->count > 1 && out->digits[out->count - 1] == '0') out->count--;
  out->digits[out->count] = 0;
}

static double digits_value(const prt_digits *d) {
  char text[64];
  snprintf(text, sizeof text, "%c.%se%d", d->digits[0], d->digits + 1, d->exponent);
  return strtod(text, NULL);
}

void prt__shortest(prt_dtype dtype, double x, prt_digits *out) {
  char text[64];
  int exponent;
  bool is_power = x != 0 && frexp(x, &exponent) == 0.5;
  for (int precision = 1; precision <= 17; precision++) {
    snprintf(text, sizeof text, "%.*e", precision - 1, x);
    take_digits(text, out);
    if (x == 0 || prt__round_to(dtype, digits_value(out)) == x) return;
    if (!is_power) continue;
    prt_digits above;
    increment(out, precision, &above);
    if (prt__round_to(dtype, digits_value(&above)) == x) {
      *out = above;
      return;
    }
  }
}
