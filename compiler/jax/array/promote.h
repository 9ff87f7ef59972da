// SPDX-License-Identifier: Apache-2.0
// Promotion, broadcasting and the arguments they work on, shared by the array modules (promote.c).
#pragma once
#include "ir/core/ir.h"
#include "array.h"

// JAX's lattice.
DType promote_dtypes(const Eval *ev, DType a, bool a_weak, DType b, bool b_weak, bool *weak);
// Promotes and broadcasts two array-likes; *weak is the result's weakness.
void promote_pair(Eval *ev, const char *what, Value a, Value b, IrValue **x, IrValue **y,
                  bool *weak);
DType promote_or_raise(Eval *ev, DType a, bool a_weak, DType b, bool b_weak, bool *weak);
// The join of all at once.
DType promote_all(Eval *ev, size_t count, const Aval *avals, bool *weak);
DType inexact_dtype(const Eval *ev,
                    DType dtype); // float64 for 64-bit integers, float32 for others and bool
DType numeric_dtype(const Eval *ev, DType dtype); // int32 for bool

// What a store takes, as JAX's swap: the shape of the place, and the same dtype, a weak float into
// a float or any integer into an integer. `ref`: the whole one; `name`: its name, or "".
void check_store(Eval *ev, const IrType *ref, const IrType *place, const Aval *value,
                 const char *name);
// That an array of `given` can be spread to one of `wanted`, as jnp.broadcast_to.
void check_broadcast_to(Eval *ev, Aval given, const Aval *wanted);
NORETURN void raise_broadcast(Eval *ev, const char *what, size_t count, const Aval *const *avals);

// The abstract value of an operand of `what`; raises JAX's TypeError if v is no array or scalar.
void take_aval(Eval *ev, const char *what, Value v, size_t position, Aval *out);
// The operand converted and spread to a shape that it broadcasts to.
IrValue *operand_as(Eval *ev, Value v, DType dtype, size_t rank, const int64_t *dims);
// As promote_pair with the common type already chosen.
void promote_pair_as(Eval *ev, const char *what, Value a, const Aval *aa, Value b, const Aval *bb,
                     DType dtype, IrValue **x, IrValue **y);
// Any number of operands to one type, shapes as they are.
void promote_many(Eval *ev, const char *what, size_t count, const Value *values, bool inexact,
                  IrValue **out, bool *weak);
