// SPDX-License-Identifier: Apache-2.0
// Plans clusters: what of it is kept in memory, and the walks. See plan.h for the idea.
#include <string.h>
#include "base/map.h"
#include "ir/analysis/element_cost.h"
#include "ir/core/attr.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "planner.h"

// What costs more than this is computed once and kept, if several walks need it. Arithmetic goes by
// vectors of the target's width, memory by lines: CHEAP_IF_LARGE is of vectors that are a line.
enum { CHEAP = 10, CHEAP_IF_LARGE = 30, LARGE_BYTES = SECOND_LEVEL_BYTES / 4 };

// ---- values -------------------------------------------------------------------------------------
static int64_t count_behind_rows(const Planner *p, const IrType *type) {
  int64_t count = 1;
  for (size_t i = p->request->rows; i < type->rank; i++) count *= type->dims[i];
  return count;
}

static void add_candidates(Planner *p, IrOp *op) {
  for (size_t i = 0; i < op->result_count; i++) {
    Candidate *v = ARENA_NEW(p->arena, Candidate);
    v->kept.value = op->results[i];
    v->op = op;
    v->kept.is_scalar = v->kept.value->type->rank >= p->request->rows &&
                        count_behind_rows(p, v->kept.value->type) == 1;
    map_set(p->candidates, v->kept.value, v);
    VEC_PUSH(p->arena, &p->order, v);
  }
}

static void find_results(Planner *p) {
  PlanResults results = plan_results(p->arena, p->request->ops, p->request->count);
  for (size_t i = 0; i < results.count; i++)
    planner_candidate(p, results.items[i])->kept.is_result = true;
}

// The rows are the leading dimensions of any root.
static void find_rows(Planner *p) {
  for (size_t i = 0; i < p->request->count; i++) {
    const IrOp *op = p->request->ops[i];
    const IrType *type =
        op->code == OP_STORE || op_is_reduction(op->code) ? op->operands[0]->type : NULL;
    for (size_t k = 0; !type && k < op->result_count; k++)
      if (planner_candidate(p, op->results[k])->kept.is_result) type = op->results[k]->type;
    if (!type || type->rank < p->request->rows) continue;
    for (size_t k = 0; k < p->request->rows; k++) p->row_dims[k] = type->dims[k];
    return;
  }
}

// ---- walks --------------------------------------------------------------------------------------
static bool is_ordered_reduction(const RootDraft *root) {
  return (root->root.op->code == OP_REDUCE_SUM || root->root.op->code == OP_REDUCE_PROD) &&
         dtype_is_float(root->value->type->dtype);
}

// Stores may join reductions only where the loops run along the rows anyway.
static bool can_share(const WalkDraft *walk, const RootDraft *root, uint32_t reduced) {
  bool is_reduction_root = root->root.kind == ROOT_REDUCE;
  if (walk->walk.has_reduction && is_reduction_root) return walk->walk.reduced == reduced;
  uint32_t mask = walk->walk.has_reduction ? walk->walk.reduced : is_reduction_root ? reduced : 0;
  if (!mask) return true;
  return plan_reduces_rows(walk->walk.shape_rank, walk->walk.shape, mask);
}

// NULL if there is none yet.
static WalkDraft *find_walk(const Planner *p, const RootDraft *root) {
  const IrType *type = root->value->type;
  uint32_t reduced = planner_reduced_mask(root);
  for (size_t i = 0; i < p->walks.count; i++) {
    WalkDraft *walk = p->walks.items[i];
    if (walk->walk.stage != root->stage || walk->walk.shape_rank != type->rank) continue;
    bool is_equal = true;
    for (size_t k = 0; k < type->rank; k++)
      if (walk->walk.shape[k] != type->dims[k]) is_equal = false;
    if (is_equal && can_share(walk, root, reduced)) return walk;
  }
  return NULL;
}

static WalkDraft *new_walk(Planner *p, const RootDraft *root) {
  const IrType *type = root->value->type;
  WalkDraft *walk = ARENA_NEW(p->arena, WalkDraft);
  walk->walk.stage = root->stage;
  walk->walk.shape_rank = type->rank;
  walk->walk.shape = type->dims;
  for (size_t k = 0; k < type->rank; k++)
    if (type->dims[k] == 0) walk->walk.is_empty = true;
  VEC_PUSH(p->arena, &p->walks, walk);
  return walk;
}

static void add_to_walk(Planner *p, RootDraft *root, WalkDraft *walk) {
  root->walk = walk;
  if (root->root.kind == ROOT_REDUCE) {
    walk->walk.has_reduction = true;
    walk->walk.reduced = planner_reduced_mask(root);
    if (is_ordered_reduction(root)) walk->walk.is_ordered = true;
  }
  VEC_PUSH(p->arena, &walk->roots, root);
}

