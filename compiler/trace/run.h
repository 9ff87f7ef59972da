// SPDX-License-Identifier: Apache-2.0
// The module's own statements on arrays (run.c): what the tracer's other files need of it.
#pragma once
#include "array_local.h"

// The module that entry points are traced into; the pending function lives in another.
IrModule *run_entries(Eval *ev);
// Points the tracer at the pending function again, after entry points were traced elsewhere.
void run_resume(Eval *ev);
// Called before a kernel, a loop, a branch or a jitted function of the module's own statements is traced: what is pending is run, so
// that the values it uses are known to the trace, as in eager JAX. Nothing happens below LEVEL_RUN.
void run_settle(Eval *ev);
// Gives an array of LEVEL_RUN its data if that can be had here: array->host is set, or stays NULL.
void run_need(Eval *ev, Array *array);
// Whether the array's value belongs to the pending function while an entry point is being traced into another module.
bool run_is_elsewhere(Eval *ev, const Array *array);
