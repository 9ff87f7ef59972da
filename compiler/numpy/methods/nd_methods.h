// SPDX-License-Identifier: Apache-2.0
// Methods of numpy.ndarray and of NumPy's scalars.
#pragma once
#include "numpy/arrays/nd.h"

extern const NativeDef nd_methods[];
Value nd_matmul(Eval *ev, Value x, Value y);
Value nd_memory(Eval *ev, Value self);                 // a memoryview of the array
void nd_set_shape(Eval *ev, NdArray *nd, Value shape); // of the array itself, in its memory
uint32_t nd_axes(Eval *ev, Value axis, int rank);      // axis=None|int|tuple as a bit mask
int nd_axis(Eval *ev, Value axis, int rank);           // axis=int
Value nd_squeeze(Eval *ev, const NdArray *nd, Value axis);
Value nd_swapaxes(Eval *ev, const NdArray *nd, Value axis1, Value axis2);
Value nd_ravel(Eval *ev, NdArray *nd, Value order);
Value nd_nonzero(Eval *ev, const NdArray *nd); // a tuple of places along each dimension
// The method that a function of NumPy asks when it is given what is no array of NumPy: its result
// is that of the method then. V_UNBOUND of arrays, lists, numbers, and where there is none.
Value nd_other_method(Eval *ev, Value v, const char *name);
