// SPDX-License-Identifier: Apache-2.0
// Target machines; modules as text, assembly and objects, in memory.
#include "object_file.h"
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

static LLVMCodeGenOptLevel codegen_level(int opt_level) {
  switch (opt_level) {
  case 0:
  case 1: return LLVMCodeGenLevelLess;
  case 2: return LLVMCodeGenLevelDefault;
  default: return LLVMCodeGenLevelAggressive;
  }
}

bool object_machine(Session *session, Arena *arena, const Target *target, const CodegenOptions *options, LlvmModule *out) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMTargetRef llvm_target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &llvm_target, &message)) {
    diag_error(session, (Span){0}, "LLVM has no target '%s': %s", target->triple, message);
    LLVMDisposeMessage(message);
    return false;
  }
  out->arena = arena;
  out->machine = LLVMCreateTargetMachine(llvm_target, target->triple, BASELINE_CPU, "", codegen_level(options->opt_level), LLVMRelocPIC,
                                         LLVMCodeModelDefault);
  out->context = LLVMContextCreate();
  out->module = LLVMModuleCreateWithNameInContext("kernel", out->context);
  LLVMSetTarget(out->module, target->triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(out->machine);
  LLVMSetModuleDataLayout(out->module, layout);
  LLVMDisposeTargetData(layout);
  return true;
}

static Str take_message(Arena *arena, char *message) {
  Str text = str_copy(arena, str_from_c(message));
  LLVMDisposeMessage(message);
  return text;
}

// Beyond this many basic blocks code is unrolled or written out, and what counts is that its compile time stays linear.
enum { MANY_BLOCKS = 256 };

static bool is_large(LLVMModuleRef module) {
  unsigned blocks = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) blocks += LLVMCountBasicBlocks(f);
  return blocks > MANY_BLOCKS;
}

// Two passes of the code generator take time that grows faster than the number of loops and instructions of a function, and are half of the
// rest as well. LLVM has options for them only, which hold for the process.
static void choose_passes(bool large) {
  const char *const on[] = {"pallasc", "-disable-lsr=1", "-disable-machine-cse=1"};
  const char *const off[] = {"pallasc", "-disable-lsr=0", "-disable-machine-cse=0"};
  LLVMParseCommandLineOptions(COUNT_OF(on), large ? on : off, "");
}

bool codegen_emit(Session *session, LlvmModule *llvm, EmitKind kind, Arena *arena, Str *out) {
  if (kind == EMIT_LLVM) {
    *out = take_message(arena, LLVMPrintModuleToString(llvm->module));
    return true;
  }
  LLVMCodeGenFileType type = kind == EMIT_ASM ? LLVMAssemblyFile : LLVMObjectFile;
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  // Emission changes the module: a copy goes in, so that it may be asked for again.
  LLVMModuleRef copy = LLVMCloneModule(llvm->module);
  choose_passes(is_large(copy));
  bool failed = LLVMTargetMachineEmitToMemoryBuffer(llvm->machine, copy, type, &message, &buffer);
  LLVMDisposeModule(copy);
  if (failed) {
    diag_error(session, (Span){0}, "LLVM could not emit code: %s", message);
    LLVMDisposeMessage(message);
    return false;
  }
  size_t size = LLVMGetBufferSize(buffer);
  out->data = arena_dup(arena, LLVMGetBufferStart(buffer), size);
  out->len = size;
  LLVMDisposeMemoryBuffer(buffer);
  return true;
}

void codegen_free(LlvmModule *llvm) {
  if (!llvm) return;
  Arena *arena = llvm->arena;
  LLVMDisposeModule(llvm->module);
  LLVMContextDispose(llvm->context);
  LLVMDisposeTargetMachine(llvm->machine);
  arena_free(arena);
}
