// SPDX-License-Identifier: Apache-2.0
// How a product is cut, before there is code.
#pragma once
#include "codegen/emit/target.h"
#include "gemm.h"

// gemm->kind is set. parallel: threads may share the work.
GemmShape gemm_shape(const Target *target, const Gemm *gemm, bool parallel);
