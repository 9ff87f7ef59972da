// SPDX-License-Identifier: Apache-2.0
// Code of clusters: runs of ops that walks compute.
#pragma once
#include "base/map.h"
#include "codegen/walks/gen_eval.h"
#include "ir/core/ir.h"

// Where a part of an array starts, as it was emitted.
typedef struct KnownStart {
  Start start;
  Value value;
} KnownStart;

// A cluster on its way from a plan to code.
typedef struct ClusterCode {
  LlvmGen *g;
  Arena *arena;
  PlanRequest request;
  const Plan *plan;
  Map *given_places; // IrValue * -> KeptPlace *: where results go, as far as that is known
  KeptPlace *places; // of the plan's kept values
  Mem *copies;       // of the plan's copies
  Buffer **copy_buffers;
  VEC(KnownStart) starts;
  WalkCode *walks;
  Map *shown; // scalars that a debugger shows, or NULL
  Value row_index[IR_MAX_RANK];
  Share share;
  const IrValue *taken_over; // in whose memory a result is made, or NULL
} ClusterCode;

// What is inside a fuse op, without the yield.
typedef struct ClusterOps {
  IrOp **items;
  size_t count;
} ClusterOps;
ClusterOps cluster_fused_ops(Arena *arena, const IrOp *fuse);

void cluster_open(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows,
                  ClusterCode *c);
// The op of the region that is being emitted: the cluster's only one, or its fuse op.
const IrOp *cluster_op(const ClusterCode *c);
// Where a result is made; the caller's use of the buffer (or NULL) is taken over.
void cluster_place(ClusterCode *c, const IrValue *value, const KeptPlace *place);
// False if `request.given` is needed at other places than its own.
bool cluster_plan(ClusterCode *c);
// What the walks of the plan need before any of them: memory, copies, values that do not change.
void cluster_prepare(ClusterCode *c);
void cluster_take_results(ClusterCode *c); // of these, the memory of results
// For code in several functions: where results start, in order, and their number.
size_t cluster_result_bases(const ClusterCode *whole, Value *bases);
// The whole's plan and results, which start there, in the function that is being emitted.
void cluster_open_part(LlvmGen *g, Arena *arena, const ClusterCode *whole, const Value *bases,
                       ClusterCode *part);
void cluster_emit_walks(ClusterCode *c);
void cluster_bind_results(const ClusterCode *c);
KeptPlace *cluster_place_of(const ClusterCode *c,
                            const IrValue *value); // of a result, once prepared
void cluster_give_back(ClusterCode *c);            // its temporaries
void cluster_finish(ClusterCode *c);               // the same, and binds results
void cluster_abandon(ClusterCode *c);
// For --report: what its plan says, or that it is a call of an identical one's code.
void cluster_report(const ClusterCode *c);
void cluster_report_reuse(const ClusterCode *c);
