// SPDX-License-Identifier: Apache-2.0
// What is known of an array while tracing: JAX's ShapedArray.
#pragma once
#include "ir/core/ir.h"
#include "python/objects/evaluator.h"

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
Str aval_short_text(Arena *arena, const Aval *aval); // "f32[8,128]", as jaxprs print
const IrType *aval_type(Eval *ev, const Aval *aval);
Aval aval_of(const IrValue *ir, bool weak);
DType canonical_dtype(DType dtype); // x64 is off: f64 -> f32, i64 -> i32, u64 -> u32
// ir_array_type, raising ValueError if it is too large.
const IrType *array_type_checked(Eval *ev, DType dtype, size_t rank, const int64_t *dims);
void check_python_int(Eval *ev, Value v); // raises OverflowError unless it fits an int32
