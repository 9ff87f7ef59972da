// SPDX-License-Identifier: Apache-2.0
// Types as annotations write them: list[int] (GenericAlias) and int | None (UnionType)
// (builtin_generic.c).
#pragma once
#include "python/values/evaluator.h"

void builtin_generic_init(Eval *ev);
Tuple *type_parameters(Eval *ev, const Value *args,
                       size_t count); // the type variables among them, each once
Tuple *type_substitute(Eval *ev, Value alias, const Tuple *old, const Tuple *parameters,
                       Value index);
Str annotation_repr(Eval *ev, Value v); // how types are written inside list[…] and unions
