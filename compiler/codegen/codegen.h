// SPDX-License-Identifier: Apache-2.0
// From kernel IR (after the passes) to LLVM IR, assembly, an object, or code that runs in this
// process.
//
// Every function of the module becomes an entry point as runtime/prt_codegen.h describes it: NAME
// (the header's prototype, compiled for the baseline CPU), prt_call_NAME, the descriptor
// prt_entry_NAME, and an internal body compiled for the target. Calling an object on a CPU that
// lacks its features gives PRT_ERROR_CPU.
//
// What the code promises (docs/numbers.md has the details):
//   - no result depends on the target's vector width, on threads, on clustering, or on the
//   optimisation level;
//   - the caller's arrays may have any alignment of at least the element's size; an output
//   overlaps no other argument;
//   - a call allocates nothing once the machine's scratch memory is warm.
// Ownership: an LlvmModule owns its LLVM context; it lives until codegen_free, apart from the
// session that made it.
// Threads: an LlvmModule belongs to one thread at a time; a Jit too, but the code it made may run
// on any.
#pragma once
#include "ir/core/ir.h"

typedef struct CodegenOptions {
  // 0 to 3: of LLVM's code generator, which does nothing that takes time for 0 and 1.
  int opt_level;
  Str target_cpu;  // "native" (also if empty), or a name of target.def: "x86-64-v3", "znver5"
  bool debug_info; // DWARF lines of the source
  bool check;      // accesses are checked; see prt_codegen.h
  bool perf_map;   // profilers see the functions of this process
  bool tsan;       // ThreadSanitizer hears of accesses (-fsanitize=thread)
  bool verify;     // LLVM's verifier runs on the module (debug builds always)
  bool eager; // what pays only for large arrays is done for all (tests): threads, tiles, stores
              // past the caches
} CodegenOptions;

typedef enum EmitKind { EMIT_LLVM, EMIT_ASM, EMIT_OBJECT } EmitKind;

typedef struct LlvmModule LlvmModule;

// NULL after a diagnostic (an unknown CPU, an array too large for an address).
LlvmModule *codegen_module(Session *session, IrModule *module, const CodegenOptions *options);
// The plans of the module's clusters, in `arena`. False after a diagnostic (an unknown CPU).
struct ModulePlan;
bool codegen_plan(Session *session, const IrModule *module, const CodegenOptions *options,
                  Arena *arena, struct ModulePlan *out);
// The module's text or object, in `arena`; once, for what makes machine code changes the module.
// False after a diagnostic.
bool codegen_emit(Session *session, LlvmModule *llvm, EmitKind kind, Arena *arena, Str *out);
void codegen_free(LlvmModule *llvm);
// Whether --target-cpu takes the name; the names there are, in a list for messages.
bool codegen_knows_cpu(Str name);
Str codegen_cpu_names(Arena *arena);
Str codegen_host_cpu(Arena *arena); // LLVM's name of the CPU of this machine
// All that code for a CPU depends on, as text, in `arena`. False after a diagnostic.
bool codegen_target_text(Session *session, Arena *arena, Str name, Str *out);

// ---- jit.c -------------------------------------------------------------------------------------
struct prt_machine;
struct prt_entry;
typedef struct Jit Jit;
// Code for this process; symbols of the runtime come from the process. NULL after a diagnostic.
// `options.target_cpu` as above.
Jit *jit_new(Session *session, const CodegenOptions *options);
void jit_free(Jit *jit);
// Compiles all functions of the module. Names already added may come again: each module is a
// library of its own.
// Gives a handle for jit_run, or NULL after a diagnostic.
typedef struct JitModule JitModule;
JitModule *jit_add(Jit *jit, IrModule *module);
// The same by an LLVM that does nothing that takes time: for what computes little.
JitModule *jit_add_quick(Jit *jit, IrModule *module);
// Symbols of an object that is the only one of its Jit end in this.
#define LONE_SUFFIX ".0"
// An object with the module's code for jit_load, in `arena`; its symbols end in `suffix`. False
// after a diagnostic.
bool codegen_code(Session *session, IrModule *module, const CodegenOptions *options,
                  const char *suffix, Arena *arena, Str *object);
// Takes such an object in; no other of the Jit may have its suffix, which must live as long. NULL
// after a diagnostic.
JitModule *jit_load(Jit *jit, Str object, const char *suffix);
// The descriptor of a function; NULL if there is none of that name. It lives as long as the code.
const struct prt_entry *jit_find(Jit *jit, const JitModule *code, Str name);
// Frees the code of one module; no call of it may be running.
void jit_remove(Jit *jit, JitModule *code);
// Calls a function: arguments[i] is the memory of parameter i. The prt_status of the call; -1 if
// there is no such function.
int jit_run(Jit *jit, JitModule *code, Str name, struct prt_machine *machine,
            void *const *arguments);
