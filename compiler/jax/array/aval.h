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
const IrType *aval_type(Eval *ev, const Aval *aval);
Aval aval_of(const IrValue *ir, bool weak);
