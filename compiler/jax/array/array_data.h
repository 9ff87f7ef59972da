// SPDX-License-Identifier: Apache-2.0
// Data of arrays while tracing: numbers and host arrays where they are known, constants of the IR
// made from them (array.c). Whatever asks for data may run what is pending, after which an IrValue
// that was recorded before is lost: ask first, then take array_ir.
#pragma once
#include "ir/core/ir.h"
#include "numpy/arrays/nd.h"
#include "array.h"

// The integer that v is, if it is one and known here: no exception is made for traced arrays.
bool known_int(Eval *ev, Value v, int64_t *out);
// The same of what indexes a Ref: raises for an array that a kernel captures.
bool known_index(Eval *ev, Value v, int64_t *out);
// Asks for all data that an index needs.
void settle_index(Eval *ev, Value index);
void array_must_live(Eval *ev, const Array *a); // raises if it is deleted
// The data of an array if it can be had here; NULL if it is traced.
NdArray *array_known_data(Eval *ev, Array *a);
// Zeros; raises where JAX has no array of that size.
NdArray *host_array_new(Eval *ev, DType dtype, size_t rank, const int64_t *dims);
IrValue *host_constant(Eval *ev, const NdArray *nd);
#define ARRAY_MAKE_STATIC "static_argnames of jax.jit for what is known before the program runs"
// What to do with a traced array where its value would be needed.
#define ARRAY_USE_INSTEAD                                                                          \
  "use pl.when or lax.cond to branch on it, jnp.where to select by it, lax.fori_loop or "          \
  "lax.while_loop to loop on it"
