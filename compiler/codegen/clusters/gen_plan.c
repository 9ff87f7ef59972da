// SPDX-License-Identifier: Apache-2.0
// Plans clusters: stages, roots, walks, what is kept in memory. See plan.h for the idea.
#include "ir/analysis/access.h"
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_value.h"
#include "ir/analysis/alias.h"
#include "passes/arrays/fuse.h"
#include "gen_cluster.h"
#include "plan.h"

// What costs more than this is computed once and kept, if several walks need it.
enum { CHEAP = 10, CHEAP_IF_LARGE = 40, LARGE_BYTES = 256 << 10, MAX_COST = 1 << 20 };

Val *cluster_val(const Cluster *c, const IrValue *value) { return map_get(c->vals, value); }

static bool is_reduction(const IrOp *op) { return op_info(op->code)->op_class == CLASS_REDUCE; }

// ---- values -------------------------------------------------------------------------------------
static int64_t count_behind_rows(const Cluster *c, const IrType *type) {
  int64_t count = 1;
  for (size_t i = c->rows; i < type->rank; i++) count *= type->dims[i];
  return count;
}

static void add_vals(Cluster *c, IrOp *op) {
  for (size_t i = 0; i < op->result_count; i++) {
    Val *v = ARENA_NEW(c->arena, Val);
    v->value = op->results[i];
    v->op = op;
    v->is_scalar = v->value->type->rank >= c->rows && count_behind_rows(c, v->value->type) == 1;
    map_set(c->vals, v->value, v);
    VEC_PUSH(c->arena, &c->order, v);
  }
}

static void find_outside_uses(Cluster *c) {
  Map *inside = map_new(c->arena);
  for (size_t i = 0; i < c->count; i++)
    for (size_t k = 0; k < c->ops[i]->operand_count; k++) {
      const IrValue *value = c->ops[i]->operands[k];
      map_set(inside, value, (void *)((uintptr_t)map_get(inside, value) + 1));
    }
  for (size_t i = 0; i < c->order.count; i++) {
    Val *v = c->order.items[i];
    v->is_outside = v->value->use_count > (uintptr_t)map_get(inside, v->value);
  }
}

// The rows are the leading dimensions of any root.
static void find_rows(Cluster *c) {
  for (size_t i = 0; i < c->count; i++) {
    const IrOp *op = c->ops[i];
    const IrType *type = op->code == OP_STORE || is_reduction(op) ? op->operands[0]->type : NULL;
    for (size_t k = 0; !type && k < op->result_count; k++)
      if (cluster_val(c, op->results[k])->is_outside) type = op->results[k]->type;
    if (!type || type->rank < c->rows) continue;
    for (size_t k = 0; k < c->rows; k++) c->row_dims[k] = type->dims[k];
    return;
  }
}

// ---- stages -------------------------------------------------------------------------------------
static int available(const Cluster *c, const IrValue *value) {
  const Val *v = cluster_val(c, value);
  return v ? v->stage : 0;
}

static int operand_stage(const Cluster *c, const IrOp *op) {
  int stage = 0;
  for (size_t i = 0; i < op->operand_count; i++) {
    int s = available(c, op->operands[i]);
    if (s > stage) stage = s;
  }
  return stage;
}

static void raise_stage(int *stage, int least) {
  if (*stage < least) *stage = least;
}

static Root *new_root(Cluster *c, RootKind kind, IrOp *op, const IrValue *value, Val *result,
                      int stage) {
  Root *root = ARENA_NEW(c->arena, Root);
  *root = (Root){.kind = kind, .op = op, .value = value, .result = result, .stage = stage};
  VEC_PUSH(c->arena, &c->roots, root);
  return root;
}

static int cost_of(const Cluster *c, const IrOp *op) {
  int cost = op_is_elementwise(op->code) ? elem_cost(op) : 1;
  for (size_t i = 0; i < op->operand_count; i++) {
    const Val *v = cluster_val(c, op->operands[i]);
    if (v && v->state != VAL_BOUND) cost += v->cost;
  }
  return cost < MAX_COST ? cost : MAX_COST;
}

