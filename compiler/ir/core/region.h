// SPDX-License-Identifier: Apache-2.0
// What lies in what: walks over the ops of regions, the regions of a launch, the root of a ref.
#pragma once
#include "ir.h"

// The body region of a launch and index map i.
IrRegion *ir_launch_body(const IrOp *launch);
IrRegion *ir_launch_index_map(const IrOp *launch, size_t block);
// How many operands of a launch, its first ones, are sizes of its grid.
uint32_t ir_launch_dynamic_sizes(const IrOp *launch);
// The region that the region's op is in; NULL: it is the outermost one, or not in an op yet.
static inline IrRegion *ir_region_outer(const IrRegion *region) {
  return region->parent ? region->parent->parent : NULL;
}
static inline IrRegion *ir_value_region(const IrValue *value) {
  return value->def ? value->def->parent : value->region;
}
static inline bool ir_is_param(const IrFunc *func, const IrValue *value) {
  return !value->def && value->region == func->body;
}
static inline bool ir_is_loop(const IrOp *op) { return op->code == OP_FOR || op->code == OP_WHILE; }
bool ir_region_is_in(const IrRegion *region, const IrRegion *outer); // or is it
// The op itself, or the op around it, that stands in the region; NULL: none does.
IrOp *ir_op_in(const IrOp *op, const IrRegion *region);
// The ref behind views, reshapes and bitcasts: of an alloc, a part, a parameter, an argument.
IrValue *ir_ref_root(const IrValue *ref);
// Whether the leading dimension of an alloc counts parts that reports call by its name, each.
bool ir_alloc_has_parts(const IrOp *alloc);
// Calls visit(op, data) for every op of a region and the regions inside, in order; visit may remove
// the op it is given.
void ir_visit_set_func(IrOp *op, void *func); // a visit: its regions belong to the IrFunc
void ir_walk(IrRegion *region, void (*visit)(IrOp *, void *), void *data);
// The same for the functions of a module, one after the other.
void ir_walk_module(IrModule *module, void (*visit)(IrOp *, void *), void *data);
void ir_walk_const(const IrRegion *region, void (*visit)(const IrOp *, void *), void *data);
bool ir_op_uses(const IrOp *op, const IrValue *value); // as an operand, or inside of its regions
// How often the value is an operand of the op; and of those inside of it as well.
uint32_t ir_count_operands(const IrOp *op, const IrValue *value);
uint32_t ir_count_uses(const IrOp *op, const IrValue *value);
