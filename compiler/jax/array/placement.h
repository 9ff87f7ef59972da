// SPDX-License-Identifier: Apache-2.0
// Where arrays lie: what .sharding says. Arrays are global, so it changes nothing of what is
// computed. It is known of what the program placed, and followed through the operations on it as
// JAX's rules have it; where they do not say it, it is asked for in vain.
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "array.h"

// Of an array that the program placed, or that was made of such.
typedef struct Placement {
  Value sharding;   // as the program gave it; unbound: made of another's
  Value like;       // the sharding whose mesh, or device, it is
  bool is_on_mesh;  // else on one device
  bool is_explicit; // JAX's types say it of each operation, which must leave no choice
  bool is_default;  // where nothing else is known
  Name unknown;     // what made it of placed arrays, where it is not known how; or NULL
  int rank;
  Tuple *axes[IR_MAX_RANK]; // of each dimension, the names of the axes of the mesh that split it
} Placement;

Placement *placement_of(Eval *ev, Value v); // of an array, as far as it is known now; or NULL
// Of an array of so many dimensions that the program places.
Placement *placement_given(Eval *ev, Value sharding, int rank);
// Of what is made of an array and lies as it does, but is not the one that the program placed;
// whole if it has another rank.
Placement *placement_made(Eval *ev, Placement *p, int rank);
bool placement_equal(Eval *ev, Placement *a, Placement *b); // each may be NULL

// The value, of what is pending, lies so.
void placement_note(Eval *ev, const IrValue *value, Placement *placement);
// The value lies where `other` does, and is whole there, unless the program or the operations that
// made it say something else.
void placement_note_beside(Eval *ev, const IrValue *value, const IrValue *other);
// The same array, which lies so: its data has a header of its own, so that what is made of it is
// not taken for what is made of x. In a function that is traced the value stands for both.
Value placement_put(Eval *ev, const Array *x, Placement *placement);
// What is made like an array lies as it does.
Value placement_as(Eval *ev, Value made, Value like);
// Of each value of the function (const IrValue *) that has one; NULL: nothing was placed.
Map *placement_follow(Eval *ev, const IrFunc *func);

// What .sharding says; raises NotImplementedError where it is not known.
Value placement_sharding(Eval *ev, Placement *placement);
