// SPDX-License-Identifier: Apache-2.0
// How refs are indexed: the type that an index gives. As NumPy has it, integers and index arrays
// that stand side by side put the dimensions of the arrays where they stand; if slices come between
// them, in front of everything.
#include "index.h"
#include "build_memory.h"
#include "ir.h"

void ir_index_full(const IrType *ref_type, IrIndex *out) {
  *out = (IrIndex){.rank = ref_type->rank};
  for (int i = 0; i < ref_type->rank; i++)
    out->dims[i] = (IndexDim){.kind = INDEX_SLICE,
                              .start_operand = -1,
                              .size = ref_type->dims[i],
                              .size_operand = -1,
                              .stride = 1};
}

bool op_has_index(OpCode code) {
  const OpInfo *info = op_info(code);
  for (int i = 0; i < info->attr_count; i++)
    if (info->attrs[i] == ATTR_INDEX) return true;
  return false;
}

bool ir_index_is_split(const IrIndex *index) {
  int runs = 0;
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind != INDEX_SLICE && (i == 0 || index->dims[i - 1].kind == INDEX_SLICE))
      runs++;
  return runs > 1;
}

typedef struct Dims {
  int64_t items[IR_MAX_RANK];
  size_t rank;
} Dims;

static bool append(Dims *dims, const int64_t *items, size_t count) {
  if (dims->rank + count > IR_MAX_RANK) return false;
  for (size_t i = 0; i < count; i++) dims->items[dims->rank++] = items[i];
  return true;
}

const IrType *ir_index_result(IrModule *module, const IrType *type, const IrIndex *index,
                              const IrValue *const *operands) {
  const IrType *array = NULL; // of the index arrays; all have one shape
  for (int i = 0; i < index->rank && !array; i++)
    if (index->dims[i].kind == INDEX_ARRAY) array = operands[index->dims[i].start_operand]->type;
  Dims dims = {.rank = 0};
  bool placed = !array;
  if (array && ir_index_is_split(index)) {
    if (!append(&dims, array->dims, array->rank)) return NULL;
    placed = true;
  }
  for (int i = 0; i < index->rank; i++) {
    if (index->dims[i].kind == INDEX_SLICE) {
      if (!append(&dims, &index->dims[i].size, 1)) return NULL;
    } else if (!placed) {
      if (!append(&dims, array->dims, array->rank)) return NULL;
      placed = true;
    }
  }
  return ir_type_with_dims(module, type, dims.rank, dims.items);
}
