// SPDX-License-Identifier: Apache-2.0
// Integers of any size, through GMP (bigint.c).
#pragma once
#include "python/values/evaluator.h"

#define INT_MAX_STR_DIGITS 4300 // of a conversion from or to decimal text, as CPython

static inline bool value_is_big(Value v) { // a BigInt
  return v.kind == V_OBJECT && v.o->type->layout == LAYOUT_INT;
}
Value big_binary(Eval *ev, BinaryOp op, Value a,
                 Value b); // b is not zero for the divisions; op is not DIV
Value big_divmod(Eval *ev, Value a, Value b, Value *remainder); // b is not zero
Value big_negate(Eval *ev, Value a);
Value big_invert(Eval *ev, Value a);
double big_true_divide(Eval *ev, Value a, Value b); // correctly rounded; b is not zero
int big_sign(Value a);
int big_compare(Value a, Value b);
int big_compare_double(Value a, double b);        // b is no NaN
bool big_as_double(Value a, double *out);         // to nearest even; false if it is too large
Value big_from_double(Eval *ev, double integral); // finite
Value big_from_u64(Eval *ev, uint64_t u);
bool big_as_u64(Value a, uint64_t *out); // false: negative or too large
// Modulo 2^64, for dtypes that wrap.
uint64_t big_low_bits(Value a);
uint64_t big_hash(Value a);
Value big_parse(Eval *ev, Str digits, int base); // digits only, base 2 … 36
Str big_text(Arena *arena, Value a, int base);   // with '-', lower case
int64_t big_bit_length(Value a);
int64_t big_bit_count(Value a); // of the absolute value
// `size` bytes of two's complement into `out`, least significant first; false if it does not fit.
bool big_to_bytes(Value a, unsigned char *out, size_t size, bool is_signed);
Value big_from_bytes(Eval *ev, const unsigned char *bytes, size_t size, bool is_signed);
Value big_pow_mod(Eval *ev, Value base, Value exponent, Value modulus);
Value big_gcd(Eval *ev, Value a, Value b);
Value big_sqrt(Eval *ev, Value a); // floor; a >= 0
Value big_factorial(Eval *ev, uint64_t n);
Value big_binomial(Eval *ev, Value n, uint64_t k); // n >= 0
