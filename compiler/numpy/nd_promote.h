// SPDX-License-Identifier: Apache-2.0
// NumPy 2's promotion of element types.
#pragma once
#include "base/dtype.h"

DType nd_promote(DType a, bool a_python, DType b, bool b_python); // Python scalars are weak
DType nd_inexact(DType dtype); // the float type that exp and the like give for an integer type
