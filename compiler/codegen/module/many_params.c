// SPDX-License-Identifier: Apache-2.0
// Functions of many parameters, as a pytree of thousands of leaves makes them. In: the memory of
// the parameters as an array of pointers. Out: a pointer is loaded where it is used. As arguments
// or loaded at the start, all of them would live at once, and LLVM's register allocator takes time
// that grows with the square of their number.
#include "ir/core/ir.h"
#include "many_params.h"
#include "codegen/emit/emit.h"

// So many pointers are no burden for the allocator; fewer are passed as C passes them.
enum { MANY_PARAMS = 64 };

bool params_in_array(const IrFunc *func) { return func->param_count > MANY_PARAMS; }

Value params_load(LlvmGen *g, Value array, size_t i) {
  Value place = gen_address(g, array, (int64_t)(i * sizeof(void *)));
  return LLVMBuildLoad2(g->builder, g->ptr, place, "");
}

// A phi uses its values at the end of the blocks that it has them from.
static void move_before_use(LlvmGen *g, Value user, unsigned operand) {
  if (LLVMIsAPHINode(user))
    LLVMPositionBuilderBefore(g->builder,
                              LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand)));
  else
    LLVMPositionBuilderBefore(g->builder, user);
}

void params_load_at_uses(LlvmGen *g, Value array, size_t count, Value *loads) {
  for (size_t i = 0; i < count; i++) {
    for (LLVMUseRef use; (use = LLVMGetFirstUse(loads[i]));) {
      Value user = LLVMGetUser(use);
      unsigned operand = 0;
      while (LLVMGetOperand(user, operand) != loads[i]) operand++;
      move_before_use(g, user, operand);
      LLVMSetOperand(user, operand, params_load(g, array, i));
    }
    LLVMInstructionEraseFromParent(loads[i]);
  }
}
