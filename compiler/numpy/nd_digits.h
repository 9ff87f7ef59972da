// SPDX-License-Identifier: Apache-2.0
// Decimal digits of floats, with the choices that NumPy's printing makes.
#pragma once
#include "base/dtype.h"

// How a float is written. Digits are the fewest that read back as the same element (`unique`), or
// those of its exact value.
typedef struct FloatStyle {
  bool unique;
  int precision;  // the most digits behind the point (exactly so many if not unique); -1: no limit
  int min_digits; // fewer are filled up with digits of the exact value
  int exp_digits; // of the exponent, at least; 0: two
  char trim;      // zeros at the end: 'k' stay, '.' go, '0' go but for one, '-' go with the point
  bool plus;      // "+" before what is not negative
  bool significant; // precision counts all digits, not those behind the point
} FloatStyle;
// Room for any float64 and the digits above it that a style may ask for.
enum { FLOAT_TEXT_SIZE = 512 };
enum { FLOAT_DIGITS_MAX = 100 };

// "-1.25", "3."; x is finite.
void float_positional(DType dtype, double x, FloatStyle style, char out[FLOAT_TEXT_SIZE]);
// "1.25e-05", "1.e+10"
void float_scientific(DType dtype, double x, FloatStyle style, char out[FLOAT_TEXT_SIZE]);
// From which magnitude on str() of a scalar is scientific.
double float_scientific_from(DType dtype);
