// SPDX-License-Identifier: Apache-2.0
// How an array lies in memory: its dimensions, and a stride for each, in elements.
#pragma once
#include "ir/core/ir.h"

typedef struct Layout {
  DType dtype;
  uint8_t rank;
  int64_t dims[IR_MAX_RANK], strides[IR_MAX_RANK];
} Layout;

Layout layout_dense(DType dtype, size_t rank, const int64_t *dims);
// The same elements in other dimensions; false if strides cannot say it.
bool layout_reshape(const Layout *layout, size_t rank, const int64_t *dims, Layout *out);
bool layout_is_dense(const Layout *layout);
// Of the result of a shape operation as a view of its operand's memory, but for where it starts;
// false if strides cannot say it: then elements are moved.
bool layout_view(const IrOp *op, const Layout *from, Layout *out);
// Where a value lies that nobody has placed yet: dense, but for views of memory that do without a
// copy. Of refs as well.
Layout layout_usual(const IrValue *value);
