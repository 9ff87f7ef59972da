// SPDX-License-Identifier: Apache-2.0
// Stores of values whose elements take turns in memory, as those of a concatenation along the last
// dimension do.
#pragma once
#include "gen_eval.h"

// Whether the root's value is stored together with those that lie between its elements: they all
// are, when this is called for the last of them.
bool interleave_store(const WalkCode *w, const Point *point, const Root *root, int lane_dim,
                      const Lanes *lanes);
