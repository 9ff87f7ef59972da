// SPDX-License-Identifier: Apache-2.0
// Memory of arrays that is traced and that nothing writes any more, so that launches may share it
// (frozen.c).
#pragma once
#include "ir/core/ir.h"
#include "jax/array/array.h"

// `since`: NULL, or the launch that leaves it with a semaphore of a copy that may be on its way.
void frozen_add(Eval *ev, IrValue *ref, IrOp *since);
bool frozen_has(Eval *ev, const IrValue *ref);
// The last launch that has left it so; NULL: none has.
const IrOp *frozen_by(Eval *ev, const IrValue *ref);
// Whether a load of it gives what it holds now: no launch that it was handed on to has written to
// it since.
bool frozen_is_latest(Eval *ev, const IrOp *load);
