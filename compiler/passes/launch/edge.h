// SPDX-License-Identifier: Apache-2.0
// Masks of what blocks have outside of their arrays, and what values hold there (edge.c).
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"

// A dimension of a value whose places are those of an array's dimension: place i of step s of grid
// dimension `grid` (-1: of none) is place s * size + i of `extent`.
typedef struct EdgeDim {
  int grid;
  int64_t size, extent;
} EdgeDim;

typedef struct Edges {
  const IrRegion *body; // of the launch
  size_t rank;          // of its grid
  const int64_t *grid;
  EdgeDim (*dim)(void *data, const IrValue *value, int dim);
  void *data;
  Map *masks; // IrOp -> something: selects that say where the array ends, and what only they use
} Edges;

// Finds the masks by their form: `where(place < limit, x, constant)`, for one or several
// dimensions.
void edge_find(Edges *edges, Arena *arena);
bool edge_is_mask(const Edges *edges, const IrOp *op);
// The value that a mask, or masks of it, leave inside of the array; another value itself.
IrValue *edge_unmasked(const Edges *edges, IrValue *value);
// Whether the masks let all of the array through. Asks for dimensions.
bool edge_masks_hold(const Edges *edges);
// What a value holds wherever the dimension is outside of its array, if that is one number. Asks
// for dimensions.
bool edge_fill(const Edges *edges, const IrValue *value, int dim, double *fill);
// Whether a reduction, of an array and of places that hold the number behind it, is that of the
// array.
bool edge_is_neutral(const IrOp *reduction, double fill);
