// SPDX-License-Identifier: Apache-2.0
// What goes together with the op behind it: products with what consumes them, moves, selections and
// their like with the store into an output, pointwise parts of an array with the update that puts
// them there.
#include "ir/analysis/access.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/arrays/fuse.h"
#include "plan_module.h"

static bool may_stand_between(const IrOp *op) {
  return effects_only_reads(op->code) || op->code == OP_ALLOC || access_fills_output(op);
}

IrOp *plan_consumer_of(const IrOp *dot) {
  const IrValue *result = dot->results[0];
  for (IrOp *op = dot->next; op; op = op->next) {
    if (ir_op_uses(op, result)) {
      bool is_cluster = op->code == OP_FUSE && ir_attr_ints(op, ATTR_AXES).count == 0;
      if (!is_cluster && !(op->code == OP_STORE && fuse_takes(op))) return NULL;
      size_t uses = 0;
      for (const IrOp *inner = is_cluster ? op->regions[0]->first : op; inner;
           inner = is_cluster ? inner->next : NULL)
        uses += ir_count_operands(inner, result);
      return uses == result->use_count && !(is_cluster && ir_op_uses(op->regions[0]->last, result))
                 ? op
                 : NULL;
    }
    if (!may_stand_between(op)) return NULL;
  }
  return NULL;
}

// Ops that are no loops over elements: they write their result where the plan says.
static bool takes_memory(OpCode code) {
  switch (code) {
  case OP_CONCAT:
  case OP_PAD:
  case OP_DYNAMIC_UPDATE_SLICE:
  case OP_GATHER:
  case OP_SCATTER:
  case OP_SORT:
  case OP_ARGMAX:
  case OP_ARGMIN: return true;
  default: return op_info(code)->op_class == CLASS_CUMULATIVE;
  }
}

// Than the first.
static bool uses_other_result(const IrOp *op, const IrOp *maker) {
  for (size_t i = 1; i < maker->result_count; i++)
    if (ir_op_uses(op, maker->results[i])) return true;
  return false;
}

// Whether an operand may be memory that the store writes: a load of it, or a view of one.
static bool may_be_in(const IrValue *value, const IrOp *store) {
  const IrOp *def = value->def;
  while (def && op_info(def->code)->op_class == CLASS_SHAPE) def = def->operands[0]->def;
  return def && def->code == OP_LOAD && alias_op_may_write(store, def);
}

bool plan_updates_in_place(const IrOp *maker, const IrOp *store) {
  const IrOp *load = maker->code == OP_SCATTER ? maker->operands[0]->def : NULL;
  if (!load || load->code != OP_LOAD || load->parent != maker->parent ||
      maker->operands[0]->use_count != 1 || access_is_masked(load) ||
      alias_of(load, store) != ALIAS_SAME)
    return false;
  for (uint32_t i = 1; i < maker->operand_count; i++)
    if (may_be_in(maker->operands[i], store)) return false;
  for (const IrOp *op = maker->next; op != store; op = op->next)
    if (op->code != OP_CONST) return false; // others may look at what was there
  return true;
}

// Whether every dimension of `whole` is a run of those of `parts`: whatever its strides are, memory
// of the one has the shape of the other.
static bool is_divided(const IrType *whole, const IrType *parts) {
  int next = 0;
  for (int i = 0; i < whole->rank; i++) {
    int64_t count = 1;
    do {
      if (next == parts->rank) return false;
      count *= parts->dims[next++];
    } while (count < whole->dims[i]);
    if (count != whole->dims[i]) return false;
  }
  return next == parts->rank;
}

// The reshape that alone uses a value, if the memory for its result can be the value's; else NULL.
static const IrOp *reshape_of(const IrOp *op, const IrValue *value) {
  bool is_such = op->code == OP_RESHAPE && op->operands[0] == value &&
                 op->results[0]->use_count == 1 && ir_type_count(value->type) > 0 &&
                 is_divided(op->results[0]->type, value->type);
  return is_such ? op : NULL;
}

