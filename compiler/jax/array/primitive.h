// SPDX-License-Identifier: Apache-2.0
// What JAX's messages say of primitives (primitive.c).
#pragma once
#include "base/base.h"

// What JAX calls the primitive that an operation runs into; the operation's own name if it is none.
const char *primitive_name(const char *operation);
// The dtypes that it accepts, in JAX's words; NULL if it is none.
const char *primitive_accepts(const char *operation);
