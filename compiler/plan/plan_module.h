// SPDX-License-Identifier: Apache-2.0
// The plans of all clusters of a module, as text.
#pragma once
#include "base/buf.h"
#include "ir/core/ir.h"
#include "plan.h"

// A cluster of a function, numbered in the order of the ops.
typedef struct ClusterPlan {
  IrOp *at; // a fuse op, or the only op
  IrOp **ops;
  size_t count, rows;
  const Plan *plan;
} ClusterPlan;

typedef struct FuncPlan {
  const IrFunc *func;
  VEC(ClusterPlan) clusters;
} FuncPlan;

typedef struct ModulePlan {
  VEC(FuncPlan) funcs;
} ModulePlan;

// A function's clusters without plans.
FuncPlan plan_clusters(Arena *arena, const IrFunc *func);
// Plans all of them. What is not the clusters' own memory lies as layout_usual has it; the code
// generator asks for plans one by one, and knows better: a result may lie in a larger array that it
// is a part of.
FuncPlan plan_func(Arena *arena, const IrFunc *func, const PlanOptions *options);

// plan_print.c: as text, which plan_read.c reads again.
void plan_print(Arena *arena, const ModulePlan *plans, Buf *out);
// The plans in a file, of the module that they were printed for; in `arena`. False after a
// diagnostic at what is none of its plans.
bool plan_read(Session *session, SourceFile *file, const IrModule *module, Arena *arena,
               ModulePlan *out);
// plan_product.c: the cluster, or single store, that alone consumes a product's result, with
// nothing but reads between them; or NULL.
IrOp *plan_consumer_of(const IrOp *dot);
// The store that alone takes what an op gives that is no loop over elements (its first result), to
// an output that is only written, or that it changes in place: it may be made there. Nothing but
// reads is between them, of no result of the op.
IrOp *plan_store_of(const IrOp *maker);
// Whether the op changes some elements of what a load gives, and the store behind it puts all of
// them back to where they were, without anybody who would see the difference.
bool plan_updates_in_place(const IrOp *maker, const IrOp *store);
// The update of a part of an array that alone takes what a pointwise op or cluster gives, which
// reads of that array nothing but the elements that it replaces, each where it puts another; what
// lies between does not read the array, and makes none of the update's starts. NULL: none.
IrOp *plan_update_of(const IrOp *maker);
