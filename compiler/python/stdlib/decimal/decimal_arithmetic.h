// SPDX-License-Identifier: Apache-2.0
// The operations of decimal numbers that are exact but for one rounding (decimal_arithmetic.c,
// decimal_steps.c). `out` is none of the operands. What an operation finds is in c->status.
#pragma once
#include "decimal_number.h"

typedef void DecimalUnary(Calc *c, Num *out, const Num *a);
typedef void DecimalBinary(Calc *c, Num *out, const Num *a, const Num *b);

DecimalBinary num_add, num_subtract, num_multiply, num_divide, num_divide_int, num_remainder,
    num_remainder_near;
void num_divmod(Calc *c, Num *quotient, Num *rest, const Num *a, const Num *b);
void num_fma(Calc *c, Num *out, const Num *a, const Num *b, const Num *third);
DecimalUnary num_plus, num_minus, num_abs, num_normalize, num_sqrt;

// decimal_steps.c: what changes exponents, digits or neighbours.
DecimalBinary num_quantize, num_scaleb, num_compare_quiet, num_compare_signal, num_compare_total,
    num_compare_total_mag, num_max, num_max_mag, num_min, num_min_mag, num_next_toward;
DecimalUnary num_logb, num_next_plus, num_next_minus;
void num_to_integral(Calc *c, Num *out, const Num *a, bool reports);
void num_rescale(Calc *c, Num *n, int64_t exponent); // whatever the precision
bool num_is_integer(Calc *c, const Num *n);
bool num_is_odd(Calc *c, const Num *n); // a finite integer
// An integer of exponent 0 that is at most `limit` either way.
bool num_small_integer(const Num *n, int64_t limit, int64_t *out);

// decimal_digits.c: digits as such.
DecimalBinary num_and, num_or, num_xor, num_shift, num_rotate;
DecimalUnary num_invert;
