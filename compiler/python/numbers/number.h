// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of ints, bools and floats that fit a Value: what expressions do most
// (number.c).
#pragma once
#include "python/values/evaluator.h"

bool order_holds(CompareOp op,
                 int order); // of two of which the first is less (< 0), equal (0), or greater
// Arithmetic of int, bool and float that stays in them. False: not of these kinds, or it overflows,
// or is left to the slots.
bool number_binary(Eval *ev, BinaryOp op, Value a, Value b, Value *out);
bool number_compare(CompareOp op, Value a, Value b, bool *out);
