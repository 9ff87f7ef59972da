// SPDX-License-Identifier: Apache-2.0
// The module's own statements on arrays (eager.c): what the tracer's other files need of it.
#pragma once
#include "jax/array/array_local.h"

// The module that entry points are traced into; the pending function lives in another.
IrModule *run_entries(Eval *ev);
// Points the tracer at the pending function again, after entry points were traced elsewhere.
void run_resume(Eval *ev);

// ---- jitted functions that are called again (jit_call.c) ----------------------------------------
// What is recorded between begin and end is one program, kept with its code, so that the same call
// needs no trace.
typedef struct RunProgram {
  const void *code; // of the backend
  size_t input_count;
  const NdArray **inputs; // of each parameter: the data it captured, or NULL: the next argument
  size_t output_count;
  Aval *outputs;
} RunProgram;
// False if the call cannot be kept: below LEVEL_RUN, in the middle of something, or without a
// backend that keeps code.
bool run_program_begin(Eval *ev);
IrValue *run_program_argument(Eval *ev, const NdArray *data);
// Runs what has been recorded. NULL if it cannot be repeated; else outputs[i] is the position of
// result i, SIZE_MAX if that is known without running.
RunProgram *run_program_end(Eval *ev, size_t count, Array *const *results, size_t *outputs);
// Runs it again. False if its code is gone.
bool run_program_again(Eval *ev, const RunProgram *program, NdArray *const *arguments,
                       NdArray **results);
