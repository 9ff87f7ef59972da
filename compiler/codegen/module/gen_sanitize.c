// SPDX-License-Identifier: Apache-2.0
// -fsanitize=thread. In: a module, complete. Out: the same, with a call of ThreadSanitizer's
// runtime in front of each access of memory. LLVM's own pass leaves out masked accesses and those
// wider than 16 bytes, which most of ours are.
#include "gen_sanitize.h"
#include <llvm-c/Target.h>
#include <string.h>
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"

enum { ACQUIRE_RELEASE = 4 }; // of the runtime's memory orders
enum { MAX_ACCESS = 8 };      // bytes that have a call of their own

static void report(LlvmGen *g, bool is_store, Value address, Value bytes) {
  Value args[] = {address, bytes};
  gen_call_runtime(g, is_store ? "__tsan_write_range" : "__tsan_read_range", g->void_type, 2, args);
}

static void report_element(LlvmGen *g, bool is_store, Value address, unsigned bytes) {
  const char *name =
      str_format(g->arena, "__tsan_unaligned_%s%u", is_store ? "write" : "read", bytes).data;
  if (bytes == 1) name = is_store ? "__tsan_write1" : "__tsan_read1";
  gen_call_runtime(g, name, g->void_type, 1, &address);
}

static unsigned long long bytes_of(LlvmGen *g, Type type) {
  return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->module), type);
}

static bool is_intrinsic(Value call, const char *prefix) {
  Value callee = LLVMGetCalledValue(call);
  size_t length = 0;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return length > strlen(prefix) && memcmp(name, prefix, strlen(prefix)) == 0;
}

// What the function keeps on its stack no other thread sees.
static bool is_on_stack(Value address) {
  while (LLVMIsAGetElementPtrInst(address)) address = LLVMGetOperand(address, 0);
  return LLVMIsAAllocaInst(address);
}

static void plain(LlvmGen *g, bool is_store, Value address, Type type) {
  unsigned long long bytes = bytes_of(g, type);
  if (is_on_stack(address)) return;
  if (bytes <= MAX_ACCESS && (bytes & (bytes - 1)) == 0)
    report_element(g, is_store, address, (unsigned)bytes);
  else
    report(g, is_store, address, gen_i64(g, (int64_t)bytes));
}

// Each lane, or where it is off, a place on the stack. A masked access ends in the mask, which a
// load's other value may follow.
static void masked(LlvmGen *g, bool is_store, Value call, Value place) {
  Type type = LLVMTypeOf(is_store ? LLVMGetOperand(call, 0) : call);
  Value address = LLVMGetOperand(call, is_store), mask = NULL;
  for (unsigned i = (unsigned)LLVMGetNumArgOperands(call); i-- > 0 && !mask;) {
    Type operand = LLVMTypeOf(LLVMGetOperand(call, i));
    if (LLVMGetTypeKind(operand) == LLVMVectorTypeKind && LLVMGetElementType(operand) == g->i1)
      mask = LLVMGetOperand(call, i);
  }
  unsigned bytes = (unsigned)bytes_of(g, LLVMGetElementType(type));
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    Value is_on = LLVMBuildExtractElement(g->builder, mask, gen_i32(g, i), "");
    Value lane = gen_address(g, address, (int64_t)i * bytes);
    report_element(g, is_store, LLVMBuildSelect(g->builder, is_on, lane, place, ""), bytes);
  }
}

static void mem_intrinsic(LlvmGen *g, Value call) {
  Value bytes = LLVMBuildZExt(g->builder, LLVMGetOperand(call, 2), g->i64, "");
  report(g, true, LLVMGetOperand(call, 0), bytes);
  if (!is_intrinsic(call, "llvm.memset")) report(g, false, LLVMGetOperand(call, 1), bytes);
}

// An atomic addition becomes the runtime's, which is one as well.
static void atomic_add(LlvmGen *g, Value add) {
  Value args[] = {LLVMGetOperand(add, 0), LLVMGetOperand(add, 1), gen_i32(g, ACQUIRE_RELEASE)};
  Type type = LLVMTypeOf(add);
  const char *name =
      str_format(g->arena, "__tsan_atomic%u_fetch_add", LLVMGetIntTypeWidth(type)).data;
  LLVMReplaceAllUsesWith(add, gen_call_runtime(g, name, type, 3, args));
  LLVMInstructionEraseFromParent(add);
}

static void instruction(LlvmGen *g, Value i, Value place) {
  LLVMPositionBuilderBefore(g->builder, i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad: plain(g, false, LLVMGetOperand(i, 0), LLVMTypeOf(i)); break;
  case LLVMStore: plain(g, true, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0))); break;
  case LLVMAtomicRMW: atomic_add(g, i); break;
  case LLVMRet: gen_call_runtime(g, "__tsan_func_exit", g->void_type, 0, NULL); break;
  case LLVMCall:
    if (is_intrinsic(i, "llvm.masked.load.")) masked(g, false, i, place);
    if (is_intrinsic(i, "llvm.masked.store.")) masked(g, true, i, place);
    if (is_intrinsic(i, "llvm.memcpy.") || is_intrinsic(i, "llvm.memmove.") ||
        is_intrinsic(i, "llvm.memset."))
      mem_intrinsic(g, i);
    break;
  default: break;
  }
}

static void function(LlvmGen *g, Value f) {
  LLVMPositionBuilderBefore(g->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  Value place = LLVMBuildAlloca(g->builder, g->i64, "");
  Value level = gen_i32(g, 0), caller = gen_intrinsic(g, "llvm.returnaddress", NULL, 1, &level);
  gen_call_runtime(g, "__tsan_func_entry", g->void_type, 1, &caller);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
       block = LLVMGetNextBasicBlock(block))
    for (Value i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      instruction(g, i, place);
    }
}

void sanitize_threads(LlvmGen *g) {
  for (Value f = LLVMGetFirstFunction(g->module); f; f = LLVMGetNextFunction(f))
    if (LLVMCountBasicBlocks(f)) function(g, f);
}
