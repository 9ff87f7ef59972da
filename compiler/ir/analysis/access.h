// SPDX-License-Identifier: Apache-2.0
// Loads, stores and views: the ref they are of, and how much of it they take (access.c).
#pragma once
#include "ir/core/ir.h"

IrValue *access_ref(const IrOp *op);
// Whether an operand of a load or a store is a mask. Of any op.
bool access_is_masked(const IrOp *op);
// Whether the index takes as many elements as it says, at places that strides describe.
bool access_index_is_strided(const IrIndex *index);
// Whether it is known only when the code runs how many elements the ref has.
bool access_has_dynamic_size(const IrValue *ref);
// Whether a dimension of an index is all of a dimension of that size, in order.
bool access_dim_is_whole(const IndexDim *dim, int64_t size);
// Whether the index is of all elements of the ref, in order, whatever a mask says.
bool access_is_whole(const IrOp *op);
// Whether nothing in the function but one access, through this ref, knows the memory: an output
// that is only written.
bool access_is_only_written(const IrValue *ref);
// Whether the op stores all of an output which nothing else knows. It may be done at any time once
// there is the value, and the value be made there.
bool access_fills_output(const IrOp *op);
