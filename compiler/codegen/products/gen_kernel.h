// SPDX-License-Identifier: Apache-2.0
// The micro-kernel: one tile of a product.
#pragma once
#include "gemm.h"

// As many sums as fit into 32 registers beside a vector of b: 12 x 2 or 6 x 4 (gemm_shape.c).
enum { MAX_ROWS = 12, MAX_VECTORS = 8 };
// One tile: all that its code depends on.
typedef struct Kernel {
  const Gemm *gemm;
  const GemmShape *shape;
  unsigned rows, vectors, active; // active: columns in the last vector
  Value a, b; // first elements of the tile's row and of the panel, at the block's first k
  const Factor *a_factor, *b_factor; // how those are read: NULL if packed
  Value pack_to;                     // where the panel is packed on the way, or NULL
  Value k_count;                     // cells
  Value is_first;                    // i1: no sums have been kept; NULL: they never have
  Value begins, ends;                // i1: the block is its sum's first, last part; NULL: it is
  Value row, column;                 // of the tile
  Value partial;                     // where the sums are between blocks of k; NULL: in c
  Value part;                        // where those of parts are; NULL: in c
  Value strip;                       // the first column of the strip; NULL if there are none
  Value sums;                        // in tiles: room for them in rows, of this thread
  bool is_last;                      // the sums are complete: they go to c, or through the epilogue
} Kernel;
void kernel_emit(LlvmGen *g, const Kernel *kernel);
// What `sums`, rows by vectors and complete, are added to is added, and the result goes where it
// belongs.
void kernel_finish(LlvmGen *g, const Kernel *kernel, Value const *sums);
