// SPDX-License-Identifier: Apache-2.0
// Products of matrices of static shape.
#pragma once
#include "gemm.h"

// begins: NULL, or (i1) whether the sums, which loops around the product go on with in c, begin
// with it.
void gemm_emit(LlvmGen *g, Gemm *gemm, Value begins);
