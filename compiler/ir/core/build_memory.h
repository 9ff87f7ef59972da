// SPDX-License-Identifier: Apache-2.0
// Building ops on memory, and control flow (build_memory.c, index.c). Types must already
// agree (BUG otherwise).
#pragma once
#include "ir.h"

IrValue *ir_alloc(IrBuilder *b, const IrType *ref_type, Str name);
// Whether slices come between the dimensions that are not slices.
bool ir_index_is_split(const IrIndex *index);
void ir_index_full(const IrType *ref_type, IrIndex *out); // every element
// Operand positions in `index` are those of `extra` plus base, base being 1 for load and view, 2
// for store: pass index dims whose …_operand fields count from 0 into `extra`; these functions
// shift them.
IrValue *ir_load(IrBuilder *b, IrValue *ref, const IrIndex *index, size_t extra_count,
                 IrValue *const *extra, IrValue *mask, IrValue *other);
IrOp *ir_store(IrBuilder *b, IrValue *value, IrValue *ref, const IrIndex *index, size_t extra_count,
               IrValue *const *extra, IrValue *mask);
IrValue *ir_view(IrBuilder *b, IrValue *ref, const IrIndex *index, size_t extra_count,
                 IrValue *const *extra);
// A copy that is done when the op is done; shapes are the same. `move`: of a pipeline, under check.
IrOp *ir_copy(IrBuilder *b, IrValue *from, IrValue *to, WindowMove move);
IrValue *ir_load_all(IrBuilder *b, IrValue *ref);
void ir_store_all(IrBuilder *b, IrValue *value, IrValue *ref);
// The type that indexing a ref (or array) of this type gives; advanced-index dimensions as NumPy
// places them. NULL if it does not fit.
const IrType *ir_index_result(IrModule *module, const IrType *type, const IrIndex *index,
                              const IrValue *const *operands);
void ir_yield(IrBuilder *b, size_t count, IrValue *const *values);
// Region made, with its args.
IrOp *ir_for(IrBuilder *b, IrValue *lower, IrValue *upper, IrValue *step, size_t carry_count,
             IrValue *const *carries);
IrOp *ir_if(IrBuilder *b, IrValue *pred, size_t result_count,
            const IrType *const *result_types); // both regions made, empty
