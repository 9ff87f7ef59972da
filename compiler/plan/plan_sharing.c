// SPDX-License-Identifier: Apache-2.0
// Which threads do what of a plan: the rows it is walked by, a dimension of each of its walks that
// need nothing of each other, or the columns of all of its walks.
#include "ir/analysis/alias.h"
#include "ir/core/ir.h"
#include "planner.h"

const char *const plan_sharing_names[SHARE_KINDS] = {"not", "rows", "walks"};

// The dimension whose range the threads share: the outermost one that is long enough, else the lane
// dimension.
static void choose_shared(int64_t pieces, Walk *walk) {
  Loops *loops = &walk->loops;
  int64_t best = 1;
  if (walk->is_empty) return;
  for (size_t i = 0; i < loops->outer.count; i++) {
    int64_t size = walk->space.sizes[loops->outer.items[i]];
    if (size <= best) continue;
    best = size;
    loops->shared_dim = (int)loops->outer.items[i];
    if (size >= pieces) return;
  }
  if (loops->cross >= 0) {
    if (walk->space.sizes[loops->cross] / loops->lanes > best) loops->shared_dim = loops->cross;
    return;
  }
  if (loops->group >= 0) {
    if (walk->space.sizes[loops->group] / (loops->turns ? loops->lanes : loops->steps) > best)
      loops->shared_dim = loops->group;
    return;
  }
  bool lanes_are_kept = loops->lane_dim >= 0 && walk->kinds[loops->lane_dim] == DIM_KEPT;
  int64_t steps = loops->whole / loops_step(&walk->loops);
  if (lanes_are_kept && steps > best) loops->shared_dim = loops->lane_dim;
}

// ---- columns ------------------------------------------------------------------------------------
// Several walks can be shared along their lanes, if these are the same columns in each: what one
// keeps of a column another reads in the same one, and no walk writes what another one reads or
// writes. Nor is a result made in memory that a walk before it reads (gen_cluster_in_place.c).

// Whether the loops may go by whole steps through a dimension that is kept.
static bool has_columns(const Walk *walk, int64_t size, int64_t step) {
  const Loops *loops = &walk->loops;
  return !walk->is_empty && loops->lane_dim >= 0 && walk->kinds[loops->lane_dim] == DIM_KEPT &&
         loops->cross < 0 && loops->group < 0 && loops->whole && loops->size == size &&
         step % loops->lanes == 0;
}

// Of a walk that goes down the columns, which reads so much of each row; else of the one that
// computes most: the others wait for memory, however many vectors they take.
static int64_t step_of_columns(const Plan *plan) {
  const Walk *first = plan->walks.items[0];
  for (size_t i = 1; i < plan->walks.count; i++) {
    const Walk *walk = plan->walks.items[i];
    if (walk->has_reduction == first->has_reduction ? walk->cost > first->cost
                                                    : walk->has_reduction)
      first = walk;
  }
  return loops_step(&first->loops);
}

static void take_columns(Walk *walk, int64_t step) {
  Loops *loops = &walk->loops;
  loops->unroll = (unsigned)(step / loops->lanes);
  loops->whole = loops->size / step * step;
  loops->shared_dim = loops->lane_dim;
}

// Whether it is the element of the lane's own column, of an array of one element for each.
static bool is_of_column(const Walk *walk, const Affine *at) {
  if (at->term_count || at->constant) return false;
  for (size_t d = 0; d < walk->space.rank; d++)
    if (at->coef[d] != ((int)d == walk->loops.lane_dim)) return false;
  return true;
}

static bool is_stored(const Walk *walk, const IrValue *ref) {
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    if (root->kind == ROOT_STORE && alias_of_refs(root->op->operands[1], ref) != ALIAS_NO)
      return true;
  }
  return false;
}

// By a walk other than `except`, which may be NULL.
static bool is_written(const Plan *plan, const IrValue *memory, const Walk *except) {
  const IrOp *load = memory->def;
  const IrValue *ref = memory->type->is_ref            ? memory
                       : load && load->code == OP_LOAD ? load->operands[0]
                                                       : NULL;
  for (size_t i = 0; ref && i < plan->walks.count; i++)
    if (plan->walks.items[i] != except && is_stored(plan->walks.items[i], ref)) return true;
  return false;
}

static bool reads_columns(const Plan *plan, const Walk *walk) {
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (node->kept) return false; // a register of another walk
    if (!node_reads(node)) continue;
    bool fits = plan_kept_of(plan, node->memory) && !node->of_copy
                    ? node->kind == NODE_LOAD && is_of_column(walk, &node->at)
                    : !is_written(plan, node->memory, NULL);
    if (!fits) return false;
  }
  return true;
}

