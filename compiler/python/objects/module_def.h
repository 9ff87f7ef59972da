// SPDX-License-Identifier: Apache-2.0
// What a module is made of that pallasc provides.
#pragma once
#include "python/values/evaluator.h"

// A name that is known and not supported, with why or what to use instead.
typedef struct NotSupported {
  const char *name;
  const char *why; // "not yet supported" if NULL
} NotSupported;

typedef struct ModuleDef {
  const char *name;                             // "jax.numpy"
  const NativeDef *functions;                   // ends with a NULL signature; or NULL
  void (*init)(Eval *ev, ModuleObject *module); // sets constants and types; or NULL
  const NotSupported *not_supported;            // ends with a NULL name; or NULL
  const char *attributes; // the module whose attribute_of(native, name) knows more attributes of
                          // the functions; or NULL
  const char
      *alias_of; // this name is another module: "jax._src.lax" -> "jax.lax"; then all else is NULL
} ModuleDef;
