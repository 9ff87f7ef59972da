// SPDX-License-Identifier: Apache-2.0
// Rows in order, and where their elements belong (loops_sort.c).
#pragma once
#include "base/dtype.h"

// Rows of `count` elements that lie close, of a type that C has, are put in order, or where their
// elements belong is found. `room` are nd_sort_room bytes; rows and room lie at multiples of the
// size of an element.
size_t nd_sort_room(DType dtype, int64_t count, bool for_places);
void nd_sort_row(DType dtype, char *row, int64_t count, char *room);
// The same as far as the places `at` go, which rise: each has what it has in order, what is less
// lies before it, what is greater behind. Not of complex numbers. `places` as above, or NULL, and
// then the row itself is put in that order.
void nd_select_row(DType dtype, char *row, int64_t count, const int64_t *at, int64_t wanted,
                   int64_t *places, char *room);
// How many rows of `count` elements may be sorted side by side; 0: none, or they lie close and each
// is sorted sooner by itself. They begin `next` bytes apart, and have their elements `step` bytes
// apart: either of both is the size of an element.
int64_t nd_sort_lanes(DType dtype, int64_t count, bool lies_close);
size_t nd_lanes_room(int64_t count);
void nd_sort_side_by_side(DType dtype, char *data, int64_t step, int64_t count, int64_t next,
                          int64_t lanes, char *room);
void nd_sort_places(DType dtype, const char *row, int64_t count, int64_t *places, char *room);