// Stores before `op` in the cluster, as roots made so far.
static int stage_behind_stores(const Cluster *c, const IrOp *op, int stage) {
  for (size_t i = 0; i < c->roots.count; i++) {
    const Root *root = c->roots.items[i];
    if (root->kind == ROOT_STORE && alias_of(root->op, op) != ALIAS_NO)
      raise_stage(&stage, root->stage + 1);
  }
  return stage;
}

static void stage_store(Cluster *c, IrOp *op, const int *least) {
  int stage = stage_behind_stores(c, op, operand_stage(c, op));
  raise_stage(&stage, *least);
  Root *root = new_root(c, ROOT_STORE, op, op->operands[0], NULL, stage);
  if (access_is_masked(op)) root->mask = op->operands[op->operand_count - 1];
}

static void stage_results(Cluster *c, IrOp *op) {
  int stage = operand_stage(c, op);
  if (op->code == OP_LOAD) stage = stage_behind_stores(c, op, stage);
  int cost = cost_of(c, op);
  for (size_t i = 0; i < op->result_count; i++) {
    Val *v = cluster_val(c, op->results[i]);
    v->cost = cost;
    v->stage = stage;
    v->state = VAL_INLINE;
    v->first_walk = NULL;
    v->in_several = false;
    if (is_reduction(op)) {
      new_root(c, ROOT_REDUCE, op, op->operands[0], v, stage);
      v->state = VAL_BOUND;
    } else if (v->is_forced) {
      new_root(c, ROOT_KEEP, NULL, v->value, v, stage);
      v->state = VAL_BOUND;
    } else if (v->is_outside) {
      new_root(c, ROOT_KEEP, NULL, v->value, v, stage);
      v->state = VAL_KEPT;
    }
    if (v->state == VAL_BOUND) {
      v->stage = stage + 1;
      v->cost = 1;
    }
  }
}

// Up to which stage each value is evaluated.
static void find_last_stages(Cluster *c) {
  for (size_t i = 0; i < c->order.count; i++) c->order.items[i]->last_stage = -1;
  for (size_t i = 0; i < c->roots.count; i++) {
    const Root *root = c->roots.items[i];
    Val *v = cluster_val(c, root->value), *mask = root->mask ? cluster_val(c, root->mask) : NULL;
    if (v) raise_stage(&v->last_stage, root->stage);
    if (mask) raise_stage(&mask->last_stage, root->stage);
  }
  for (size_t i = c->order.count; i-- > 0;) {
    const Val *v = c->order.items[i];
    if (is_reduction(v->op)) continue;
    // What is forced is evaluated by its own root only.
    int last = v->state == VAL_BOUND ? v->stage - 1 : v->last_stage;
    for (size_t k = 0; k < v->op->operand_count; k++) {
      Val *operand = cluster_val(c, v->op->operands[k]);
      if (operand) raise_stage(&operand->last_stage, last);
    }
  }
}

static size_t position_of(const Cluster *c, const IrOp *op) {
  for (size_t i = 0; i < c->count; i++)
    if (c->ops[i] == op) return i;
  BUG("op is not in the cluster");
}

// A store must not come before what is still to be read of its memory. True if something had to be
// changed: stages are to be found anew.
static bool delay_store(Cluster *c, const Root *store, int *least) {
  size_t at = position_of(c, store->op);
  for (size_t i = 0; i < at; i++) {
    const IrOp *load = c->ops[i];
    if (load->code != OP_LOAD) continue;
    Val *v = cluster_val(c, load->results[0]);
    if (v->is_forced) {
      if (store->stage >= v->stage || alias_of(store->op, load) == ALIAS_NO) continue;
      *least = v->stage;
      return true;
    }
    if (v->last_stage < store->stage) continue;
    Alias alias = alias_of(store->op, load);
    if (alias == ALIAS_NO) continue;
    if (alias == ALIAS_SAME && v->last_stage == store->stage &&
        fuse_stays_in_place(c->arena, c->ops, c->count, v->value))
      continue;
    if (alias == ALIAS_SAME && fuse_stays_in_place(c->arena, c->ops, c->count, v->value)) {
      *least = v->last_stage;
      return true;
    }
    v->is_forced = true;
    return true;
  }
  return false;
}

