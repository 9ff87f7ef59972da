// SPDX-License-Identifier: Apache-2.0
// Which element of a value a point of a walk needs: affine maps of the walk's indices, and how
// shape operations change them.
#pragma once
#include "ir/core/ir.h"
#include "plan_start.h"

enum { MAX_WALK_DIMS = 40 }; // IR_MAX_RANK dimensions of an array, and those that reshapes split

// A part that is known when the program runs, and does not change during the walk.
typedef struct AffineTerm {
  Start start; // with a value
  int64_t factor;
} AffineTerm;

// constant + the terms + the sum of coef[d] * index of walk dimension d.
typedef struct Affine {
  int64_t constant;
  int64_t coef[MAX_WALK_DIMS];
  const AffineTerm *terms;
  size_t term_count;
} Affine;

// The coordinates of an element of a value: a map for each of its dimensions.
typedef Affine *Access;

// The space that a walk covers: the dimensions of its roots, some of them split in two so that
// reshapes become affine.
typedef struct Space {
  size_t rank; // of the walk
  int64_t sizes[MAX_WALK_DIMS];
  int origin[MAX_WALK_DIMS];    // the dimension of the roots it is (a part of)
  int64_t scale[MAX_WALK_DIMS]; // what one step of it is worth there
} Space;

void space_init(Space *space, size_t rank, const int64_t *dims);
// Splits dimension d into size / inner and inner. False if there are too many.
bool space_split(Space *space, size_t d, int64_t inner);
// Coordinates of the roots themselves.
Access access_identity(Arena *arena, const Space *space, size_t rank);

bool affine_equal(const Affine *a, const Affine *b);
// Exactly the root's coordinate in that dimension.
bool affine_is_index(const Space *space, const Affine *map, size_t root_dim);
// out += map * factor
void affine_add(Arena *arena, Affine *out, const Affine *map, int64_t factor);
void affine_add_start(Arena *arena, Affine *out, const Start *start, int64_t factor);
// The dimensions that it depends on, as bits.
uint64_t affine_depends(const Space *space, const Affine *map);

typedef enum AccessResult {
  ACCESS_OK,
  // The space's dimension `dim` must be split into parts of `inner`; then start again.
  ACCESS_SPLIT,
  ACCESS_NONE, // not affine: the operand has to be in memory
} AccessResult;
typedef struct SplitRequest {
  size_t dim;
  int64_t inner;
} SplitRequest;

// The access to operand 0 of a shape op from that to its result.
AccessResult access_through(Arena *arena, const Space *space, const IrOp *op, const Affine *result,
                            Access *operand, SplitRequest *split);
// Where in memory the element lies, in elements from the base.
Affine access_offset(Arena *arena, size_t rank, const int64_t *strides, const Affine *access);
