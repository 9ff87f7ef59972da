// SPDX-License-Identifier: Apache-2.0
// Cells of products: loads, and what multiplies them and adds them up.
#pragma once
#include "gemm.h"

DotKind cell_kind(LlvmGen *g, const Gemm *gemm); // gemm->in_tiles is set
// Whether a sum takes several k at a time in an order of its own: of bf16, in pairs or in tiles.
bool cell_takes_pairs(const Target *target, DType sums, const Factor *a, const Factor *b);
// Whether tile registers multiply the factors. Of bf16 they always do, so that the order of the
// sums does not depend on the sizes.
bool cell_fits_tiles(const Target *target, const Gemm *gemm);
bool cell_is_unsigned(const Factor *factor); // bytes, or less
unsigned cell_group(const Gemm *gemm);       // elements in a cell
DType cell_dtype(const Gemm *gemm);          // a type of the cell's size and bank of registers
int64_t cell_bytes(const Gemm *gemm);
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
