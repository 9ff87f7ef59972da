// SPDX-License-Identifier: Apache-2.0
// Stores that go past the caches: what they write is not read there first.
#include "gen_stream.h"
#include <llvm-c/Target.h>
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "plan/plan.h"

Value stream_misalignment(LlvmGen *g, Value address) {
  Value number = LLVMBuildPtrToInt(g->builder, address, g->i64, "");
  return LLVMBuildAnd(g->builder, number, gen_i64(g, LINE_BYTES - 1), "");
}

void stream_store(LlvmGen *g, Value raw, Value address) {
  Value store = LLVMBuildStore(g->builder, raw, address);
  LLVMSetAlignment(
      store, (unsigned)LLVMABISizeOfType(LLVMGetModuleDataLayout(g->module), LLVMTypeOf(raw)));
  LLVMMetadataRef one = LLVMValueAsMetadata(gen_i32(g, 1));
  LLVMMetadataRef node = LLVMMDNodeInContext2(g->context, &one, 1);
  LLVMSetMetadata(store, LLVMGetMDKindIDInContext(g->context, "nontemporal", 11),
                  LLVMMetadataAsValue(g->context, node));
}

void stream_fence(LlvmGen *g) { gen_intrinsic(g, "llvm.x86.sse.sfence", NULL, 0, NULL); }
