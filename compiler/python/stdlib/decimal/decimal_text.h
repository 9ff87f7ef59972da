// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as text and back (decimal_text.c, decimal_format.c).
#pragma once
#include "decimal_number.h"

Str num_digit_text(Eval *ev, const Num *n); // of the coefficient
void num_of_digits(Calc *c, Num *n, Str digits);
// A number of the General Decimal Arithmetic in ASCII; not rounded. False: it is none.
bool num_parse(Calc *c, Num *n, Str text);
Str num_text(Eval *ev, const Num *n, bool engineering, bool capitals);
// The exponent behind digits of which `before` stand before the point; NULL of no exponent: "".
void put_decimal(Buf *out, Str digits, int64_t before);
// By a format specification; raises ValueError. Rounds as `c` does.
Str num_format(Calc *c, const Num *n, Str spec, bool capitals);
