// SPDX-License-Identifier: Apache-2.0
// The memory of one function: buffers at fixed offsets of one block.
#pragma once
#include "gen_mem.h"

// Memory that the function's frame owns; given back when its last user is done.
typedef struct Buffer {
  size_t offset, size;
  unsigned users;
  unsigned holds; // of the users, those that only keep it: the loop that carries a value there
  bool is_output; // it is no memory of the frame's, but of an output: it is not given back
} Buffer;

void frame_open(LlvmGen *g, Frame *frame, Value function, Value worker);
void frame_close(LlvmGen *g);   // the builder stands at the end of the code
Value frame_worker(LlvmGen *g); // the prt_worker of the thread that runs the code
Buffer *frame_take(LlvmGen *g, size_t bytes);
void frame_keep(Buffer *buffer); // one more user; NULL is ignored
void frame_give(LlvmGen *g, Buffer *buffer);
Value frame_address(LlvmGen *g, const Buffer *buffer);
// Memory of a dense array.
Buffer *frame_take_array(LlvmGen *g, DType dtype, size_t rank, const int64_t *dims, Mem *mem);
