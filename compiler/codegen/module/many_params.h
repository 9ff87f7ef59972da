// SPDX-License-Identifier: Apache-2.0
// Functions of so many parameters that their memory is passed as an array (many_params.c).
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

bool params_in_array(const IrFunc *func);
// The memory of a parameter, from the array.
Value params_load(LlvmGen *g, Value array, size_t i);
// In place of what was loaded at a function's start, each use has a load of its own.
void params_load_at_uses(LlvmGen *g, Value array, size_t count, Value *loads);
