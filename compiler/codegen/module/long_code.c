// SPDX-License-Identifier: Apache-2.0
// Functions that were unrolled or written out, made ready for LLVM's code generator. In: a module,
// complete. Out: the same code, cut so that no pass of the code generator takes time that grows
// faster than the code. LLVM has options for such passes, but they hold for the process.
#include "call_runs.h"
#include "codegen/emit/gen_function.h"
#include "long_loop.h"
#include "long_values.h"
#include "object_file.h"

// Measured with 1,000 to 4,000 unrolled statements (pl.when blocks; loads and stores of scalars):
// each limit is where the passes that it is for begin to take more time than all the others.
// Regions are far longer than what a CPU has in flight.
enum { LONG_BLOCKS = 256, LONG_BLOCK = 1500, LONG_FUNCTION = 1500, REGION = 250 };
// With checks, branches and calls stand between all accesses: BranchFolder goes through all blocks
// again for each few that it merges, and from here on it and the register allocator take more time
// than all the rest. What such code does it does in the runtime.
enum { LONG_CHECKED = 1500 };
// Each address in a frame is a register of its own once for the whole function, and LLVM's
// MachineCSE goes through all that use it for each that it finds again: with 2,000 scans of 44
// instructions that took half the time, with 500 none.
enum { MANY_ADDRESSES = 30000 };

static bool is_long(LLVMValueRef function) {
  return LLVMCountBasicBlocks(function) > LONG_BLOCKS ||
         LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, LONG_CODE,
                                       sizeof LONG_CODE - 1);
}

static unsigned size_of(LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    count += long_loop_block_size(b);
  return count;
}

// Loop strength reduction looks at all induction variables of a function again for each of its
// loops. It knows a variable by the sum on its way around: behind a freeze that is none.
static void hide_induction(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  LLVMValueRef first = LLVMGetFirstInstruction(block), end = first;
  while (end && LLVMIsAPHINode(end)) end = LLVMGetNextInstruction(end);
  if (!end) return;
  LLVMPositionBuilderBefore(builder, end);
  for (LLVMValueRef phi = first; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind) continue;
    LLVMValueRef frozen = LLVMBuildFreeze(builder, phi, "");
    LLVMReplaceAllUsesWith(phi, frozen);
    LLVMSetOperand(frozen, 0, phi);
  }
}

// A label; it is of an annotation that only another system's debug information would have.
static void add_label(LLVMBuilderRef builder, LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMMetadataRef words[] = {LLVMMDStringInContext2(context, "region", 6)};
  LLVMValueRef note = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, words, 1));
  unsigned id = LLVMLookupIntrinsicID("llvm.codeview.annotation", 24);
  LLVMValueRef label = LLVMGetIntrinsicDeclaration(module, id, NULL, 0);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(label), label, &note, 1, "");
}

// The scheduler compares each access to memory with all others of its region: a label ends one.
static void end_regions(LLVMBuilderRef builder, LLVMModuleRef module, LLVMBasicBlockRef block) {
  unsigned size = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    size += long_loop_size(i);
    if (size < REGION || LLVMIsAPHINode(i)) continue;
    LLVMPositionBuilderBefore(builder, i);
    add_label(builder, module);
    size = 0;
  }
}

void long_code_cut(LLVMModuleRef module, bool is_checked, Arena *parent) {
  Arena *arena = arena_new_child(parent);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (is_checked && LLVMCountBasicBlocks(f) > LONG_CHECKED)
      call_runs_leave(f);
    else if (is_long(f))
      call_runs_cut(module, f);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (call_runs_is_left(f)) continue;
    bool hides = is_long(f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      if (hides) hide_induction(builder, b);
      if (long_loop_block_size(b) > LONG_BLOCK) end_regions(builder, module, b);
    }
    long_loop_hide(module, f, arena, add_label);
    unsigned size = size_of(f);
    if (size > LONG_FUNCTION) long_values_keep(module, f, REGION, size > MANY_ADDRESSES, arena);
  }
  LLVMDisposeBuilder(builder);
  arena_free(arena);
}
