// SPDX-License-Identifier: Apache-2.0
// NumPy's functions of elements: what is computed, and over which elements (ufunc.c, nd_reduce.c).
#pragma once
#include "numpy/arrays/nd.h"

typedef enum Ufunc {
#define FLOAT_FUNCTION(id, name, value) UFUNC_##id,
#include "base/float_function.def"
#undef FLOAT_FUNCTION
#define UFUNC(id, name, class) UFUNC_##id,
#define NUMPY_NAME(id, name)
#include "ufunc.def"
#undef UFUNC
#undef NUMPY_NAME
  UFUNC_COUNT
} Ufunc;

bool ufunc_from_name(Str name, Ufunc *out);
const char *ufunc_numpy_name(Ufunc code);
// Raises where a result of that ufunc cannot be stored in a given array.
void ufunc_check_store(Eval *ev, const char *name, DType from, DType to);
Value nd_unary(Eval *ev, Ufunc code, Value x);
Value nd_binary(Eval *ev, Ufunc code, Value x, Value y); // with broadcasting
bool nd_is_operand(Eval *ev, Value v); // NumPy knows it: an ndarray, a Python scalar, a list
// The same of an operator's operands; V_NOT_IMPLEMENTED for one that NumPy does not know.
Value nd_operator(Eval *ev, Ufunc code, Value x, Value y);
// x op= y of an ndarray, in its memory; V_NOT_IMPLEMENTED as above.
// The result of a function of one operand (`right` unbound) or two: `into` itself if it has its
// type and shape and may be written while the operands are read.
Value nd_computed_into(Eval *ev, Ufunc code, NdArray *into, Value left, Value right);
Value nd_inplace(Eval *ev, Ufunc code, Value x, Value y);
// Sum, prod, max, min, any, all, argmax, argmin over the axes of a bit mask; `initial`: what is
// there before the first element, or None.
NdArray *nd_reduce(Eval *ev, Ufunc code, const NdArray *x, uint32_t axes, bool keepdims,
                   DType dtype, Value initial);
