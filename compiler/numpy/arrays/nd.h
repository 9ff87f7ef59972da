// SPDX-License-Identifier: Apache-2.0
// numpy.ndarray and NumPy's scalars: host memory, computed at once while the program is traced.
// Storage, views, elements (nd.c).
#pragma once
#include "base/dtype.h"
#include "python/values/evaluator.h"
#include <stddef.h>
#include <string.h>

#define ND_MAX_RANK 16 // as many dimensions as an array of the kernel IR may have

typedef struct NdBuffer { // memory of NdArrays; views share it
  void *bytes;
  size_t size;
  struct NdArray *owner; // the array that is no view of it (nd_own)
  Object *source;        // whose memory it is, which is the owner's base; NULL: its own
} NdBuffer;
typedef struct NdArray {
  Object base;
  DType dtype;
  uint8_t rank;
  bool is_scalar; // a NumPy scalar (np.float32(3)), not a 0-d array
  bool readonly;
  bool is_closed; // readonly as the program has set it, which may set it back
  bool is_view;   // of the elements of buffer->owner, which is ndarray.base
  NdBuffer *buffer;
  char *data; // of element 0
  // Behind the end of a scalar: what copies a header does it by nd_header.
  int64_t dims[ND_MAX_RANK];
  int64_t strides[ND_MAX_RANK]; // bytes
} NdArray;

static inline void nd_header(NdArray *to, const NdArray *nd) { // the same elements
  memcpy(to, nd, offsetof(NdArray, dims));
  memcpy(to->dims, nd->dims, nd->rank * sizeof *nd->dims);
  memcpy(to->strides, nd->strides, nd->rank * sizeof *nd->strides);
}

// The only array that its memory has is no view, however it was made: others show it as their base.
static inline void nd_own(NdArray *nd) {
  nd->is_view = false;
  nd->buffer->owner = nd;
}

bool value_is_nd(const Eval *ev, Value v); // an ndarray or a NumPy scalar

// The memory of a memoryview or bytearray as an array; a copy where it is not aligned.
NdArray *nd_over_memory(Eval *ev, Value v);
// Zeros, contiguous, writable.
NdArray *nd_new(Eval *ev, DType dtype, size_t rank, const int64_t *dims);
// MemoryError if an array would be larger than all memory that the program may have.
void nd_must_fit(Eval *ev, DType dtype, size_t rank, const int64_t *dims);
// For who writes all of it: what it holds is not known. The data at a multiple of 64 bytes.
NdArray *nd_new_unset(Eval *ev, DType dtype, size_t rank, const int64_t *dims);
// Over memory that another object keeps, whose elements lie close.
NdArray *nd_over(Eval *ev, DType dtype, size_t rank, const int64_t *dims, void *data);
NdArray *nd_scalar(Eval *ev, DType dtype, const void *element); // a NumPy scalar
NdArray *nd_as_scalar(Eval *ev, NdArray *nd);    // an array of rank 0 that nobody else has
NdArray *nd_view(Eval *ev, const NdArray *base); // same memory, a header of its own
NdArray *nd_read_only(Eval *ev, NdArray *nd);    // same memory, not to be written
const NdArray *nd_contiguous(Eval *ev, const NdArray *nd);  // itself if it is contiguous already
NdArray *nd_cast(Eval *ev, const NdArray *nd, DType dtype); // a copy
// The elements of every code of a type of one byte, or of float32 those of every float that has the
// sixteen bits in front: what is behind them is an odd last one (nd_cast_by_front).
const char *nd_cast_table(Eval *ev, DType from, DType to);
const NdArray *nd_as(Eval *ev, const NdArray *nd, DType dtype); // itself if it is of the type
void nd_copy(NdArray *to, const NdArray *from); // elements of one dtype, in arrays of one shape
// The type that elements are computed in: their own, or float32 and int8 for those that C does not
// have.
DType nd_compute_dtype(DType dtype);
NdArray *nd_transposed(Eval *ev, const NdArray *nd, const int64_t *perm); // a view

int64_t nd_count(const NdArray *nd);
bool nd_is_contiguous(const NdArray *nd);
// Element i in row-major order: its address, its value, and as a Python bool, int or float.
char *nd_element(const NdArray *nd, int64_t i);
double nd_get_f64(const NdArray *nd, int64_t i);
int64_t nd_get_i64(const NdArray *nd, int64_t i);

NdArray *nd_parts(Eval *ev, const NdArray *nd, bool imaginary); // of complex numbers: a view
void nd_warn_discarded(Eval *ev); // NumPy's ComplexWarning: imaginary parts are dropped
// Gives the memory of an array or scalar back that nobody has any more.
void nd_discard(Eval *ev, const NdArray *nd);
