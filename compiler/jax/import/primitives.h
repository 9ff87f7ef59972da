// SPDX-License-Identifier: Apache-2.0
// The table of JAX's primitives: what an equation of each calls (primitives.c).
#pragma once
#include "base/base.h"

typedef struct Primitive {
  const char *name;
  const char *module, *function; // NULL: not imported
  // The parameters that the function gets, by keyword, each "name" or "name>keyword"; "-name" does
  // not matter here; "*" first: the operands as one list; why it is not imported, if it is not.
  const char *params;
} Primitive;

// A word of Primitive.params.
typedef struct PrimitiveParam {
  Str name, keyword; // of the equation, of the function
  bool dropped;
} PrimitiveParam;
// Takes the next one off `rest`; false at the end.
bool primitive_param(const char **rest, PrimitiveParam *param);
// NULL: JAX's primitive of this name is not in the table.
const Primitive *primitive_find(Str name);
