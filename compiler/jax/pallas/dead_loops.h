// SPDX-License-Identifier: Apache-2.0
// Loops of a pallas_call's kernel that JAX leaves out when it traces (dead_loops.c).
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "python/values/evaluator.h"

typedef struct ScopeStart {
  IrRegion *region;
  IrOp *before; // the last op in front of the scope; NULL: none
} ScopeStart;

// Of a launch that is being traced.
typedef struct DeadLoops {
  VEC(ScopeStart) scopes; // of run_scoped, innermost last
  Map *kept;              // loops (IrOp *) inside of them; or NULL
} DeadLoops;

void dead_loops_enter(Eval *ev, DeadLoops *d); // a scope begins where the builder stands
void dead_loops_leave(Eval *ev, DeadLoops *d); // and ends
void dead_loops_drop(Eval *ev, DeadLoops *d, IrRegion *body);
