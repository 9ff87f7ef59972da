// SPDX-License-Identifier: Apache-2.0
// Complex elements of both types: complex_f32, complex_f64, and what complex_elements.h does to
// them.
#pragma once
#include <complex.h> // whose macros for C are names here
#undef complex
#undef I
#include <math.h>
#include <stdbool.h>

#define P     float
#define C(x)  c##x##f
#define F(x)  x##f
#define OF(x) x##_f32
#include "complex_elements.h"
#define P     double
#define C(x)  c##x
#define F(x)  x
#define OF(x) x##_f64
#include "complex_elements.h"
