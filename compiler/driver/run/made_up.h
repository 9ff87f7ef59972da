// SPDX-License-Identifier: Apache-2.0
// Arrays whose contents are made up, and element types as the runtime and the compiler call them.
#pragma once
#include "base/dtype.h"
#include "prt_npy.h"

prt_dtype runtime_dtype(DType dtype);
DType compiler_dtype(prt_dtype dtype);
// Floats in [-1, 1), small integers that are good as indices, booleans; the same for the same
// *state, which goes on. PRT_ERROR_ARGUMENT or PRT_ERROR_MEMORY as prt_array_new. The array is the
// caller's.
prt_status made_up_array(DType dtype, int rank, const int64_t *dims, uint64_t *state,
                         prt_array *out);
