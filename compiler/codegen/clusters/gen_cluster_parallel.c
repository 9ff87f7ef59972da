// SPDX-License-Identifier: Apache-2.0
// Clusters on several threads: the pieces of the outermost loop run as a parallel body. Which
// element is computed how does not change, so that results do not depend on the number of threads.
#include "ir/core/ir.h"
#include "gen_cluster_parallel.h"
#include "codegen/emit/gen_const.h"
#include "codegen/values/gen_parallel.h"
#include "gen_cluster_in_place.h"

static void emit_part(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  const ClusterCode *whole = data;
  Arena *arena = arena_new_child(g->arena);
  ClusterCode c;
  cluster_open_part(g, arena, whole, values, &c);
  c.share = (Share){begin, end, whole->request.pieces};
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
  if (!c->plan->pieces) return false;
  cluster_take_over(c);
  cluster_take_results(c);
  Value *bases = ARENA_ARRAY(c->arena, Value, c->plan->kept.count + 1);
  size_t count = cluster_result_bases(c, bases);
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
