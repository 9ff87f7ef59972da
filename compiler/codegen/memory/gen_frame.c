// SPDX-License-Identifier: Apache-2.0
// The memory of one function: all buffers at fixed offsets of one block, which is on the stack if
// it is small and scratch memory of the worker if not. Buffers whose users are done are given back,
// and later ones take their place; the size is known when the frame is closed.
#include "gen_frame.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "prt_codegen.h"

// MAX_STACK: half of a first level of caches, on the caller's stack. HUGE_FRAME is a choice: four
// second levels of caches.
enum { FRAME_ALIGN = LINE_BYTES, MAX_STACK = 16 << 10, HUGE_FRAME = 4 << 20 };

void frame_open(LlvmGen *g, Frame *frame, Value function, Value worker) {
  *frame = (Frame){.function = function, .worker = worker, .outer = g->frame};
  if (g->frame) frame->scope = g->frame->scope;
  g->frame = frame;
  frame->entry = gen_block(g, "entry");
  frame->code = gen_block(g, "code");
  frame->leave = gen_block(g, "leave");
  LLVMSetCurrentDebugLocation2(g->builder, NULL); // it is of another function
  gen_move_to(g, frame->leave);
  LLVMBuildRetVoid(g->builder);
  gen_move_to(g, frame->entry);
  frame->base = LLVMBuildArrayAlloca(g->builder, g->i8, gen_i64(g, 1), "frame");
  LLVMSetAlignment(frame->base, FRAME_ALIGN);
  gen_move_to(g, frame->code);
}

Value frame_worker(LlvmGen *g) {
  return g->frame->task ? LLVMBuildLoad2(g->builder, g->ptr, g->frame->task, "") : g->frame->worker;
}

static void use_scratch(LlvmGen *g, Frame *frame) {
  int space = frame->size >= HUGE_FRAME ? PRT_HBM : PRT_VMEM;
  Value args[] = {frame->worker, gen_i32(g, space), gen_i64(g, (int64_t)frame->size)};
  Value block = gen_call_runtime(g, "prt__alloc", g->ptr, 3, args);
  LLVMReplaceAllUsesWith(frame->base, block);
  LLVMInstructionEraseFromParent(frame->base);
  Value none = LLVMBuildIsNull(g->builder, block, "");
  LLVMBuildCondBr(g->builder, none, frame->leave, frame->code);
}

void frame_close(LlvmGen *g) {
  Frame *frame = g->frame;
  LLVMBuildBr(g->builder, frame->leave);
  gen_move_to(g, frame->entry);
  if (frame->size > MAX_STACK) {
    use_scratch(g, frame);
  } else {
    if (frame->size == 0)
      LLVMInstructionEraseFromParent(frame->base);
    else
      LLVMSetOperand(frame->base, 0, gen_i64(g, (int64_t)frame->size));
    LLVMBuildBr(g->builder, frame->code);
  }
  g->frame = frame->outer;
}

// First fit; the rest of a range stays free.
static bool take_free(Frame *frame, size_t size, size_t *offset) {
  for (FreeRange **link = &frame->free; *link; link = &(*link)->next) {
    FreeRange *range = *link;
    if (range->size < size) continue;
    *offset = range->offset;
    range->offset += size;
    range->size -= size;
    if (range->size == 0) *link = range->next;
    return true;
  }
  return false;
}

// Sizes that are multiples of the page would put equal elements of several buffers into the same
// cache set.
static size_t padded(size_t bytes) {
  size_t size = (bytes + FRAME_ALIGN - 1) / FRAME_ALIGN * FRAME_ALIGN;
  if (size == 0) size = FRAME_ALIGN;
  return size % 4096 == 0 ? size + 3 * FRAME_ALIGN : size;
}

Buffer *frame_take(LlvmGen *g, size_t bytes) {
  Frame *frame = g->frame;
  Buffer *buffer = ARENA_NEW(g->arena, Buffer);
  buffer->size = padded(bytes);
  buffer->users = 1;
  if (take_free(frame, buffer->size, &buffer->offset)) return buffer;
  // The last free range may end where the frame does: it grows.
  FreeRange **last = &frame->free;
  while (*last && (*last)->next) last = &(*last)->next;
  if (*last && (*last)->offset + (*last)->size == frame->size) {
    buffer->offset = (*last)->offset;
    *last = NULL;
  } else {
    buffer->offset = frame->size;
  }
  frame->size = buffer->offset + buffer->size;
  return buffer;
}

void frame_keep(Buffer *buffer) {
  if (buffer) buffer->users++;
}

static void merge_with_next(FreeRange *range) {
  FreeRange *next = range->next;
  if (!next || range->offset + range->size != next->offset) return;
  range->size += next->size;
  range->next = next->next;
}

void frame_give(LlvmGen *g, Buffer *buffer) {
  if (!buffer || --buffer->users > 0 || buffer->is_output) return;
  FreeRange *before = NULL;
  for (FreeRange *r = g->frame->free; r && r->offset < buffer->offset; r = r->next) before = r;
  FreeRange *range = ARENA_NEW(g->arena, FreeRange);
  *range = (FreeRange){.offset = buffer->offset, .size = buffer->size};
  FreeRange **link = before ? &before->next : &g->frame->free;
  range->next = *link;
  *link = range;
  merge_with_next(range);
  if (before) merge_with_next(before);
}

// In front of the code, from where it reaches all of it.
static Value common_address(LlvmGen *g, Frame *frame, size_t offset) {
  for (size_t i = 0; i < frame->address_count; i++)
    if (frame->addresses[i].offset == offset) return frame->addresses[i].address;
  if (frame->address_count == COMMON_ADDRESSES) return NULL;
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMPositionBuilder(g->builder, frame->code, LLVMGetFirstInstruction(frame->code));
  Value address = gen_address(g, frame->base, (int64_t)offset);
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  frame->addresses[frame->address_count++] = (FrameAddress){offset, address};
  return address;
}

Value frame_address(LlvmGen *g, const Buffer *buffer) {
  Frame *frame = g->frame;
  Value common = g->shares.all && !frame->task ? common_address(g, frame, buffer->offset) : NULL;
  return common ? common : gen_address(g, frame->base, (int64_t)buffer->offset);
}

static Mem frame_mem(LlvmGen *g, Buffer *buffer, DType dtype, size_t rank, const int64_t *dims) {
  return mem_dense(frame_address(g, buffer), dtype, rank, dims);
}

Buffer *frame_take_array(LlvmGen *g, DType dtype, size_t rank, const int64_t *dims, Mem *mem) {
  size_t bytes = dtype_size(dtype);
  for (size_t i = 0; i < rank; i++) bytes *= (size_t)dims[i];
  Buffer *buffer = frame_take(g, bytes);
  *mem = frame_mem(g, buffer, dtype, rank, dims);
  return buffer;
}
