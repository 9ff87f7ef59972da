// SPDX-License-Identifier: Apache-2.0
// Memory of a kernel: that of the one that is being traced, by name, and how much one needs.
#pragma once
#include "ir/core/ir.h"
#include "python/values/evaluator.h"

Value kernel_memory(Eval *ev, Value *a);
// Whether the launch, or the programs of cores, may need more memory than there is. What they need
// is reported when it is compiled (passes/diagnose/budget.c).
bool kernel_memory_is_short(Eval *ev, IrOp *launch);
