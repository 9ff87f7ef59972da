// SPDX-License-Identifier: Apache-2.0
// partition: finds the grid dimensions whose steps provably do not meet, and marks them parallel.
//   takes:  launches, with the dimensions their authors marked
//   makes:  further leading dimensions of the launch parallel in its semantics; arbitrary those
//           that would race
//   breaks: nothing
//   not:    reordering of the grid; only leading dimensions help, since the rest runs in order
//           inside them
//
// Steps that differ in dimension d do not meet if: the body has no effects that are ordered
// (prints, random state) and writes no memory but its output windows and scratch; the windows of
// each output are disjoint for different d (its index map has d itself, scaled, in some dimension);
// no output shares memory with an input; no input window is written by the body; and every scratch
// buffer is written before it is read, for each d anew.
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "follow.h"
#include "launch.h"

typedef struct Partition {
  PassContext *ctx;
  IrOp *launch;
  LaunchParts parts;
  Reason why; // not; REASON_NONE so far
} Partition;

// The first reason is the one.
static bool refuse(Partition *p, ReasonId id, Span span, Str what) {
  if (p->why.id == REASON_NONE) p->why = (Reason){id, span, what};
  return false;
}

static bool refuse_block(Partition *p, ReasonId id, size_t block) {
  return refuse(p, id, p->parts.blocks[block].span, launch_block_name(&p->parts, block));
}

static void refuse_dim(Partition *p, ReasonId id, size_t dim) {
  refuse(p, id, (Span){0}, str_format(p->ctx->arena, "%zu", dim));
}

// An effect whose order shows, or memory that all steps share.
static void check_effects(IrOp *op, void *data) {
  Partition *p = data;
  Str name = str_from_c(op_info(op->code)->name);
  if (effects_is_ordered(op->code)) refuse(p, REASON_STEPS_ORDERED, op->span, name);
  // Writes go to the body's own arguments or to memory allocated in it.
  const IrValue *written = effects_written(op);
  const IrValue *root = written ? ir_ref_root(written) : NULL;
  if (root && !ir_region_is_in(ir_value_region(root), p->parts.body))
    refuse(p, REASON_STEPS_OUTSIDE, op->span, name);
}

// Whether no input or prefetch window is written, and no array shared.
static bool memory_is_private(Partition *p) {
  const LaunchParts *parts = &p->parts;
  for (size_t i = 0; i < parts->prefetch_count; i++)
    if (effects_region_writes(parts->body, parts->body->args[parts->rank + i]))
      return refuse(p, REASON_STEPS_INPUT_WRITTEN, (Span){0}, STR("prefetched scalars"));
  for (size_t i = 0; i < parts->block_count; i++) {
    const IrBlock *block = &parts->blocks[i];
    bool written = effects_region_writes(parts->body, parts->body->args[parts->first_block + i]);
    if (written && block->dir == BLOCK_IN) return refuse_block(p, REASON_STEPS_INPUT_WRITTEN, i);
    if (block->dir == BLOCK_IN) continue;
    if (launch_captures(p->launch, parts->arrays[i]))
      return refuse_block(p, REASON_STEPS_CAPTURED, i);
    for (size_t j = 0; j < parts->block_count; j++)
      if (j != i && ir_ref_root(parts->arrays[j]) == ir_ref_root(parts->arrays[i]))
        return refuse_block(p, REASON_STEPS_SHARED, i);
  }
  return true;
}

static bool windows_are_disjoint(const Partition *p, int dim) {
  for (size_t i = 0; i < p->parts.block_count; i++) {
    const IrBlock *block = &p->parts.blocks[i];
    if (block->dir == BLOCK_IN) continue;
    bool disjoint = false;
    for (int d = 0; d < block->rank; d++) {
      AffineIndex index;
      if (!launch_affine_index(p->launch, ir_launch_index_map(p->launch, i), (size_t)d, &index) ||
          index.dim != dim)
        continue;
      int64_t reach = block->dims[d].kind == BLOCK_ELEMENT ? block->dims[d].size : 1;
      disjoint |= index.scale >= reach || index.scale <= -reach;
    }
    if (!disjoint) return false;
  }
  return true;
}

// Whether it holds at the first step of `dim` at most, and there is another one.
static bool is_of_first_step(const Partition *p, const IrValue *pred, size_t dim) {
  Steps steps = steps_of(p->parts.body, p->parts.rank, p->parts.grid);
  steps.dims[dim].low = 1;
  return steps.dims[dim].high >= 1 && steps_truth(&steps, pred) == STEPS_NONE;
}

