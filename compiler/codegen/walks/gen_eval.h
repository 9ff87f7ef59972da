// SPDX-License-Identifier: Apache-2.0
// Code of a walk's points: where its loads and stores are, and what its nodes are worth.
#pragma once
#include "base/map.h"
#include "codegen/memory/gen_frame.h"
#include "ir/core/ir.h"
#include "plan/plan.h"

// A kept value of a cluster.
typedef struct KeptPlace {
  Mem mem;        // base NULL: it is a scalar only
  Buffer *buffer; // that mem lies in, if the cluster has a use of it
  Value scalar;   // of the row at hand
  // The concatenation along whose dimension mem has one place, with an element between each two of
  // every other part; or NULL. at: which place.
  const IrOp *whole;
  int64_t at;
} KeptPlace;

// A part of a cluster's work, for one thread: [begin, end) of `count` equal pieces. No begin: all
// of it.
typedef struct Share {
  Value begin, end;
  int64_t count;
} Share;

// Where a load, store or iota of a walk starts: of all indices zero.
typedef struct Origin {
  Value base;    // of the memory; NULL: none
  Value dynamic; // the terms of its map, or NULL
} Origin;

// The code of one walk. The plan is read, never changed.
typedef struct WalkCode {
  LlvmGen *g;
  Arena *arena;
  const Walk *walk;
  KeptPlace *places;     // of the cluster's kept values
  Origin *nodes, *roots; // of the walk's
  Value *scalars;        // of NODE_SCALAR from outside
  Map *shown;            // scalars that a debugger shows, or NULL
} WalkCode;

// Some of the walk's dimensions entered.
typedef struct Point {
  uint64_t entered;
  Value *addresses; // of the nodes, then of the roots: as far as the indices are known
  Value *values;    // of the nodes, as scalars; NULL: not evaluated yet
} Point;

// One vector of the lane dimension.
typedef struct Lanes Lanes;
struct Lanes {
  unsigned lanes, active; // active <= lanes elements exist
  int64_t shift;          // of the lane index against the point's, in elements
  Value *values;          // of the nodes that are not the point's already
  bool of_group;          // a lane is a step of the group, of what does not change along the lanes
  const Lanes *group;     // those of the steps that the lanes belong to, or NULL
};

Point point_start(const WalkCode *w);
Point point_enter(const WalkCode *w, const Point *outer, size_t dim, Value index);
// Some steps further along a dimension that has been entered.
Point point_shift(const WalkCode *w, const Point *from, size_t dim, int64_t steps);
// Evaluates the nodes that depend on no dimension but those entered.
void eval_invariant(const WalkCode *w, Point *point);
// The others, in lanes. lane_dim: -1 if there is none (lanes are 1).
void eval_lanes(const WalkCode *w, const Point *point, int lane_dim, Lanes *lanes);
// Only the nodes from `first` up to `end`.
void eval_some_lanes(const WalkCode *w, const Point *point, int lane_dim, Lanes *lanes,
                     size_t first, size_t end);
// Several lots of lanes, each node for all of them before the next.
void eval_side_by_side(const WalkCode *w, const Point *point, int lane_dim, Lanes *lots,
                       size_t count);
// In lanes->lanes lanes.
Value eval_value(const WalkCode *w, const Point *point, const Node *node, const Lanes *lanes);
// Loads of one square of elements that are dense along another dimension than that of the lanes:
// lanes[i] gets row i of that.
void eval_crossed(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                  Lanes *lanes, unsigned rows);
// Stores the root's value; `streams`: past the caches.
void eval_store(const WalkCode *w, const Point *point, const Root *root, int lane_dim,
                const Lanes *lanes, bool streams);
// Of a root that has memory.
Value eval_root_address(const WalkCode *w, const Point *point, const Root *root);
DType eval_root_dtype(const Root *root);
