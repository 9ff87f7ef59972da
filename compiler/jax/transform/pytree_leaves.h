// SPDX-License-Identifier: Apache-2.0
// The arrays of a pytree as IR values: what control flow, jit and vmap carry in and out of regions
// (pytree_leaves.c).
#pragma once
#include "ir/core/ir.h"
#include "jax/array/array.h"
#include "pytree.h"

// A leaf that is an array, of numbers, keys or complex numbers: its type, and how to make it again.
typedef struct Leaf {
  Aval aval; // of a compound array: of its data
  Name impl; // of a compound array: its kind; NULL: a plain array
} Leaf;
typedef struct Leaves {
  PyTree *tree;
  size_t count;
  Value *values;
  Leaf *leaves;
  Value *refs;       // NULL, or for each leaf of the tree the Ref that it is, unbound for an array
  size_t *positions; // then: of the arrays among the tree's leaves
} Leaves;

// Flattens `tree`; every leaf must be an array, a number or a key: else TypeError naming `what`.
void leaves_flatten(Eval *ev, Value tree, const char *what, Leaves *out);
// The same where Refs may be among the leaves: they are not counted, but kept aside.
void leaves_flatten_refs(Eval *ev, Value tree, const char *what, Leaves *out);
// The tree with these arrays, and its own Refs.
Value leaves_unflatten(Eval *ev, const Leaves *leaves, const Value *arrays);
Str leaves_path(Eval *ev, const Leaves *leaves, size_t array); // "[0].x"
void leaf_describe(Eval *ev, Value value, const char *what, Leaf *out);
// The value of a leaf where the builder stands, as `dtype` (DT_COUNT: its own).
IrValue *leaf_ir(Eval *ev, Value value, DType dtype);
// An array or key array at the current level.
Value leaf_wrap(Eval *ev, IrValue *ir, const Leaf *leaf);
const IrType *leaf_type(Eval *ev, const Leaf *leaf);
Str leaf_text(Eval *ev, const Leaf *leaf); // "float32[3]"

// Runs body(ev, data) recording into a fresh region of the current function; the region is emptied
// again if body raises.
IrRegion *region_trace(Eval *ev, void (*body)(Eval *, void *), void *data, IrRegion *region);
IrRegion *region_begin(Eval *ev);      // detached, without arguments
void region_discard(IrRegion *region); // drops its ops and the uses they make of outer values
// Makes `region` the next region of op.
void region_attach(Eval *ev, IrOp *op, IrRegion *region);
