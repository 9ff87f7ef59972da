// SPDX-License-Identifier: Apache-2.0
// Hints about names that others have (foreign_names.c).
#pragma once
#include "python/values/evaluator.h"

// "did you mean 'jax.tree.map'?" of a name that a module, an array or a Ref lacks; or empty.
Str foreign_name_hint(Eval *ev, Value of, Name name);
// "did you mean 'pl.program_id(0)'?" of a variable that other languages have; or empty.
Str foreign_variable_hint(Eval *ev, Name name);
// Why a package cannot be imported, and what there is instead; or empty.
Str foreign_package_hint(Name name);
// "the numbers of 'shape' are one argument, a tuple", if there are more arguments than `slots`; or
// empty.
Str foreign_position_hint(Eval *ev, const Params *params, const Value *slots);
// "did you mean 'axis'?" of a keyword that no parameter is called; else empty.
Str foreign_keyword_hint(Eval *ev, const Params *params, Name name);
// How a function is called of which an argument for this parameter is missing; or empty.
Str foreign_missing_hint(Str function, Name parameter);
// What a body that is traced does instead of assigning to a variable around it; or empty.
Str assigned_outer_hint(Eval *ev, Name name);
// The same, where the function around it reads the variable afterwards: the end of a sentence.
Str assigned_inner_hint(Eval *ev, Name name);
