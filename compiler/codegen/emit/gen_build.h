// SPDX-License-Identifier: Apache-2.0
// Addresses, intrinsics and calls.
#pragma once
#include "gen.h"

// Address of element `index` (i64).
Value gen_offset(LlvmGen *g, Value base, DType dtype, Value index);
Value gen_offset_const(LlvmGen *g, Value base, DType dtype, int64_t index);
Value gen_address(LlvmGen *g, Value base, int64_t bytes);
Value gen_add(LlvmGen *g, Value a, Value b); // i64s; folds constants and NULL (zero)
Value gen_mul_const(LlvmGen *g, Value a, int64_t factor);
Value gen_bitcast(LlvmGen *g, Value value, Type type);
// An i64 into [0, last]; what is negative counts from `wrap`, if that is not zero.
Value gen_bring_inside(LlvmGen *g, Value start, int64_t wrap, int64_t last);
void gen_set_align(Value access, unsigned align);
void gen_prefetch(LlvmGen *g, Value address, bool to_write); // into all levels
void gen_prefetch_far(LlvmGen *g, Value address); // to read, into the second level

// `count` lanes from `from` on; those beyond the vector are anything.
Value gen_lanes_of(LlvmGen *g, Value vector, unsigned from, unsigned count);
Value gen_joined(LlvmGen *g, Value low, Value high); // of as many lanes each

// Intrinsics by their names, overloaded on `type` (NULL: none).
Value gen_intrinsic(LlvmGen *g, const char *name, Type type, unsigned count, Value *args);
Value gen_intrinsic1(LlvmGen *g, const char *name, Value x);
Value gen_intrinsic2(LlvmGen *g, const char *name, Value x, Value y);
// Of one kind of CPU; vectors of the same size take the types that this LLVM declares it with.
Value gen_cpu_intrinsic(LlvmGen *g, const char *name, unsigned count, Value const *args,
                        Type result);
Value gen_call_runtime(LlvmGen *g, const char *name, Type result, unsigned count, Value *args);
