// SPDX-License-Identifier: Apache-2.0
// Sets of sizes in the text of --entry: softmax(f32[{256,512},1024]) (size_sets.c).
#pragma once
#include "annotation.h"

// A set stands where one dimension of an array type would. Sets of one name vary together.
typedef struct SizeSet {
  Name name;
  const int64_t *values; // ascending
  size_t count;
} SizeSet;
// A part of the text that a size stands for.
typedef struct SizePlace {
  uint32_t begin, end;
  size_t set;
} SizePlace;
typedef struct SizeSets {
  VEC(SizeSet) sets;     // in the order in which they occur first
  VEC(SizePlace) places; // in the order of the text
  size_t combinations;
} SizeSets;

// Finds the sets in the arguments of a call. Raises what is wrong with them. `callee` is what is
// called: its annotations name dimensions.
void size_sets_read(Eval *ev, Expr *call, Value callee, SizeSets *out);
// The sizes of combination `which`, one for each set; the last varies fastest.
void size_sets_choose(const SizeSets *sets, size_t which, int64_t *sizes);
// The text with sizes in place of the sets.
Str size_sets_text(Arena *arena, const SizeSets *sets, Str text, const int64_t *sizes);