// Each time all dimensions behind `dim` are at their first step, wherever the others are.
static bool scratch_is_made_anew(const Partition *p, size_t dim) {
  Steps steps = steps_of(p->parts.body, p->parts.rank, p->parts.grid);
  for (size_t d = dim + 1; d < p->parts.rank; d++) steps.dims[d] = (Range){0, 0};
  for (size_t i = 0; i < p->parts.scratch_count; i++) {
    const IrValue *ref = p->parts.body->args[p->parts.first_scratch + i];
    // Semaphores that nobody uses go later, but for -O0; steps side by side have none.
    if (ref->type->space == SPACE_SEM &&
        (!p->ctx->options->opt_level || effects_region_communicates(p->parts.body)))
      return false;
    if (!launch_makes_whole(&steps, ref) &&
        !follow_makes_own(p->ctx->arena, p->launch, dim + 1, ref))
      return false;
  }
  return true;
}

typedef struct IndexUse {
  const IrRegion *map;
  size_t dim;
  bool found;
} IndexUse;

static void find_index_use(const IrOp *op, void *data) {
  IndexUse *u = data;
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrValue *v = op->operands[i];
    if (!v->def && v->region == u->map && v->index == u->dim) u->found = true;
  }
}

// Whether steps that differ in `dim` alone write one window of some output. Marked parallel, each
// core of a chip would have a window of its own and the last to write back would win; here the
// steps run in order.
static bool shares_a_window(const Partition *p, size_t dim) {
  for (size_t i = 0; i < p->parts.block_count; i++) {
    if (p->parts.blocks[i].dir == BLOCK_IN) continue;
    IndexUse use = {ir_launch_index_map(p->launch, i), dim, false};
    ir_walk_const(use.map, find_index_use, &use);
    if (!use.found) return true;
  }
  return false;
}

// Whether some scratch buffer evidently carries state from one step of `dim` to the next: it is
// read before it is written, or is made at the first step of `dim` alone.
static bool carries_state(const Partition *p, size_t dim) {
  for (size_t i = 0; i < p->parts.scratch_count; i++) {
    const IrValue *ref = p->parts.body->args[p->parts.first_scratch + i];
    IrOp *op = p->parts.body->first;
    while (op && !ir_op_uses(op, ref)) op = op->next;
    if (op && op->code == OP_LOAD) return true;
    if (op && op->code == OP_IF && is_of_first_step(p, op->operands[0], dim)) return true;
  }
  return false;
}

// What an author marked parallel although it cannot be.
static void check_marks(Partition *p, int64_t *semantics) {
  for (size_t d = 0; d < p->parts.rank; d++) {
    if (semantics[d] != SEMANTICS_PARALLEL || p->parts.grid[d] == 1) continue;
    bool is_shared = shares_a_window(p, d);
    if (!is_shared && !carries_state(p, d)) continue;
    semantics[d] = SEMANTICS_ARBITRARY;
    refuse_dim(p, is_shared ? REASON_STEPS_REVISITED : REASON_STEPS_CARRIED, d);
  }
}

static void mark_parallel(Partition *p, int64_t *semantics) {
  for (size_t i = 0; i < p->launch->region_count; i++)
    ir_walk(p->launch->regions[i], check_effects, p);
  bool is_ordered = p->why.id == REASON_STEPS_ORDERED || p->why.id == REASON_STEPS_OUTSIDE;
  if (is_ordered || !memory_is_private(p)) return;
  for (size_t d = 0; d < p->parts.rank; d++) {
    if (semantics[d] != SEMANTICS_ARBITRARY) continue;
    if (!windows_are_disjoint(p, (int)d)) {
      refuse_dim(p, REASON_STEPS_REVISITED, d);
      return;
    }
    if (!scratch_is_made_anew(p, d)) {
      refuse_dim(p, REASON_STEPS_CARRIED, d);
      return;
    }
    semantics[d] = SEMANTICS_PARALLEL;
  }
}

static void partition(PassContext *ctx, IrOp *launch) {
  Partition p = {.ctx = ctx, .launch = launch};
  launch_parts(ctx->arena, launch, &p.parts);
  IrInts given = ir_attr_ints(launch, ATTR_SEMANTICS);
  int64_t *semantics = arena_dup(ctx->arena, given.items, given.count * sizeof *semantics);
  check_marks(&p, semantics);
  Reason marks = p.why;
  p.why = (Reason){.id = REASON_NONE};
  mark_parallel(&p, semantics);
  ir_set_ints(ctx->module, launch, ATTR_SEMANTICS, given.count, semantics);
  launch_one_thread(ctx, launch, p.why.id == REASON_NONE ? &marks : &p.why);
}

bool pass_partition(PassContext *ctx) {
  LaunchList list = {.arena = ctx->arena};
  for (IrFunc *func = ctx->module->first; func; func = func->next) launches_of(func, &list);
  for (size_t i = 0; i < list.ops.count; i++) partition(ctx, list.ops.items[i]);
  return true;
}
