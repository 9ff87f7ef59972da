// SPDX-License-Identifier: Apache-2.0
// What an access takes of its ref: in, a load, store or view; out, its ref, whether it is all of
// it, and whether anything else knows the memory.
#include "ir/core/attr.h"
#include "ir/core/region.h"
#include "access.h"

IrValue *access_ref(const IrOp *op) { return op->operands[op_ref_position(op->code)]; }

bool access_is_masked(const IrOp *op) {
  const IrAttr *masked = ir_attr_find(op, ATTR_MASKED);
  return masked && masked->i;
}

bool access_index_is_strided(const IrIndex *index) {
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind == INDEX_ARRAY || index->dims[i].size_operand >= 0) return false;
  return true;
}

bool access_has_dynamic_size(const IrValue *ref) {
  for (const IrValue *root = ir_ref_root(ref); ref != root; ref = ref->def->operands[0]) {
    const IrIndex *index = ref->def->code == OP_VIEW ? ir_attr_index(ref->def) : NULL;
    for (int i = 0; index && i < index->rank; i++)
      if (index->dims[i].size_operand >= 0) return true;
  }
  return false;
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

bool access_is_only_written(const IrValue *ref) {
  const IrValue *array = ir_ref_root(ref);
  if (array->def || array->region->parent || array->use_count != 1) return false;
  if (array->region->func->params[array->index].role == PARAM_IN) return false;
  for (; ref != array; ref = ref->def->operands[0])
    if (ref->use_count != 1) return false;
  return true;
}

bool access_fills_output(const IrOp *op) {
  return op->code == OP_STORE && op->operand_count == 2 && !op->operands[1]->def &&
         access_is_whole(op) && access_is_only_written(op->operands[1]);
}
