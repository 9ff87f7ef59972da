// SPDX-License-Identifier: Apache-2.0
// Stores that go past the caches: what a store writes of an array so large that nobody finds it in
// a cache afterwards is not read there first. The processor has such stores for whole aligned
// vectors only; gen_walk.c finds those.
#include "gen_stream.h"
#include <llvm-c/Target.h>
#include "codegen/emit/gen_const.h"
#include "ir/analysis/alias.h"

// Below, the next reader would rather find the array in the last cache.
static const int64_t LEAST_BYTES = 32 << 20;

bool stream_is_only_written(const LlvmGen *g, const IrValue *ref) {
  const IrValue *array = ir_ref_root(ref);
  if (array->def || array->region != g->func->body || array->use_count != 1) return false;
  if (g->func->params[array->index].role == PARAM_IN) return false;
  for (; ref != array; ref = ref->def->operands[0])
    if (ref->use_count != 1) return false;
  return true;
}

bool stream_wanted(const LlvmGen *g, const Root *root) {
  if (root->kind != ROOT_STORE || root->mask_node || g->options->check) return false;
  if (!stream_is_only_written(g, root->op->operands[1])) return false;
  const IrValue *array = ir_ref_root(root->op->operands[1]);
  size_t size = dtype_size(array->type->dtype);
  return (g->options->eager || ir_type_bytes(array->type) >= LEAST_BYTES) &&
         (size & (size - 1)) == 0;
}

Value stream_misalignment(LlvmGen *g, const Root *root) {
  Value address = LLVMBuildPtrToInt(g->builder, root->address, g->i64, "");
  return LLVMBuildAnd(g->builder, address, gen_i64(g, STREAM_ALIGN - 1), "");
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
