// SPDX-License-Identifier: Apache-2.0
// Code for this process, through ORC. Modules are emitted as objects, as for a file, and handed to
// LLJIT; each has a resource tracker of its own, and its symbols end in a number, so that the same
// names may come again.
#include <llvm-c/LLJIT.h>
#include <llvm-c/LLJITUtils.h>
#include "ir/core/ir.h"
#include "object_file.h"
#include "perf_map.h"
#include "prt_codegen.h"

// The runtime as this program has it, whether or not the program exports its symbols.
typedef struct Export {
  const char *name;
  void (*address)(void);
} Export;
#define EXPORT(name)                                                                               \
  { #name, (void (*)(void))name }
static const Export exports[] = {
    EXPORT(prt__enter_call),
    EXPORT(prt__leave),
    EXPORT(prt__fail),
    EXPORT(prt__fail_null),
    EXPORT(prt__has_failed),
    EXPORT(prt__alloc),
    EXPORT(prt__mark),
    EXPORT(prt__release),
    EXPORT(prt__sort_words),
    EXPORT(prt__sort_some_words),
    EXPORT(prt__parallel_for),
    EXPORT(prt__threads),
    EXPORT(prt__thread_index),
    EXPORT(prt__debug_print),
    EXPORT(prt__step_enter),
    EXPORT(prt__step_leave),
    EXPORT(prt__check_failed),
    EXPORT(prt__check_index),
    EXPORT(prt__check_slice),
    EXPORT(prt__check_turn),
    EXPORT(prt__loop_ends),
    EXPORT(prt__loop_stopped),
    EXPORT(prt__check_adopt),
    EXPORT(prt__check_written),
    EXPORT(prt__check_copied),
    EXPORT(prt__check_element_written),
    EXPORT(prt__check_unwritten),
    EXPORT(prt__check_unwrite),
    EXPORT(prt__check_element_unwritten),
    EXPORT(prt__check_element_unwrite),
    EXPORT(prt__check_used),
    EXPORT(prt__race_access),
    EXPORT(prt__race_element),
    EXPORT(prt__race_turn),
    EXPORT(prt__race_window),
    EXPORT(prt__race_atomic),
    EXPORT(prt__race_index),
    EXPORT(prt__race_copy_begin),
    EXPORT(prt__race_copy_end),
    EXPORT(prt__race_input),
    EXPORT(prt__race_polled),
    EXPORT(prt__race_polled_term),
    EXPORT(prt__race_polled_sum),
    EXPORT(prt__race_polled_count),
    EXPORT(prt__race_polled_point),
    EXPORT(prt__race_polled_points),
    EXPORT(prt__check_output),
    EXPORT(prt__result_is_read),
    EXPORT(prt__sem_pass),
    EXPORT(prt__sem_take),
    EXPORT(prt__sem_moved),
    EXPORT(prt__parallel_block),
    EXPORT(prt__parallel_step),
    EXPORT(prt__parallel_rest),
    EXPORT(prt__parallel_end),
    EXPORT(prt__run),
    EXPORT(prt__frame_alloc),
    EXPORT(prt__task_end),
    EXPORT(prt__launch),
    EXPORT(prt__sem_wait),
    EXPORT(prt__sem_signal),
    EXPORT(prt__peer_signal),
    EXPORT(prt__sem_read),
    EXPORT(prt__barrier_sem),
    EXPORT(prt__no_semaphore),
    EXPORT(prt__unequal_copy),
    EXPORT(prt__peer),
    EXPORT(prt__copy_start),
    EXPORT(prt__meet),
    EXPORT(prt__publish),
    EXPORT(prt__sem_pause),
    EXPORT(prt__sem_afresh),
    EXPORT(prt__turn),
    EXPORT(prt__check_scope),
};

struct Jit {
  Session *session;
  CodegenOptions options;
  LLVMOrcLLJITRef lljit;
  unsigned count;
  JitModule *removed; // for the next ones
};

struct JitModule {
  LLVMOrcResourceTrackerRef tracker;
  char suffix[24];
  JitModule *next; // of those that were removed
};

static bool report(Session *session, LLVMErrorRef error) {
  if (!error) return true;
  char *message = LLVMGetErrorMessage(error);
  diag_error(session, (Span){0}, "code could not be loaded: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

Jit *jit_new(Session *session, const CodegenOptions *options) {
  object_targets_init();
  Jit *jit = ARENA_NEW(session->arena, Jit);
  jit->session = session;
  jit->options = *options;
  if (!report(session, LLVMOrcCreateLLJIT(&jit->lljit, LLVMOrcCreateLLJITBuilder()))) return NULL;
  LLVMOrcDefinitionGeneratorRef process;
  char prefix = LLVMOrcLLJITGetGlobalPrefix(jit->lljit);
  if (!report(session,
              LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, prefix, NULL, NULL)))
    return NULL;
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit->lljit), process);
  LLVMOrcCSymbolMapPair symbols[COUNT_OF(exports)];
  for (size_t i = 0; i < COUNT_OF(exports); i++) {
    symbols[i].Name = LLVMOrcLLJITMangleAndIntern(jit->lljit, exports[i].name);
    symbols[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)exports[i].address;
    symbols[i].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
    symbols[i].Sym.Flags.TargetFlags = 0;
  }
  LLVMOrcMaterializationUnitRef runtime = LLVMOrcAbsoluteSymbols(symbols, COUNT_OF(exports));
  if (!report(session, LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit->lljit), runtime)))
    return NULL;
  // A library that was loaded out of sight of others has no symbols that debuggers find.
  if (options->debug_info) LLVMConsumeError(LLVMOrcLLJITEnableDebugSupport(jit->lljit));
  return jit;
}

