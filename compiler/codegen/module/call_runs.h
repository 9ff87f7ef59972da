// SPDX-License-Identifier: Apache-2.0
// Runs of calls in long code.
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

// Of a function of unrolled code: each long run of calls in it becomes a function.
void call_runs_cut(LLVMModuleRef module, LLVMValueRef function);
// LLVM's code generator shall leave the function as it is ("optnone"); whether it shall.
void call_runs_leave(LLVMValueRef function);
bool call_runs_is_left(LLVMValueRef function);
