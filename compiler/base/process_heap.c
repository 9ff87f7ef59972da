// SPDX-License-Identifier: Apache-2.0
// The process's heap in large pages.
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base.h"
#include "process_heap.h"

// A small kernel's compilation takes some 2 MB from malloc, most of it LLVM's: 500 faults of small
// pages, a tenth of its time. The heap grows by so much that there are large pages in it.
enum { HEAP_STEP = 8 << 20, LARGE_PAGE = 2 << 20 };

void process_heap_use_large_pages(void) {
  uintptr_t end = (uintptr_t)sbrk(0), begin = (end + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  if (sbrk((intptr_t)(begin - end)) == (void *)-1) return;
  mallopt(M_TOP_PAD, HEAP_STEP);
  void *blocks[4]; // more than is left below: with them the heap grows, from `begin` on
  size_t count = 0;
  while (count < COUNT_OF(blocks) && (uintptr_t)sbrk(0) == begin) blocks[count++] = malloc(100000);
  while (count > 0) free(blocks[--count]);
  madvise((void *)begin, HEAP_STEP, MADV_HUGEPAGE); // without large pages: an error, and no matter
}
