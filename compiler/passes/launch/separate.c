// SPDX-License-Identifier: Apache-2.0
// Aliased results apart from what they alias (separate.h).
#include "base/checked.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "separate.h"

#include "coverage.h"
#include "ir/analysis/steps.h"

// Whether two blocks have the same window of their array at every step.
static bool have_same_windows(const IrOp *launch, const LaunchParts *parts, size_t a, size_t b) {
  const IrBlock *x = &parts->blocks[a], *y = &parts->blocks[b];
  if (x->rank != y->rank) return false;
  for (int d = 0; d < x->rank; d++) {
    AffineIndex i, j;
    if (x->dims[d].kind != BLOCK_BLOCKED || y->dims[d].kind != BLOCK_BLOCKED ||
        x->dims[d].size != y->dims[d].size)
      return false;
    if (!launch_affine_index(launch, ir_launch_index_map(launch, a), (size_t)d, &i) ||
        !launch_affine_index(launch, ir_launch_index_map(launch, b), (size_t)d, &j) ||
        i.dim != j.dim || i.scale != j.scale || i.offset != j.offset)
      return false;
  }
  return true;
}

// Whether each part of the array is the block's window at one step, and at no other.
static bool visits_each_once(const BlockOf *of) {
  uint32_t grid;
  if (!coverage_is_whole(of, &grid)) return false;
  int64_t steps = 1, cells = 1;
  for (size_t i = 0; i < of->parts->rank; i++)
    if (!mul_i64(steps, of->parts->grid[i], &steps)) return false;
  for (int d = 0; d < of->block->rank; d++) {
    int64_t size = coverage_cell_size(of, d);
    if (!mul_i64(cells, (of->type->dims[d] + size - 1) / size, &cells)) return false;
  }
  return steps == cells;
}

// The one input that is a block of the same array; the count of blocks if there is none, or more.
static size_t find_aliased(const LaunchParts *parts, size_t out) {
  size_t found = parts->block_count;
  for (size_t i = 0; i < parts->block_count; i++) {
    if (i == out || ir_ref_root(parts->arrays[i]) != parts->arrays[out]) continue;
    if (found < parts->block_count || parts->arrays[i] != parts->arrays[out] ||
        parts->blocks[i].dir != BLOCK_IN)
      return parts->block_count;
    found = i;
  }
  return found;
}

// Whether a step reads and writes its own window of the array, all of it, which no other step has.
static bool keeps_to_its_window(PassContext *ctx, const IrOp *launch, const LaunchParts *parts,
                                size_t out) {
  if (parts->blocks[out].dir != BLOCK_OUT || parts->blocks[out].mode != BLOCK_COPIED) return false;
  size_t in = find_aliased(parts, out);
  if (in == parts->block_count || !have_same_windows(launch, parts, in, out)) return false;
  BlockOf of = coverage_block(ctx->arena, launch, parts, out);
  Steps steps = steps_of(parts->body, parts->rank, parts->grid);
  const IrValue *window = parts->body->args[parts->first_block + out];
  return !launch_captures(launch, parts->arrays[out]) && window->use_count > 0 &&
         launch_makes_whole(&steps, window) && visits_each_once(&of);
}

// Whether the array is to be a parameter's, which is input and output, and has what is in it.
static bool is_of_in_out(const IrValue *array) {
  const IrOp *fill = launch_first_store(array);
  const IrOp *load = fill ? fill->operands[0]->def : NULL;
  if (!load || load->code != OP_LOAD) return false;
  const IrValue *from = load->operands[0];
  return !from->def && from->region->func &&
         from->region->func->params[from->index].role == PARAM_IN_OUT;
}

static bool can_separate(PassContext *ctx, const IrOp *launch, const LaunchParts *parts,
                         size_t out) {
  const IrValue *array = parts->arrays[out];
  return array->def && array->def->code == OP_ALLOC && array->def->parent == launch->parent &&
         array->type->space == SPACE_HBM && !is_of_in_out(array) &&
         keeps_to_its_window(ctx, launch, parts, out);
}

bool separate_is_not_seen(PassContext *ctx, const IrOp *launch, const LaunchParts *parts, size_t in,
                          size_t out) {
  if (find_aliased(parts, out) != in || !keeps_to_its_window(ctx, launch, parts, out)) return false;
  const IrValue *read = parts->body->args[parts->first_block + in],
                *written = parts->body->args[parts->first_block + out];
  bool is_written = false;
  for (IrOp *op = parts->body->first; op; op = op->next) {
    if (is_written && ir_op_uses(op, read)) return false;
    is_written |= ir_op_uses(op, written);
  }
  return true;
}

typedef struct Replacement {
  const IrValue *old;
  IrValue *with;
} Replacement;

static void replace_in(IrOp *op, void *data) {
  const Replacement *r = data;
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i] == r->old) ir_set_operand(op, i, r->with);
}

static void separate(IrOp *launch, const LaunchParts *parts, size_t out) {
  IrValue *array = parts->arrays[out];
  const IrOp *alloc = array->def;
  IrBuilder b = ir_builder_for(alloc, launch);
  Replacement r = {array, ir_build(&b, OP_ALLOC, 0, NULL, 1, &array->type)->results[0]};
  for (IrOp *op = launch->next; op; op = op->next) {
    replace_in(op, &r);
    for (size_t i = 0; i < op->region_count; i++) ir_walk(op->regions[i], replace_in, &r);
  }
  ir_set_operand(launch, (size_t)(parts->arrays - launch->operands) + out, r.with);
}

void separate_aliases(PassContext *ctx, IrOp *launch) {
  if (launch->parent->parent) return; // what stands behind it in a loop may run before it
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  for (size_t i = 0; i < parts.block_count; i++)
    if (can_separate(ctx, launch, &parts, i)) separate(launch, &parts, i);
}
