// SPDX-License-Identifier: Apache-2.0
// Functions and their blocks.
#include "gen_function.h"
#include <stdio.h>
#include <string.h>

LLVMBasicBlockRef gen_block(LlvmGen *g, const char *name) {
  return LLVMAppendBasicBlockInContext(g->context, g->frame->function, name);
}

LLVMBasicBlockRef gen_here(LlvmGen *g) { return LLVMGetInsertBlock(g->builder); }

void gen_move_to(LlvmGen *g, LLVMBasicBlockRef block) {
  LLVMBasicBlockRef here = gen_here(g);
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  if (here && here != block && LLVMGetBasicBlockParent(here) == function &&
      block != LLVMGetEntryBasicBlock(function) && !LLVMGetFirstInstruction(block))
    LLVMMoveBasicBlockAfter(block, here);
  LLVMPositionBuilderAtEnd(g->builder, block);
}

static void add_string_attribute(LlvmGen *g, Value function, const char *key, const char *value) {
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(g->context, key, (unsigned)strlen(key),
                                                         value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

void gen_add_attribute(LlvmGen *g, Value function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(g->context, kind, 0));
}

Value gen_new_function(LlvmGen *g, const char *name, Type type, bool for_target) {
  Value function = LLVMAddFunction(g->module, name, type);
  gen_add_attribute(g, function, "nounwind");
  add_string_attribute(g, function, "target-cpu", for_target ? g->target->cpu : BASELINE_CPU);
  // As prt__enter sets the CPU.
  add_string_attribute(g, function, "denormal-fp-math", "preserve-sign,preserve-sign");
  if (g->shares.all) add_string_attribute(g, function, LONG_CODE, "");
  if (!for_target) return function;
  LLVMSetLinkage(function, LLVMInternalLinkage);
  if (g->target->features[0])
    add_string_attribute(g, function, "target-features", g->target->features);
  // The models of the psABI's levels have no scheduling after register allocation, which takes up
  // to a fifth of the time of long code and gives it nothing.
  add_string_attribute(g, function, "tune-cpu", g->shares.all ? g->target->cpu : g->target->name);
  // Without these LLVM splits vectors of 64 bytes on CPUs whose clock they lower.
  char width[16];
  snprintf(width, sizeof width, "%u", g->target->vector_bytes * 8);
  add_string_attribute(g, function, "prefer-vector-width", width);
  add_string_attribute(g, function, "min-legal-vector-width", width);
  return function;
}
