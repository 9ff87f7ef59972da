// SPDX-License-Identifier: Apache-2.0
// Values that are not computed yet: what the module's own statements record is pending until
// somebody needs a value of it. The floor's highest room (program/eager.c) runs it; the rooms below
// ask here.
#pragma once
#include "ir/core/ir.h"
#include "numpy/arrays/nd.h"

struct Array;
typedef struct PendingHooks {
  void (*settle)(Eval *ev);
  void (*need)(Eval *ev, struct Array *array);
  void (*note)(Eval *ev, struct Array *array);
  bool (*is_elsewhere)(Eval *ev, const struct Array *array);
  IrValue *(*known)(Eval *ev, NdArray *data, bool computed);
  bool (*has_raced)(Eval *ev, bool forget);
} PendingHooks;
// Of this evaluation: the hooks must outlive it.
void pending_set(Eval *ev, const PendingHooks *hooks);

// Before a kernel, a loop, a branch or a jitted function of the module's own statements is traced:
// what is pending is run, so that the values it uses are known to the trace, as in eager JAX.
// Nothing happens below LEVEL_RUN.
void pending_settle(Eval *ev);
// Whether what has run so far had a race, as far as somebody looks for it; all that is pending is
// run first.
bool pending_has_raced(Eval *ev, bool forget);
// Gives an array of LEVEL_RUN its data if that can be had here: array->host is set, or stays NULL.
void pending_need(Eval *ev, struct Array *array);
// An Array was made at LEVEL_RUN: bound to its data when what is pending has run.
void pending_note(Eval *ev, struct Array *array);
// Whether the array's value belongs to the pending function while an entry point is being traced
// into another module.
bool pending_is_elsewhere(Eval *ev, const struct Array *array);
// The value of data where the builder stands, at a level below LEVEL_RUN; NULL: make it a constant.
// `computed`: by the program, not written in it.
IrValue *pending_known(Eval *ev, NdArray *data, bool computed);
