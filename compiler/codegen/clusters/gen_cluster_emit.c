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

static void report(const ClusterCode *c, bool is_planned) {
  Session *session = c->g->session;
  const IrOp *at = cluster_op(c);
  if (!remark_is_on(session)) return;
  if (!is_planned) {
    RemarkItem *item = plan_report_cluster(session, at, c->request.ops, c->request.count);
    remark_text(session, item, FACT_REUSED, STR(""));
    return;
  }
  RemarkItem *item = plan_report(session, c->plan, at);
  if (c->taken_over)
    remark_text(session, item, FACT_PLACE,
                str_format(c->arena, "in the memory of %.*s", STR_FMT(remark_name(c->taken_over))));
}

void cluster_emit(LlvmGen *g, IrOp *const *ops, size_t count, size_t rows) {
  Arena *arena = arena_new_child(g->arena);
  ClusterCode c;
  cluster_open(g, arena, ops, count, rows, &c);
  report(&c, emit(&c));
  arena_free(arena);
}
