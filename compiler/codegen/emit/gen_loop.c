// SPDX-License-Identifier: Apache-2.0
// Loops with carried values in SSA form, and branches. Loops test at the bottom, so a loop's final
// values are those of its last turn.
#include "gen_loop.h"
#include "gen_const.h"
#include "gen_function.h"

void loop_begin(LlvmGen *g, Loop *loop, Value lower, Value upper, int64_t step,
                unsigned carry_count, Value const *initial, bool guarded) {
  *loop = (Loop){.upper = upper, .step = step, .carry_count = carry_count};
  loop->carried = ARENA_ARRAY(g->arena, Value, carry_count + 1);
  loop->body = gen_block(g, "loop");
  loop->after = gen_block(g, "done");
  loop->before = gen_here(g);
  if (guarded) {
    loop->guard_skipped = LLVMBuildICmp(g->builder, LLVMIntSLT, lower, upper, "");
    LLVMBuildCondBr(g->builder, loop->guard_skipped, loop->body, loop->after);
  } else {
    LLVMBuildBr(g->builder, loop->body);
  }
  gen_move_to(g, loop->body);
  loop->index = LLVMBuildPhi(g->builder, LLVMTypeOf(lower), "i");
  LLVMAddIncoming(loop->index, &lower, &loop->before, 1);
  for (unsigned i = 0; i < carry_count; i++) {
    loop->carried[i] = LLVMBuildPhi(g->builder, LLVMTypeOf(initial[i]), "");
    Value first = initial[i];
    LLVMAddIncoming(loop->carried[i], &first, &loop->before, 1);
  }
}

void loop_end(LlvmGen *g, Loop *loop, Value const *next) {
  Value index = LLVMBuildNSWAdd(
      g->builder, loop->index,
      LLVMConstInt(LLVMTypeOf(loop->index), (unsigned long long)loop->step, true), "");
  Value again = LLVMBuildICmp(g->builder, LLVMIntSLT, index, loop->upper, "");
  LLVMBasicBlockRef latch = gen_here(g);
  LLVMBuildCondBr(g->builder, again, loop->body, loop->after);
  LLVMAddIncoming(loop->index, &index, &latch, 1);
  gen_move_to(g, loop->after);
  for (unsigned i = 0; i < loop->carry_count; i++) {
    Value value = next[i], phi = loop->carried[i];
    LLVMAddIncoming(phi, &value, &latch, 1);
    loop->carried[i] = value;
    if (!loop->guard_skipped) continue;
    Value merged = LLVMBuildPhi(g->builder, LLVMTypeOf(value), "");
    Value values[] = {LLVMGetIncomingValue(phi, 0), value};
    LLVMBasicBlockRef blocks[] = {loop->before, latch};
    LLVMAddIncoming(merged, values, blocks, 2);
    loop->carried[i] = merged;
  }
}

void loop_begin_count(LlvmGen *g, Loop *loop, int64_t count, int64_t step, unsigned carry_count,
                      Value const *initial) {
  loop_begin(g, loop, gen_i64(g, 0), gen_i64(g, count), step, carry_count, initial, false);
}

void branch_weigh(LlvmGen *g, Value branch, bool likely) {
  LLVMMetadataRef parts[] = {LLVMMDStringInContext2(g->context, "branch_weights", 14),
                             LLVMValueAsMetadata(gen_i32(g, likely ? 2000 : 1)),
                             LLVMValueAsMetadata(gen_i32(g, likely ? 1 : 2000))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(g->context, parts, 3);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(g->context, "prof", 4),
                  LLVMMetadataAsValue(g->context, node));
}

void branch_begin(LlvmGen *g, Branch *branch, Value condition, bool likely) {
  branch->then_block = gen_block(g, "then");
  branch->else_block = gen_block(g, "else");
  branch->after = gen_block(g, "endif");
  Value jump = LLVMBuildCondBr(g->builder, condition, branch->then_block, branch->else_block);
  if (likely) branch_weigh(g, jump, true);
  gen_move_to(g, branch->then_block);
}

void branch_else(LlvmGen *g, Branch *branch) {
  LLVMBuildBr(g->builder, branch->after);
  branch->then_block = gen_here(g);
  gen_move_to(g, branch->else_block);
}

void branch_drop_empty(LLVMBasicBlockRef after) {
  Value label = LLVMBasicBlockAsValue(after);
  for (LLVMUseRef use = LLVMGetFirstUse(label), next; use; use = next) {
    next = LLVMGetNextUse(use);
    Value jump = LLVMGetUser(use);
    if (!LLVMIsABranchInst(jump) || LLVMIsConditional(jump)) continue;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(jump);
    if (LLVMGetFirstInstruction(block) != jump) continue;
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), label);
    LLVMDeleteBasicBlock(block);
  }
}

void branch_end(LlvmGen *g, Branch *branch) {
  LLVMBuildBr(g->builder, branch->after);
  branch->else_block = gen_here(g);
  gen_move_to(g, branch->after);
}

void branch_end_then(LlvmGen *g, Branch *branch) {
  branch_else(g, branch);
  branch_end(g, branch);
}
