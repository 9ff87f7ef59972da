// SPDX-License-Identifier: Apache-2.0
// Loops of a pallas_call's kernel that JAX leaves out when it traces (dead_loops.c).
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "python/values/evaluator.h"

typedef struct ScopeStart {
  const void *refs; // the object that holds the scope's Refs
  IrRegion *region;
  IrOp *before; // the last op in front of the scope; NULL: none
} ScopeStart;

// Of a launch that is being traced.
typedef struct DeadLoops {
  VEC(ScopeStart) scopes; // of run_scoped, innermost last
  Map *kept;              // ops inside of them; or NULL
  Map *needed;            // values that what is left of the kernel needs, as they are found
} DeadLoops;

// A scope with these Refs begins where the builder stands, and ends.
void dead_loops_enter(Eval *ev, DeadLoops *d, const void *refs);
void dead_loops_leave(Eval *ev, DeadLoops *d, const void *refs);
void dead_loops_drop(Eval *ev, DeadLoops *d, IrRegion *body);
