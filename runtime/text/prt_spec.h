// SPDX-License-Identifier: Apache-2.0
// The format mini-language of Python:
// [[fill]align][sign][z][#][0][width][grouping][.precision][type].
#pragma once
#include "prt_sink.h"
#include <stdbool.h>

typedef struct prt_spec {
  char fill[4]; // one character of UTF-8
  int fill_size;
  char align; // '<', '>', '=', '^'
  char sign;  // '+', '-', ' ' or 0
  bool no_minus_zero, alternate;
  int64_t width;     // -1: none
  char grouping;     // ',', '_' or 0
  int64_t precision; // -1: none
  uint32_t type;     // a code point; 0: none
} prt_spec;

typedef enum prt_spec_error {
  PRT_SPEC_OK,
  PRT_SPEC_TOO_MANY_DIGITS, // a width or precision beyond 64 bits
  PRT_SPEC_TWO_GROUPINGS,
  PRT_SPEC_BAD_GROUPING, // the type has no digits to group
  PRT_SPEC_NO_PRECISION, // a point without a number
  PRT_SPEC_UNREAD,       // text after the type
} prt_spec_error;

// `default_align` is '<' for texts, '>' for numbers. `out` is filled as far as the text could be
// read.
prt_spec_error prt__spec_parse(const char *text, size_t length, char default_type,
                               char default_align, prt_spec *out);
// 'e', 'f', 'g', '%' and the like.
bool prt__spec_is_float(const prt_spec *spec);
int prt__spec_base(const prt_spec *spec); // of an integer's digits

// `text` of `columns` characters in its field.
void prt__put_field(const prt_sink *out, const prt_spec *spec, const char *text, size_t length,
                    int64_t columns);
// An integer: digits of its magnitude in the base of the type, lower case.
void prt__put_integer_field(const prt_sink *out, const prt_spec *spec, bool negative,
                            const char *digits, size_t count);
// A number by its type: a float's, or none.
void prt__put_float_field(const prt_sink *out, const prt_spec *spec, double x);
