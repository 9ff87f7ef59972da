// SPDX-License-Identifier: Apache-2.0
// settle: launches whose copies and waits are known to come out even do without semaphores.
//   takes:  launches
//   makes:  copies that are over when they are started; no waits
//   breaks: nothing
//   not:    anything under check or at -O0; launches that meet others, as those of devices do;
//           copies whose number, or whose semaphore, depends on data; copies that add
//
// A copy may land when it is started: that is one of the times at which a chip may do it. If each
// wait then finds what it waits for, nothing is left when the steps are over, and nobody looks at
// what a copy is on its way to before the wait for it, nor changes what it reads, semaphores say
// nothing that the order of the ops does not say, in any schedule. A kernel without them starts no
// copies: its steps, blocks and loops are those of any kernel.
#include "ir/analysis/effects.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "follow.h"

static bool is_other(const IrOp *op) {
  if (!effects_communicates(op->code)) return false;
  if (op->code == OP_COPY_START) return !follow_is_plain_copy(op);
  return op->code != OP_COPY_WAIT && op->code != OP_SEM_WAIT && op->code != OP_SEM_SIGNAL;
}

static void settle_op(IrOp *op, void *data UNUSED) {
  if (!effects_communicates(op->code)) return;
  if (op->code == OP_COPY_START) {
    IrBuilder b = ir_builder_before(op);
    ir_copy(&b, op->operands[0], op->operands[1], MOVE_OWN);
  }
  ir_op_remove(op);
}

static void settle(PassContext *ctx, const IrOp *launch) {
  IrRegion *body = launch->regions[0];
  if (!effects_region_communicates(body) || effects_region_has(body, is_other) ||
      ir_program_around(launch->parent))
    return;
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  size_t apart = launch_parallel_prefix(launch);
  if (follow_is_balanced(ctx->arena, launch, parts.rank) ||
      (apart < parts.rank && follow_is_balanced(ctx->arena, launch, apart)))
    ir_walk(body, settle_op, NULL);
}

bool pass_settle(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    LaunchList list = {.arena = ctx->arena};
    launches_of(func, &list);
    for (size_t i = 0; i < list.ops.count; i++) settle(ctx, list.ops.items[i]);
  }
  return true;
}
