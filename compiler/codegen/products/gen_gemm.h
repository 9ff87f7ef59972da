// SPDX-License-Identifier: Apache-2.0
// Products of matrices of static shape.
#pragma once
#include "gemm.h"

// is_first: NULL, or (i1) whether the sums start anew rather than at c.
void gemm_emit(LlvmGen *g, Gemm *gemm, Value is_first);
