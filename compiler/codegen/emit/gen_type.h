// SPDX-License-Identifier: Apache-2.0
// LLVM types of elements, in registers and in memory.
#pragma once
#include "gen.h"

Type gen_int_type(LlvmGen *g, unsigned bits);                   // of 1, 4, 8, 16, 32, 64
Type gen_compute_type(LlvmGen *g, DType dtype, unsigned lanes); // lanes 1: scalar
// Integers of the element's size; float for f32, double for f64.
Type gen_storage_type(LlvmGen *g, DType dtype, unsigned lanes);
unsigned gen_compute_bits(DType dtype);       // 1 for bool, 32 for all floats but f64
bool gen_is_f64(Value value);                 // double, or a vector of it
unsigned gen_lanes(Value value);              // 1 for a scalar
Type gen_type_like(Type element, Value like); // element, in as many lanes as `like` has
int gen_dtype_number(DType dtype);            // prt_dtype
