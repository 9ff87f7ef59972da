// SPDX-License-Identifier: Apache-2.0
// Target machines; modules as text, assembly and objects, in memory.
#include "object_file.h"
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <string.h>
#include <threads.h>

static LLVMCodeGenOptLevel codegen_level(int opt_level) {
  switch (opt_level) {
  case 0:
  case 1: return LLVMCodeGenLevelNone;
  case 2: return LLVMCodeGenLevelDefault;
  default: return LLVMCodeGenLevelAggressive;
  }
}

// LLVM's registry of targets is the process's; what fills it must run once.
static once_flag targets_flag = ONCE_FLAG_INIT;

// What LLVM gives up on.
static void on_fatal_error(const char *reason) { BUG("LLVM: %s", reason); }

static void init_targets(void) {
  LLVMInstallFatalErrorHandler(on_fatal_error);
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

void object_targets_init(void) { call_once(&targets_flag, init_targets); }

// What the module is made of: the first file that was read, as standard input and IR have one too.
static Str source_path(Session *session) {
  const SourceFile *source = source_get(session, session->files.count ? 1 : 0);
  return source ? source->path : STR("");
}

bool object_machine(Session *session, Arena *arena, const Target *target,
                    const CodegenOptions *options, LlvmModule *out) {
  object_targets_init();
  LLVMTargetRef llvm_target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &llvm_target, &message)) {
    diag_error(session, (Span){0}, "LLVM has no target '%s': %s", target->triple, message);
    LLVMDisposeMessage(message);
    return false;
  }
  out->arena = arena;
  out->is_optimised = codegen_level(options->opt_level) != LLVMCodeGenLevelNone;
  out->is_checked = options->check;
  out->machine = LLVMCreateTargetMachine(llvm_target, target->triple, BASELINE_CPU, "",
                                         codegen_level(options->opt_level), LLVMRelocPIC,
                                         LLVMCodeModelDefault);
  out->context = LLVMContextCreate();
  out->module = LLVMModuleCreateWithNameInContext("kernel", out->context);
  Str file = source_path(session);
  while (memchr(file.data, '/', file.len)) file = (Str){file.data + 1, file.len - 1};
  if (file.len) LLVMSetSourceFileName(out->module, file.data, file.len); // code knows no folders
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

bool codegen_emit(Session *session, LlvmModule *llvm, EmitKind kind, Arena *arena, Str *out) {
  if (kind == EMIT_LLVM) {
    *out = take_message(arena, LLVMPrintModuleToString(llvm->module));
    return true;
  }
  session_progress(session, "machine code of", 0, 0, source_path(session));
  LLVMCodeGenFileType type = kind == EMIT_ASM ? LLVMAssemblyFile : LLVMObjectFile;
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  if (llvm->is_optimised) long_code_cut(llvm->module, llvm->is_checked, arena);
  if (LLVMTargetMachineEmitToMemoryBuffer(llvm->machine, llvm->module, type, &message, &buffer)) {
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
