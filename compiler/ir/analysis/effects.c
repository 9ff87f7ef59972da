// SPDX-License-Identifier: Apache-2.0
// Effects of ops: in, an op; out, which operands' memory it reads and writes, and how it deals with
// other programs. All of it stands in ops.def; a launch adds what its block specs say.
#include "ir/core/attr.h"
#include "ir/core/region.h"
#include "effects.h"

#include <string.h>

enum {
  ALL_READS = EFFECT_READS(EFFECT_MAX_OPERAND + 1) - EFFECT_READS(0),
  ALL_WRITES = EFFECT_WRITES(EFFECT_MAX_OPERAND + 1) - EFFECT_WRITES(0),
};

static bool has(OpCode code, unsigned effects) { return op_info(code)->effects & effects; }

// ---- ops ---------------------------------------------------------------------------------------
bool effects_is_pure(OpCode code) {
  const OpInfo *info = op_info(code);
  return info->regions == 0 && !(info->effects & ~(unsigned)EFFECT_VIEWS);
}

bool effects_only_reads(OpCode code) {
  const OpInfo *info = op_info(code);
  return info->regions == 0 && !(info->effects & ~(unsigned)(EFFECT_VIEWS | ALL_READS));
}

bool effects_is_ordered(OpCode code) { return has(code, EFFECT_ORDERED); }
bool effects_communicates(OpCode code) { return has(code, EFFECT_COMMUNICATES); }
bool effects_waits(OpCode code) { return has(code, EFFECT_WAITS); }
bool effects_is_later(OpCode code) { return has(code, EFFECT_LATER); }

void effects_remove_unused(IrOp *op) {
  if (!op->parent || !ir_op_is_unused(op) || !effects_is_pure(op->code)) return;
  uint32_t count = op->operand_count;
  IrValue **operands = op->operands;
  ir_op_remove(op);
  for (uint32_t i = 0; i < count; i++)
    if (operands[i]->def) effects_remove_unused(operands[i]->def);
}

// ---- operands ----------------------------------------------------------------------------------
// The block of a launch that the operand is the array of; NULL: it is none.
static const IrBlock *block_of(const IrOp *launch, uint32_t operand) {
  const IrAttr *blocks = ir_attr_find(launch, ATTR_BLOCKS);
  size_t first = launch->operand_count - blocks->blocks.count;
  return operand < first ? NULL : &blocks->blocks.items[operand - first];
}

// The body's argument that stands for an operand's own memory, as whole blocks and prefetched refs
// do; NULL: it works on a copy.
static const IrValue *whole_argument(const IrOp *launch, uint32_t operand) {
  const IrBlock *block = block_of(launch, operand);
  if (block ? block->mode == BLOCK_COPIED : !launch->operands[operand]->type->is_ref) return NULL;
  IrInts grid = ir_attr_ints(launch, ATTR_GRID);
  return launch->regions[0]->args[grid.count + operand - ir_launch_dynamic_sizes(launch)];
}

bool effects_reads(const IrOp *op, uint32_t operand) {
  if (op->code == OP_LAUNCH) {
    const IrBlock *block = block_of(op, operand);
    return op->operands[operand]->type->is_ref &&
           !(block && block->dir == BLOCK_OUT && block->mode == BLOCK_COPIED);
  }
  return operand <= EFFECT_MAX_OPERAND && has(op->code, EFFECT_READS(operand));
}

bool effects_writes(const IrOp *op, uint32_t operand) {
  if (op->code == OP_LAUNCH) {
    const IrBlock *block = block_of(op, operand);
    const IrValue *whole = whole_argument(op, operand);
    return (block && block->dir != BLOCK_IN) ||
           (whole && effects_region_writes(op->regions[0], whole));
  }
  return operand <= EFFECT_MAX_OPERAND && has(op->code, EFFECT_WRITES(operand));
}

IrValue *effects_written(const IrOp *op) {
  unsigned writes = op_info(op->code)->effects & ALL_WRITES;
  for (uint32_t i = 0; writes && i < op->operand_count; i++)
    if (writes & EFFECT_WRITES(i)) return op->operands[i];
  return NULL;
}

IrValue *effects_signalled(const IrOp *op) {
  for (uint32_t i = 0; i <= EFFECT_MAX_OPERAND && i < op->operand_count; i++)
    if (has(op->code, EFFECT_SIGNALS(i))) return op->operands[i];
  return NULL;
}

bool effects_targets(const IrOp *op, int64_t whom) {
  const IrAttr *target = ir_attr_find(op, ATTR_TARGET);
  return target && (target->i & whom);
}

// ---- launches and regions ----------------------------------------------------------------------
typedef struct Captures {
  const IrOp *launch;
  void (*visit)(IrValue *ref, void *data);
  void *data;
} Captures;

static void visit_captured(IrOp *op, void *data) {
  const Captures *c = data;
  IrValue *ref = effects_written(op);
  if (!ref) return;
  IrValue *root = ir_ref_root(ref);
  for (const IrRegion *r = ir_value_region(root); r; r = ir_region_outer(r))
    if (r->parent == c->launch) return;
  c->visit(root, c->data);
}

void effects_visit_written(const IrOp *op, void (*visit)(IrValue *ref, void *data), void *data) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (effects_writes(op, i)) visit(op->operands[i], data);
  if (op->code != OP_LAUNCH) return;
  Captures c = {op, visit, data};
  ir_walk(op->regions[0], visit_captured, &c);
}

bool effects_region_has(const IrRegion *region, bool (*is_such)(const IrOp *op)) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (is_such(op)) return true;
    for (size_t i = 0; i < op->region_count; i++)
      if (effects_region_has(op->regions[i], is_such)) return true;
  }
  return false;
}

static bool communicates(const IrOp *op) { return effects_communicates(op->code); }

bool effects_region_communicates(const IrRegion *region) {
  return effects_region_has(region, communicates);
}

static bool is_ordered(const IrOp *op) { return effects_is_ordered(op->code); }

bool effects_region_is_ordered(const IrRegion *region) {
  return effects_region_has(region, is_ordered);
}

bool effects_op_writes(const IrOp *op, const IrValue *root) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (effects_writes(op, i) && ir_ref_root(op->operands[i]) == root) return true;
  for (size_t i = 0; i < op->region_count; i++)
    if (effects_region_writes(op->regions[i], root)) return true;
  return false;
}

bool effects_region_writes(const IrRegion *region, const IrValue *root) {
  for (const IrOp *op = region->first; op; op = op->next)
    if (effects_op_writes(op, root)) return true;
  return false;
}
