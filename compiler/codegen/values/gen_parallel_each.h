// SPDX-License-Identifier: Apache-2.0
// What moves elements, as loops over coordinates that threads share.
#pragma once
#include "codegen/memory/gen_mem.h"

// A loop over all coordinates of `dims`, whose turns do not depend on each other.
typedef struct ParallelEach {
  size_t rank;
  const int64_t *dims;
  EachElement body;
  void (*open)(LlvmGen *g, void *data), (*close)(LlvmGen *g, void *data); // around the loops of one
                                                                          // thread; or NULL
  void *data;
  Value *const *places; // of all values that the data holds and the body uses: they are others in
  size_t place_count;   // the functions of threads
  int64_t work;         // as plan_share takes it
} ParallelEach;

// As mem_each; threads share the first dimension of more than one element if that pays. Gives the
// pieces, 0: one thread does it.
int64_t parallel_each(LlvmGen *g, const ParallelEach *each);
// As mem_copy; threads share it likewise.
void parallel_copy(LlvmGen *g, const Mem *to, const Mem *from);
// As mem_fill, likewise, where all elements lie one after the other. Gives the pieces, too.
int64_t parallel_fill(LlvmGen *g, const Mem *to, Value element);
