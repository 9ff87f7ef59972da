// SPDX-License-Identifier: Apache-2.0
// Arenas of scratch memory, and memory from the system.
#pragma once
#include <stddef.h>

#define PRT_ALIGN     64
#define PRT_HUGE_PAGE ((size_t)2 << 20)

typedef struct prt_chunk {
  struct prt_chunk *next;
  size_t size, used; // of data; used is kept up to date only for chunks that are not current
  char *data;
} prt_chunk;

typedef struct prt_arena {
  prt_chunk *first, *current;  // chunks behind current are empty
  size_t used;                 // of current
  size_t wanted;               // size of the next first chunk: what was needed last time
  struct prt_machine *machine; // whose memory it is, once there is some
} prt_arena;

// Bytes of memory from the system, 64-byte aligned (2 MiB and with huge pages from 2 MiB on). NULL:
// none.
void *prt__map(size_t bytes);
void prt__unmap(void *memory, size_t bytes);
// Forgets all that was taken. Several chunks are given back, to be one the next time.
void prt__arena_reset(prt_arena *arena);
void prt__arena_fini(prt_arena *arena);
