// SPDX-License-Identifier: Apache-2.0
// Loops and branches.
#pragma once
#include "gen.h"

// for (index = lower; index < upper; index += step) with values carried around. The trip count must
// not be zero, unless `guarded`.
typedef struct Loop {
  LLVMBasicBlockRef before, body, after;
  Value index, upper;
  Value *carried; // phis, in the body; after loop_end: the final values
  unsigned carry_count;
  Value guard_skipped; // not NULL: the loop is guarded
  int64_t step;
} Loop;
void loop_begin(LlvmGen *g, Loop *loop, Value lower, Value upper, int64_t step,
                unsigned carry_count, Value const *initial, bool guarded);
void loop_end(LlvmGen *g, Loop *loop, Value const *next);
// Static counts; a count of 1 makes no loop.
void loop_begin_count(LlvmGen *g, Loop *loop, int64_t count, int64_t step, unsigned carry_count,
                      Value const *initial);
// Code in `then` is emitted between these two.
typedef struct Branch {
  LLVMBasicBlockRef then_block, else_block, after;
} Branch;
void branch_begin(LlvmGen *g, Branch *branch, Value condition, bool likely);
void branch_else(LlvmGen *g, Branch *branch);
void branch_end(LlvmGen *g, Branch *branch);
void branch_end_then(LlvmGen *g, Branch *branch); // of one without an else
// A conditional jump is taken nearly always, or hardly ever.
void branch_weigh(LlvmGen *g, Value jump, bool likely);
// Removes the blocks before that one which only jump there. It merges no values.
void branch_drop_empty(LLVMBasicBlockRef after);
