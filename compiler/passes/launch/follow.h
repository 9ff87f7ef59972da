// SPDX-License-Identifier: Apache-2.0
// Steps of a launch followed op by op, as far as numbers are known: what its semaphores count, and
// whether memory of the body is read where nobody has written yet.
#pragma once
#include "launch.h"

// Whether each step, or with `fixed` less than the rank the steps of each choice of the first
// `fixed` grid indices together, starts copies and waits for them by semaphores of its own that
// never have less than a wait needs, and nothing when they are over. Nobody else is met, and
// nothing that a copy reads or writes from its start to the wait for it: it may as well be made at
// once.
bool follow_is_balanced(Arena *arena, const IrOp *launch, size_t fixed);
// Whether such steps read of a ref that the body has only what they have written before.
bool follow_makes_own(Arena *arena, const IrOp *launch, size_t fixed, const IrValue *ref);
// Whether an op copies all of a ref into another one of its shape, here and at once or later.
bool follow_is_plain_copy(const IrOp *op);
