// SPDX-License-Identifier: Apache-2.0
// Matrix products (gen_dot.c, gen_gemm.c, gen_kernel.c, gen_cell.c, gen_pack.c, gen_epilogue.c).
#pragma once
#include "codegen/emit/emit.h"
#include "codegen/clusters/plan.h"

// One dimension of a product, with its strides in the operands and in the result (0 where it does
// not occur).
typedef struct DotDim {
  int64_t size, a, b, c, init;
} DotDim;
typedef struct DotDims {
  DotDim items[2 * IR_MAX_RANK];
  size_t count;
} DotDims;

// What a product is computed in. A cell is four bytes of a factor: one f32 or i32, or as many
// narrower elements, neighbours in k, as one instruction multiplies and adds up.
typedef enum DotKind { DOT_F32, DOT_I32, DOT_I16, DOT_I8, DOT_BF16 } DotKind;

// A factor in memory: element (i, k) or (k, j) at base + outer * … + k * ….
typedef struct Factor {
  Value base;
  DType dtype;
  int64_t step; // of a row of a (m), or a column of b (n)
  int64_t k_step;
  bool to_bf16;    // rounded to bf16 first
  bool is_flipped; // signed bytes made unsigned by adding 128
} Factor;

typedef struct Epilogue Epilogue;

// The ops behind a product that are evaluated with it.
typedef struct FusedOps {
  const IrOp *dot;
  IrOp *const *ops;
  size_t count;
  const IrRegion *region; // that holds them
  bool only_stores;
  Epilogue *epilogue; // in the function that is being emitted
} FusedOps;

// c[m, n] = the sum over k of a[m, k] * b[k, n], in increasing order of k, from zero or from
// init[m, n]; all sizes static.
typedef struct Gemm {
  int64_t m, n, k;
  Factor a, b;
  // Rows `c_step` apart, columns side by side; NULL if the epilogue takes the result.
  Value c;
  int64_t c_step;
  DType c_dtype;
  Value init; // what the sums start from, in their own type: NULL for zero; may be c itself
  int64_t init_step;
  bool is_float;   // f32 accumulators, else i32
  DotKind kind;    // set by gemm_emit
  FusedOps *fused; // NULL, or what to do with each vector of sums
} Gemm;

// How the work is cut. Counts of k are in cells.
typedef struct GemmShape {
  unsigned lanes, vectors, rows; // of the micro-kernel: `rows` rows by `vectors` vectors
  int64_t panel;                 // lanes * vectors columns
  int64_t cells, k_block;        // in all; in one block, a multiple of `unroll`
  int64_t unroll;                // cells in one turn of the micro-kernel's loop
  int64_t group;                 // rows of a that stay in the cache while b's panels go by
  int64_t a_pitch;               // of a packed row, in cells
  bool packs_b, packs_a;
  // B lies along k and is transposed in registers, `lanes` cells of as many columns at a time.
  bool in_squares;
  // B: the first tile of a panel reads it as it lies and packs it for those below.
  bool packs_on_the_way;
  bool by_panels;      // each panel is packed when it is needed
  int64_t parts;       // by panels: of the rows, for threads to share
  unsigned first_rows; // in the tile that packs on the way; the others have `rows`
} GemmShape;
// is_first: NULL, or (i1) whether the sums start anew rather than at c.
void gemm_emit(LlvmGen *g, Gemm *gemm, Value is_first);

// ---- gen_kernel.c -------------------------------------------------------------------------------
enum { MAX_ROWS = 8, MAX_VECTORS = 4 };
// One tile: all that its code depends on.
typedef struct Kernel {
  const Gemm *gemm;
  const GemmShape *shape;
  unsigned rows, vectors, active; // active: columns in the last vector
  Value a, b; // first elements of the tile's row and of the panel, at the block's first k
  const Factor *a_factor, *b_factor; // how those are read: NULL if packed
  Value pack_to;                     // where the panel is packed on the way, or NULL
  Value k_count;                     // cells
  Value is_first;                    // i1: the sums start anew; NULL: they always do
  Value row, column;                 // of the tile
  Value partial;                     // where the sums are between blocks of k; NULL: in c
  bool is_last;                      // the sums are complete: they go to c, or through the epilogue
} Kernel;
void kernel_emit(LlvmGen *g, const Kernel *kernel);

