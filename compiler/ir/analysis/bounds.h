// SPDX-License-Identifier: Apache-2.0
// What numbers an integer can be at run time, and whether an index is inside its ref
// whatever they are (bounds.c).
#pragma once
#include "ir/core/ir.h"

typedef struct Range {
  int64_t low, high; // both included
} Range;

// Of an array's elements: of all of them. Never empty; the limits of the type if nothing better is
// known.
Range bounds_of(const IrValue *value);
// Of sums, differences and products of numbers in the ranges; what overflows may be anything.
Range range_sum(Range x, Range y);
Range range_difference(Range x, Range y);
Range range_product(Range x, Range y);
// Whether no element of an iota, or of a sum, difference or product of integers, leaves its type,
// which would wrap it. False of other ops.
bool bounds_never_wraps(const IrOp *op);
// Whether a scalar is a multiple of n, which is above 0, for sure.
bool bounds_is_multiple(const IrValue *value, int64_t n);
// Whether dimension `dim` of a load's, store's or view's index is inside [0, size of the ref there)
// for sure. An index array never is.
bool bounds_dim_inside(const IrOp *op, int dim);
// Whether that dimension is a slice by steps that may leave the ref: as of an index array, each of
// its elements is inside or not, where another slice is moved inside.
bool bounds_dim_leaves_by_steps(const IrOp *op, int dim);
bool bounds_leaves_by_steps(const IrOp *op);
// All dimensions of the index; for a masked access also the views that its ref is made by.
bool bounds_inside(const IrOp *op);
