// SPDX-License-Identifier: Apache-2.0
// What an access takes of its ref: in, a load, store or view; out, its ref, and whether it is all
// of it.
#include "ir/core/attr.h"
#include "access.h"

IrValue *access_ref(const IrOp *op) { return op->operands[op_ref_position(op->code)]; }

bool access_is_masked(const IrOp *op) {
  const IrAttr *masked = ir_attr_find(op, ATTR_MASKED);
  return masked && masked->i;
}

bool access_dim_is_whole(const IndexDim *dim, int64_t size) {
  return dim->kind == INDEX_SLICE && dim->start_operand < 0 && dim->size_operand < 0 &&
         dim->start == 0 && dim->stride == 1 && dim->size == size;
}

bool access_is_whole(const IrOp *op) {
  const IrIndex *index = ir_attr_index(op);
  const IrType *ref = access_ref(op)->type;
  for (int i = 0; i < index->rank; i++)
    if (!access_dim_is_whole(&index->dims[i], ref->dims[i])) return false;
  return true;
}
