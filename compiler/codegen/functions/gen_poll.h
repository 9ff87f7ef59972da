// SPDX-License-Identifier: Apache-2.0
// Counts of semaphores that a program reads and compares, for the search for races (runtime/race).
#pragma once
#include "codegen/emit/gen_type.h"

// Behind the read `op`, whose result is `count`: where a comparison of it proves that some units
// have been signalled, and the program goes on accordingly, what was before those signals is before
// it.
void gen_poll_proves(LlvmGen *g, const IrOp *op, Value semaphore, Value count);
