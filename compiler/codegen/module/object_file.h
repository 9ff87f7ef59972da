// SPDX-License-Identifier: Apache-2.0
// LLVM modules and the machines that emit them (object.c, gen_module.c).
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include "codegen/codegen.h"
#include "codegen/emit/target.h"
#include "ir/core/ir.h"

struct LlvmModule {
  Arena *arena;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  bool is_optimised; // by the machine's own passes
  bool is_checked;
};

void object_targets_init(void); // LLVM's targets; may be called again, and by several threads
// Makes the context, the machine and the empty module. False after a diagnostic.
bool object_machine(Session *session, Arena *arena, const Target *target,
                    const CodegenOptions *options, LlvmModule *out);
// Cuts code that is so long that passes of the machine would take too long (long_code.c).
void long_code_cut(LLVMModuleRef module, bool is_checked, Arena *parent);
// Generates the module. `suffix` goes behind all symbols, if the module is one of several of one
// process.
LlvmModule *codegen_build(Session *session, IrModule *module, const CodegenOptions *options,
                          const char *suffix);
