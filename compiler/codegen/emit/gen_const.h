// SPDX-License-Identifier: Apache-2.0
// Constants, in registers and in memory.
#pragma once
#include "gen.h"

Value gen_i64(LlvmGen *g, int64_t value);
Value gen_i32(LlvmGen *g, int64_t value);
// A constant of like's integer type, in all lanes.
Value gen_int_like(Value like, int64_t value);
Value gen_const_int(Type type, int64_t value); // the same, of a type
// A float constant in the type that `dtype` is computed in.
Value gen_const_float(LlvmGen *g, DType dtype, unsigned lanes, double value);
// A constant of like's float type, in all lanes.
Value gen_float_like(LlvmGen *g, Value like, double value);
Value gen_splat(LlvmGen *g, Value scalar, unsigned lanes);
Value gen_const_struct(LlvmGen *g, Value *fields, unsigned count);
// The constant that is in every lane, or NULL.
Value gen_constant_lane(Value v);
// In the compute type.
Value gen_const_element(LlvmGen *g, DType dtype, const void *element);

// In memory: addresses of NUL-terminated text, of bytes, of i64s.
Value gen_string(LlvmGen *g, Str text);
Value gen_global_data(LlvmGen *g, const void *bytes, size_t size, unsigned align);
Value gen_i64_array(LlvmGen *g, size_t count, const int64_t *items);
Value gen_private_constant(LlvmGen *g, Value initializer, const char *name);
Value gen_shared_constant(LlvmGen *g, Value initializer, const char *name); // one of all equal ones
// The constant, as a value that LLVM does not know: loaded from memory.
Value gen_hide_constant(LlvmGen *g, Value constant);
