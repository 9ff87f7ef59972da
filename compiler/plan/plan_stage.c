// SPDX-License-Identifier: Apache-2.0
// Stages: which values are roots, and in which order walks must make them. A reduction's result can
// be used in the stage behind its own; a store comes behind what still reads its memory.
#include <string.h>
#include "ir/core/attr.h"
#include "ir/analysis/access.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/element_cost.h"
#include "ir/core/ir.h"
#include "passes/arrays/fuse.h"
#include "planner.h"

// Costs are cut off here.
enum { MAX_COST = 1 << 20 };

RootDraft *planner_new_root(Planner *p, RootKind kind, IrOp *op, const IrValue *value,
                            Candidate *result, int stage) {
  RootDraft *root = ARENA_NEW(p->arena, RootDraft);
  *root = (RootDraft){.root = {.kind = kind, .op = op, .result = result ? &result->kept : NULL},
                      .value = value,
                      .result = result,
                      .stage = stage};
  VEC_PUSH(p->arena, &p->roots, root);
  return root;
}

static int available(const Planner *p, const IrValue *value) {
  const Candidate *v = planner_candidate(p, value);
  return v ? v->stage : 0;
}

static int operand_stage(const Planner *p, const IrOp *op) {
  int stage = 0;
  for (size_t i = 0; i < op->operand_count; i++) {
    int s = available(p, op->operands[i]);
    if (s > stage) stage = s;
  }
  return stage;
}

static void raise_stage(int *stage, int least) {
  if (*stage < least) *stage = least;
}

static int cost_of(const Planner *p, const IrOp *op) {
  int cost = op_is_pointwise(op->code) ? cost_of_element(op) : 1;
  for (size_t i = 0; i < op->operand_count; i++) {
    const Candidate *v = planner_candidate(p, op->operands[i]);
    if (v && v->state != VALUE_BOUND) cost += v->cost;
  }
  return cost < MAX_COST ? cost : MAX_COST;
}

// Stores before `op` in the cluster, as roots made so far.
static int stage_behind_stores(const Planner *p, const IrOp *op, int stage) {
  for (size_t i = 0; i < p->roots.count; i++) {
    const RootDraft *root = p->roots.items[i];
    if (root->root.kind == ROOT_STORE && alias_of(root->root.op, op) != ALIAS_NO)
      raise_stage(&stage, root->stage + 1);
  }
  return stage;
}

static void stage_store(Planner *p, IrOp *op, const int *least) {
  int stage = stage_behind_stores(p, op, operand_stage(p, op));
  raise_stage(&stage, *least);
  RootDraft *root = planner_new_root(p, ROOT_STORE, op, op->operands[0], NULL, stage);
  if (access_is_masked(op)) root->mask = op->operands[op->operand_count - 1];
}

static void stage_results(Planner *p, IrOp *op) {
  int stage = operand_stage(p, op);
  if (op->code == OP_LOAD) stage = stage_behind_stores(p, op, stage);
  int cost = cost_of(p, op);
  for (size_t i = 0; i < op->result_count; i++) {
    Candidate *v = planner_candidate(p, op->results[i]);
    v->cost = cost;
    v->stage = stage;
    v->state = VALUE_INLINE;
    v->first_walk = NULL;
    v->in_several = v->is_spread = false;
    if (op_is_reduction(op->code)) {
      planner_new_root(p, ROOT_REDUCE, op, op->operands[0], v, stage);
      v->state = VALUE_BOUND;
    } else if (v->is_forced) {
      planner_new_root(p, ROOT_KEEP, NULL, v->kept.value, v, stage);
      v->state = VALUE_BOUND;
    } else if (v->kept.is_result) {
      planner_new_root(p, ROOT_KEEP, NULL, v->kept.value, v, stage);
      v->state = VALUE_KEPT;
    }
    if (v->state == VALUE_BOUND) {
      v->stage = stage + 1;
      v->cost = 1;
    }
  }
}