// ---- gen_cell.c ---------------------------------------------------------------------------------
DotKind cell_kind(LlvmGen *g, const Gemm *gemm);
unsigned cell_group(const Gemm *gemm); // elements in a cell
DType cell_dtype(const Gemm *gemm);    // a type of the cell's size and bank of registers
bool cell_is_in_memory(const Gemm *gemm,
                       const Factor *factor); // whether cells lie there as they are needed
bool cell_is_compensated(
    const Gemm *gemm); // whether a panel of b starts with a row of what is to be added to the sums
// The cell of each of `lanes` neighbours (a scalar for 1), of which `active` exist and are not
// zero; of the cell, the first `valid` elements.
Value cell_across(LlvmGen *g, const Gemm *gemm, const Factor *factor, Value address, unsigned lanes,
                  unsigned active, unsigned valid);
// `cells` cells one behind the other in k, where k_step is 1.
Value cell_along(LlvmGen *g, const Gemm *gemm, const Factor *factor, Value address, unsigned cells);
Value cell_multiply_add(LlvmGen *g, const Gemm *gemm, Value a, Value b, Value sum);
Value cell_sum_bytes(LlvmGen *g, Value cell, Value sum); // adds the (signed) bytes of each cell up

// ---- gen_pack.c ---------------------------------------------------------------------------------
// The cells [k0, k0 + count) of b's panels [first, end), one behind the other: of each,
// [count][panel], the last one filled up with zeros.
void pack_panels(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0,
                 Value count, Value first, Value end);
// The panel that starts at a column and has `columns` of them.
void pack_panel(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0,
                Value count, Value column, int64_t columns);
// The same cells of a's rows [begin, end), with a_pitch between rows.
void pack_rows(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0,
               Value count, Value begin, Value end);
// Rows of cells in one packed panel.
Value pack_panel_rows(LlvmGen *g, const Gemm *gemm, Value count);
// The cells of `lanes` columns of b (of which `active` exist) from an address on, as many of each,
// where they lie along k: a vector a cell.
void pack_load_square(LlvmGen *g, const Gemm *gemm, Value address, unsigned lanes, unsigned active,
                      Value *cells);
// As many as are loaded at once for the micro-kernel's own use: pack_square_cells of each column.
void pack_load_wide_square(LlvmGen *g, const Gemm *gemm, Value address, unsigned lanes,
                           unsigned active, Value *cells);
unsigned pack_square_cells(const Gemm *gemm, unsigned lanes);
// Transposes `count` vectors of `count` lanes.
void pack_transpose(LlvmGen *g, Value *rows, unsigned count);

// ---- gen_epilogue.c -----------------------------------------------------------------------------
// A cluster that consumes a product's result (of rank 2) where it is: evaluated on the
// accumulators. NULL if that cannot be.
Epilogue *epilogue_new(LlvmGen *g, const IrOp *dot, IrOp *const *ops, size_t count);
bool epilogue_only_stores(const Epilogue *e);
// Evaluates it on one vector of a row, from a column on (i64s); the value is rounded to the
// product's type.
void epilogue_apply(LlvmGen *g, Epilogue *e, Value row, Value column, Value value, unsigned active);
void epilogue_close(Epilogue *e);   // binds the cluster's results
void epilogue_abandon(Epilogue *e); // as if it had not been made
// Whether a store of the cluster may change what the product still has to read.
bool epilogue_writes_operand(const IrOp *dot, IrOp *const *ops, size_t count);
// Emits the product into the memory that the store behind it fills; false (and nothing emitted) if
// it cannot go there.
bool gen_dot_stored(LlvmGen *g, IrOp *dot, IrOp *store);
// Emits the product with the cluster behind it; false (and nothing emitted) if they cannot be one.
bool gen_dot_fused(LlvmGen *g, IrOp *dot, IrOp *const *ops, size_t count, const IrRegion *region);
