// SPDX-License-Identifier: Apache-2.0
// A cluster as code, whichever way pays.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

// Emits the ops as walks; results that are used outside get bindings. `rows`: how many leading
// dimensions all have in common.
void cluster_emit(LlvmGen *g, IrOp *const *ops, size_t count, size_t rows);
