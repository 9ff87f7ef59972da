// SPDX-License-Identifier: Apache-2.0
// At which steps of a launch's grid a condition of its body holds: `first step`, `last step`, `step
// == k`, however that is said (steps.c).
#pragma once
#include "ir/core/ir.h"
#include "bounds.h"

typedef enum StepTruth { STEPS_SOME, STEPS_ALL, STEPS_NONE } StepTruth; // SOME: maybe none or all

// A launch's body and, for each dimension of its grid, the steps that are asked about. No range may
// be empty.
typedef struct Steps {
  const IrRegion *body;
  size_t rank;
  Range dims[IR_MAX_RANK];
} Steps;

// All steps of a grid of these sizes; -1: not known.
Steps steps_of(const IrRegion *body, size_t rank, const int64_t *grid);
// At which of these steps a bool scalar of the body, or of a region inside, is true.
StepTruth steps_truth(const Steps *steps, const IrValue *condition);
// Whether it is true where the index of `dim` is `step`, and nowhere else.
bool steps_are_exactly(const Steps *steps, const IrValue *condition, size_t dim, int64_t step);
// Whether the op computes a scalar from indices of the grid and constants alone.
bool steps_is_test(const Steps *steps, const IrOp *op);
