// SPDX-License-Identifier: Apache-2.0
// Elements of any type.
#pragma once
#include "prt.h"

char prt__dtype_kind(prt_dtype dtype);
int prt__packed_bits(prt_dtype dtype); // of an element that is less than its byte; else 0
double prt__load_float(prt_dtype dtype, const void *p); // any type
int64_t prt__load_int(prt_dtype dtype, const void *p);  // integers and bool; u64 reinterpreted
// NaN, the largest integer or true: what unspecified memory holds under check.
void prt__fill_unspecified(prt_dtype dtype, void *memory, int64_t count);
