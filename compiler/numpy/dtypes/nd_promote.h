// SPDX-License-Identifier: Apache-2.0
// NumPy 2's promotion of element types.
#pragma once
#include "base/dtype.h"

DType nd_promote(DType a, bool a_python, DType b, bool b_python); // Python scalars are weak
// NumPy's own type that holds the numbers of one of ml_dtypes: float32, int8; others are
// themselves.
DType nd_own_type(DType d);
DType nd_inexact(DType dtype); // the float type that exp and the like give for an integer type

typedef enum NdCasting { CAST_NO, CAST_EQUIV, CAST_SAFE, CAST_SAME_KIND, CAST_UNSAFE } NdCasting;
bool nd_casting_from_name(Str name, NdCasting *out); // false: no rule, or same_value
bool nd_can_cast(DType from, DType to, NdCasting casting);
