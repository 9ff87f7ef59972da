// SPDX-License-Identifier: Apache-2.0
// All clusters of a module: fuse ops, and single array operations that are walks of their own.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "plan_module.h"
#include "ir/analysis/access.h"
#include "passes/arrays/fuse.h"

typedef struct Finder {
  Arena *arena;
  FuncPlan *func;
} Finder;

static bool is_array(const IrValue *value) { return value->type->rank && !value->type->is_ref; }

// Scalars are computed without loops, and views are no code at all.
static bool is_walk(const IrOp *op) {
  if (!fuse_takes(op) || op_is_view(op->code)) return false;
  if (op->code == OP_LOAD) return is_array(op->results[0]) && access_is_masked(op);
  if (op->operand_count == 0) return is_array(op->results[0]);
  for (size_t i = 0; i < op->operand_count; i++)
    if (is_array(op->operands[i])) return true;
  return false;
}

static void add_cluster(Finder *f, IrOp *at) {
  ClusterPlan cluster = {.at = at};
  VEC(IrOp *) ops = {0};
  if (at->code == OP_FUSE) {
    cluster.rows = ir_attr_ints(at, ATTR_AXES).count;
    for (IrOp *op = at->regions[0]->first; op != at->regions[0]->last; op = op->next)
      VEC_PUSH(f->arena, &ops, op);
  } else {
    VEC_PUSH(f->arena, &ops, at);
  }
  cluster.ops = ops.items;
  cluster.count = ops.count;
  VEC_PUSH(f->arena, &f->func->clusters, cluster);
}

static void find_clusters(Finder *f, const IrRegion *region) {
  for (IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_FUSE || is_walk(op))
      add_cluster(f, op);
    else
      for (size_t i = 0; i < op->region_count; i++) find_clusters(f, op->regions[i]);
  }
}

FuncPlan plan_clusters(Arena *arena, const IrFunc *func) {
  FuncPlan plan = {.func = func};
  Finder finder = {arena, &plan};
  find_clusters(&finder, func->body);
  return plan;
}

static bool find_usual(void *data UNUSED, const IrValue *value, Layout *out) {
  bool is_const = value->def && value->def->code == OP_CONST;
  if (!is_const && !value->type->is_ref && value->type->rank == 0) return false;
  *out = layout_usual(value);
  return true;
}

// The product whose only consumer the op is, or NULL.
static const IrOp *product_of(const IrOp *op) {
  for (const IrOp *before = op->prev; before; before = before->prev)
    if (before->code == OP_DOT && plan_consumer_of(before) == op) return before;
  return NULL;
}

static void make_plan(Arena *arena, ClusterPlan *cluster, const PlanOptions *options) {
  PlanRequest request = {.ops = cluster->ops,
                         .count = cluster->count,
                         .rows = cluster->rows,
                         .memory = {.find = find_usual},
                         .options = *options};
  const IrOp *product = product_of(cluster->at);
  if (product) {
    request.given = product->results[0];
    cluster->plan = plan_make(arena, &request);
    if (cluster->plan) return;
    request.given = NULL;
  }
  plan_pieces(arena, &request);
  cluster->plan = plan_make(arena, &request);
}

FuncPlan plan_func(Arena *arena, const IrFunc *func, const PlanOptions *options) {
  FuncPlan plan = plan_clusters(arena, func);
  for (size_t i = 0; i < plan.clusters.count; i++)
    make_plan(arena, &plan.clusters.items[i], options);
  return plan;
}
