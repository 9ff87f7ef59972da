// SPDX-License-Identifier: Apache-2.0
// Operators of arrays, and the functions of jax.numpy that mean the same.
#pragma once
#include "ir/core/ops.h"
#include "array.h"

Value array_binary(Eval *ev, BinaryOp op, Value a, Value b);
Value array_unary(Eval *ev, UnaryOp op, Value a);
Value array_compare(Eval *ev, CompareOp op, Value a, Value b);
Value array_astype(Eval *ev, Value a, DType dtype);

// One op on two operands after jnp's promotion. `what` names the function in errors.
Value elementwise_binary(Eval *ev, const char *what, OpCode code, Value a, Value b);
Value array_power(Eval *ev, Value a, Value b);
Value array_integer_power(Eval *ev, Value a, int64_t exponent);
// The array; pl.estimate_cost counts so many operations more for each element than were recorded.
Value array_estimated(Eval *ev, Value array, int64_t extra);
// So many for a division that rounds down, and its remainder: what JAX's expansion of it comes to.
int64_t array_estimate_of(OpCode code, DType dtype);
Value array_true_divide(Eval *ev, Value a, Value b);
Value array_floor_divide(Eval *ev, Value a, Value b);
Value array_remainder(Eval *ev, Value a, Value b);
// Raises JAX's "… does not accept dtype …" unless kind is in `kinds` ("iuf").
void require_kind(Eval *ev, const char *what, DType dtype, const char *kinds, int position);
