// SPDX-License-Identifier: Apache-2.0
// Python's builtin types and functions. builtins_init fills the bare types of eval_new: slots,
// methods, and the module `builtins`.
//
// How the core and the native types meet:
//  - Making. type.__call__(cls, …) looks `__new__` up and calls it with cls first, unbound; then
//  `__init__` if the result is an instance
//    of cls. Every native type has a native `__new__`; called for a class derived from the type it
//    makes an Instance of that class whose payload is the native value. Mutable containers are
//    filled by their `__init__`.
//  - Slots and methods take instances of derived classes: they look at value_unwrap(self).
//  - A class made by type_new takes the metatype of its bases (enum's classes iterate, …); a
//  metatype's slots act on its classes.
//  - `cls[item]` is `__class_getitem__` if the metatype has no getitem; `cls | x` is the `binary`
//  slot of ev->types.type.
#pragma once
#include "python/values/evaluator.h"

void builtins_init(Eval *ev);

// Where print goes by default: sys.stdout if the program has replaced it (None: nowhere), else
// V_UNBOUND.
Value print_target(Eval *ev);
