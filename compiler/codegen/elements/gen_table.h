// SPDX-License-Identifier: Apache-2.0
// Small tables of f32, of which each lane takes an entry: coefficients of functions that are made
// of pieces.
#pragma once
#include "codegen/emit/gen.h"

enum { TABLE_SIZE = 8 }; // f32s of a register of AVX2: one shuffle takes them

// The entry that the low three bits of each i32 of `which` say.
Value table_pick(LlvmGen *g, const double table[TABLE_SIZE], Value which);
