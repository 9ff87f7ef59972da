// SPDX-License-Identifier: Apache-2.0
// Decimal digits of floats: the fewest that tell an element from its neighbours, or those of its
// exact value.
#include "nd_digits.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The value that reading `text` as an element of this type gives.
static double read_back(DType dtype, const char *text) {
  if (dtype == DT_F32) return (double)strtof(text, NULL);
  double v = strtod(text, NULL);
  if (dtype == DT_F64) return v;
  uint64_t raw = 0;
  dtype_store_f64(dtype, &raw, v);
  return dtype_load_f64(dtype, &raw);
}

// The fewest digits after the first that read back as x, in text as "d.ddde±xx". x is finite and
// not negative.
static int shortest_digits(DType dtype, double x, char text[FLOAT_TEXT_SIZE]) {
  for (int digits = 0; digits <= 17; digits++) {
    snprintf(text, FLOAT_TEXT_SIZE, "%.*e", digits, x);
    if (read_back(dtype, text) == x) return digits;
  }
  return 17;
}

static int max_int(int a, int b) { return a > b ? a : b; }

// Trims zeros behind the point of `text`, which has a point and nothing behind the digits.
static void trim(char *text, FloatStyle style) {
  if (style.trim == 'k') return;
  size_t n = strlen(text);
  while (n && text[n - 1] == '0') n--;
  if (text[n - 1] == '.') {
    if (style.trim == '0') text[n++] = '0';
    if (style.trim == '-') n--;
  }
  text[n] = 0;
}

static const char *sign_text(double x, FloatStyle style) {
  return signbit(x) ? "-" : style.plus ? "+" : "";
}

// Digits behind the point, at most as many as the style allows, and whether they are those of the
// exact value.
static int digits_behind(int shortest, FloatStyle style, int limit, bool *exact) {
  int digits = max_int(shortest, 0);
  *exact = false;
  if (!style.unique) {
    *exact = true;
    return limit;
  }
  if (limit >= 0 && digits > limit) {
    *exact = true;
    digits = limit;
  }
  if (digits < style.min_digits) {
    *exact = true;
    digits = style.min_digits;
  }
  return digits;
}

void float_positional(DType dtype, double x, FloatStyle style, char out[FLOAT_TEXT_SIZE]) {
  char text[FLOAT_TEXT_SIZE];
  double magnitude = fabs(x);
  int digits = shortest_digits(dtype, magnitude, text), exponent = atoi(strchr(text, 'e') + 1);
  int limit = style.precision;
  if (limit >= 0 && style.significant) {
    if (digits + 1 > limit) {
      digits = max_int(limit - 1, 0);
      snprintf(text, sizeof text, "%.*e", digits, magnitude);
      exponent = atoi(strchr(text, 'e') + 1);
    }
    limit = -1;
  }
  bool exact;
  int behind = digits_behind(digits - exponent, style, limit, &exact);
  // The shortest digits themselves, not those of the double behind them.
  if (!exact) magnitude = strtod(text, NULL);
  int n = snprintf(out, FLOAT_TEXT_SIZE, "%s%.*f", sign_text(x, style), behind, magnitude);
  if (!behind && n < FLOAT_TEXT_SIZE - 1) strcpy(out + n, ".");
  trim(out, style);
}

void float_scientific(DType dtype, double x, FloatStyle style, char out[FLOAT_TEXT_SIZE]) {
  char text[FLOAT_TEXT_SIZE];
  double magnitude = fabs(x);
  bool exact;
  int digits =
      digits_behind(shortest_digits(dtype, magnitude, text), style, style.precision, &exact);
  if (exact) snprintf(text, sizeof text, "%.*e", digits, magnitude);
  char *e = strchr(text, 'e');
  int exponent = atoi(e + 1), width = max_int(style.exp_digits, 2);
  strcpy(e, digits ? "" : ".");
  strcpy(out, sign_text(x, style));
  strcat(out, text);
  trim(out, style);
  size_t n = strlen(out);
  snprintf(out + n, FLOAT_TEXT_SIZE - n, "e%c%0*d", exponent < 0 ? '-' : '+', width > 9 ? 9 : width,
           abs(exponent));
}

double float_scientific_from(DType dtype) {
  return dtype == DT_F16 ? 1e3 : dtype == DT_F32 ? 1e6 : 1e16;
}