static void find_stages(Cluster *c) {
  int *least = ARENA_ARRAY(c->arena, int, c->count);
  for (;;) {
    c->roots.count = 0;
    for (size_t i = 0; i < c->count; i++) {
      if (c->ops[i]->code == OP_STORE)
        stage_store(c, c->ops[i], &least[i]);
      else
        stage_results(c, c->ops[i]);
    }
    find_last_stages(c);
    bool changed = false;
    for (size_t i = 0; i < c->roots.count && !changed; i++) {
      const Root *root = c->roots.items[i];
      if (root->kind == ROOT_STORE)
        changed = delay_store(c, root, &least[position_of(c, root->op)]);
    }
    if (!changed) return;
  }
}

// ---- walks --------------------------------------------------------------------------------------
static uint32_t reduced_mask(const Root *root) {
  if (root->kind != ROOT_REDUCE) return 0;
  uint32_t mask = 0;
  IrInts axes = ir_attr_ints(root->op, ATTR_AXES);
  for (size_t i = 0; i < axes.count; i++) mask |= UINT32_C(1) << axes.items[i];
  return mask;
}

static bool is_ordered_reduction(const Root *root) {
  return (root->op->code == OP_REDUCE_SUM || root->op->code == OP_REDUCE_PROD) &&
         dtype_is_float(root->value->type->dtype);
}

int last_wide_dim(size_t rank, const int64_t *dims) {
  for (size_t i = rank; i-- > 0;)
    if (dims[i] > 1) return (int)i;
  return -1;
}

bool walk_reduces_rows(size_t rank, const int64_t *dims, uint32_t reduced) {
  int last = last_wide_dim(rank, dims);
  return last < 0 || (reduced >> last & 1);
}

// Stores may join reductions only where the loops run along the rows anyway.
static bool can_share(const Walk *walk, const Root *root, uint32_t reduced) {
  bool is_reduction_root = root->kind == ROOT_REDUCE;
  if (walk->has_reduction && is_reduction_root) return walk->reduced == reduced;
  uint32_t mask = walk->has_reduction ? walk->reduced : is_reduction_root ? reduced : 0;
  if (!mask) return true;
  return walk_reduces_rows(walk->shape_rank, walk->shape, mask);
}

static Walk *walk_for(Cluster *c, const Root *root) {
  const IrType *type = root->value->type;
  uint32_t reduced = reduced_mask(root);
  for (size_t i = 0; i < c->walks.count; i++) {
    Walk *walk = c->walks.items[i];
    if (walk->stage != root->stage || walk->shape_rank != type->rank) continue;
    bool is_equal = true;
    for (size_t k = 0; k < type->rank; k++)
      if (walk->shape[k] != type->dims[k]) is_equal = false;
    if (is_equal && can_share(walk, root, reduced)) return walk;
  }
  Walk *walk = ARENA_NEW(c->arena, Walk);
  walk->stage = root->stage;
  walk->shape_rank = type->rank;
  walk->shape = type->dims;
  for (size_t k = 0; k < type->rank; k++)
    if (type->dims[k] == 0) walk->is_empty = true;
  VEC_PUSH(c->arena, &c->walks, walk);
  return walk;
}

static void add_to_walk(Cluster *c, Root *root) {
  Walk *walk = walk_for(c, root);
  root->walk = walk;
  if (root->kind == ROOT_REDUCE) {
    walk->has_reduction = true;
    walk->reduced = reduced_mask(root);
    if (is_ordered_reduction(root)) walk->is_ordered = true;
  }
  VEC_PUSH(c->arena, &walk->roots, root);
}

static void note_walk(Val *v, Walk *walk) {
  if (!v->first_walk)
    v->first_walk = walk;
  else if (v->first_walk != walk)
    v->in_several = true;
  if (walk->stage < v->first_walk->stage) v->first_walk = walk;
}

