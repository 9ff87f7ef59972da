// SPDX-License-Identifier: Apache-2.0
// How often a loop runs, where that is known (trips.c).
#pragma once
#include "ir/core/ir.h"

typedef struct IrTrips {
  int64_t lower, step, count; // trip t has index lower + t * step
} IrTrips;

// Of a `for` whose bounds and step are constants; false of any other op.
bool trips_of(const IrOp *op, IrTrips *out);
