// SPDX-License-Identifier: Apache-2.0
// preset: memory of launches that ask for it (ATTR_PRESET) holds known values until it is written.
//   takes:  launches as they were recorded
//   makes:  stores of those values in front of the launch (outputs), in its first step (scratch)
//   and
//           behind allocations of its body; outputs whose windows are fetched before each step
//   breaks: nothing
//   not:    under check, where a read of such memory is a finding; what is provably stored whole
//           before anything else is done with it; what a window has outside of its array, which
//           pipeline.c presets
//
// An output's window starts with what the array holds there, as under JAX's interpreters: so blocks
// that are left and visited again go on with what they held.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "coverage.h"
#include "window.h"

typedef struct Presetting {
  PassContext *ctx;
  IrOp *launch;
  LaunchParts parts;
  Steps steps;
} Presetting;

// ---- outputs ------------------------------------------------------------------------------------

// Whether a block is visited in consecutive steps alone: what its map depends on changes slowest.
static bool is_never_left(const Presetting *p, uint32_t grid) {
  bool is_inner = false;
  for (size_t d = 0; d < p->parts.rank; d++) {
    if (p->parts.grid[d] == 1) continue;
    bool is_outer = grid >> d & 1;
    if (is_outer && is_inner) return false;
    is_inner |= !is_outer;
  }
  return true;
}

static bool is_aliased(const Presetting *p, size_t block) {
  for (size_t i = 0; i < p->parts.block_count; i++)
    if (i != block && p->parts.arrays[i] == p->parts.arrays[block]) return true;
  return false;
}

// An aliased output starts as its input, others with the preset value.
static void preset_output(Presetting *p, size_t number) {
  IrBlock *block = &p->parts.blocks[number];
  const IrValue *ref = p->parts.body->args[p->parts.first_block + number];
  BlockOf of = coverage_block(p->ctx->arena, p->launch, &p->parts, number);
  uint32_t grid = 0;
  bool is_covered = coverage_is_whole(&of, &grid), is_made = is_covered;
  if (is_covered && block->mode != BLOCK_WHOLE) {
    Steps first = p->steps; // of the steps with a block, the first
    for (size_t d = 0; d < p->parts.rank; d++)
      if (!(grid >> d & 1)) first.dims[d] = (Range){0, 0};
    is_made = launch_makes_whole(&first, ref) && ir_op_uses(p->launch, ref);
  } else if (is_covered) {
    is_made = p->parts.rank == 0 && launch_makes_whole(&p->steps, ref);
  }
  if (block->mode != BLOCK_WHOLE && (!is_made || !is_never_left(p, grid)))
    block->dir = BLOCK_IN_OUT;
  IrBuilder b = ir_builder_before(p->launch);
  IrValue *array = p->parts.arrays[number];
  IrValue *value = is_made || block->partly || is_aliased(p, number)
                       ? NULL
                       : launch_preset(&b, p->launch, array->type);
  if (value) ir_store_all(&b, value, array);
}

// ---- memory of the body -------------------------------------------------------------------------

// Whether the step is the grid's first.
static IrValue *is_first_step(const Presetting *p, IrBuilder *b) {
  IrValue *all = NULL;
  for (size_t d = 0; d < p->parts.rank; d++) {
    IrValue *is = ir_binary(b, OP_EQ, p->parts.body->args[d], ir_i32(b, 0));
    all = all ? ir_binary(b, OP_AND, all, is) : is;
  }
  return all;
}

static void preset_scratch(Presetting *p) {
  IrRegion *body = p->parts.body;
  Steps first = p->steps;
  for (size_t d = 0; d < p->parts.rank; d++) first.dims[d] = (Range){0, 0};
  IrBuilder b = {p->ctx->module, body, body->first, p->launch->span, p->launch->frames};
  IrBuilder inside = b;
  for (size_t i = 0; i < p->parts.scratch_count; i++) {
    IrValue *ref = body->args[p->parts.first_scratch + i];
    if (launch_makes_whole(&first, ref)) continue;
    IrValue *value = launch_preset(&inside, p->launch, ref->type);
    if (!value) continue;
    if (p->parts.rank && inside.region == body) inside = lower_open_if(&b, is_first_step(p, &b));
    ir_store_all(&inside, value, ref);
  }
  if (inside.region != body) ir_yield(&inside, 0, NULL);
}

static void preset_alloc(IrOp *op, void *data) {
  Presetting *p = data;
  if (op->code != OP_ALLOC || launch_makes_whole(&p->steps, op->results[0])) return;
  IrBuilder b = ir_builder_behind(op);
  IrValue *value = launch_preset(&b, p->launch, op->results[0]->type);
  if (value) ir_store_all(&b, value, op->results[0]);
}

bool pass_preset(PassContext *ctx) {
  LaunchList list = {.arena = ctx->arena};
  for (IrFunc *func = ctx->module->first; func; func = func->next) launches_of(func, &list);
  for (size_t i = 0; i < list.ops.count; i++) {
    IrOp *launch = list.ops.items[i];
    if (ir_attr_int(launch, ATTR_PRESET) == PRESET_NONE) continue;
    Presetting p = {.ctx = ctx, .launch = launch};
    launch_parts(ctx->arena, launch, &p.parts);
    p.steps = steps_of(p.parts.body, p.parts.rank, p.parts.grid);
    for (size_t j = 0; j < p.parts.block_count; j++)
      if (p.parts.blocks[j].dir == BLOCK_OUT) preset_output(&p, j);
    ir_walk(p.parts.body, preset_alloc, &p);
    preset_scratch(&p);
  }
  return true;
}
