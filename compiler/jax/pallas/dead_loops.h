// SPDX-License-Identifier: Apache-2.0
// Loops of a pallas_call's kernel that JAX leaves out when it traces (dead_loops.c).
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "python/values/evaluator.h"

typedef struct ScopeStart {
  const void *refs; // the object that holds the scope's Refs
  IrRegion *region;
  IrOp *before; // the last op in front of the scope and its memory; NULL: none
} ScopeStart;

typedef struct ScopeOps {
  IrOp *first, *last; // NULL: there are none
} ScopeOps;

// Of a launch that is being traced.
typedef struct DeadLoops {
  VEC(ScopeStart) scopes; // of run_scoped, innermost last
  Map *kept;              // ops inside of them; or NULL
  Map *ends;              // the last op of each that is in no other one -> ScopeOps; or NULL
  Map *needed;            // values that what is left of the kernel needs, as they are found
  Map *dead;              // loops that only read, of scopes of which JAX leaves nothing
} DeadLoops;

// A scope with these Refs, `count` of them, that have just been made, begins where the builder
// stands, and ends.
void dead_loops_enter(Eval *ev, DeadLoops *d, const void *refs, size_t count);
void dead_loops_leave(Eval *ev, DeadLoops *d, const void *refs);
void dead_loops_drop(Eval *ev, DeadLoops *d, IrRegion *body);
