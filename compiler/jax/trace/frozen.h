// SPDX-License-Identifier: Apache-2.0
// Memory of arrays that is traced and that nothing writes any more, so that launches may share it
// (frozen.c).
#pragma once
#include "tracing.h"

// `since`: NULL, or the launch that leaves it with a semaphore of a copy that may be on its way.
void frozen_add(Eval *ev, IrValue *ref, IrOp *since);
bool frozen_has(Eval *ev, const IrValue *ref);
// The last launch that has left it so; NULL: none has.
const IrOp *frozen_by(Eval *ev, const IrValue *ref);
// Whether a load of it gives what it holds now: no launch that it was handed on to has written to
// it since.
bool frozen_is_latest(Eval *ev, const IrOp *load);
// Of branches, of which one runs: each begins with what is known before the first of them, and what
// each of them has said holds behind them all.
Map *frozen_before(Eval *ev);
void frozen_enter(Eval *ev, const Map *before);
void frozen_join(Eval *ev, const Map *before, Map *const *ends, size_t count);
