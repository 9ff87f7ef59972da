// SPDX-License-Identifier: Apache-2.0
// Integers of any size: small ones in the Value, the others by GMP (integer.c).
#pragma once
#include "python/values/evaluator.h"

// Unwraps in place; false if it is no int or bool.
bool int_operand(Value *v);
Value int_arithmetic(Eval *ev, BinaryOp op, Value a, Value b); // int64s, bools, BigInts
Value int_add(Eval *ev, Value a, Value b);
Value int_multiply(Eval *ev, Value a, Value b);
Value int_divmod(Eval *ev, Value a, Value b, Value *remainder);
Str int_text(Eval *ev, Value v); // decimal; raises above INT_MAX_STR_DIGITS

// The digits of a literal, without prefix and underscores, in base 2 … 16.
Value int_from_digits(Eval *ev, Str digits, int base);
// False: not an int, or outside the doubles (then *overflow, if given, is set).
bool int_as_double(Value v, double *out, bool *overflow);
Value int_from_double(Eval *ev, double integral); // raises for inf and nan as int() does
