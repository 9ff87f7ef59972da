// SPDX-License-Identifier: Apache-2.0
// Which blocks of an array the steps of a launch's static grid have, by its index map alone
// (coverage.c). Memory is of the arena.
#pragma once
#include "ir/core/ir.h"
#include "launch.h"

// A block of a launch and the array it is of.
typedef struct BlockOf {
  Arena *arena;
  const IrOp *launch;
  const LaunchParts *parts;
  size_t number;
  const IrBlock *block;
  const IrRegion *map;
  const IrType *type; // of the array
} BlockOf;

// A set of dimensions of the array whose indices depend on the same dimensions of the grid: what
// blocks of them there are has nothing to do with the others.
typedef struct Group {
  uint32_t dims, grid; // sets of numbers
} Group;

typedef struct Coverage {
  const BlockOf *of;
  Group group;
  int rank; // of the group: its dimensions of the array
  int dims[IR_MAX_RANK];
  int64_t cells[IR_MAX_RANK], total;
  bool *has; // by cell, row-major
  AffineIndex affine[IR_MAX_RANK];
  bool is_affine;
  int64_t work;
  struct {
    bool is_there;
    int dim; // of the array
    int64_t index, step[IR_MAX_RANK];
  } outside; // the first block none of which is inside of the array
} Coverage;

BlockOf coverage_block(Arena *arena, const IrOp *launch, const LaunchParts *parts, size_t number);
// A dimension's blocks are counted in cells: blocks, or elements where windows may start anywhere.
int64_t coverage_cell_size(const BlockOf *of, int dim);
// Parts the array's dimensions into at most IR_MAX_RANK groups; one whose blocks are not known is
// left out.
size_t coverage_groups(const BlockOf *of, Group *groups);
// False: it is not known, or too much work.
bool coverage_of(const BlockOf *of, Group group, Coverage *out);
// Whether every element of the array is in the block of some step, and the dimensions of the grid
// that its blocks depend on.
bool coverage_is_whole(const BlockOf *of, uint32_t *grid);