void jit_free(Jit *jit) {
  if (jit) LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->lljit));
}

bool codegen_code(Session *session, IrModule *module, const CodegenOptions *options,
                  const char *suffix, Arena *arena, Str *object) {
  LlvmModule *llvm = codegen_build(session, module, options, suffix);
  if (!llvm) return false;
  bool emitted = codegen_emit(session, llvm, EMIT_OBJECT, arena, object);
  codegen_free(llvm);
  return emitted;
}

static JitModule *code_new(Jit *jit, const char *suffix) {
  JitModule *code = jit->removed;
  if (code)
    jit->removed = code->next;
  else
    code = ARENA_NEW(jit->session->arena, JitModule);
  snprintf(code->suffix, sizeof code->suffix, "%s", suffix);
  return code;
}

JitModule *jit_load(Jit *jit, Str object, const char *suffix) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.len, "kernel");
  JitModule *code = code_new(jit, suffix);
  code->tracker = LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(jit->lljit));
  if (!report(jit->session, LLVMOrcLLJITAddObjectFileWithRT(jit->lljit, code->tracker, buffer)))
    return NULL;
  if (jit->options.perf_map && !perf_map_add(jit->session, jit->lljit, object)) return NULL;
  return code;
}

static JitModule *add(Jit *jit, IrModule *module, const CodegenOptions *options) {
  Arena *arena = arena_new_child(jit->session->arena);
  const char *suffix = str_format(arena, ".%u", ++jit->count).data;
  Str object;
  JitModule *code = NULL;
  if (codegen_code(jit->session, module, options, suffix, arena, &object))
    code = jit_load(jit, object, suffix);
  arena_free(arena);
  return code;
}

JitModule *jit_add(Jit *jit, IrModule *module) { return add(jit, module, &jit->options); }

JitModule *jit_add_quick(Jit *jit, IrModule *module) {
  CodegenOptions options = jit->options;
  options.opt_level = 0;
  return add(jit, module, &options);
}

void jit_remove(Jit *jit, JitModule *code) {
  report(jit->session, LLVMOrcResourceTrackerRemove(code->tracker));
  LLVMOrcReleaseResourceTracker(code->tracker);
  code->next = jit->removed;
  jit->removed = code;
}

const prt_entry *jit_find(Jit *jit, const JitModule *code, Str name) {
  Arena *scratch = session_scratch(jit->session);
  ArenaMark mark = arena_mark(scratch);
  Str symbol = str_format(scratch, "prt_entry_%.*s%s", STR_FMT(name), code->suffix);
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(jit->lljit, &address, symbol.data);
  arena_release(scratch, mark);
  if (error) {
    LLVMConsumeError(error);
    return NULL;
  }
  return (const prt_entry *)(uintptr_t)address;
}

int jit_run(Jit *jit, JitModule *code, Str name, prt_machine *machine, void *const *arguments) {
  const prt_entry *entry = jit_find(jit, code, name);
  return entry ? (int)entry->call(machine, arguments) : -1;
}
