// SPDX-License-Identifier: Apache-2.0
// Functions written in C: their signatures, which are read from text when first needed, and
// their calls (signature.c).
#pragma once
#include "python/values/evaluator.h"

Value make_native(Eval *ev, const NativeDef *def);
Value native_call(Eval *ev, NativeFunction *f, const Value *self, const Args *args);
NativeFunction *native_new(Eval *ev, const NativeDef *def, Type *owner);
Str native_display_name(const NativeFunction *f, Arena *arena);
const Params *native_params(Eval *ev, NativeFunction *f, const Value **defaults);
