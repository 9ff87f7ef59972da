// SPDX-License-Identifier: Apache-2.0
// Operators, as Python dispatches them: the left operand first, unless the right one's class
// derives from the left one's and has a reflected method of its own (operators.c).
#pragma once
#include "python/values/evaluator.h"

bool value_equal(Eval *ev, Value a, Value b);                  // truth of ==
Value value_compare(Eval *ev, CompareOp op, Value a, Value b); // any op; may give an array
Value value_binary(Eval *ev, BinaryOp op, Value a, Value b);
Value value_inplace(Eval *ev, BinaryOp op, Value a, Value b);
Value value_unary(Eval *ev, UnaryOp op, Value a);
bool same_or_equal(Eval *ev, Value a, Value b); // what containers ask of their items
