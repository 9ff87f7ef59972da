// SPDX-License-Identifier: Apache-2.0
// LLVM modules and the machines that emit them (object.c, gen_module.c).
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include "codegen/codegen.h"
#include "codegen/emit/target.h"

struct LlvmModule {
  Arena *arena;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
};

// Makes the context, the machine and the empty module. False after a diagnostic.
bool object_machine(Session *session, Arena *arena, const Target *target,
                    const CodegenOptions *options, LlvmModule *out);
// Generates the module. `suffix` goes behind all symbols, if the module is one of several of one
// process.
LlvmModule *codegen_build(Session *session, IrModule *module, const CodegenOptions *options,
                          const char *suffix);
