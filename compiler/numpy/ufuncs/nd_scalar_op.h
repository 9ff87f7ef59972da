// SPDX-License-Identifier: Apache-2.0
// Operators between single numbers.
#pragma once
#include "ufunc.h"

// Of NumPy's scalars float32, float64 and int64, and numbers of Python. Unbound: of others, or
// where the result is to be looked at: no finite number, beyond the type, a division by zero.
Value nd_scalar_operator(Eval *ev, Ufunc code, Value left, Value right);
