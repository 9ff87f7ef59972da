// SPDX-License-Identifier: Apache-2.0
// The race detector that programs ask for under run (InterpretParams(detect_races=True)).
#pragma once
#include "driver/options/options.h"
#include "ir/core/ir.h"

typedef struct Detector Detector;
Detector *detector_new(Session *session, const Options *options);
void detector_free(Detector *detector);
// Compiles (or finds again) the module of `func` with checks and calls it; races are reported. 0,
// or the exit status after a diagnostic. The module is used up.
int detector_call(Detector *detector, IrModule *module, const IrFunc *func, void *const *buffers);
// Whether a call has found a race since that was last forgotten.
bool detector_has_raced(Detector *detector, bool forget);
