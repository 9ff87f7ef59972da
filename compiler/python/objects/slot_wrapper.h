// SPDX-License-Identifier: Apache-2.0
// The slots of native types as methods: what `int.__add__` and `super().__len__` find
// (slot_wrapper.c).
#pragma once
#include "python/values/evaluator.h"

// type's own slot as a method object, V_UNBOUND if the name is not a slot's or the slot is NULL.
void slots_init(Eval *ev);
