// SPDX-License-Identifier: Apache-2.0
// Preludes: the parts of built-in modules that are written in the language (prelude.c).
#pragma once
#include "python/values/evaluator.h"

bool module_load_prelude(Eval *ev, ModuleObject *module);
// What a loaded prelude defines under a name and has not defined yet; V_UNBOUND if that is nothing.
Value prelude_define(Eval *ev, ModuleObject *module, Name name);
// Loads the prelude if there is one and defines everything in it: for those who list a module's
// names.
void prelude_define_all(Eval *ev, ModuleObject *module);
