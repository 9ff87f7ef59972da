// SPDX-License-Identifier: Apache-2.0
// What goes together with the op behind it: products with what consumes them, moves, selections and
// their like with the store into an output.
#include "ir/analysis/access.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/effects.h"
#include "passes/arrays/fuse.h"
#include "plan_module.h"
#include "plan_stream.h"

static bool uses_value(const IrOp *op, const IrValue *value) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i] == value) return true;
  for (size_t i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (uses_value(inner, value)) return true;
  return false;
}

static bool may_stand_between(const IrOp *op) {
  return effects_only_reads(op->code) || op->code == OP_ALLOC;
}

IrOp *plan_consumer_of(const IrOp *dot) {
  const IrValue *result = dot->results[0];
  for (IrOp *op = dot->next; op; op = op->next) {
    if (uses_value(op, result)) {
      bool is_cluster = op->code == OP_FUSE && ir_attr_ints(op, ATTR_AXES).count == 0;
      if (!is_cluster && !(op->code == OP_STORE && fuse_takes(op))) return NULL;
      size_t uses = 0;
      for (const IrOp *inner = is_cluster ? op->regions[0]->first : op; inner;
           inner = is_cluster ? inner->next : NULL)
        for (size_t i = 0; i < inner->operand_count; i++) uses += inner->operands[i] == result;
      return uses == result->use_count && !(is_cluster && uses_value(op->regions[0]->last, result))
                 ? op
                 : NULL;
    }
    if (!may_stand_between(op)) return NULL;
  }
  return NULL;
}

// Ops that are no loops over elements: they write their result where they are told to.
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

static bool uses_result(const IrOp *op, const IrOp *maker, size_t first) {
  for (size_t i = first; i < maker->result_count; i++)
    if (uses_value(op, maker->results[i])) return true;
  return false;
}

IrOp *plan_store_of_carried(const IrValue *result) {
  if (result->use_count != 1 || result->type->rank == 0) return NULL;
  for (IrOp *op = result->def->next; op; op = op->next) {
    if (!uses_value(op, result)) continue;
    // Nobody reads the output: what lies between sees nothing of what is written sooner.
    bool is_whole = op->code == OP_STORE && op->operand_count == 2 && op->operands[0] == result &&
                    !op->operands[1]->def && fuse_takes(op);
    return is_whole && stream_is_only_written(op->operands[1]) ? op : NULL;
  }
  return NULL;
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

IrOp *plan_store_of(const IrOp *maker) {
  if (!takes_memory(maker->code) || maker->results[0]->use_count != 1 ||
      !maker->results[0]->type->rank)
    return NULL;
  for (IrOp *op = maker->next; op; op = op->next) {
    if (uses_result(op, maker, 1)) return NULL;
    if (uses_value(op, maker->results[0])) {
      bool is_plain = op->code == OP_STORE && op->operands[0] == maker->results[0] &&
                      fuse_takes(op) && !access_is_masked(op);
      bool is_free =
          is_plain && (stream_is_only_written(op->operands[1]) || plan_updates_in_place(maker, op));
      return is_free ? op : NULL;
    }
    if (!may_stand_between(op)) return NULL;
  }
  return NULL;
}
