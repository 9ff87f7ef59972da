// SPDX-License-Identifier: Apache-2.0
// A product as data: its factors, what it is computed in, how the work is cut.
#pragma once
#include "ir/core/ir.h"
#include "gen_epilogue.h"

// Multiply-adds that are worth more than one thread: with AVX2 some 20 us of a core, ten times what
// it takes to hand some over to one that is awake. And of a nanosecond, with AVX2.
enum { GEMM_PARALLEL_WORK = 1 << 20, GEMM_SPEED = 48 };

// Of tile registers (gen_tiles.c): rows of each, and cells of k that one instruction takes.
enum { TILE_ROWS = 16, STEP_CELLS = 16 };

// What a product is computed in. A cell is one f64 or i64 of a factor, or four bytes of it: one f32
// or i32, or as many narrower elements, neighbours in k, as one instruction multiplies and adds up.
typedef enum DotKind { DOT_F32, DOT_I32, DOT_I16, DOT_I8, DOT_BF16, DOT_F64, DOT_I64 } DotKind;

// A factor in memory: element (i, k) or (k, j) at base + outer * … + k * ….
typedef struct Factor {
  Value base;
  DType dtype;
  int64_t step; // of a row of a (m), or a column of b (n)
  int64_t k_step;
  bool to_bf16;    // rounded to bf16 first
  bool is_flipped; // signed bytes made unsigned by adding 128
} Factor;

// The ops behind a product that are evaluated with it.
typedef struct FusedOps {
  const IrOp *dot;
  IrOp *const *ops;
  size_t count;
  const IrRegion *region; // that holds them
  Epilogue *whole;        // if several functions evaluate it: holds the results
  Epilogue *epilogue;     // in the function that is being emitted
} FusedOps;

// c[m, n] = the sum over k of a[m, k] * b[k, n], in increasing order of k: blocks of `sum_block`
// terms are summed from zero each, and their sums are added up one after another, to init[m, n] if
// there is one; all sizes static.
typedef struct Gemm {
  const IrOp *op; // of the IR
  int64_t turns;  // of the loops around it
  int64_t m, n, k;
  Factor a, b;
  // Rows `c_step` apart, columns side by side; NULL if the epilogue takes the result.
  Value c;
  int64_t c_step;
  DType c_dtype;
  Value init; // what the sums are added to, in their own type, or NULL; may be c itself
  int64_t init_step;
  bool is_added_to_zero; // in place of init
  int64_t sum_block;     // more than k: there is one sum
  DType sums;            // what is accumulated: f64, i64, f32 or i32
  DotKind kind;          // set by gemm_emit, as is
  bool has_tiles;        // the thread that emits it has them configured, and makes it alone
  bool in_tiles;         // whether tile registers multiply: of bf16 or of bytes
  FusedOps *fused;       // NULL, or what to do with each vector of sums
} Gemm;

// How the work is cut. Counts of k are in cells.
typedef struct GemmShape {
  unsigned lanes, vectors, rows; // of the micro-kernel: `rows` rows by `vectors` vectors
  int64_t panel;                 // lanes * vectors columns
  int64_t cells, k_block; // in all; in one block, a multiple of `unroll`, of STEP_CELLS in tiles
  // Of one sum: a block has a part of one, or one or more whole ones but the last. In tiles as
  // k_block, whose sum is a whole one unless it goes on from block to block.
  int64_t sum_cells;
  bool goes_on;    // in tiles
  int64_t unroll;  // cells in one turn of the micro-kernel's loop
  int64_t group;   // rows of a that stay in the cache while b's panels go by
  int64_t a_pitch; // of a packed row, in cells
  bool packs_b, packs_a;
  // B lies along k and is transposed in registers, `lanes` cells of as many columns at a time.
  bool in_squares;
  // B's rows drive each other from the first level: a square loads all that it wants of one at
  // once.
  bool is_crowded;
  bool waits_for_memory; // so few rows that fetching b takes longer than computing with it
  // Columns, whole panels, that go through all of k before the next ones, their sums in the first
  // level meanwhile; 0: all columns go through a block of k before the next one.
  int64_t strip;
  int64_t ahead; // cells that the lines of a strip are fetched ahead; 0: the CPU follows them
  // B: the first tile of a panel reads it as it lies and packs it for those below.
  bool packs_on_the_way;
  bool by_panels;      // each panel is packed when it is needed
  int64_t parts;       // by panels: of the rows, for threads to share
  unsigned first_rows; // in the tile that packs on the way; the others have `rows`
} GemmShape;
