// SPDX-License-Identifier: Apache-2.0
// What is known of an array while tracing: JAX's ShapedArray.
#pragma once
#include "ir/core/ir.h"
#include "python/values/evaluator.h"

// Shape, element type and weakness of an array (JAX's ShapedArray).
typedef struct Aval {
  DType dtype;
  bool weak; // made from Python scalars only: gives way in promotion
  uint8_t rank;
  int64_t dims[IR_MAX_RANK];
} Aval;
int64_t aval_count(const Aval *aval);
// "float32[8,128]"; "ShapedArray(…)" is made around it where JAX does.
Str aval_text(Arena *arena, const Aval *aval);
Str aval_repr(Arena *arena, const Aval *aval);       // "ShapedArray(float32[2])"
Str aval_plain_text(Arena *arena, const Aval *aval); // without the ~ of a weak type
Str aval_short_text(Arena *arena, const Aval *aval); // "f32[8,128]", as jaxprs print
const IrType *aval_type(Eval *ev, const Aval *aval);
Aval aval_of(const IrValue *ir, bool weak);
// What JAX makes of the type: unless x64 is on (jax_enable_x64), f64 -> f32, i64 -> i32, u64 ->
// u32, c128 -> c64.
DType canonical_dtype(const Eval *ev, DType dtype);
// Of Python's integers, of counts and of floats: int32, uint32 and float32 unless x64 is on.
DType default_int(const Eval *ev);
DType default_uint(const Eval *ev);
DType default_float(const Eval *ev);
// ir_array_type, raising ValueError if it is too large.
const IrType *array_type_checked(Eval *ev, DType dtype, size_t rank, const int64_t *dims);
void check_python_int(Eval *ev, Value v); // raises OverflowError unless it fits the default int
