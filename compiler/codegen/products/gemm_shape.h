// SPDX-License-Identifier: Apache-2.0
// How a product is cut, before there is code.
#pragma once
#include "codegen/emit/target.h"
#include "gemm.h"

static inline int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// gemm->kind is set. parallel: threads may share the work.
GemmShape gemm_shape(const Target *target, const Gemm *gemm, bool parallel);
