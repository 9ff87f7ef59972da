// SPDX-License-Identifier: Apache-2.0
// Function objects, bound methods and natives: making, attributes, annotations (function.c).
#pragma once
#include "python/values/evaluator.h"

// The i-th parameter's annotation, evaluated where the function was defined; its text if that
// fails, and of a text such as "f32[8]" what it says; V_UNBOUND if it has none.
// i == params->count: the return annotation.
Value function_annotation_type(Eval *ev, Function *f, size_t i);
// Evaluates the annotations of a def, in the frame where it stands (annotation_here).
void function_annotate(Eval *ev, Function *f);
// Raises the TypeError of a parameter's annotation that is none, of a function whose annotations
// say which arrays it takes.
void function_check_types(Eval *ev, const Function *f);
Dict *value_annotations(Eval *ev, Value function_or_class); // __annotations__; NULL if v has none
void function_init(Eval *ev);                               // function.c
// The function refers to variables of the call that it is defined in, which outlive it. (Else it
// has no closure: the environment is used again.)
void function_keep_around(Eval *ev, Function *f);
// `key` tells one def or lambda from another: qualified names are kept by it.
Function *function_new(Eval *ev, Name name, const Params *params, const Scope *scope,
                       const void *key);
Name scope_qualname(Eval *ev, Name name, const void *key);
// Where it stands, in the current frame: its text where the module says
// `from __future__ import annotations`. Raises what Python raises of a mistake in it, but for a
// TypeError; its text if it cannot be evaluated for another reason, or `is_generic`: it may name a
// type parameter, which is no name.
Value annotation_here(Eval *ev, Expr *expr, bool is_generic);
// Its __code__: names and counts.
Value function_code(Eval *ev, const Function *f);
