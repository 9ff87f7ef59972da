// SPDX-License-Identifier: Apache-2.0
// Functions and their blocks.
#pragma once
#include "gen.h"

// An attribute for long_code.c: of a function that is written out, or of its own outlined ones, so
// that little of the code runs often.
#define LONG_CODE "pallasc-long-code"

// Internal, with the instructions of the target, if it is for that; else for the baseline.
Value gen_new_function(LlvmGen *g, const char *name, Type type, bool for_target);
void gen_add_attribute(LlvmGen *g, Value function, const char *name);
LLVMBasicBlockRef gen_block(LlvmGen *g, const char *name); // appended to the current function
// What is built next is of this block. One that is empty comes to stand behind the code so far.
void gen_move_to(LlvmGen *g, LLVMBasicBlockRef block);
LLVMBasicBlockRef gen_here(LlvmGen *g);
