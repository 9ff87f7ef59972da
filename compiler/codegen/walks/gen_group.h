// SPDX-License-Identifier: Apache-2.0
// Loads of vectors that are several short rows (Loops.group).
#pragma once
#include "gen_eval.h"

// The node's elements in the lanes; `start`: where lane 0 finds its own.
Value group_load(const WalkCode *w, const Node *node, Value start, const Lanes *lanes);
