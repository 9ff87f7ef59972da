// SPDX-License-Identifier: Apache-2.0
// sink: what only one branch uses is computed there.
//   takes:  any IR without launches
//   makes:  the same operations, inside of the branches of ifs and switches
//   breaks: nothing
//   not:    scalars; operations that do more than give results or read; anything into loops
//
// A mask that a kernel makes before it asks whether its block has an edge: in the branch it is part
// of the loops that use it, and where the branch is not taken there is none.
#include "base/map.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/effects.h"
#include "ir/core/ir.h"
#include "passes/pass.h"

typedef struct Sinker {
  IrRegion *region;
  Map *users; // value -> the branch of an op of the region that has all uses; the region: others
} Sinker;

static bool has_branches(const IrOp *op) { return op->code == OP_IF || op->code == OP_SWITCH; }

static void note_use(const Sinker *s, const IrValue *value, IrRegion *place) {
  const IrRegion *known = map_get(s->users, value);
  map_set(s->users, value, known && known != place ? s->region : place);
}

// Uses by the op itself are in `place`, and so are those in its regions, but for its branches'.
static void note_uses(const Sinker *s, const IrOp *op, IrRegion *place, bool is_outermost) {
  for (uint32_t i = 0; i < op->operand_count; i++) note_use(s, op->operands[i], place);
  for (int i = 0; i < op->region_count; i++) {
    IrRegion *inside = is_outermost && has_branches(op) ? op->regions[i] : place;
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      note_uses(s, inner, inside, false);
  }
}

// The branch that has all uses of what the op gives; NULL: there is none.
static IrRegion *only_branch(const Sinker *s, const IrOp *op) {
  IrRegion *branch = NULL;
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (!op->results[i]->use_count) continue;
    IrRegion *users = map_get(s->users, op->results[i]);
    if (users == s->region || (branch && branch != users)) return NULL;
    branch = users;
  }
  return branch;
}

// Whether it gives the same in the branch as where it stands.
static bool may_wait(const IrOp *op, const IrRegion *branch) {
  if (op->code == OP_CONST || op->result_count == 0 || op->results[0]->type->is_ref ||
      op->results[0]->type->rank == 0)
    return false;
  if (effects_is_pure(op->code)) return true;
  if (op->code != OP_LOAD) return false;
  for (const IrOp *between = op->next; between != branch->parent; between = between->next)
    if (alias_op_may_write(between, op)) return false;
  return true;
}

static void sink_in(PassContext *ctx, IrRegion *region) {
  bool has_any = false;
  for (const IrOp *op = region->first; op; op = op->next) has_any |= has_branches(op);
  Sinker s = {region, has_any ? map_new(ctx->arena) : NULL};
  for (IrOp *op = region->last, *before; op && has_any; op = before) {
    before = op->prev;
    IrRegion *branch = only_branch(&s, op);
    if (branch && may_wait(op, branch)) {
      ir_op_move(op, branch, branch->first);
      note_uses(&s, op, branch, false);
    } else {
      note_uses(&s, op, region, true);
    }
  }
  for (IrOp *op = region->first; op; op = op->next)
    for (int i = 0; i < op->region_count; i++) sink_in(ctx, op->regions[i]);
}

bool pass_sink(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) sink_in(ctx, func->body);
  return true;
}
