// SPDX-License-Identifier: Apache-2.0
// The meaning of a jaxpr: each equation calls what its row of primitives.def names (jaxpr_eval.c).
#pragma once
#include "jaxpr_value.h"

// Makes the entries of a program functions of the module `_jaxpr`; a program that is read from a
// .jaxpr file calls them.
void jaxpr_define(Eval *ev, const JaxprProgram *program);
// What a module is that has the entries as functions with annotated parameters: Python.
Str jaxpr_module_text(Arena *arena, const JaxprProgram *program);

const JaxprTypes *jaxpr_types(Eval *ev);
// The results of a jaxpr on these operands, a tuple. Raises where an equation cannot be made.
Value jaxpr_call(Eval *ev, const JaxprTree *tree, size_t count, const Value *operands);
