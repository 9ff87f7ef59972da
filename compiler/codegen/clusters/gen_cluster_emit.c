// SPDX-License-Identifier: Apache-2.0
// A cluster as code: as a call of what an identical one is, on several threads, or in place.
#include "ir/core/ir.h"
#include "gen_cluster_emit.h"
#include "gen_cluster_in_place.h"
#include "gen_cluster_outlined.h"
#include "gen_cluster_parallel.h"

static void emit(ClusterCode *c) {
  if (cluster_call_outlined(c)) return;
  if (cluster_emit_pieces(c)) {
    cluster_bind_results(c);
  } else {
    cluster_plan(c);
    cluster_take_over(c);
    cluster_prepare(c);
    cluster_emit_walks(c);
    cluster_finish(c);
  }
  cluster_report(c);
}

void cluster_emit(LlvmGen *g, IrOp *const *ops, size_t count, size_t rows) {
  Arena *arena = arena_new_child(g->arena);
  ClusterCode c;
  cluster_open(g, arena, ops, count, rows, &c);
  emit(&c);
  arena_free(arena);
}
