// SPDX-License-Identifier: Apache-2.0
// The module's own statements on arrays (eager.c): what the tracer's other files need of it.
#pragma once
#include "ir/core/ir.h"
#include "jax/array/array.h"
#include "numpy/arrays/nd.h"

// What was at fault in a run: a finding, a deadlock, code that could not be made. Or a warning.
typedef struct EagerFault {
  Str line; // "add.pk:4:10: index 8 is out of bounds …"
  Str text; // all that there is to say, in lines; empty if it has been printed
  bool is_warning;
} EagerFault;

// What runs a function: given by the driver (a JIT). `buffers[i]` is the memory of parameter i;
// modules of equal `text` have equal code (empty: it is to be made of the module). Gives 0, or the
// exit status after a diagnostic.
typedef struct EagerBackend {
  int (*run)(void *data, IrModule *module, IrFunc *func, Str text, void *const *buffers);
  // Optional: the code of the last run, and a call of it; -1 if it is gone.
  const void *(*last)(void *data);
  int (*again)(void *data, const void *code, void *const *buffers);
  // With it: makes the code of a run that is not made, then `last` is that. As run; -1 if such a
  // run is not kept.
  int (*prepare)(void *data, IrModule *module, IrFunc *func);
  // Optional: whether the last run failed by something that the program may catch, an exception of
  // that type and text.
  bool (*raised)(void *data, Catchable *type, Str *text);
  // Whether a race was found since that was last forgotten.
  bool (*has_raced)(void *data, bool forget);
  // Optional, under check: the program at `place` looks at elements; whether some were never
  // written. Without a place: only asks.
  bool (*looked_at)(void *data, const NdArray *elements, Span place);
  // It copied elements of one shape.
  void (*moved)(void *data, const NdArray *to, const NdArray *from);
  // What was at fault in runs since the last call, and what was warned of, which is not reported
  // but given here; who takes it says how the program ends.
  size_t (*faults)(void *data, EagerFault **faults);
  void *data;
} EagerBackend;
void eager_set_backend(Eval *ev, EagerBackend backend);
// Runs what is pending and binds the values that can still be reached. Raises RuntimeError if the
// run failed.
void eager_flush(Eval *ev);
// Whether nothing is pending, at the module's own statements: what is recorded from now on is of
// one call alone.
bool eager_is_idle(const Eval *ev);
// Drops what is pending, which a function recorded that then raised; its levels have been left.
void eager_abandon(Eval *ev);
// Runs it if it prints and can be run here: before the host prints.
void eager_print(Eval *ev);
// What was at fault since the last call: backend.faults.
size_t eager_faults(Eval *ev, EagerFault **faults);
void eager_init(Eval *ev); // makes the pending function and points the builder at it

// The module that entry points are traced into; the pending function lives in another.
IrModule *eager_entries(Eval *ev);
// From now on the program has so many devices.
void eager_use_devices(Eval *ev, int count);
// Points the tracer at the pending function again, after entry points were traced elsewhere.
void eager_resume(Eval *ev);

// ---- jitted functions that are called again (jit_call.c) ----------------------------------------
// What is recorded between begin and end is one program, kept with its code, so that the same call
// needs no trace. So many have code at a time; that of older ones is gone.
enum { EAGER_MOST_CODE = 512 };

typedef struct EagerProgram {
  const void *code; // of the backend
  bool cleared;     // what it may not write is zero
  size_t input_count;
  const NdArray **inputs; // of each parameter: the data it captured, or NULL: the next argument
  size_t output_count;
  Aval *outputs;
} EagerProgram;
// False if the call cannot be kept: below LEVEL_RUN, in the middle of something, or without a
// backend that keeps code.
bool eager_program_begin(Eval *ev);
IrValue *eager_program_argument(Eval *ev, const NdArray *data);
// Runs what has been recorded, or only compiles it: then the results have no elements, and if it
// cannot be kept it is dropped. NULL if it cannot be repeated; else outputs[i] is the position of
// result i, SIZE_MAX if that is known without running.
EagerProgram *eager_program_end(Eval *ev, size_t count, Array *const *results, size_t *outputs,
                                bool is_compiled_only);
// Runs it again. False if its code is gone.
bool eager_program_again(Eval *ev, const EagerProgram *program, NdArray *const *arguments,
                         NdArray **results);
