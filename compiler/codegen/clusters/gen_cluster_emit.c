// SPDX-License-Identifier: Apache-2.0
// A cluster as code: on several threads, as a call of what an identical one is, or in place.
#include "gen_cluster_emit.h"
#include "gen_cluster_in_place.h"
#include "gen_cluster_outlined.h"
#include "gen_cluster_parallel.h"

// Makes the cluster's code; whether it has a plan of its own, and is no call of what another one's
// code is.
static bool emit(ClusterCode *c) {
  if (cluster_emit_parallel(c)) return true;
  if (cluster_call_outlined(c)) return false;
  cluster_plan(c);
  cluster_take_over(c);
  cluster_prepare(c);
  cluster_emit_walks(c);
  cluster_finish(c);
  return true;
}

// The op of the region that is being emitted.
static const IrOp *emitted_op(const IrOp *op) {
  const IrOp *outer = op->parent->parent;
  return outer && outer->code == OP_FUSE ? outer : op;
}

void cluster_emit(LlvmGen *g, IrOp *const *ops, size_t count, size_t rows) {
  Arena *arena = arena_new_child(g->arena);
  ClusterCode c;
  cluster_open(g, arena, ops, count, rows, &c);
  if (emit(&c))
    plan_report(g->session, c.plan, emitted_op(ops[0]));
  else
    remark_text(g->session, plan_report_cluster(g->session, emitted_op(ops[0]), ops, count),
                FACT_REUSED, STR(""));
  arena_free(arena);
}
