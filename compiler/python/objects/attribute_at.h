// SPDX-License-Identifier: Apache-2.0
// Attributes at a place of the program, which remembers where in a dict it found the last one
// (attribute_at.c).
#pragma once
#include "python/values/evaluator.h"

// As value_getattr.
Value value_getattr_at(Eval *ev, Value v, Name name, uint32_t *entry);
// As value_setattr, with a value.
void value_setattr_at(Eval *ev, Value v, Name name, Value value, uint32_t *entry);
// What a call of v.name calls: a method found on the type goes with *self, so that no bound method
// is made; else *self stays as it is.
Value value_callee_at(Eval *ev, Value v, Name name, uint32_t *entry, Value *self);
