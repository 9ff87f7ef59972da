// SPDX-License-Identifier: Apache-2.0
// What the files that make a plan share: values and roots while stages and walks are being found.
// Private to compiler/plan.
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "plan.h"

typedef enum ValueState {
  VALUE_INLINE, // evaluated where it is used
  VALUE_KEPT,   // also in memory, for the walks behind `keeper`
  VALUE_BOUND,  // only in memory, from `stage` on: reductions and what has to be materialised
} ValueState;

typedef struct WalkDraft WalkDraft;

// A value of the cluster.
typedef struct Candidate {
  Kept kept; // `value`; the rest once it is kept
  const IrOp *op;
  ValueState state;
  // INLINE, KEPT: the first in which it can be evaluated; BOUND: in which it can be read.
  int stage;
  int last_stage; // in which it is evaluated, at the latest
  int cost;       // of an element, with all that it needs
  // Must be in memory: something needs it at coordinates that are not affine, or a later store
  // would change it. Stays when stages are found anew.
  bool is_forced;
  bool is_placed;        // kept.layout is known; stays
  WalkDraft *first_walk; // of those that evaluate it
  bool in_several;
  bool is_user;            // of the one that was asked for last
  bool is_spread;          // one of its elements is dear, and needed at many points of a walk
  const WalkDraft *keeper; // KEPT: the walk that makes what is kept
} Candidate;

typedef struct RootDraft {
  Root root;
  const IrValue *value, *mask; // what is evaluated
  Candidate *result;
  int stage;
  WalkDraft *walk;
} RootDraft;

struct WalkDraft {
  Walk walk;
  size_t order; // they run one after another
  VEC(RootDraft *) roots;
};

typedef struct Planner {
  Arena *arena;
  const PlanRequest *request;
  int64_t row_dims[IR_MAX_RANK];
  Map *candidates; // IrValue * -> Candidate *
  VEC(Candidate *) order;
  VEC(RootDraft *) roots;
  VEC(WalkDraft *) walks;
  VEC(const IrValue *) copies;
  bool failed; // the given value, or one of one row, is needed elsewhere than where it is
} Planner;

static inline Candidate *planner_candidate(const Planner *p, const IrValue *value) {
  return map_get(p->candidates, value);
}

// Whether the leading dimensions are the rows: only then one row of it can be in memory.
static inline bool planner_has_rows(const Planner *p, const IrType *type) {
  if (type->rank < p->request->rows) return false;
  for (size_t i = 0; i < p->request->rows; i++)
    if (type->dims[i] != p->row_dims[i]) return false;
  return true;
}

// plan_stage.c
RootDraft *planner_new_root(Planner *p, RootKind kind, IrOp *op, const IrValue *value,
                            Candidate *result, int stage);
// The dimensions over which a root reduces, a bit each; 0: none.
uint32_t planner_reduced_mask(const RootDraft *root);
void planner_find_stages(Planner *p);
// plan_graph.c: the graph of a walk. False if some value has to be forced first (done; plan again),
// or if that does not help (`failed`).
bool planner_build_graph(Planner *p, WalkDraft *draft);
// On which dimensions of the walk each node depends.
void planner_find_dependences(Walk *walk);
// plan_loops.c: the loops of a walk whose graph is there.
void planner_choose_loops(const PlanOptions *options, Arena *arena, Walk *walk);
// plan_sharing.c: which threads do what, once all loops are chosen.
void planner_share(Plan *plan);
