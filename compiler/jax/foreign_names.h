// SPDX-License-Identifier: Apache-2.0
// Hints about names that others have (foreign_names.c).
#pragma once
#include "python/values/evaluator.h"

// "did you mean 'jax.tree.map'?" of a name that a module, an array or a Ref lacks; or empty.
Str foreign_name_hint(Eval *ev, Value of, Name name);
// The same of a keyword that no parameter is called.
Str foreign_keyword_hint(Eval *ev, const Params *params, Name name);
