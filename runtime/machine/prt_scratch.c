// SPDX-License-Identifier: Apache-2.0
// Scratch memory of calls: arenas of chunks mapped from the system, kept with the worker that used
// them.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "check/prt_watch.h"
#include "prt_call.h"
#include "prt_machine.h"
#include "prt_scratch.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef HAS_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n)   __asan_poison_memory_region((p), (n))
#define UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
#else
#define POISON(p, n)   ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

static const size_t first_chunk_bytes[ARENA_COUNT] = {
    [ARENA_HBM] = PRT_HUGE_PAGE, [ARENA_CORE] = (size_t)256 << 10};

static bool round_up(size_t bytes, size_t unit, size_t *out) {
  if (bytes > SIZE_MAX - (unit - 1)) return false;
  *out = (bytes + unit - 1) / unit * unit;
  return true;
}

static size_t mapped_size(size_t bytes) {
  size_t size, unit = bytes >= PRT_HUGE_PAGE ? PRT_HUGE_PAGE : 4096;
  return round_up(bytes ? bytes : 1, unit, &size) ? size : 0;
}

// Maps `size` bytes at a multiple of the huge page: maps one more and gives the ends back.
static void *map_huge(size_t size) {
  size_t room = size + PRT_HUGE_PAGE;
  if (room < size) return NULL;
  char *base = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return NULL;
  size_t head = (PRT_HUGE_PAGE - (uintptr_t)base % PRT_HUGE_PAGE) % PRT_HUGE_PAGE;
  if (head) munmap(base, head);
  if (head < PRT_HUGE_PAGE) munmap(base + head + size, PRT_HUGE_PAGE - head);
  madvise(base + head, size, MADV_HUGEPAGE); // a wish: without huge pages all works the same
  return base + head;
}

void *prt__map(size_t bytes) {
  size_t size = mapped_size(bytes);
  if (!size) return NULL;
  if (size >= PRT_HUGE_PAGE) return map_huge(size);
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return base == MAP_FAILED ? NULL : base;
}

void prt__unmap(void *memory, size_t bytes) {
  if (memory) munmap(memory, mapped_size(bytes));
}

// Counts `size` bytes more, if the machine may have them.
static bool charge(prt_machine *machine, size_t size) {
  const prt_machine_options *o = &machine->options;
  size_t before = atomic_fetch_add_explicit(&machine->mapped, size, memory_order_relaxed);
  if (!o->most_scratch) return true;
  size_t most = o->most_scratch(o->data);
  if (size <= most && before <= most - size) return true;
  atomic_fetch_sub_explicit(&machine->mapped, size, memory_order_relaxed);
  return false;
}

static void discharge(prt_machine *machine, size_t size) {
  atomic_fetch_sub_explicit(&machine->mapped, size, memory_order_relaxed);
}

static prt_chunk *chunk_new(prt_machine *machine, size_t bytes) {
  size_t size = mapped_size(bytes);
  prt_chunk *chunk = malloc(sizeof *chunk);
  if (!chunk || !size || !charge(machine, size)) {
    free(chunk);
    return NULL;
  }
  *chunk = (prt_chunk){.size = size, .data = prt__map(size)};
  if (chunk->data) {
    POISON(chunk->data, chunk->size);
    return chunk;
  }
  discharge(machine, size);
  free(chunk);
  return NULL;
}

static void chunk_free(prt_machine *machine, prt_chunk *chunk) {
  UNPOISON(chunk->data, chunk->size);
  discharge(machine, chunk->size);
  prt__unmap(chunk->data, chunk->size);
  free(chunk);
}

static void *take(prt_arena *arena, size_t bytes) {
  char *memory = arena->current->data + arena->used;
  arena->used += bytes;
  UNPOISON(memory, bytes);
  return memory;
}

// Goes on to a chunk with room for `bytes`: an empty one behind the current one, or a new one put
// there.
static bool next_chunk(prt_arena *arena, size_t bytes) {
  prt_chunk *current = arena->current;
  prt_chunk **link = current ? &current->next : &arena->first;
  if (!*link || (*link)->size < bytes) {
    size_t size = current ? current->size : arena->wanted;
    if (current && size <= SIZE_MAX / 2) size *= 2;
    prt_chunk *chunk = chunk_new(arena->machine, bytes > size ? bytes : size);
    if (!chunk && bytes < size) chunk = chunk_new(arena->machine, bytes);
    if (!chunk) return false;
    chunk->next = *link;
    *link = chunk;
  }
  if (current) current->used = arena->used;
  arena->current = *link;
  arena->used = 0;
  return true;
}

static void *prt__arena_alloc(prt_arena *arena, size_t bytes) {
  size_t size;
  if (!round_up(bytes ? bytes : 1, PRT_ALIGN, &size)) return NULL;
  if (arena->current && arena->current->size - arena->used >= size) return take(arena, size);
  return next_chunk(arena, size) ? take(arena, size) : NULL;
}

static void arena_rewind(prt_arena *arena, prt_chunk *chunk, size_t used) {
  for (prt_chunk *c = chunk ? chunk->next : arena->first; c; c = c->next) POISON(c->data, c->size);
  if (chunk) POISON(chunk->data + used, chunk->size - used);
  arena->current = chunk;
  arena->used = used;
}

static size_t arena_bytes(const prt_arena *arena) {
  size_t total = 0;
  for (const prt_chunk *chunk = arena->first; chunk; chunk = chunk->next) total += chunk->size;
  return total;
}

void prt__arena_reset(prt_arena *arena) {
  if (!arena->first) return;
  if (!arena->first->next) {
    arena_rewind(arena, arena->first, 0);
    return;
  }
  size_t total = arena_bytes(arena);
  prt__arena_fini(arena);
  arena->wanted = total;
}

void prt__arena_fini(prt_arena *arena) {
  for (prt_chunk *chunk = arena->first, *next; chunk; chunk = next) {
    next = chunk->next;
    chunk_free(arena->machine, chunk);
  }
  *arena = (prt_arena){.wanted = arena->wanted, .machine = arena->machine};
}

// ---- what compiled code calls -------------------------------------------------------------------
static int arena_of(int32_t space) {
  return space == PRT_HBM || space == PRT_HOST ? ARENA_HBM : ARENA_CORE;
}

void *prt__alloc(prt_worker *worker, int32_t space, size_t bytes) {
  int which = arena_of(space);
  prt_arena *arena = &worker->arenas[which];
  if (!arena->wanted) arena->wanted = first_chunk_bytes[which];
  arena->machine = worker->call->machine;
  void *memory = prt__arena_alloc(arena, bytes);
  if (!memory)
    prt__fail(worker, PRT_ERROR_MEMORY, "out of memory: no %zu bytes for scratch", bytes);
  else if (worker->call->watches.count)
    prt__watch_forget(worker->call, memory, bytes);
  return memory;
}

void prt__mark(const prt_worker *worker, prt_mark *mark) {
  for (int i = 0; i < ARENA_COUNT; i++) {
    mark->chunk[i] = worker->arenas[i].current;
    mark->used[i] = worker->arenas[i].used;
  }
}

void prt__release(prt_worker *worker, const prt_mark *mark) {
  for (int i = 0; i < ARENA_COUNT; i++) {
    prt_arena *arena = &worker->arenas[i];
    if (arena->current != mark->chunk[i] || arena->used != mark->used[i])
      arena_rewind(arena, mark->chunk[i], mark->used[i]);
  }
}
