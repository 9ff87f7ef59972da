// SPDX-License-Identifier: Apache-2.0
// NumPy's errors of floating point (np.errstate): reported behind the loops that made them.
#pragma once
#include "numpy/arrays/nd.h"
#include "ufunc.h"

// What may be reported; a bit each in NumpyState.reported_errors.
typedef enum NdError {
  ND_ERROR_DIVIDE,
  ND_ERROR_OVER,
  ND_ERROR_UNDER,
  ND_ERROR_INVALID,
  ND_ERRORS
} NdError;

// In front of a loop: whether what it does in elements of a type is looked at. Of simple arithmetic
// the CPU's own flags are asked, which are cleared here; of all else the values.
bool nd_errors_watched(Eval *ev, Ufunc code, DType dtype);
// They are found by comparing the result with its operands, which must not be written meanwhile.
bool nd_errors_by_value(Ufunc code);
// Behind it: warns or raises as np.errstate says. y: NULL if there is none. `scalar`: an operator
// of NumPy's scalars.
void nd_errors_report(Eval *ev, Ufunc code, bool scalar, const NdArray *out, const NdArray *x,
                      const NdArray *y);
// Of a result of one element: a finite number is no error but an underflow.
bool nd_errors_possible(const Eval *ev, const NdArray *out);
// Simple arithmetic that is no ufunc of its own: around the loops that make `out` of x. What is
// finite is no error.
bool nd_errors_begin(Eval *ev, DType dtype);
void nd_errors_end(Eval *ev, const NdArray *out, const NdArray *x, const char *name);
void nd_errors_found(Eval *ev, unsigned errors, bool scalar, const char *name);
// Of a result that is brought to a narrower type: what that does not hold.
void nd_errors_of_narrowing(Eval *ev, const NdArray *wide, DType dtype, bool scalar,
                            const char *name);
// Of the negative (NEG) or the size (ABS) of one of NumPy's integers.
void nd_errors_of_sign(Eval *ev, Ufunc code, const NdArray *x);
// Of an array that was made from a value of the program, in the type that it asks for.
void nd_errors_of_made(Eval *ev, const NdArray *made, Value from);
void nd_errors_of_cast(Eval *ev, const NdArray *x, DType dtype); // of what the type does not hold
// nd_cast that reports them, of floats that lie in rows; NULL: others.
NdArray *nd_cast_reported(Eval *ev, const NdArray *x, DType dtype);
