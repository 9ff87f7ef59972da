// SPDX-License-Identifier: Apache-2.0
// Of a cluster that the fuse pass closes: what it stores is read from there afterwards. That it was
// stored is forgotten earlier: a load of what is known to be some value is that value.
#include "fuse_reread.h"
#include "ir/analysis/access.h"
#include "ir/analysis/alias.h"
#include "ir/core/attr.h"
#include "ir/core/build_memory.h"
#include "ir/core/region.h"

static size_t uses_inside(IrOp *const *ops, size_t count, const IrValue *value) {
  size_t uses = 0;
  for (size_t i = 0; i < count; i++) uses += ir_count_uses(ops[i], value);
  return uses;
}

// Of an array, at a place that is known, of neighbours.
static bool is_plain_store(const IrOp *op) {
  if (op->code != OP_STORE || access_is_masked(op)) return false;
  const IrType *type = op->operands[0]->type;
  if (!type->rank || dtype_bits(type->dtype) < 8) return false;
  const IrIndex *index = ir_attr_index(op);
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->start_operand >= 0 || dim->size_operand >= 0) return false;
    if (dim->kind == INDEX_SLICE && dim->stride != 1) return false;
  }
  return true;
}

static bool is_overwritten(IrOp *const *ops, size_t count, const IrOp *store) {
  bool is_behind = false;
  for (size_t i = 0; i < count; i++) {
    if (is_behind && ops[i]->code == OP_STORE && alias_of(ops[i], store) != ALIAS_NO) return true;
    is_behind |= ops[i] == store;
  }
  return false;
}

// Whether what `load` reads stays as it is up to the last of so many uses of a value.
static bool stays_until_used(const IrOp *load, const IrValue *value, size_t uses) {
  for (const IrOp *op = load->next; op && uses; op = op->next) {
    size_t here = ir_count_uses(op, value);
    if (op->code == OP_YIELD || here > uses || alias_op_may_write(op, load)) return false;
    uses -= here;
  }
  return uses == 0;
}

static void replace_uses(IrOp *op, const IrValue *value, IrValue *with) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i] == value) ir_set_operand(op, i, with);
  for (uint32_t i = 0; i < op->region_count; i++)
    for (IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      replace_uses(inner, value, with);
}

IrOp *fuse_reread(IrOp *const *ops, size_t count, IrOp *before) {
  IrOp *first = before;
  if (!before) return NULL;
  for (size_t i = 0; i < count; i++) {
    IrOp *store = ops[i];
    if (!is_plain_store(store) || is_overwritten(ops, count, store)) continue;
    IrValue *value = store->operands[0];
    size_t inside = uses_inside(ops, count, value);
    if (value->use_count == inside) continue;
    bool is_made = false;
    for (size_t k = 0; k < count; k++) is_made |= value->def == ops[k];
    if (!is_made) continue;
    IrBuilder b = ir_builder_for(store, before);
    IrValue *loaded = ir_load(&b, access_ref(store), ir_attr_index(store), 0, NULL, NULL, NULL);
    if (!stays_until_used(loaded->def, value, value->use_count - inside)) {
      ir_op_remove(loaded->def);
      continue;
    }
    for (IrOp *op = before; op; op = op->next) replace_uses(op, value, loaded);
    if (first == before) first = loaded->def;
  }
  return first;
}
