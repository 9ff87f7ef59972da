// SPDX-License-Identifier: Apache-2.0
// Matrix products (gen_dot.c, gen_gemm.c, gen_pack.c, gen_epilogue.c).
#pragma once
#include "emit.h"
#include "plan.h"

// One dimension of a product, with its strides in the operands and in the result (0 where it does not occur).
typedef struct DotDim {
  int64_t size, a, b, c;
} DotDim;
typedef struct DotDims {
  DotDim items[2 * IR_MAX_RANK];
  size_t count;
} DotDims;

// A factor in memory: element (i, k) or (k, j) at base + outer * … + k * ….
typedef struct Factor {
  Value base;
  DType dtype;
  int64_t step;   // of a row of a (m), or a column of b (n)
  int64_t k_step;
  bool to_bf16;   // rounded to bf16 first
} Factor;

typedef struct Epilogue Epilogue;

// The ops behind a product that are evaluated with it.
typedef struct FusedOps {
  const IrOp *dot;
  IrOp *const *ops;
  size_t count;
  const IrRegion *region; // that holds them
  bool only_stores;
  Epilogue *epilogue;     // in the function that is being emitted
} FusedOps;

// c[m, n] = (or +=) the sum over k of a[m, k] * b[k, n], in increasing order of k, from zero; all sizes static.
typedef struct Gemm {
  int64_t m, n, k;
  Factor a, b;
  Value c;          // rows `c_step` apart; NULL if the epilogue takes the result
  int64_t c_step;
  DType c_dtype;
  bool is_float;    // f32 accumulators, else i32
  FusedOps *fused; // NULL, or what to do with each vector of sums
} Gemm;

// How the work is cut.
typedef struct GemmShape {
  unsigned lanes, vectors, rows; // of the micro-kernel: `rows` rows by `vectors` vectors
  int64_t panel;                 // lanes * vectors columns
  int64_t k_block;
  bool packs_b, packs_a;
} GemmShape;
GemmShape gemm_shape(LlvmGen *g, const Gemm *gemm);
// is_first: NULL, or (i1) whether the sums start at zero rather than at c.
void gemm_emit(LlvmGen *g, Gemm *gemm, Value is_first);

// ---- gen_pack.c ----------------------------------------------------------------------------------
// b[k0 + k, n] for k < count in panels of `panel` columns: [n / panel][count][panel], the last one filled up with zeros; accumulator type.
void pack_panels(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value to, Value k0, Value count, Value first_panel, Value end_panel);
// a as [m][k], dense, in the accumulators' type.
void pack_rows(LlvmGen *g, const Gemm *gemm, Value to, Value begin, Value end);
// One element or vector as the accumulators need it.
Value dot_convert(LlvmGen *g, const Gemm *gemm, const Factor *factor, Value element);
// Transposes `count` vectors of `count` lanes.
void pack_transpose(LlvmGen *g, Value *rows, unsigned count);

// ---- gen_epilogue.c ------------------------------------------------------------------------------
// A cluster that consumes a product's result (of rank 2) where it is: evaluated on the accumulators. NULL if that cannot be.
Epilogue *epilogue_new(LlvmGen *g, const IrOp *dot, IrOp *const *ops, size_t count);
bool epilogue_only_stores(const Epilogue *e);
// Evaluates it on one vector of a row, from a column on (i64s); the value is rounded to the product's type.
void epilogue_apply(LlvmGen *g, Epilogue *e, Value row, Value column, Value value, unsigned active);
void epilogue_close(Epilogue *e);   // binds the cluster's results
void epilogue_abandon(Epilogue *e); // as if it had not been made
// Emits the product with the cluster behind it; false (and nothing emitted) if they cannot be one.
bool gen_dot_fused(LlvmGen *g, IrOp *dot, IrOp *const *ops, size_t count, const IrRegion *region);
