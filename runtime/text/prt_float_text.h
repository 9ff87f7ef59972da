// SPDX-License-Identifier: Apache-2.0
// Floats as text: in the forms of Python's formatting, and in the styles of NumPy's printing.
#pragma once
#include "prt_digits.h"
#include "prt_sink.h"
#include <stdbool.h>

// ---- Python ---------------------------------------------------------------------------------
typedef enum prt_float_flags {
  PRT_FLOAT_ALT = 1,       // '#': always a point, %g keeps its zeros
  PRT_FLOAT_ADD_DOT_0 = 2, // "1" becomes "1.0"
  PRT_FLOAT_UPPER = 4,     // E, INF, NAN
} prt_float_flags;

// |x| in the form 'e', 'f', 'g' or 'r' (shortest; precision is ignored), without a sign.
void prt__put_float(const prt_sink *out, double x, char form, int64_t precision, unsigned flags);
// repr(x), with its sign.
void prt__put_repr(const prt_sink *out, double x);

// ---- NumPy ----------------------------------------------------------------------------------
// How a float is written. Digits are the fewest that read back as the same element (`unique`), or
// those of its exact value.
typedef struct prt_float_style {
  bool unique;
  int precision;  // the most digits behind the point (exactly so many if not unique); -1: no limit
  int min_digits; // fewer are filled up with digits of the exact value
  int exp_digits; // of the exponent, at least; 0: two
  char trim;      // zeros at the end: 'k' stay, '.' go, '0' go but for one, '-' go with the point
  bool plus;      // "+" before what is not negative
  bool significant; // precision counts all digits, not those behind the point
} prt_float_style;
// Room for any double and PRT_STYLE_DIGITS behind its point, the most that a style may ask for.
enum { PRT_STYLE_SIZE = 512, PRT_STYLE_DIGITS = PRT_MOST_DIGITS };

// "-1.25", "3."; x is finite, of 64, 32 or 16 bits.
void prt__positional(int bits, double x, prt_float_style style, char out[PRT_STYLE_SIZE]);
// "1.25e-05", "1.e+10"
void prt__scientific(int bits, double x, prt_float_style style, char out[PRT_STYLE_SIZE]);
// From which magnitude on str() of a scalar is scientific.
double prt__scientific_from(int bits);