static void note_operand(Cluster *c, const IrValue *value, const Val *user) {
  Val *v = cluster_val(c, value);
  if (!v || v->state == VAL_BOUND || !user->first_walk) return;
  note_walk(v, user->first_walk);
  if (user->in_several && user->state == VAL_INLINE) v->in_several = true;
}

static bool has_shape_of(const Walk *walk, const IrType *type) {
  if (walk->shape_rank != type->rank) return false;
  for (size_t i = 0; i < type->rank; i++)
    if (walk->shape[i] != type->dims[i]) return false;
  return true;
}

static void keep(Cluster *c, Val *v) {
  Root *root = new_root(c, ROOT_KEEP, NULL, v->value, v, v->stage);
  v->state = VAL_KEPT;
  if (has_shape_of(v->first_walk, v->value->type) && can_share(v->first_walk, root, 0)) {
    root->stage = v->stage = v->first_walk->stage;
    root->walk = v->first_walk;
    VEC_PUSH(c->arena, &root->walk->roots, root);
  } else {
    add_to_walk(c, root);
  }
}

static bool is_worth_keeping(const Cluster *c, const Val *v) {
  if (!v->in_several || v->state != VAL_INLINE || v->value->type->rank < c->rows) return false;
  int64_t bytes = count_behind_rows(c, v->value->type) * (int64_t)dtype_size(v->value->type->dtype);
  return v->cost > (bytes > LARGE_BYTES ? CHEAP_IF_LARGE : CHEAP);
}

// From the last value to the first: in which walks each is evaluated, and whether that is once too
// often.
static void find_kept(Cluster *c) {
  for (size_t i = 0; i < c->roots.count; i++) {
    const Root *root = c->roots.items[i];
    Val *v = cluster_val(c, root->value), *mask = root->mask ? cluster_val(c, root->mask) : NULL;
    if (v && (v->state != VAL_BOUND || root->result == v)) note_walk(v, root->walk);
    if (mask && mask->state != VAL_BOUND) note_walk(mask, root->walk);
  }
  for (size_t i = c->order.count; i-- > 0;) {
    Val *v = c->order.items[i];
    if (!v->first_walk || is_reduction(v->op)) continue;
    if (is_worth_keeping(c, v)) keep(c, v);
    for (size_t k = 0; k < v->op->operand_count; k++) note_operand(c, v->op->operands[k], v);
  }
}

static void sort_walks(Cluster *c) {
  for (size_t i = 1; i < c->walks.count; i++) {
    Walk *walk = c->walks.items[i];
    size_t k = i;
    for (; k > 0 && c->walks.items[k - 1]->stage > walk->stage; k--)
      c->walks.items[k] = c->walks.items[k - 1];
    c->walks.items[k] = walk;
  }
}

// ---- memory -------------------------------------------------------------------------------------
static void place(Cluster *c, Val *v) {
  const IrType *type = v->value->type;
  if (v->mem.base || v->buffer) return;
  if (v->is_outside) {
    if (type->rank == 0) return;
    v->buffer = destination_take(c->g, v->value, &v->mem);
    v->mem_has_rows = true;
    return;
  }
  if (v->is_scalar) return;
  Mem part;
  v->buffer =
      frame_take_array(c->g, type->dtype, type->rank - c->rows, type->dims + c->rows, &part);
  v->mem = part;
  v->mem.rank = type->rank;
  for (size_t i = 0; i < type->rank; i++) {
    v->mem.dims[i] = type->dims[i];
    v->mem.strides[i] = i < c->rows ? 0 : part.strides[i - c->rows];
  }
}

static void give_back(Cluster *c) {
  for (size_t i = 0; i < c->order.count; i++) {
    Val *v = c->order.items[i];
    if (!v->buffer || v->is_outside) continue;
    frame_give(c->g, v->buffer);
    v->buffer = NULL;
    v->mem.base = NULL;
  }
}

static bool plan(Cluster *c) {
  c->walks.count = 0;
  find_stages(c);
  for (size_t i = 0; i < c->roots.count; i++) add_to_walk(c, c->roots.items[i]);
  find_kept(c);
  sort_walks(c);
  for (size_t i = 0; i < c->roots.count; i++)
    if (c->roots.items[i]->result) place(c, c->roots.items[i]->result);
  for (size_t i = 0; i < c->walks.count; i++)
    if (!c->walks.items[i]->is_empty && !walk_build(c, c->walks.items[i])) return false;
  return true;
}

