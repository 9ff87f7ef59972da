// SPDX-License-Identifier: Apache-2.0
// Reductions of elements that are computed in float32 (nd_walk.c).
#pragma once
#include "nd_walk.h"

// nd_walk_converted of two arrays of one such type. Results are rounded where NumPy rounds them:
// behind each row that is folded, and where results lie in rows at each step; `always` at each
// step, by `fold` if it is not NULL.
void nd_walk_rounded(NdLoop *loop, NdLoop *widen, NdLoop *narrow, NdLoop *fold, bool always,
                     const NdArray *const *arrays);
