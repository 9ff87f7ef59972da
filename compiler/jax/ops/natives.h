// SPDX-License-Identifier: Apache-2.0
// Prototypes of the natives of jax.numpy and jax.lax, listed in jnp_native.def and lax_native.def.
#pragma once
#include "jax/array/aval.h"

#define JNP1(name, op, rule)       Value jnp_##name(Eval *ev, Value *a);
#define JNP2(name, op, rule)       Value jnp_##name(Eval *ev, Value *a);
#define JNPU(name, op, rule)       Value jnp_##name(Eval *ev, Value *a);
#define LAX1(name, op, kinds)      Value lax_##name(Eval *ev, Value *a);
#define LAX2(name, op, kinds, tip) Value lax_##name(Eval *ev, Value *a);
#include "elementwise.def"
#undef JNP1
#undef JNP2
#undef JNPU
#undef LAX1
#undef LAX2
#define NATIVE(signature, fn) Value fn(Eval *ev, Value *a);
#include "jnp_native.def"
#include "lax_native.def"
#undef NATIVE

// lax's operands: of one dtype, scalars and dimensions of size 1 spread.
void lax_same_dtypes(Eval *ev, const char *what, const char *tip, size_t count, const Aval *avals);
