// SPDX-License-Identifier: Apache-2.0
// Which element of a value a point of a walk needs: affine forms of the walk's indices, and how
// shape operations change them (access.c).
#pragma once
#include "codegen/emit/gen.h"

enum { MAX_WALK_DIMS = 40 };

// dynamic + constant + sum of coef[d] * index of walk dimension d.
typedef struct Form {
  Value dynamic; // an i64 that does not change during the walk, or NULL
  int64_t constant;
  int64_t coef[MAX_WALK_DIMS];
} Form;

// The coordinates of an element of a value: one form for each of its dimensions.
typedef Form *Access;

// The space a walk covers: the dimensions of its roots, some of them split in two so that reshapes
// become affine.
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
bool form_equal(const Form *a, const Form *b);
// Exactly the root's coordinate in that dimension.
bool form_is_index(const Space *space, const Form *form, size_t root_dim);

typedef enum AccessResult {
  ACCESS_OK,
  // The space's dimension *split_dim must be split into parts of *split_inner; then start again.
  ACCESS_SPLIT,
  ACCESS_NONE, // not affine: the operand has to be in memory
} AccessResult;
typedef struct SplitRequest {
  size_t dim;
  int64_t inner;
} SplitRequest;

// The access to operand 0 of a shape op (or operand of a broadcast, …) from that to its result.
// dynamic_slice: `starts` are the clamped starts, i64s.
AccessResult access_through(LlvmGen *g, Arena *arena, const Space *space, const IrOp *op,
                            const Form *result, Value const *starts, Access *operand,
                            SplitRequest *split);
// Where in memory the element lies, in elements from the base.
Form access_offset(LlvmGen *g, size_t rank, const int64_t *strides, const Form *access);