// Up to which stage each value is evaluated.
static void find_last_stages(Planner *p) {
  for (size_t i = 0; i < p->order.count; i++) p->order.items[i]->last_stage = -1;
  for (size_t i = 0; i < p->roots.count; i++) {
    const RootDraft *root = p->roots.items[i];
    Candidate *v = planner_candidate(p, root->value),
              *mask = root->mask ? planner_candidate(p, root->mask) : NULL;
    if (v) raise_stage(&v->last_stage, root->stage);
    if (mask) raise_stage(&mask->last_stage, root->stage);
  }
  for (size_t i = p->order.count; i-- > 0;) {
    const Candidate *v = p->order.items[i];
    if (op_is_reduction(v->op->code)) continue;
    // What is forced is evaluated by its own root only.
    int last = v->state == VALUE_BOUND ? v->stage - 1 : v->last_stage;
    for (size_t k = 0; k < v->op->operand_count; k++) {
      Candidate *operand = planner_candidate(p, v->op->operands[k]);
      if (operand) raise_stage(&operand->last_stage, last);
    }
  }
}

// ---- reductions ---------------------------------------------------------------------------------
uint32_t planner_reduced_mask(const RootDraft *root) {
  if (root->root.kind != ROOT_REDUCE) return 0;
  uint32_t mask = 0;
  IrInts axes = ir_attr_ints(root->root.op, ATTR_AXES);
  for (size_t i = 0; i < axes.count; i++) mask |= UINT32_C(1) << axes.items[i];
  return mask;
}

int plan_last_wide_dim(size_t rank, const int64_t *dims) {
  for (size_t i = rank; i-- > 0;)
    if (dims[i] > 1) return (int)i;
  return -1;
}

bool plan_reduces_rows(size_t rank, const int64_t *dims, uint32_t reduced) {
  int last = plan_last_wide_dim(rank, dims);
  return last < 0 || (reduced >> last & 1);
}

// ---- stores -------------------------------------------------------------------------------------
// Which values are evaluated from `from` where it is not read from memory.
static void mark_users(const Planner *p, const Candidate *from) {
  for (size_t i = 0; i < p->order.count; i++) {
    Candidate *v = p->order.items[i];
    v->is_user = v == from;
    for (size_t k = 0; k < v->op->operand_count && !v->is_user; k++) {
      const Candidate *operand = planner_candidate(p, v->op->operands[k]);
      v->is_user = operand && operand->is_user && operand->state != VALUE_BOUND;
    }
  }
}

static bool is_user(const Planner *p, const IrValue *value) {
  const Candidate *v = value ? planner_candidate(p, value) : NULL;
  return v && v->is_user;
}

