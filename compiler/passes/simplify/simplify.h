// SPDX-License-Identifier: Apache-2.0
// What the files of the simplify pass share. Private to simplify*.c.
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "passes/pass.h"

typedef struct Simplifier {
  PassContext *ctx;
  IrModule *module;
  Arena *arena;
  Map *replaced;         // value -> what stands for it; chains are followed by simplify_resolve
  struct Cse *cse;       // pure ops seen, for CSE
  struct Memory *memory; // what is known of the contents of refs in the region that is walked
} Simplifier;

// An op whose course was known: its regions are empty, and it goes when nobody uses its results any
// more.
static inline bool simplify_is_emptied(const IrOp *op) {
  return op->region_count > 0 && !op->regions[0]->first;
}

// simplify_rules.c: a value that equals the op's only result, or NULL. May build new ops in front
// of it, or change the op.
IrValue *simplify_identity(Simplifier *s, IrOp *op);
// The op's results computed, one for each; false if they are not known or not worth it.
bool simplify_fold(Simplifier *s, IrOp *op, IrValue **results);

// simplify_gather.c: as simplify_identity, with a builder in front of the op.
IrValue *simplify_gather(IrBuilder *b, IrOp *gather);

// simplify_concat.c: as simplify_identity, with a builder in front of the op.
IrValue *simplify_concat(IrBuilder *b, const IrOp *concat);
IrValue *simplify_select_of_parts(IrBuilder *b, const IrOp *select);

// simplify_dot.c: as simplify_identity, with a builder in front of the op; may change the product.
IrValue *simplify_dot(const Simplifier *s, IrBuilder b, IrOp *dot);
// transpose (dot %x, %y) = dot %y, %x, where the transpose swaps what is left of both.
IrValue *simplify_dot_transposed(IrBuilder b, const IrOp *transpose);

// simplify_slice.c: as simplify_identity, with a builder in front of the op.
IrValue *simplify_slice_of_sorted(const Simplifier *s, IrBuilder b, const IrOp *slice);

// simplify_memory.c
// The array whose memory a ref is, through the borders of launches.
IrValue *simplify_root(IrValue *ref);
struct Memory *simplify_memory_new(Simplifier *s);
// A value known to be what the load gives, or NULL; what is loaded is known afterwards.
IrValue *simplify_load(Simplifier *s, IrOp *load);
// Brings what is known up to date behind an op that is no load.
void simplify_effects(Simplifier *s, IrOp *op);
// Removes allocs that are only written, with what writes them.
bool simplify_dead_allocs(Simplifier *s, IrFunc *func);
// Index operands of a load, store or view that are constants become part of the index.
void simplify_index(Simplifier *s, IrOp *op);

// simplify_overwritten.c: removes stores that others overwrite before anybody has looked.
bool simplify_overwritten(Simplifier *s, IrFunc *func);

// simplify_cse.c: CSE, scoped as regions are.
struct Cse *simplify_cse_new(Simplifier *s);
size_t simplify_cse_mark(const struct Cse *table);
void simplify_cse_release(struct Cse *table, size_t mark);
// An op seen before that gives the same, or NULL; then `op` is remembered.
IrOp *simplify_cse_find(Simplifier *s, IrOp *op);
bool simplify_same_index(const IrOp *a, const IrOp *b); // the same elements of refs of one shape

// simplify_dead.c: removes what nobody uses, carries of loops included.
void simplify_dead(Simplifier *s, IrRegion *region);
