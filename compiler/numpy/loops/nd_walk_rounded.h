// SPDX-License-Identifier: Apache-2.0
// Reductions of elements that are computed in float32 (nd_walk.c).
#pragma once
#include "nd_walk.h"

// How elements become float32 and results of the type again.
typedef struct NdRounding {
  NdLoop *widen, *narrow; // NULL: by the tables of a type of one byte …
  const char *values;     // … nd_look_up's
  const uint8_t *codes;   // … nd_cast_by_front's
  bool always;            // each step of a row that is folded is rounded
  NdLoop *fold;           // with `always`: those of a row; or NULL
} NdRounding;

// nd_walk_converted of two arrays of one such type. Results are rounded where NumPy rounds them:
// behind each row that is folded, and where results lie in rows at each step.
void nd_walk_rounded(NdLoop *loop, const NdRounding *rounding, const NdArray *const *arrays);
