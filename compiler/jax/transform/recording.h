// SPDX-License-Identifier: Apache-2.0
// What a call records, traced once into a region of its own: shapes of the results, and an account
// of operations, text, memory and cost (recording.c).
#pragma once
#include "ir/core/ir.h"
#include "pytree_leaves.h"

// One call.
typedef struct Recording {
  IrRegion *region; // what it records; its arguments are those that recording_stand_in made
  bool has_values;  // given: whether the values are asked for, not types alone
  PyTree *tree;     // of what it gives
  size_t count;
  Leaf *leaves;
  IrValue **values;
  struct Placement **placements; // of results that are arrays; NULL: none
  int64_t flops, transcendentals, bytes, launches;
} Recording;

// A stand-in for what has a shape and a dtype, or is an array: for each leaf an argument of the
// region that is being traced. Other leaves stay what they are; with `what` they are refused.
Value recording_stand_in(Eval *ev, Value arg, const char *what);
// Notes what the call gives, while its level is there. TypeError that names `what` if it is no tree
// of arrays.
void recording_note(Eval *ev, Recording *r, Value result, const char *what);
// Runs body(ev, data), which calls the two above, at a level of its own, and raises what it raises.
void recording_trace(Eval *ev, Recording *r, void (*body)(Eval *, void *), void *data);
// (region, values of the results, shapes of the results as a tree, text of the IR, bytes of memory
// that is neither an argument's nor a result's, (flops, transcendentals, bytes that its launches
// were said to move, how many were said to cost something)).
Value recording_account(Eval *ev, const Recording *r);

// Natives.
Value recording_eval_shape(Eval *ev, Value *a);    // fun, args, kwargs
Value recording_count_cost(Eval *ev, Value *a);    // fun, args, kwargs
Value recording_note_estimate(Eval *ev, Value *a); // flops, transcendentals, bytes
Value recording_of_call(Eval *ev, Value *a);       // fun, args, kwargs
