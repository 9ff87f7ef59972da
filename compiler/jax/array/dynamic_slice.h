// SPDX-License-Identifier: Apache-2.0
// pl.Slice, what pl.ds makes: a window of a dimension (dynamic_slice.c).
#pragma once
#include "python/values/evaluator.h"

// The parts of a pl.Slice: ints, or scalars that are known at run time alone. False: it is none.
bool value_as_dynamic_slice(Eval *ev, Value v, Value *start, Value *size, Value *stride);
void dynamic_slice_init(Eval *ev);
