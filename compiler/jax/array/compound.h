// SPDX-License-Identifier: Apache-2.0
// Arrays whose elements are several numbers each, around an Array that has them in its last
// dimensions: PRNG keys (key_array.h) and complex numbers (complex_array.h). What carries arrays
// through jit, vmap and control flow carries that Array, and the kind beside it.
#pragma once
#include "array.h"
#include "complex_array.h"

// What its elements are: the implementation of keys, or COMPLEX_KIND.
#define COMPLEX_KIND "complex number"
Name compound_kind(Eval *ev, Value v);
Name complex_kind(Eval *ev);
bool kind_is_complex(Name kind);           // NULL is of none
size_t kind_rank(Eval *ev, Name kind);     // dimensions of the data that belong to one element
Value compound_new(Eval *ev, Array *data, Name kind);
