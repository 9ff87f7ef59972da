// SPDX-License-Identifier: Apache-2.0
// Types and attributes: look-up through the MRO, binding of descriptors, instance dicts
// (attribute.c).
#pragma once
#include "python/values/evaluator.h"

Value value_getattr(Eval *ev, Value v, Name name); // raises AttributeError with the nearest name
Value value_getattr_opt(Eval *ev, Value v, Name name); // V_UNBOUND if absent
Value value_getattr_c(Eval *ev, Value v, const char *name);
void value_setattr(Eval *ev, Value v, Name name, Value value);
void value_delattr(Eval *ev, Value v, Name name);
// As value_getattr_opt, but what the program's own code raises comes through; `hook`: __getattr__
// is asked as well.
Value attribute_find(Eval *ev, Value v, Name name, bool hook);
// The generic algorithms, without the class's own __getattribute__ and __setattr__.
Value object_getattr(Eval *ev, Value v, Name name);
void object_setattr(Eval *ev, Value v, Name name, Value value);
// A value found in a class, bound to an instance (V_UNBOUND: looked up on the class).
Value attribute_bind(Eval *ev, Value found, Value instance, Type *owner);
// A dunder method of v's type. False if there is none. Else *function is to be called with self
// first, or, if *bound, as it is.
bool method_lookup(Eval *ev, Value v, Name name, Value *function, bool *bound);
Value call_special(Eval *ev, Value self, Value method, bool bound, size_t count,
                   const Value *items);
