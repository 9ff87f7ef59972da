// SPDX-License-Identifier: Apache-2.0
// Arrays of complex numbers. Their class is written in the language (library/jax/_complex.pk); its
// `parts` are real and imaginary parts in a last dimension of two.
#pragma once
#include "array.h"

// What is complex as a complex array; all else as it is.
Value complex_as_array(Eval *ev, Value v);
// v as an array of `dtype`; one of them is complex.
Value complex_astype(Eval *ev, Value v, DType dtype);
// The operator as jax._complex has it; one of the operands is complex.
Value complex_binary(Eval *ev, BinaryOp op, Value a, Value b);
bool complex_compares(CompareOp op); // not `in`
Value complex_compare(Eval *ev, CompareOp op, Value a, Value b);
// The class that library/jax/_complex.pk has defined.
void complex_set_type(Eval *ev, Value type);
Value complex_array_new(Eval *ev, Array *parts);
// `aval` of a complex type as that of its parts, and back. False: it is of another type.
bool complex_aval_to_parts(Aval *aval);
void complex_aval_of_parts(Aval *aval);
