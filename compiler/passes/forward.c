// SPDX-License-Identifier: Apache-2.0
// forward: elides the copies of blocks, and turns launches that only walk over their arrays into whole-array code.
//   takes:  launches
//   makes:  blocks IN_PLACE; launches without their tiles (untile.c)
//   breaks: nothing
//   not:    anything under check or at -O0, where every window is a buffer as on the chip; bodies that communicate
//
// A COPIED input may be used in place if the body does not write it, nobody writes its array during the launch, and every window lies
// whole inside the array. A COPIED output may be written in place if its array is no other block's, the body does not get at it
// otherwise, and every window lies whole inside: what a window holds before it is written is unspecified, and revisiting a block
// after another is undefined.
#include "launch.h"

// Whether every window lies whole inside the array, so that none is clipped.
static bool windows_fit(const IrOp *launch, size_t block_index, const IrBlock *block, const IrType *array) {
  for (int i = 0; i < block->rank; i++) {
    const BlockDim *dim = &block->dims[i];
    if (dim->size > array->dims[i]) return false;
    if (launch_start_is_inside(launch, ir_launch_index_map(launch, block_index), i, dim, array->dims[i])) continue;
    if (dim->kind == BLOCK_ELEMENT || dim->kind == BLOCK_BOUNDED) return false; // may start anywhere
    if (array->dims[i] % dim->size != 0) return false;
  }
  return true;
}

static bool array_is_shared(const LaunchParts *parts, size_t block) {
  for (size_t j = 0; j < parts->block_count; j++)
    if (j != block && launch_base_ref(parts->arrays[j]) == launch_base_ref(parts->arrays[block])) return true;
  return false;
}

// Whether the array may be written while the launch runs, as a block or directly.
static bool array_is_written(const LaunchParts *parts, size_t block) {
  if (launch_ref_is_written(parts->body, launch_base_ref(parts->arrays[block]))) return true;
  for (size_t j = 0; j < parts->block_count; j++) {
    if (launch_base_ref(parts->arrays[j]) != launch_base_ref(parts->arrays[block])) continue;
    if (parts->blocks[j].dir != BLOCK_IN) return true;
    if (parts->blocks[j].mode == BLOCK_WHOLE && launch_ref_is_written(parts->body, parts->body->args[parts->first_block + j]))
      return true;
  }
  return false;
}

static bool can_be_in_place(const IrOp *launch, const LaunchParts *parts, size_t i) {
  const IrBlock *block = &parts->blocks[i];
  if (block->mode != BLOCK_COPIED || !windows_fit(launch, i, block, parts->arrays[i]->type)) return false;
  if (block->dir == BLOCK_OUT) return !array_is_shared(parts, i) && !launch_captures(launch, parts->arrays[i]);
  return !array_is_written(parts, i) && !launch_ref_is_written(parts->body, parts->body->args[parts->first_block + i]);
}

// ---- results written where they are wanted ------------------------------------------------------------------

static bool is_full_access(const IrOp *op) { return !ir_attr_int(op, ATTR_MASKED) && launch_accesses_all(op); }

static bool writes_through(const IrOp *op, const IrValue *ref) {
  for (size_t i = 0; i < op->region_count; i++)
    if (launch_ref_is_written(op->regions[i], ref)) return true;
  for (size_t i = 0; i < op->operand_count; i++) // a launch, or a store or copy to it or to a view of it
    if (op->operands[i]->type->is_ref && launch_base_ref(op->operands[i]) == ref && op->code != OP_LOAD &&
        op_info(op->code)->effect != EFFECT_PURE)
      return true;
  return false;
}

// `store (load %buffer), %out` at the end of a function, where %buffer is memory of the function's own: the buffer is %out itself.
static bool forward_result(IrFunc *func, IrOp *store) {
  IrValue *out = store->operands[1], *value = store->operands[0];
  if (out->def || out->region != func->body || func->params[out->index].role != PARAM_OUT || out->use_count != 1) return false;
  IrOp *load = value->def;
  if (!load || load->code != OP_LOAD || load->parent != func->body) return false;
  IrValue *buffer = load->operands[0];
  if (!buffer->def || buffer->def->code != OP_ALLOC || buffer->def->parent != func->body || buffer->type != out->type) return false;
  if (!is_full_access(store) || !is_full_access(load)) return false;
  for (const IrOp *op = load->next; op; op = op->next)
    if (writes_through(op, buffer)) return false;
  IrOp *alloc = buffer->def;
  ir_op_remove(store);
  ir_replace_uses(func->body, buffer, out);
  ir_op_remove(alloc);
  if (value->use_count == 0) ir_op_remove(load);
  return true;
}

static void forward_results(IrFunc *func) {
  for (IrOp *op = func->body->first, *next; op; op = next) {
    next = op->next;
    if (op->code == OP_STORE) forward_result(func, op);
  }
}

bool pass_forward(PassContext *ctx) {
  if (ctx->options->check || ctx->options->schedule || ctx->options->opt_level == 0) return true;
  LaunchList list = {.arena = ctx->arena};
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    forward_results(func);
    launches_of(func, &list);
  }
  for (size_t i = 0; i < list.ops.count; i++) {
    if (launch_communicates(list.ops.items[i]->regions[0]) || untile_launch(ctx, list.ops.items[i])) continue;
    LaunchParts parts;
    launch_parts(ctx->arena, list.ops.items[i], &parts);
    for (size_t j = 0; j < parts.block_count; j++)
      if (can_be_in_place(list.ops.items[i], &parts, j)) parts.blocks[j].mode = BLOCK_IN_PLACE;
  }
  return true;
}
