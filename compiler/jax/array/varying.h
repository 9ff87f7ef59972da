// SPDX-License-Identifier: Apache-2.0
// Along which axes of the mesh values of a program of a device differ, where operations on other
// arrays do not say it.
#pragma once
#include "ir/core/ir.h"
#include "array.h"

// What is made like an array varies as it does.
Value array_varying_as(Eval *ev, Value made, Value like);
void varying_room(Eval *ev, const IrValue *value); // what a scan puts its results into