static bool is_read(const Plan *plan, const IrValue *kept) {
  for (size_t i = 0; i < plan->walks.count; i++) {
    const Walk *walk = plan->walks.items[i];
    for (size_t k = 0; k < walk->nodes.count; k++)
      if (node_reads(walk->nodes.items[k]) && walk->nodes.items[k]->memory == kept) return true;
  }
  return false;
}

static bool writes_columns(const Plan *plan, const Walk *walk) {
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Kept *result = walk->roots.items[i]->result;
    if (!result) continue;
    if (!result->in_memory) return false;
    if (is_read(plan, result->value) && !is_of_column(walk, &walk->roots.items[i]->at))
      return false;
  }
  return true;
}

// Whether another walk stores where this one does.
static bool is_stored_again(const Plan *plan, const Walk *walk) {
  for (size_t i = 0; i < walk->roots.count; i++) {
    if (walk->roots.items[i]->kind != ROOT_STORE) continue;
    const IrValue *ref = walk->roots.items[i]->op->operands[1];
    for (size_t j = 0; plan->walks.items[j] != walk; j++)
      if (is_stored(plan->walks.items[j], ref)) return true;
  }
  return false;
}

static bool is_by_columns(const Plan *plan, int64_t step) {
  int64_t size = plan->walks.items[0]->loops.size;
  for (size_t i = 0; i < plan->walks.count; i++) {
    const Walk *walk = plan->walks.items[i];
    if (!has_columns(walk, size, step) || !reads_columns(plan, walk) ||
        !writes_columns(plan, walk) || is_stored_again(plan, walk))
      return false;
  }
  return size >= 2 * step;
}

// ---- walks that need nothing of each other ------------------------------------------------------
static bool reads_others(const Plan *plan, const Walk *walk) {
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (node->kept) return true; // a register of another walk
    if (!node_reads(node)) continue;
    if ((plan_kept_of(plan, node->memory) && !node->of_copy) ||
        is_written(plan, node->memory, walk))
      return true;
  }
  return false;
}

static bool gives_registers(const Walk *walk) {
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Kept *result = walk->roots.items[i]->result;
    if (result && !result->in_memory) return true;
  }
  return false;
}

static bool is_independent(const Plan *plan) {
  for (size_t i = 0; i < plan->walks.count; i++) {
    const Walk *walk = plan->walks.items[i];
    if (reads_others(plan, walk) || gives_registers(walk) || is_stored_again(plan, walk))
      return false;
  }
  return true;
}

// Each walk by its own dimension; the first thread does those that are too short.
static Reason share_each(Plan *plan) {
  bool found = false;
  for (size_t i = 0; i < plan->walks.count; i++) {
    Walk *walk = plan->walks.items[i];
    choose_shared(plan->pieces, walk);
    found |= walk->loops.shared_dim >= 0;
  }
  plan->sharing = SHARE_WALKS;
  return (Reason){.id = found ? REASON_NONE : REASON_SHORT_LOOPS};
}

static bool has_rows(const Plan *plan) {
  for (size_t i = 0; i < plan->rows; i++)
    if (plan->row_dims[i] > 1) return true;
  return false;
}

static Reason in_order(const Plan *plan) {
  const IrOp *reduction = NULL;
  size_t reductions = 0;
  for (size_t i = 0; i < plan->count; i++) {
    if (!op_is_reduction(plan->ops[i]->code)) continue;
    reductions++;
    reduction = plan->ops[i];
  }
  if (reductions > 1) return (Reason){.id = REASON_SEVERAL_REDUCTIONS, .span = reduction->span};
  return (Reason){.id = reductions ? REASON_LOOPS_IN_ORDER : REASON_LOOPS_OF_KEPT};
}

// REASON_NONE: the threads have their parts.
static Reason share(Plan *plan) {
  if (has_rows(plan)) {
    plan->sharing = SHARE_ROWS;
    return (Reason){.id = REASON_NONE};
  }
  if (plan->walks.count == 1) return share_each(plan);
  int64_t step = plan->walks.count ? step_of_columns(plan) : 0;
  if (!step || !is_by_columns(plan, step))
    return is_independent(plan) ? share_each(plan) : in_order(plan);
  for (size_t i = 0; i < plan->walks.count; i++) take_columns(plan->walks.items[i], step);
  plan->sharing = SHARE_WALKS;
  return (Reason){.id = REASON_NONE};
}

void planner_share(Plan *plan) {
  plan->sharing = SHARE_NOT;
  if (!plan->pieces) return;
  Reason why = share(plan);
  if (why.id == REASON_NONE) return;
  plan->sharing = SHARE_NOT;
  plan->pieces = 0;
  plan->one_thread = why;
}
