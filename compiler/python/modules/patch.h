// SPDX-License-Identifier: Apache-2.0
// What a program puts over the names of a facade: a public module that shows what others define, as
// those of jax and numpy. Everybody sees it but the package itself, which goes on with its own.
#pragma once
#include "python/values/evaluator.h"

// The name as the running code sees it put over; V_UNBOUND if it is not.
Value patch_find(Eval *ev, const ModuleObject *module, Name name);
// Sets or deletes (V_UNBOUND) the attribute of a facade. False if it is the module's own dict that
// changes: no facade, code of the package itself, or nothing is put over what is deleted.
bool patch_set(Eval *ev, ModuleObject *module, Name name, Value value);
// Whether the running code sees the name of a module of the library as deleted.
bool patch_is_deleted(Eval *ev, const ModuleObject *module, Name name);
// The module's dict with what is put over it: itself, or a copy.
Dict *patched_dict(Eval *ev, ModuleObject *module);