// By stages, and in one stage as they are listed.
static bool runs_before(const Planner *p, const WalkDraft *walk, const WalkDraft *other) {
  if (walk->walk.stage != other->walk.stage) return walk->walk.stage < other->walk.stage;
  for (size_t i = 0; p->walks.items[i] != other; i++)
    if (p->walks.items[i] == walk) return true;
  return false;
}

static void note_walk(const Planner *p, Candidate *v, WalkDraft *walk) {
  if (!v->first_walk)
    v->first_walk = walk;
  else if (v->first_walk != walk)
    v->in_several = true;
  if (runs_before(p, walk, v->first_walk)) v->first_walk = walk;
}

static void note_operand(Planner *p, const IrValue *value, const Candidate *user) {
  Candidate *v = planner_candidate(p, value);
  if (!v || v->state == VALUE_BOUND || !user->first_walk) return;
  note_walk(p, v, user->first_walk);
  if (user->in_several && user->state == VALUE_INLINE) v->in_several = true;
}

static bool has_shape_of(const WalkDraft *walk, const IrType *type) {
  if (walk->walk.shape_rank != type->rank) return false;
  for (size_t i = 0; i < type->rank; i++)
    if (walk->walk.shape[i] != type->dims[i]) return false;
  return true;
}

// The newest walk comes right before another one, behind what it may read of earlier walks.
static void move_before(Planner *p, const WalkDraft *other) {
  size_t i = p->walks.count - 1;
  WalkDraft *walk = p->walks.items[i];
  for (bool is_before = false; !is_before; i--) {
    is_before = p->walks.items[i - 1] == other;
    p->walks.items[i] = p->walks.items[i - 1];
  }
  p->walks.items[i] = walk;
}

static void keep(Planner *p, Candidate *v) {
  RootDraft *root = planner_new_root(p, ROOT_KEEP, NULL, v->kept.value, v, v->stage);
  v->state = VALUE_KEPT;
  v->kept.why = REASON_KEPT_SEVERAL;
  if (has_shape_of(v->first_walk, v->kept.value->type) && can_share(v->first_walk, root, 0)) {
    root->stage = v->stage = v->first_walk->walk.stage;
    root->walk = v->first_walk;
    VEC_PUSH(p->arena, &root->walk->roots, root);
    return;
  }
  // A walk that runs behind the first that needs it would make it too late.
  WalkDraft *walk = find_walk(p, root);
  if (walk && runs_before(p, walk, v->first_walk)) {
    add_to_walk(p, root, walk);
    return;
  }
  add_to_walk(p, root, new_walk(p, root));
  move_before(p, v->first_walk);
}

// Whether each row of what is broadcast goes to that row: what is kept of it is of one row.
static bool spreads_within_rows(const Planner *p, const IrOp *broadcast) {
  const IrType *from = broadcast->operands[0]->type, *to = broadcast->results[0]->type;
  if (from->rank < p->request->rows || to->rank < p->request->rows) return false;
  IrInts dims = ir_attr_ints(broadcast, ATTR_DIMS);
  for (size_t i = 0; i < p->request->rows; i++)
    if (dims.items[i] != (int64_t)i || from->dims[i] != to->dims[i]) return false;
  return true;
}

// What a broadcast behind a reduction spreads; what needs none of the cluster's was taken out of it
// by the fuse pass. One element for a row is a register anyway.
static void note_spread(const Planner *p, const Candidate *v) {
  if (v->op->code != OP_BROADCAST || !spreads_within_rows(p, v->op)) return;
  Candidate *from = planner_candidate(p, v->op->operands[0]);
  if (from && from->stage > 0 && !from->kept.is_scalar && cost_spread_is_dear(v->op, from->cost))
    from->is_spread = true;
}

static bool is_worth_keeping(const Planner *p, const Candidate *v) {
  if (v->is_spread && v->state == VALUE_INLINE) return true;
  if (!v->in_several || v->state != VALUE_INLINE || !planner_has_rows(p, v->kept.value->type))
    return false;
  int64_t bytes =
      count_behind_rows(p, v->kept.value->type) * (int64_t)dtype_size(v->kept.value->type->dtype);
  if (bytes <= LARGE_BYTES) return v->cost > CHEAP;
  return v->cost * LINE_BYTES > CHEAP_IF_LARGE * (int)p->request->options.vector_bytes;
}