// ---- emission -----------------------------------------------------------------------------------
static void emit_rows(Cluster *c, size_t at) {
  if (at < c->rows) {
    Loop loop;
    if (c->row_dims[at] == 0) return;
    if (c->row_dims[at] == 1) {
      c->row_index[at] = gen_i64(c->g, 0);
      emit_rows(c, at + 1);
      return;
    }
    Share share = c->share;
    Bounds bounds = share_bounds(c->g, &share, c->row_dims[at], 1);
    c->share.begin = NULL; // what is inside belongs to the row
    loop_begin(c->g, &loop, bounds.lower, bounds.upper, 1, 0, NULL, bounds.may_be_empty);
    c->row_index[at] = loop.index;
    emit_rows(c, at + 1);
    loop_end(c->g, &loop, NULL);
    c->share = share;
    return;
  }
  Branch branch;
  // One walk needs all of another: the first thread does it.
  bool is_one_share = c->share.begin && c->walks.count > 1;
  Share share = c->share;
  if (is_one_share) {
    branch_begin(c->g, &branch, emit_icmp_c(c->g, LLVMIntEQ, share.begin, 0), false);
    c->share.begin = NULL;
  }
  for (size_t i = 0; i < c->walks.count; i++) walk_emit(c, c->walks.items[i]);
  c->share = share;
  if (!is_one_share) return;
  branch_else(c->g, &branch);
  branch_end(c->g, &branch);
}

void cluster_emit_walks(Cluster *c) {
  emit_rows(c, 0);
  if (c->needs_fence) gen_intrinsic(c->g, "llvm.x86.sse.sfence", NULL, 0, NULL);
}

static void bind_results(Cluster *c) {
  for (size_t i = 0; i < c->order.count; i++) {
    Val *v = c->order.items[i];
    if (!v->is_outside) continue;
    if (v->value->type->rank == 0)
      value_bind_scalar(c->g, v->value, v->scalar);
    else
      value_bind_mem(c->g, v->value, &v->mem, v->buffer);
  }
}

void cluster_open(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows,
                  Cluster *c) {
  *c = (Cluster){.g = g,
                 .arena = arena,
                 .ops = ops,
                 .count = count,
                 .rows = rows,
                 .vals = map_new(arena),
                 .copies = map_new(arena)};
  for (size_t i = 0; i < count; i++) add_vals(c, ops[i]);
  find_outside_uses(c);
  find_rows(c);
}

bool cluster_close_plan(Cluster *c) {
  while (!plan(c)) {
    give_back(c);
    if (c->failed) return false;
  }
  return true;
}

bool cluster_plan(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows,
                  const IrValue *given, Cluster *c) {
  cluster_open(g, arena, ops, count, rows, c);
  c->given = given;
  return cluster_close_plan(c);
}

static void give_copies(Cluster *c) {
  for (size_t i = 0; i < c->copy_buffers.count; i++) frame_give(c->g, c->copy_buffers.items[i]);
}

void cluster_give_back(Cluster *c) {
  give_back(c);
  give_copies(c);
}

void cluster_finish(Cluster *c) {
  cluster_give_back(c);
  bind_results(c);
}

void cluster_abandon(Cluster *c) {
  cluster_give_back(c);
  for (size_t i = 0; i < c->order.count; i++) frame_give(c->g, c->order.items[i]->buffer);
}

void cluster_emit(LlvmGen *g, IrOp *const *ops, size_t count, size_t rows) {
  Arena *arena = arena_new_child(g->arena);
  if (!cluster_emit_shared(g, arena, ops, count, rows)) {
    Cluster c;
    cluster_open(g, arena, ops, count, rows, &c);
    if (!cluster_call_outlined(&c)) {
      cluster_close_plan(&c);
      cluster_emit_walks(&c);
      cluster_finish(&c);
    }
  }
  arena_free(arena);
}
