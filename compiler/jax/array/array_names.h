// SPDX-License-Identifier: Apache-2.0
// Interned names that attribute look-ups of arrays compare with.
#pragma once
#include "array.h"

// clang-format off
#define ARRAY_NAMES(X)                                                                             \
  X(shape) X(dtype) X(ndim) X(size) X(T) X(mT) X(at) X(itemsize) X(nbytes) X(weak_type) X(aval)    \
  X(real) X(imag) X(sharding) X(device) X(name) X(kind) X(type) X(str) X(memory_space) X(start)    \
  X(stop) X(step) X(stride) X(data) X(committed) X(is_fully_addressable) X(is_fully_replicated)    \
  X(addressable_shards) X(global_shards) X(float0) X(flat) X(is_dynamic_start) X(is_dynamic_size)  \
  X(inner_aval) X(ref) X(alignment) X(byteorder) X(num) X(value) X(_fields) X(__name__)            \
  X(__qualname__) X(__module__) X(sem_kind)
// clang-format on
typedef struct ArrayNames {
  Name char_; // "char"
#define X(name) Name name;
  ARRAY_NAMES(X)
#undef X
} ArrayNames;
static inline const ArrayNames *array_names(Eval *ev) { return ev->trace->arrays->names; }
// Of what is called, for messages: its __name__, or "the function".
const char *callable_name(Eval *ev, Value f);