static bool has_same_dims(const IrType *a, const IrType *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

// The first stage in which something else than its own root evaluates `from`, if that is behind its
// own and one of its shape does; otherwise its own.
static int stage_of_first_use(const Planner *p, const RootDraft *keep) {
  mark_users(p, keep->result);
  int first = MAX_COST;
  bool has_shape = false;
  for (size_t i = 0; i < p->roots.count; i++) {
    const RootDraft *root = p->roots.items[i];
    bool uses = root != keep && (is_user(p, root->value) || is_user(p, root->mask));
    if (!uses || root->stage > first) continue;
    has_shape =
        (has_shape && root->stage == first) || has_same_dims(root->value->type, keep->value->type);
    first = root->stage;
  }
  return has_shape && first > keep->stage ? first : keep->stage;
}

// A result whose elements are needed first by a later walk over its own shape is made by that: one
// pass over what both read, not two. What is done row by row is in the caches anyway.
static void delay_results(const Planner *p) {
  if (p->request->rows) return;
  for (size_t i = 0; i < p->roots.count; i++) {
    RootDraft *root = p->roots.items[i];
    if (root->root.kind == ROOT_KEEP && root->result->state == VALUE_KEPT)
      root->stage = stage_of_first_use(p, root);
  }
}

static size_t position_of(const Planner *p, const IrOp *op) {
  for (size_t i = 0; i < p->request->count; i++)
    if (p->request->ops[i] == op) return i;
  BUG("op is not in the cluster");
}

// Whether whatever evaluates the value in the store's stage has the store's walk: there each
// element is read before it is written. Reductions have it if they all go along the rows, over the
// same dimensions (can_share in plan_make.c).
static bool share_walk(const Planner *p, const RootDraft *store, const Candidate *value) {
  mark_users(p, value);
  bool is_reduced = false, is_shared = true;
  uint32_t reduced = 0;
  for (size_t i = 0; i < p->roots.count; i++) {
    const RootDraft *root = p->roots.items[i];
    const IrType *type = root->value->type;
    uint32_t mask = planner_reduced_mask(root);
    if (!mask || root->stage != store->stage || !has_same_dims(type, store->value->type)) continue;
    is_reduced |= is_user(p, root->value);
    is_shared &= plan_reduces_rows(type->rank, type->dims, mask) && (!reduced || mask == reduced);
    reduced = mask;
  }
  return !is_reduced || is_shared;
}

// The first stage, not before the store's own, in which it may write over a value that is read
// place by place.
static int stage_in_place(const Planner *p, const RootDraft *store, const Candidate *value) {
  bool is_apart = store->stage == value->last_stage && !share_walk(p, store, value);
  return value->last_stage + is_apart;
}

// Each op brings one more stage at most. A store that should come later waits for itself: what it
// may not write over yet is read together with what it has written.
static bool has_stage(const Planner *p, int stage) { return stage <= (int)p->request->count; }

// Whether what `v` loads can be read in the walk that writes over it; its stage.
static bool stays_in_place(Planner *p, const RootDraft *store, const Candidate *v, int *stage) {
  *stage = stage_in_place(p, store, v);
  return has_stage(p, *stage) &&
         fuse_stays_in_place(p->arena, p->request->ops, p->request->count, v->kept.value);
}

// A store must not come before what is still to be read of its memory. True if something had to be
// changed: stages are to be found anew.
static bool delay_store(Planner *p, const RootDraft *store, int *least) {
  size_t at = position_of(p, store->root.op);
  for (size_t i = 0; i < at; i++) {
    const IrOp *load = p->request->ops[i];
    if (load->code != OP_LOAD) continue;
    Candidate *v = planner_candidate(p, load->results[0]);
    if (v->is_forced) {
      if (store->stage >= v->stage || alias_of(store->root.op, load) == ALIAS_NO) continue;
      least[at] = v->stage;
      return true;
    }
    if (v->last_stage < store->stage) continue;
    Alias alias = alias_of(store->root.op, load);
    if (alias == ALIAS_NO) continue;
    int stage;
    if (alias == ALIAS_SAME && stays_in_place(p, store, v, &stage)) {
      if (stage == store->stage) continue;
      least[at] = stage;
      return true;
    }
    v->is_forced = true;
    v->kept.why = REASON_KEPT_STORE;
    memset(least, 0, p->request->count * sizeof *least); // some were there for the value alone
    return true;
  }
  return false;
}

void planner_find_stages(Planner *p) {
  int *least = ARENA_ARRAY(p->arena, int, p->request->count);
  for (;;) {
    p->roots.count = 0;
    for (size_t i = 0; i < p->request->count; i++) {
      if (p->request->ops[i]->code == OP_STORE)
        stage_store(p, p->request->ops[i], &least[i]);
      else
        stage_results(p, p->request->ops[i]);
    }
    delay_results(p);
    find_last_stages(p);
    bool changed = false;
    for (size_t i = 0; i < p->roots.count && !changed; i++) {
      const RootDraft *root = p->roots.items[i];
      if (root->root.kind == ROOT_STORE) changed = delay_store(p, root, least);
    }
    if (!changed) return;
  }
}
