// SPDX-License-Identifier: Apache-2.0
// What is known of scalars and places while a program is followed: numbers that are constants or
// computed from such, and the part of a root that a chain of views with known starts names.
#include "scalars.h"

#include <string.h>
#include "ir/core/attr.h"
#include "ir/core/family.h"
#include "ir/core/region.h"
#include "ir/interpret/evaluate.h"

Scalars scalars_new(Arena *arena) { return (Scalars){arena, map_new(arena)}; }

// ---- numbers ------------------------------------------------------------------------------------
const IrData *scalars_data(const Scalars *k, const IrValue *value) {
  const IrData *data = ir_const_data(value);
  return data ? data : map_get(k->values, value);
}

bool scalars_int(const Scalars *k, const IrValue *value, int64_t *out) {
  const IrData *data = scalars_data(k, value);
  if (!data || data->count != 1) return false;
  if (data->dtype == DT_BOOL) {
    *out = *(const uint8_t *)data->bytes != 0;
    return true;
  }
  int32_t number;
  if (data->dtype != DT_I32) return false;
  memcpy(&number, data->bytes, sizeof number);
  *out = number;
  return true;
}

void scalars_set(Scalars *k, const IrValue *value, const IrData *data) {
  IrData *kept = data ? ARENA_NEW(k->arena, IrData) : NULL;
  if (kept) *kept = *data;
  map_set(k->values, value, kept);
}

void scalars_set_int(Scalars *k, const IrValue *value, int64_t number) {
  int32_t *bytes = ARENA_NEW(k->arena, int32_t);
  *bytes = (int32_t)number;
  scalars_set(k, value, &(IrData){.dtype = DT_I32, .count = 1, .bytes = bytes});
}

void scalars_evaluate(Scalars *k, const IrOp *op) {
  enum { MOST_OPERANDS = 4 }; // no op on elements has more (ops.def)
  const IrData *operands[MOST_OPERANDS] = {0};
  bool is_scalar = op->result_count == 1 && !op->results[0]->type->is_ref &&
                   op->results[0]->type->rank == 0 && op_is_elementwise(op->code) &&
                   op->operand_count <= MOST_OPERANDS;
  for (uint32_t i = 0; is_scalar && i < op->operand_count; i++) {
    operands[i] = scalars_data(k, op->operands[i]);
    is_scalar = operands[i] != NULL;
  }
  const IrData *results = is_scalar ? ir_evaluate(k->arena, op, operands) : NULL;
  for (uint32_t i = 0; i < op->result_count; i++)
    scalars_set(k, op->results[i], results ? &results[i] : NULL);
}

// ---- memory -------------------------------------------------------------------------------------
bool box_narrow(const Scalars *k, const IrOp *op, Box *box) {
  const IrIndex *index = ir_attr_index(op);
  int kept = 0;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *d = &index->dims[i];
    int64_t start = d->start;
    int dim = box->dims[i];
    if (d->kind == INDEX_ARRAY || d->size_operand >= 0 ||
        (d->kind == INDEX_SLICE && d->stride != 1))
      return false;
    if (d->start_operand >= 0 && !scalars_int(k, op->operands[d->start_operand], &start))
      return false;
    int64_t size = d->kind == INDEX_SCALAR ? 1 : d->size;
    if (start < 0 || start + size > box->high[dim] - box->low[dim]) return false;
    box->low[dim] += start;
    box->high[dim] = box->low[dim] + size;
    if (d->kind == INDEX_SLICE) box->dims[kept++] = dim;
  }
  return true;
}

bool box_of(const Scalars *k, const IrValue *ref, Box *box) {
  if (ref->def && ref->def->code == OP_VIEW)
    return box_of(k, ref->def->operands[0], box) && box_narrow(k, ref->def, box);
  if (ref != ir_ref_root(ref)) return false;
  *box = (Box){.root = ref, .rank = ref->type->rank};
  for (int i = 0; i < box->rank; i++) {
    box->high[i] = ref->type->dims[i];
    box->dims[i] = i;
  }
  return true;
}

bool box_meet(const Box *a, const Box *b) {
  if (a->root != b->root) return false;
  for (int i = 0; i < a->rank; i++)
    if (a->low[i] >= b->high[i] || b->low[i] >= a->high[i]) return false;
  return true;
}
