// SPDX-License-Identifier: Apache-2.0
// Clusters on several threads: the pieces of the outermost loop run as a parallel body. Which
// element is computed how does not change, so that results do not depend on the number of threads.
#include "ir/core/ir.h"
#include "gen_cluster_parallel.h"
#include "codegen/emit/gen_const.h"
#include "codegen/values/gen_parallel.h"
#include "gen_cluster_in_place.h"

// The parts have the whole's plan, and frames of their own.
static void emit_part(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  const ClusterCode *whole = data;
  const PlanRequest *request = &whole->request;
  Arena *arena = arena_new_child(g->arena);
  ClusterCode c;
  cluster_open(g, arena, request->ops, request->count, request->rows, &c);
  c.plan = whole->plan;
  for (size_t i = 0, at = 0; i < c.plan->kept.count; i++) {
    const IrValue *value = c.plan->kept.items[i]->value;
    if (!c.plan->kept.items[i]->is_result) continue;
    KeptPlace place = whole->places[i];
    place.mem.base = values[at++];
    place.buffer = NULL;
    cluster_place(&c, value, &place);
  }
  c.share = (Share){begin, end, request->pieces};
  cluster_prepare(&c);
  cluster_emit_walks(&c);
  cluster_give_back(&c);
  arena_free(arena);
}

bool cluster_emit_pieces(ClusterCode *c) {
  LlvmGen *g = c->g;
  if (g->frame->parallel) {
    c->request.one_thread = (Reason){.id = REASON_INSIDE_PARALLEL};
    return false;
  }
  plan_pieces(c->arena, &c->request);
  if (!c->request.pieces) return false;
  cluster_plan(c);
  cluster_take_over(c);
  cluster_take_results(c);
  Value *bases = ARENA_ARRAY(c->arena, Value, c->plan->kept.count + 1);
  size_t count = 0;
  for (size_t i = 0; i < c->plan->kept.count; i++)
    if (c->plan->kept.items[i]->is_result) bases[count++] = c->places[i].mem.base;
  ParallelBody body = {.ops = c->request.ops,
                       .op_count = c->request.count,
                       .values = bases,
                       .value_count = count,
                       .body = emit_part,
                       .data = c,
                       .cost = c->request.cost};
  parallel_run(g, &body, gen_i64(g, c->request.pieces), gen_i64(g, 1));
  return true;
}
