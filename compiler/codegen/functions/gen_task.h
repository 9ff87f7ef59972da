// SPDX-License-Identifier: Apache-2.0
// Programs that wait: coroutines (gen_task.c), and what they do beside waiting (gen_comm.c).
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

// Whether an op of the region, or of those inside, waits: its function is then a coroutine.
bool task_waits(const IrRegion *region);

typedef struct TaskShape {
  const char *name; // of the kernel
  Value site;
  int kind; // prt_core_kind
  int rank; // of the mesh
  const int64_t *sizes;
  const Str *axis_names;
} TaskShape;

// The frame of a coroutine: opened in place of frame_open. The function takes the task and what it
// captures.
void task_open(LlvmGen *g, Frame *frame, Value function);
// Ends it; gives the address of its prt_program.
Value task_close(LlvmGen *g, const TaskShape *shape);
// The task waits, behind a call that said so; what is emitted next runs when it is resumed.
void task_suspend(LlvmGen *g);
// Notes a buffer of the frame, for reports.
void task_note_buffer(LlvmGen *g, const IrOp *alloc, bool in_semaphores, size_t offset,
                      size_t bytes);
// Memory of `count` semaphores, zero.
Value task_semaphores(LlvmGen *g, const IrOp *alloc, int64_t count);
Type task_function_type(LlvmGen *g);
// Notes that the program does this (prt_act_kind) to a semaphore, which may be NULL; gives the
// act's number. `target` is as in prt_act.
int task_note_act(LlvmGen *g, const IrOp *op, int kind, const IrValue *semaphore, int target);
void task_mark_done(LlvmGen *g, int act); // the task has carried it out
void gen_cores(LlvmGen *g, IrOp *op);
