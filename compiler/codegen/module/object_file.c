// SPDX-License-Identifier: Apache-2.0
// Target machines; modules as text, assembly and objects, in memory.
#include "object_file.h"
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

static LLVMCodeGenOptLevel codegen_level(int opt_level) {
  switch (opt_level) {
  case 0:
  case 1: return LLVMCodeGenLevelNone;
  case 2: return LLVMCodeGenLevelDefault;
  default: return LLVMCodeGenLevelAggressive;
  }
}

bool object_machine(Session *session, Arena *arena, const Target *target,
                    const CodegenOptions *options, LlvmModule *out) {
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
  out->machine = LLVMCreateTargetMachine(llvm_target, target->triple, BASELINE_CPU, "",
                                         codegen_level(options->opt_level), LLVMRelocPIC,
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

// How much code there is. Beyond a point code is unrolled or written out, and what counts is that
// its compile time stays linear.
typedef enum CodeSize { CODE_USUAL, CODE_LARGE, CODE_HUGE } CodeSize;
enum { LARGE_BLOCKS = 256, HUGE_BLOCKS = 1200, HUGE_INSTRUCTIONS = 16000, HUGE_BLOCK = 1500 };

static CodeSize code_size(LLVMModuleRef module) {
  unsigned blocks = 0;
  size_t instructions = 0, longest = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block), blocks++) {
      size_t count = 0;
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        count++;
      instructions += count;
      if (count > longest) longest = count;
    }
  if (blocks > HUGE_BLOCKS || instructions > HUGE_INSTRUCTIONS || longest > HUGE_BLOCK)
    return CODE_HUGE;
  return blocks > LARGE_BLOCKS ? CODE_LARGE : CODE_USUAL;
}

// Passes of the code generator that take time that grows faster than the number of loops and
// instructions of a function, or much of the time for little. LLVM has options for them only, which
// hold for the process. Loop strength reduction and the common subexpressions go first; what hot
// loops need (hoisting of constants, scheduling) only where most of the code can run but once.
static void choose_passes(CodeSize size) {
  static const struct {
    const char *name;
    CodeSize from; // the size from which on it is set
  } options[] = {{"-disable-lsr", CODE_LARGE},
                 {"-disable-machine-cse", CODE_LARGE},
                 {"-disable-machine-licm", CODE_HUGE},
                 {"-disable-post-ra", CODE_HUGE}};
  char words[COUNT_OF(options)][40];
  const char *arguments[COUNT_OF(options) + 2] = {"pallasc"};
  for (size_t i = 0; i < COUNT_OF(options); i++) {
    snprintf(words[i], sizeof words[i], "%s=%d", options[i].name, size >= options[i].from);
    arguments[i + 1] = words[i];
  }
  arguments[COUNT_OF(options) + 1] = size == CODE_HUGE ? "-enable-misched=0" : "-enable-misched=1";
  LLVMParseCommandLineOptions((int)COUNT_OF(arguments), arguments, "");
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
  choose_passes(code_size(copy));
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