// From the last value to the first: in which walks each is evaluated, and whether that is once too
// often.
static void find_kept(Planner *p) {
  for (size_t i = 0; i < p->roots.count; i++) {
    const RootDraft *root = p->roots.items[i];
    Candidate *v = planner_candidate(p, root->value),
              *mask = root->mask ? planner_candidate(p, root->mask) : NULL;
    if (v && (v->state != VALUE_BOUND || root->result == v)) note_walk(p, v, root->walk);
    if (mask && mask->state != VALUE_BOUND) note_walk(p, mask, root->walk);
  }
  for (size_t i = p->order.count; i-- > 0;) {
    Candidate *v = p->order.items[i];
    if (!v->first_walk || op_is_reduction(v->op->code)) continue;
    if (is_worth_keeping(p, v)) keep(p, v);
    note_spread(p, v);
    for (size_t k = 0; k < v->op->operand_count; k++) note_operand(p, v->op->operands[k], v);
  }
}

static void sort_walks(Planner *p) {
  for (size_t i = 1; i < p->walks.count; i++) {
    WalkDraft *walk = p->walks.items[i];
    size_t k = i;
    for (; k > 0 && p->walks.items[k - 1]->walk.stage > walk->walk.stage; k--)
      p->walks.items[k] = p->walks.items[k - 1];
    p->walks.items[k] = walk;
  }
  for (size_t i = 0; i < p->walks.count; i++) p->walks.items[i]->order = i;
  for (size_t i = 0; i < p->roots.count; i++)
    if (p->roots.items[i]->root.kind == ROOT_KEEP)
      p->roots.items[i]->result->keeper = p->roots.items[i]->walk;
}

// ---- memory -------------------------------------------------------------------------------------
static void place(Planner *p, Candidate *v) {
  const IrType *type = v->kept.value->type;
  size_t rows = p->request->rows;
  if (v->is_placed) return;
  v->is_placed = true;
  if (v->kept.is_result) {
    const PlanMemory *memory = &p->request->memory;
    v->kept.in_memory =
        type->rank > 0 && memory->find(memory->data, v->kept.value, &v->kept.layout);
    return;
  }
  if (v->kept.is_scalar) return;
  Layout part = layout_dense(type->dtype, type->rank - rows, type->dims + rows);
  v->kept.in_memory = true;
  v->kept.layout = (Layout){.dtype = type->dtype, .rank = type->rank};
  for (size_t i = 0; i < type->rank; i++) {
    v->kept.layout.dims[i] = type->dims[i];
    v->kept.layout.strides[i] = i < rows ? 0 : part.strides[i - rows];
  }
}

static bool plan(Planner *p) {
  p->walks.count = 0;
  planner_find_stages(p);
  for (size_t i = 0; i < p->roots.count; i++) {
    RootDraft *root = p->roots.items[i];
    WalkDraft *walk = find_walk(p, root);
    add_to_walk(p, root, walk ? walk : new_walk(p, root));
  }
  find_kept(p);
  sort_walks(p);
  for (size_t i = 0; i < p->roots.count; i++)
    if (p->roots.items[i]->result) place(p, p->roots.items[i]->result);
  for (size_t i = 0; i < p->walks.count; i++)
    if (!p->walks.items[i]->walk.is_empty && !planner_build_graph(p, p->walks.items[i]))
      return false;
  return true;
}

// ---- the whole ----------------------------------------------------------------------------------
PlanResults plan_results(Arena *arena, IrOp *const *ops, size_t count) {
  Map *inside = map_new(arena);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < ops[i]->operand_count; k++) {
      const IrValue *value = ops[i]->operands[k];
      map_set(inside, value, (void *)((uintptr_t)map_get(inside, value) + 1));
    }
  PlanResults results = {0};
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < ops[i]->result_count; k++) {
      const IrValue *value = ops[i]->results[k];
      if (value->use_count > (uintptr_t)map_get(inside, value)) VEC_PUSH(arena, &results, value);
    }
  return results;
}

static void open_planner(Planner *p, Arena *arena, const PlanRequest *request) {
  *p = (Planner){.arena = arena, .request = request, .candidates = map_new(arena)};
  for (size_t i = 0; i < request->count; i++) add_candidates(p, request->ops[i]);
  find_results(p);
  find_rows(p);
}

// What is kept, in the order of the roots.
static void list_kept(const Planner *p, Plan *out) {
  for (size_t i = 0; i < p->roots.count; i++) {
    Candidate *v = p->roots.items[i]->result;
    if (!v) continue;
    v->kept.number = out->kept.count;
    VEC_PUSH(p->arena, &out->kept, &v->kept);
  }
}