IrOp *plan_store_of(const IrOp *maker) {
  if (!takes_memory(maker->code) || maker->results[0]->use_count != 1 ||
      !maker->results[0]->type->rank)
    return NULL;
  const IrValue *stored = maker->results[0];
  for (IrOp *op = maker->next; op; op = op->next) {
    if (uses_other_result(op, maker)) return NULL;
    const IrOp *reshape = reshape_of(op, stored);
    if (reshape) {
      stored = reshape->results[0];
    } else if (ir_op_uses(op, stored)) {
      bool is_plain = op->code == OP_STORE && op->operands[0] == stored && fuse_takes(op) &&
                      !access_is_masked(op);
      bool is_free =
          is_plain && (access_is_only_written(op->operands[1]) || plan_updates_in_place(maker, op));
      return is_free ? op : NULL;
    } else if (!may_stand_between(op)) {
      return NULL;
    }
  }
  return NULL;
}

// ---- updates ------------------------------------------------------------------------------------
static bool is_pointwise(const IrOp *op) {
  if (op->result_count != 1) return false;
  if (op->code != OP_FUSE) return op_is_elementwise(op->code);
  for (const IrOp *inner = op->regions[0]->first; inner != op->regions[0]->last;
       inner = inner->next)
    if (!op_is_elementwise(inner->code) && inner->code != OP_CONST && inner->code != OP_IOTA &&
        inner->code != OP_BROADCAST)
      return false;
  return true;
}

static bool starts_there(const IrValue *start, int64_t last, int64_t at) {
  int64_t given;
  if (!ir_const_int(start, &given)) return false;
  return at == (given < 0 ? 0 : given > last ? last : given);
}

// Whether a slice is what the update replaces.
static bool is_part_of(const IrOp *slice, const IrOp *update) {
  const IrType *part = slice->results[0]->type, *whole = update->operands[0]->type,
               *updated = update->operands[1]->type;
  bool is_static = slice->code == OP_SLICE;
  if (!is_static && slice->code != OP_DYNAMIC_SLICE) return false;
  if (slice->operands[0] != update->operands[0]) return false;
  for (int i = 0; i < whole->rank; i++) {
    const IrValue *start = update->operands[2 + i];
    if (part->dims[i] != updated->dims[i]) return false;
    if (!is_static && slice->operands[1 + i] != start) return false;
    if (is_static && (ir_attr_ints(slice, ATTR_STRIDES).items[i] != 1 ||
                      !starts_there(start, whole->dims[i] - part->dims[i],
                                    ir_attr_ints(slice, ATTR_STARTS).items[i])))
      return false;
  }
  return true;
}

// Whether `op` reads of the updated array only what it replaces, each element where it puts one.
static bool reads_in_place(const IrOp *op, const IrOp *update) {
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrOp *view = op->operands[i]->def;
    if (op->operands[i] == update->operands[0]) return false;
    if (view && is_part_of(view, update)) {
      if (!op_is_elementwise(op->code)) return false;
      continue;
    }
    for (; view && op_info(view->code)->op_class == CLASS_SHAPE; view = view->operands[0]->def)
      if (view->operands[0] == update->operands[0]) return false;
  }
  if (op->code == OP_FUSE)
    for (const IrOp *inner = op->regions[0]->first; inner; inner = inner->next)
      if (!reads_in_place(inner, update)) return false;
  return true;
}

static bool has_result(const IrOp *op, IrValue *const *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (values[i]->def == op && op->code != OP_CONST) return true;
  return false;
}

IrOp *plan_update_of(const IrOp *maker) {
  if (!is_pointwise(maker) || maker->results[0]->use_count != 1) return NULL;
  for (IrOp *op = maker->next; op; op = op->next) {
    if (!ir_op_uses(op, maker->results[0])) continue;
    if (op->code != OP_DYNAMIC_UPDATE_SLICE || op->operands[1] != maker->results[0] ||
        !reads_in_place(maker, op))
      return NULL;
    for (const IrOp *between = maker->next; between != op; between = between->next)
      if (ir_op_uses(between, op->operands[0]) ||
          has_result(between, op->operands + 2, op->operand_count - 2))
        return NULL;
    return op;
  }
  return NULL;
}
