// SPDX-License-Identifier: Apache-2.0
// What lies in what: regions around ops, the regions of a launch, the root of a ref, walks.
#include "attr.h"
#include "region.h"
#include "require.h"

IrRegion *ir_launch_body(const IrOp *launch) {
  REQUIRE(launch->code == OP_LAUNCH && launch->region_count > 0, launch->code);
  return launch->regions[0];
}

IrRegion *ir_launch_index_map(const IrOp *launch, size_t block) {
  REQUIRE(launch->code == OP_LAUNCH && block + 1 < launch->region_count, launch->code);
  return launch->regions[1 + block];
}

uint32_t ir_launch_dynamic_sizes(const IrOp *launch) {
  IrInts grid = ir_attr_ints(launch, ATTR_GRID);
  uint32_t count = 0;
  for (size_t i = 0; i < grid.count; i++) count += grid.items[i] == -1;
  return count;
}

bool ir_region_is_in(const IrRegion *region, const IrRegion *outer) {
  while (region && region != outer) region = ir_region_outer(region);
  return region != NULL;
}

// The op as its region has it.
static IrOp *own_op(const IrOp *op) { return op->prev ? op->prev->next : op->parent->first; }

IrOp *ir_op_in(const IrOp *op, const IrRegion *region) {
  while (op && op->parent != region) op = op->parent ? op->parent->parent : NULL;
  return op && op->parent ? own_op(op) : NULL;
}

// The value as what makes it has it.
static IrValue *own_value(const IrValue *value) {
  return value->def ? value->def->results[value->index] : value->region->args[value->index];
}

IrValue *ir_ref_root(const IrValue *ref) {
  while (ref->def && op_info(ref->def->code)->effects & EFFECT_VIEWS) ref = ref->def->operands[0];
  return own_value(ref);
}

bool ir_alloc_has_parts(const IrOp *alloc) {
  return alloc->results[0]->type->rank > 0 &&
         (ir_attr_int(alloc, ATTR_PER_CORE) || ir_attr_int(alloc, ATTR_BUFFERED));
}

void ir_walk(IrRegion *region, void (*visit)(IrOp *, void *), void *data) {
  for (IrOp *op = region->first, *next; op; op = next) {
    next = op->next;
    visit(op, data);
    if (op->parent != region) continue; // removed or moved
    for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], visit, data);
  }
}

void ir_walk_module(IrModule *module, void (*visit)(IrOp *, void *), void *data) {
  for (IrFunc *func = module->first; func; func = func->next) ir_walk(func->body, visit, data);
}

void ir_walk_const(const IrRegion *region, void (*visit)(const IrOp *, void *), void *data) {
  for (const IrOp *op = region->first; op; op = op->next) {
    visit(op, data);
    for (int i = 0; i < op->region_count; i++) ir_walk_const(op->regions[i], visit, data);
  }
}

bool ir_op_uses(const IrOp *op, const IrValue *value) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i] == value) return true;
  for (int i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (ir_op_uses(inner, value)) return true;
  return false;
}

uint32_t ir_count_operands(const IrOp *op, const IrValue *value) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) count += op->operands[i] == value;
  return count;
}

uint32_t ir_count_uses(const IrOp *op, const IrValue *value) {
  uint32_t count = ir_count_operands(op, value);
  for (int i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      count += ir_count_uses(inner, value);
  return count;
}
