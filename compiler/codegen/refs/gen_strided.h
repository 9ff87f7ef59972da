// SPDX-License-Identifier: Apache-2.0
// Copies between refs, one of them a virtual one, as copies of strided memory.
#pragma once
#include "codegen/values/gen_value.h"

// Elements of `unit` bytes, in dimensions of which both ends have a stride, in bytes.
typedef struct StridedCopy {
  Value to, from; // the first element's
  int64_t unit;
  int rank;
  int64_t dims[IR_MAX_RANK], to_strides[IR_MAX_RANK], from_strides[IR_MAX_RANK];
} StridedCopy;

// false: strides do not say it.
bool ref_strided_copy(LlvmGen *g, const Binding *to, const Binding *from, StridedCopy *out);
