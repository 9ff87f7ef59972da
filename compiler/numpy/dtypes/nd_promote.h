// SPDX-License-Identifier: Apache-2.0
// NumPy 2's promotion of element types.
#pragma once
#include "base/dtype.h"

// What ufuncs compute in: a type of ml_dtypes if it may be, else the first of NumPy's own that both
// may safely be cast to. Python scalars are weak.
DType nd_promote(DType a, bool a_python, DType b, bool b_python);
DType nd_promote_own(DType a, DType b); // of NumPy's own types alone
// The type of an array that holds both (np.promote_types); false: there is none.
bool nd_common(DType a, bool a_python, DType b, bool b_python, DType *out);
DType nd_inexact(DType dtype); // the float type that exp and the like give for an integer type

typedef enum NdCasting { CAST_NO, CAST_EQUIV, CAST_SAFE, CAST_SAME_KIND, CAST_UNSAFE } NdCasting;
bool nd_casting_from_name(Str name, NdCasting *out); // false: no rule, or same_value
bool nd_can_cast(DType from, DType to, NdCasting casting);
