// SPDX-License-Identifier: Apache-2.0
// pl.Slice, what pl.ds makes: a window of a dimension (dynamic_slice.c).
#pragma once
#include "base/dtype.h"
#include "python/values/evaluator.h"

// The parts of a pl.Slice: ints, or scalars that are known at run time alone. False: it is none.
bool value_as_dynamic_slice(Eval *ev, Value v, Value *start, Value *size, Value *stride);
// What to write in the place of an index that is no integer, "" if that is not known.
const char *index_dtype_hint(DType dtype);
void dynamic_slice_init(Eval *ev);
