// SPDX-License-Identifier: Apache-2.0
// The bytes that an access touches: runs of `run` bytes at the points of a grid of strides. Exact:
// two extents meet if and only if they have a byte in common.
#pragma once
#include "check/prt_watch.h"
#include "print/prt_text.h"

typedef struct prt_extent {
  const char *base, *end; // its first byte, and one behind its last
  int64_t run;            // bytes in a row, at least 1
  int32_t rank;           // of the grid
  int64_t levels[];       // for each dimension of the grid: how many, stride in bytes; the longest
                          // stride first, no dimension of one, no stride of 0
} prt_extent;

enum { PRT_EXTENT_RANK = 32 };
typedef struct prt_extent_room {
  prt_extent extent;
  int64_t levels[2 * PRT_EXTENT_RANK];
} prt_extent_room;
// Bytes of an extent of that rank.
static inline size_t prt__extent_bytes(int32_t rank) {
  return sizeof(prt_extent) + (size_t)rank * 2 * sizeof(int64_t);
}
// Into `out`, which has room for PRT_EXTENT_RANK dimensions: dimensions that follow on each other
// become one. false: the region is empty.
bool prt__extent_of(const prt_region *region, prt_extent *out);
// What of a dimension is touched: `count` elements from `low` on, each `step` behind the last.
typedef struct prt_extent_span {
  int64_t low, count, step;
} prt_extent_span;
// The extent as a box of the array, whose rank is at most PRT_EXTENT_RANK: a span for each of its
// dimensions. false: it is none.
bool prt__extent_box(const prt_extent *extent, const prt_watched *memory, prt_extent_span *box);
// What it touches, as an index of the whole array: "[1, 0:8]", nothing for all of it. The array's
// rank is at most PRT_EXTENT_RANK.
void prt__extent_index(prt_text *out, const prt_extent *extent, const prt_watched *memory);
bool prt__extents_meet(const prt_extent *a, const prt_extent *b);
// Whether all bytes of b are ones of a. May say no where they are: a must be equal to b or in one
// piece for a yes.
bool prt__extent_covers(const prt_extent *a, const prt_extent *b);
