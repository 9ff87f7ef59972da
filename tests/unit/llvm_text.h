// SPDX-License-Identifier: Apache-2.0
// The LLVM IR that a module of kernel IR becomes, as text.
#pragma once
#include <check.h>
#include "codegen/codegen.h"
#include "ir/core/ir.h"

static Str llvm_text(Session *session, IrModule *module, const CodegenOptions *options) {
  LlvmModule *llvm = codegen_module(session, module, options);
  Str code;
  ck_assert_ptr_nonnull(llvm);
  ck_assert(codegen_emit(session, llvm, EMIT_LLVM, session->arena, &code));
  codegen_free(llvm);
  return code;
}
