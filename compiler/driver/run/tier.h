// SPDX-License-Identifier: Apache-2.0
// How well the code of one step of a program is compiled: quickly, until what its calls have
// computed is worth compiling it well.
#pragma once
#include "ir/core/ir.h"

typedef struct Tier {
  bool is_quick;
  double work, left; // of a call; what calls may still compute. In additions of elements
} Tier;

// For a module before the passes.
Tier tier_of(const IrModule *module);
// Code of the full level.
Tier tier_full(void);
// Counts a call. False: it is not made, code of the full level is better made before.
bool tier_calls(Tier *tier);
