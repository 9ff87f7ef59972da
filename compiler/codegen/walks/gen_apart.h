// SPDX-License-Identifier: Apache-2.0
// Loads of all the places of short rows, as of x[:, 0], x[:, 1] … that are added up.
#pragma once
#include "gen_eval.h"

// Evaluates the node and those that load what lies between its elements, if these are whole rows;
// false if not.
bool apart_load(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                Lanes *lanes);
