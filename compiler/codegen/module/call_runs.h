// SPDX-License-Identifier: Apache-2.0
// Runs of calls in long code.
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

// Of a function of unrolled code: each long run of calls in it becomes a function.
void call_runs_cut(LLVMModuleRef module, LLVMValueRef function);
// Whether it is such a run.
bool call_runs_is_one(LLVMValueRef function);