// ---- blocks of rows -----------------------------------------------------------------------------
int plan_block_dim(const Plan *plan) { return plan_last_wide_dim(plan->rows, plan->row_dims); }

// Whether a walk needs a number of its row that an earlier one made.
static bool waits_for_scalar(const Walk *walk) {
  for (size_t i = 0; i < walk->nodes.count; i++)
    if (walk->nodes.items[i]->kind == NODE_SCALAR && walk->nodes.items[i]->kept) return true;
  return false;
}

// Bytes of what a walk reads and writes of a row, but for what earlier ones did.
static int64_t bytes_of_row(const Walk *walk, Map *seen) {
  int64_t row = 1, bytes = 0;
  uint64_t row_dims = 0;
  for (size_t d = 0; d < walk->space.rank; d++) {
    if (walk->kinds[d] != DIM_ROW)
      row *= walk->space.sizes[d];
    else
      row_dims |= (uint64_t)1 << d;
  }
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    bool is_of_row = node->kind == NODE_LOAD && node->depends & row_dims &&
                     node->depends >> walk->loops.lane_dim & 1;
    if (!is_of_row || map_has(seen, node->memory)) continue;
    map_set(seen, node->memory, node);
    bytes += row * (int64_t)dtype_size(node->value->type->dtype);
  }
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    if (root->kind == ROOT_REDUCE || !(root->node->depends >> walk->loops.lane_dim & 1)) continue;
    if (root->result) map_set(seen, root->result->value, root);
    bytes += row * (int64_t)dtype_size(root->node->value->type->dtype);
  }
  return bytes;
}

// A short row's walks wait for each other's sums: the next row's are further off than what a CPU
// holds. Some rows go through each walk together then, so that there is always one that can go on.
// Softmax of 4,096 rows of 50: 156 us, 100 in blocks (Zen 5, AVX2).
static void choose_row_block(const PlanOptions *options, Arena *arena, Plan *plan) {
  enum { MOST_ROWS = 8 }; // together enough to fill what a CPU holds; they stay in the first level
  plan->row_block = 1;
  int dim = plan_block_dim(plan);
  bool waits = false;
  for (size_t i = 0; i < plan->walks.count; i++) {
    if (plan->walks.items[i]->is_empty) return;
    waits |= waits_for_scalar(plan->walks.items[i]) && plan->walks.items[i]->loops.lane_dim >= 0;
  }
  if (dim < 0 || !waits || plan->given || options->many_ops || options->check ||
      plan->sharing == SHARE_WALKS)
    return;
  Map *seen = map_new(arena);
  int64_t bytes = 0;
  for (size_t i = 0; i < plan->walks.count; i++)
    if (plan->walks.items[i]->loops.lane_dim >= 0)
      bytes += bytes_of_row(plan->walks.items[i], seen);
  int64_t rows = bytes ? FIRST_LEVEL_BYTES / bytes : 1;
  if (rows > plan->row_dims[dim]) rows = plan->row_dims[dim];
  if (rows > MOST_ROWS) rows = MOST_ROWS;
  if (rows > 1) plan->row_block = rows;
}

static Plan *finish(const Planner *p) {
  const PlanRequest *request = p->request;
  Plan *out = ARENA_NEW(p->arena, Plan);
  *out = (Plan){.ops = request->ops,
                .count = request->count,
                .rows = request->rows,
                .given = request->given,
                .pieces = request->pieces,
                .one_thread = request->one_thread};
  memcpy(out->row_dims, p->row_dims, sizeof out->row_dims);
  list_kept(p, out);
  for (size_t i = 0; i < p->copies.count; i++) VEC_PUSH(p->arena, &out->copies, p->copies.items[i]);
  for (size_t i = 0; i < p->walks.count; i++) {
    WalkDraft *draft = p->walks.items[i];
    for (size_t k = 0; k < draft->roots.count; k++)
      VEC_PUSH(p->arena, &draft->walk.roots, &draft->roots.items[k]->root);
    planner_choose_loops(&request->options, p->arena, &draft->walk);
    VEC_PUSH(p->arena, &out->walks, &draft->walk);
  }
  planner_share(out);
  choose_row_block(&request->options, p->arena, out);
  return out;
}

static const Plan *try_plan(Arena *arena, const PlanRequest *request) {
  Planner p;
  open_planner(&p, arena, request);
  while (!plan(&p)) // each time another value is forced
    if (p.failed) return NULL;
  return finish(&p);
}

const Plan *plan_make(Arena *arena, const PlanRequest *request) {
  const Plan *made = try_plan(arena, request);
  if (made || !request->rows) return made;
  PlanRequest whole = *request;
  whole.rows = 0;
  return try_plan(arena, &whole);
}
