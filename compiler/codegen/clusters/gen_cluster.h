// SPDX-License-Identifier: Apache-2.0
// Clusters: runs of ops that walks compute.
#pragma once
#include "codegen/emit/gen.h"

void cluster_emit(LlvmGen *g, IrOp *const *ops, size_t count, size_t rows);
