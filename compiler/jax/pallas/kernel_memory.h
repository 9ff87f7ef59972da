// SPDX-License-Identifier: Apache-2.0
// Memory of the kernel that is being traced, by name (kernel_memory.c).
#pragma once
#include "python/objects/evaluator.h"

Value kernel_memory(Eval *ev, Value *a);
