// SPDX-License-Identifier: Apache-2.0
// Loops over the parts that floats are made of (loops_unary.c).
#pragma once
#include "nd_walk.h"

// The fraction of float32 or float64 elements, their exponents (int32), the elements.
NdLoop *nd_split_loop(DType dtype);
// float32 or float64 elements that lie close, with numbers for NaN and both infinities.
void nd_numbers(DType dtype, char *out, const char *from, int64_t count, double nan, double high,
                double low);
