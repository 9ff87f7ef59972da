// SPDX-License-Identifier: Apache-2.0
// Loops around long code.
#pragma once
#include <llvm-c/Core.h>
#include "base/base.h"

// Instructions in a loop; from there on (measured with 250 to 2,000 pl.when blocks in a grid)
// register allocation begins to take more time than all else.
enum { LONG_LOOP = 1500 };

// In instructions of the machine, roughly.
unsigned long_loop_size(LLVMValueRef instruction);
unsigned long_loop_block_size(LLVMBasicBlockRef block);
// Each loop of the function around so much code that LLVM's code generator is to take it for code
// that runs once. `mark` puts code of no effect at the end of a block that would else be empty.
void long_loop_hide(LLVMModuleRef module, LLVMValueRef function, Arena *arena,
                    void (*mark)(LLVMBuilderRef builder, LLVMModuleRef module));
