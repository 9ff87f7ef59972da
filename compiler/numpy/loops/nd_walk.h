// SPDX-License-Identifier: Apache-2.0
// Walks over the elements of several arrays at once: in, arrays of one shape (broadcast ones have
// strides of 0) and a loop over one dimension; out, calls of the loop that come by every element.
#pragma once
#include "numpy/arrays/nd.h"

#define ND_WALK_MAX 4 // arrays at once

// `count` steps over the arrays, data[i] going strides[i] bytes a step. data[0] is written.
typedef void NdLoop(char *const *data, const int64_t *strides, int64_t count);

// In an order that suits the memory: dimensions by their strides, joined where that makes one of
// two, and in tiles where the arrays run across each other.
void nd_walk(NdLoop *loop, size_t count, const NdArray *const *arrays);
// The same without tiles: the elements that meet in one element of an array with strides of 0 come
// in the order of their places.
void nd_walk_in_order(NdLoop *loop, size_t count, const NdArray *const *arrays);
// The same of two arrays, the second of which comes to the loop in another type, of at most 16
// bytes: it is converted in rows of NumPy's length, which are not kept.
void nd_walk_converted(NdLoop *loop, NdLoop *convert, size_t size, const NdArray *const *arrays);
