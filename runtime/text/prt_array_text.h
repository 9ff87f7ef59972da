// SPDX-License-Identifier: Apache-2.0
// Arrays as NumPy 2 prints them.
#pragma once
#include "prt_float_text.h"

typedef enum prt_float_mode {
  PRT_MODE_MAXPREC,       // at most `precision` digits behind the point, fewer where they suffice
  PRT_MODE_MAXPREC_EQUAL, // the same number of them in all elements
  PRT_MODE_FIXED,         // exactly `precision`
  PRT_MODE_UNIQUE         // as many as it takes
} prt_float_mode;

// NumPy's print options, and what stands around the array.
typedef struct prt_array_style {
  int precision, linewidth;
  int64_t threshold, edgeitems;
  bool suppress; // no scientific notation for the sake of small numbers
  char sign;     // of what is not negative: '-' none, '+', ' '
  prt_float_mode mode;
  const char *nan, *inf, *separator;
  int prefix, suffix; // columns before and behind the array
} prt_array_style;
prt_array_style prt__array_style(void); // NumPy's defaults

// The elements, by their row-major positions.
typedef struct prt_elements {
  int rank;
  const int64_t *dims;
  // 'b' bool, 'i', 'u', 'f' IEEE's floats of `bits`, 'c' complex numbers of two such, 'x' floats
  // that NumPy has of extensions (%.6g, unaligned), 'y' integers of extensions (unaligned), 't'
  // texts.
  char kind;
  int bits;
  const void *data;
  // Of kinds 'f' and 'x'; of kind 'c' element i has the real part number 2 i, and the imaginary one
  // 2 i + 1.
  double (*number)(const void *data, int64_t i);
  uint64_t (*integer)(const void *data,
                      int64_t i); // of kinds 'b', 'i', 'u', 'y'; signed as its bits
  // Of kind 't': the text of an element and its length, good until the next is asked for.
  const char *(*text)(const void *data, int64_t i, size_t *length);
} prt_elements;

// No element at all prints as "[]".
void prt__put_array(const prt_sink *out, const prt_elements *e, const prt_array_style *style);
