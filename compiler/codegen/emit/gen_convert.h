// SPDX-License-Identifier: Apache-2.0
// Element types: storage to registers and back, rounding to narrow floats, conversions.
#pragma once
#include "gen.h"

Value convert_from_storage(LlvmGen *g, DType dtype, Value stored);
Value convert_to_storage(LlvmGen *g, DType dtype, Value value);
// A float in what `dtype` is computed in, rounded to what it can represent.
Value convert_round(LlvmGen *g, DType dtype, Value value);
Value convert_dtype(LlvmGen *g, Value value, DType from, DType to);
// Between the bits of an element and its value: integers of dtype_bits.
Value convert_to_bits(LlvmGen *g, DType dtype, Value value);
Value convert_from_bits(LlvmGen *g, DType dtype, Value bits);
Value convert_reduce_precision(LlvmGen *g, DType dtype, Value value, int exponent_bits,
                               int mantissa_bits);
