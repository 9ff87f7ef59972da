// SPDX-License-Identifier: Apache-2.0
// Packing factors into panels.
#pragma once
#include "gemm.h"

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
// In tiles the cells are filled up with zeros to whole steps.
// Rows of cells in one packed panel.
Value pack_panel_rows(LlvmGen *g, const Gemm *gemm, Value count);
// As many as are loaded at once for the micro-kernel's own use: pack_square_cells of each column.
void pack_load_wide_square(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value address,
                           unsigned active, Value *cells);
// Where pack_has_words: the first pack_square_cells(gemm, PART) of each column.
void pack_load_part(LlvmGen *g, const Gemm *gemm, const GemmShape *shape, Value address,
                    unsigned active, Value *cells);
unsigned pack_square_cells(const Gemm *gemm, unsigned lanes);
// Whether those are elements of four bytes, or pairs of two, as they lie in memory.
bool pack_has_words(const Gemm *gemm);
