// SPDX-License-Identifier: Apache-2.0
// The micro-kernel in the tile registers of AMX.
#pragma once
#include "gen_kernel.h"

// One tile of a product whose gemm->in_tiles, between tiles_begin and tiles_end of the same thread.
// kernel->partial, if there is one, has tiles_kept_cells; kernel->sums has [shape->rows]
// [shape->panel] cells.
void tiles_emit(LlvmGen *g, const Kernel *kernel);
int64_t tiles_kept_cells(const Gemm *gemm);
// The thread's tile registers are configured; at the end they are released.
void tiles_begin(LlvmGen *g);
void tiles_end(LlvmGen *g);
