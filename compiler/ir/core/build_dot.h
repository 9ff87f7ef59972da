// SPDX-License-Identifier: Apache-2.0
// Products of arrays: building one, and how its sums are added up.
#pragma once
#include "ir.h"

// Which dimensions of the left side, [0], and of the right one, [1], are summed over, and which are
// the batch's; all others are free.
typedef struct DotSides {
  IrInts contract[2], batch[2];
} DotSides;
DotSides ir_dot_sides(const IrOp *dot);
// The dimensions of a product, the batch's first, then the free ones of each side; their number.
size_t ir_dot_dims(const IrType *x, const IrType *y, const DotSides *sides,
                   int64_t dims[2 * IR_MAX_RANK]);
IrValue *ir_dot(IrBuilder *b, IrValue *x, IrValue *y, const DotSides *sides, DType result,
                DotPrecision precision);
// What a product's sums are kept in.
DType ir_dot_summed_in(const IrOp *dot);
// Terms of each of a dot's sums, which are then added up; INT64_MAX: there is one sum.
enum { DOT_SUM_BLOCK = 512 };
int64_t ir_dot_sum_block(const IrOp *dot);
// Whether a product may take a factor as it is in place of one that was converted to `wide`, a
// float of at least 16 bits: each number of `narrow`, an integer or a float, is one of that type,
// too.
bool ir_dot_includes(DType wide, DType narrow);
