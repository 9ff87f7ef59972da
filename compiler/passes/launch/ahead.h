// SPDX-License-Identifier: Apache-2.0
// Under check: copies of windows beside the steps (ahead.c), for pipeline.c. Steps run one after
// another here, their blocks are copied before and behind each. On the chip blocks of later steps
// are fetched, and that of the one before written back, while a step runs: where others write or
// read that array, the search for races knows it.
#pragma once
#include "ir/core/ir.h"
#include "window.h"

// Memory for the windows whose copies are looked at.
void ahead_allocate(Lowering *l, IrBuilder *b);
// Around the body of a step, whose w->starts are known.
void ahead_enter(Lowering *l, IrBuilder *b);
void ahead_leave(Lowering *l, IrBuilder *b);
