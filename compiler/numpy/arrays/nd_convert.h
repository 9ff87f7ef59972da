// SPDX-License-Identifier: Apache-2.0
// Arrays of the host from Python's values, and as those.
#pragma once
#include "nd.h"

// A bool, int, float or complex of Python, which only decides the kind of a result (NEP 50).
bool value_is_python_number(const Eval *ev, Value v);
Value nd_item(Eval *ev, const NdArray *nd, int64_t i);
// An array of any array-like: lists and tuples nested, scalars, arrays (of another kind: its data).
// NumPy's default dtypes (int64, float64, bool) unless `dtype` is not DT_COUNT. Raises for ragged
// nests and for objects.
NdArray *nd_from_value(Eval *ev, Value v, DType dtype, const char *what);
// An ndarray or a NumPy scalar; a TypeError for every other value, arrays of texts and objects
// included, which are instances of a class of the library.
NdArray *nd_given(Eval *ev, Value v);
// Likewise, for np.array: what NumPy has arrays of, and we have not, is refused as unsupported.
// NULL: there are texts or None among the numbers.
NdArray *nd_array(Eval *ev, Value v, DType dtype);
// Of an object that has a length and items and is no list or tuple, as NumPy sees sequences: its
// items. NULL: it is none, nor is one whose items have keys.
Tuple *nd_sequence(Eval *ev, Value v);
// OverflowError if v is a Python int that an integer type does not hold.
void nd_check_python_int(Eval *ev, Value v, DType dtype);
double nd_python_int_as_double(Eval *ev, Value big); // OverflowError if it is beyond them
Value nd_value(Eval *ev, NdArray *nd);           // as a Value; rank 0 results become NumPy scalars
Value nd_to_python(Eval *ev, const NdArray *nd); // tolist()
