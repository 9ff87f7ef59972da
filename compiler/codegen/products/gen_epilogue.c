// SPDX-License-Identifier: Apache-2.0
// What follows a product element by element (a bias, an activation, the addition to an accumulator,
// the store) is evaluated on the micro- kernel's accumulators, so that the product never goes
// through memory. The cluster must be one walk over the product's own shape that needs each element
// of it where it is.
#include "ir/core/ir.h"
#include "gen_epilogue.h"
#include "codegen/clusters/gen_cluster.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_type.h"
#include "ir/analysis/alias.h"

struct Epilogue {
  Arena *arena;
  ClusterCode cluster;
  const Node *given;
  bool evaluates, has_results; // here; one of them where it is divided into functions
};

static bool is_view_like(const IrOp *op) {
  return op_info(op->code)->op_class == CLASS_SHAPE && op->operand_count == 1;
}

// What the sums start from may be overwritten by them, element by element.
bool epilogue_writes_operand(const IrOp *dot, IrOp *const *ops, size_t count) {
  for (size_t i = 0; i < dot->operand_count; i++) {
    bool is_view = false;
    const IrOp *from = dot->operands[i]->def;
    while (from && is_view_like(from)) {
      is_view = true;
      from = from->operands[0]->def;
    }
    if (!from || from->code != OP_LOAD) continue;
    for (size_t k = 0; k < count; k++) {
      if (ops[k]->code != OP_STORE) continue;
      Alias alias = alias_of(ops[k], from);
      if (alias == ALIAS_NO || (alias == ALIAS_SAME && i == 2 && !is_view)) continue;
      return true;
    }
  }
  return false;
}

// All that it keeps are results, then, in memory: there is no second walk, and no scalar.
static bool is_plain_walk(const Plan *plan, const IrType *type) {
  if (plan->walks.count != 1) return false;
  const Walk *walk = plan->walks.items[0];
  if (walk->stage != 0 || walk->has_reduction || walk->is_empty || walk->shape_rank != 2)
    return false;
  if (walk->shape[0] != type->dims[0] || walk->shape[1] != type->dims[1]) return false;
  return !walk->is_split; // so it has two dimensions, or both as one: the second is longer than 1
}

static const Node *find_given(const Walk *walk, const IrValue *value) {
  for (size_t i = 0; i < walk->nodes.count; i++)
    if (walk->nodes.items[i]->kind == NODE_GIVEN && walk->nodes.items[i]->value == value)
      return walk->nodes.items[i];
  return NULL;
}

static Epilogue *new_epilogue(LlvmGen *g) {
  Arena *arena = arena_new_child(g->arena);
  Epilogue *e = ARENA_NEW(arena, Epilogue);
  e->arena = arena;
  return e;
}

static Epilogue *new_planned(LlvmGen *g, const IrOp *dot, IrOp *const *ops, size_t count) {
  const IrValue *product = dot->results[0];
  Epilogue *e = new_epilogue(g);
  cluster_open(g, e->arena, ops, count, 0, &e->cluster);
  e->cluster.request.given = product;
  if (cluster_plan(&e->cluster) && is_plain_walk(e->cluster.plan, product->type))
    e->given = find_given(e->cluster.plan->walks.items[0], product);
  if (e->given) return e;
  epilogue_abandon(e);
  return NULL;
}

Epilogue *epilogue_new(LlvmGen *g, const IrOp *dot, IrOp *const *ops, size_t count) {
  Epilogue *e = new_planned(g, dot, ops, count);
  if (!e) return NULL;
  e->evaluates = e->has_results = true;
  cluster_prepare(&e->cluster);
  return e;
}

Epilogue *epilogue_new_whole(LlvmGen *g, const IrOp *dot, IrOp *const *ops, size_t count) {
  Epilogue *e = new_planned(g, dot, ops, count);
  if (!e) return NULL;
  e->has_results = true;
  cluster_take_results(&e->cluster);
  return e;
}

size_t epilogue_result_count(const Epilogue *e) { return e->cluster.plan->kept.count; }

void epilogue_result_bases(const Epilogue *whole, Value *bases) {
  cluster_result_bases(&whole->cluster, bases);
}

Epilogue *epilogue_new_part(LlvmGen *g, const Epilogue *whole, const Value *bases) {
  Epilogue *e = new_epilogue(g);
  e->given = whole->given;
  e->evaluates = true;
  cluster_open_part(g, e->arena, &whole->cluster, bases, &e->cluster);
  cluster_prepare(&e->cluster);
  return e;
}

void epilogue_apply(LlvmGen *g, Epilogue *e, Value row, Value column, Value value,
                    unsigned active) {
  const WalkCode *w = &e->cluster.walks[0];
  const Walk *walk = w->walk;
  int last = (int)walk->space.rank - 1;
  Point point = point_start(w);
  if (walk->space.rank == 2) {
    point = point_enter(w, &point, 0, row);
    point = point_enter(w, &point, 1, column);
  } else if (walk->space.origin[0] == 0) {
    point = point_enter(w, &point, 0, gen_add(g, gen_mul_const(g, row, walk->shape[1]), column));
  } else {
    point = point_enter(w, &point, 0, column);
  }
  Lanes lanes = {.lanes = gen_lanes(value),
                 .active = active,
                 .values = ARENA_ARRAY(e->arena, Value, walk->nodes.count + 1)};
  lanes.values[e->given->number] = value;
  eval_lanes(w, &point, last, &lanes);
  for (size_t i = 0; i < walk->roots.count; i++)
    eval_store(w, &point, walk->roots.items[i], last, &lanes, false);
}

void epilogue_close(Epilogue *e) {
  if (e->evaluates) cluster_give_back(&e->cluster);
  if (e->has_results) cluster_bind_results(&e->cluster);
  arena_free(e->arena);
}

void epilogue_abandon(Epilogue *e) {
  cluster_abandon(&e->cluster);
  arena_free(e->arena);
}
