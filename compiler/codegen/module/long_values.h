// SPDX-License-Identifier: Apache-2.0
// Values that long code uses far from where they are made.
#pragma once
#include <llvm-c/Core.h>
#include "base/base.h"

// Of a long function: its numbers and addresses are kept in memory between stretches of
// `stretch` instructions and more, and read again where a stretch begins; with_allocas: addresses
// of its own memory, too.
void long_values_keep(LLVMModuleRef module, LLVMValueRef function, unsigned stretch,
                      bool with_allocas, Arena *arena);
// Whether a value is an address at a constant distance from another one, its first operand.
bool long_values_is_offset(LLVMValueRef value);
