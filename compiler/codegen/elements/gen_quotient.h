// SPDX-License-Identifier: Apache-2.0
// Quotients of many numbers by one, correctly rounded, without dividing each.
#pragma once
#include "codegen/emit/gen.h"

// Whether that is quicker than a division of vectors such as `x`, where at least `count` of them
// have the divisor.
bool quotient_is_quick(const LlvmGen *g, Value x, int64_t count);
// x / y; y is the same in all lanes, and made outside of a loop over many x.
Value quotient_by(LlvmGen *g, Value x, Value y);
// x / y, for 2^-80 < |y| < 2^80, whose rounded inverse is known.
Value quotient_by_inverse(LlvmGen *g, Value x, Value y, Value inverse);
// Likewise, where x are integers of at most 32 bits; whether that is quicker than their division.
bool quotient_of_integers_is_quick(const LlvmGen *g, Value x);
Value quotient_of_integers(LlvmGen *g, Value x, Value y, Value inverse);
