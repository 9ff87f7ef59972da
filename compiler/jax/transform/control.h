// SPDX-License-Identifier: Apache-2.0
// Loops and branches as JAX's functions take them (control.c).
#pragma once
#include "jax/array/array.h"

Value lax_fori_loop(Eval *ev, Value *a);  // lower, upper, body_fun, init_val, unroll
Value lax_while_loop(Eval *ev, Value *a); // cond_fun, body_fun, init_val
Value lax_scan(Eval *ev, Value *a);       // f, init, xs, length, reverse, unroll, _split_transpose
Value lax_cond(Eval *ev, Value *a);       // pred, true_fun, false_fun, *operands, operand
Value lax_switch(Eval *ev, Value *a);     // index, branches, *operands, operand
