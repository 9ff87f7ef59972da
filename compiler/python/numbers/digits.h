// SPDX-License-Identifier: Apache-2.0
// Doubles as decimal text and back (the text is runtime/text's, the C library's strtod rounds
// correctly), and Python's hash of numbers (digits.c).
#pragma once
#include "python/values/evaluator.h"

// |x| in the form 'e', 'f', 'g' or 'r' (shortest; precision is ignored), without a sign; `flags`
// are prt_float_flags (text/prt_float_text.h).
Str float_text(Arena *arena, double x, char form, int64_t precision, unsigned flags);
double
float_round(double x,
            int64_t ndigits); // round(x, ndigits), half to even on the exact value; may give inf

// Python's repr of a float: the shortest text that reads back as the same.
Str float_repr(Arena *arena, double x);
// The text of a float as Python reads it ("1_0.5e3", " inf "); false if it is none.
bool float_parse(Arena *arena, Str text, double *out);
uint64_t hash_int(int64_t i);
// That of most is their own value.
#define HASH_BITS  61
#define HASH_PRIME (((uint64_t)1 << HASH_BITS) - 1)
static inline bool is_own_hash(int64_t i) { return i >= 0 && (uint64_t)i < HASH_PRIME; }
uint64_t hash_double(double x);
