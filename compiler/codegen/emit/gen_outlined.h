// SPDX-License-Identifier: Apache-2.0
// Outlined functions: one for all pieces of code that are identical. Where the source was unrolled,
// a call is all that is left of a piece.
#pragma once
#include "gen.h"

enum { OUTLINED_PARAMS = 32 }; // a choice: code that takes more is not shared
typedef struct Outlined {
  Value function;
  Type signature;
  Frame frame;
  LLVMBasicBlockRef here;
  LLVMMetadataRef location;
  Sharing shares; // of the function that the call is in
} Outlined;
// Finds the function of that name, or makes it: true then, and what is emitted until outlined_end
// is its body.
bool outlined_begin(LlvmGen *g, Outlined *o, const char *name, Type result, unsigned count,
                    Value const *args);
void outlined_end(LlvmGen *g, Outlined *o, Value result); // NULL: none
Value outlined_call(LlvmGen *g, const Outlined *o, unsigned count, Value *args);
