// SPDX-License-Identifier: Apache-2.0
// Arenas: lists of chunks taken from the system, the only memory the compiler has. The bytes of a
// chunk above its high-water mark are known to be zero (calloc), so only memory used before is
// cleared again. Under ASan all that is not handed out is poisoned, a gap after each allocation
// included.
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "collected.h"
#include "heap.h"
#include "poison.h"

#define REDZONE     (HAS_POISON * 16) // bytes behind each allocation
#define ALIGNMENT   ((size_t)16)
#define FIRST_CHUNK ((size_t)8 << 10)
#define LAST_CHUNK                                                                                 \
  ((size_t)1 << 20) // chunks double up to here; larger requests get one of their own

typedef struct Chunk {
  struct Chunk *previous;
  size_t capacity; // of data
  size_t used;
  size_t high; // bytes from here on have never been handed out: still zero
  _Alignas(16) char data[];
} Chunk;

struct Arena {
  Arena *parent;
  Arena *first_child;
  Arena *next_sibling, *previous_sibling;
  OomHandler oom;
  size_t limit;     // of the footprint; 0 is none; a child's memory counts against its ancestors'
  size_t footprint; // own chunks and those of the children
  size_t next_chunk;
  Chunk *last;
  Heap *heap;   // of an arena that is collected: it has no chunks
  Chunk *spare; // one released chunk, so that mark and release around a chunk's end cost nothing
};

// The test hook of arena_fail_after, and the only mutable variable of file scope in the compiler.
static _Thread_local long fail_countdown = -1;

void arena_fail_after(long countdown) { fail_countdown = countdown; }

bool arena_may_allocate(void) {
  if (fail_countdown == 0) return false;
  if (fail_countdown > 0) fail_countdown--;
  return true;
}

static void *system_alloc(size_t size) { return arena_may_allocate() ? calloc(1, size) : NULL; }

// Whether `size` more bytes are allowed by this arena and all above it.
static bool is_allowed(const Arena *arena, size_t size) {
  for (const Arena *a = arena; a; a = a->parent)
    if (a->limit && (size > a->limit || a->footprint > a->limit - size)) return false;
  return true;
}

// And counts them if so.
bool arena_charge(Arena *arena, size_t size) {
  if (!is_allowed(arena, size)) return false;
  for (Arena *a = arena; a; a = a->parent) a->footprint += size;
  return true;
}

void arena_discharge(Arena *arena, size_t size) {
  for (Arena *a = arena; a; a = a->parent) a->footprint -= size;
}

NORETURN static void out_of_memory(const Arena *arena) {
  if (arena->oom.leave) arena->oom.leave(arena->oom.data);
  BUG("out of memory, and nobody to handle it");
}

static Chunk *chunk_new(Arena *arena, size_t capacity) {
  size_t size = sizeof(Chunk) + capacity;
  if (!arena_charge(arena, size)) return NULL;
  Chunk *chunk = system_alloc(size);
  if (!chunk) {
    arena_discharge(arena, size);
    return NULL;
  }
  chunk->capacity = capacity;
  POISON(chunk->data, capacity);
  return chunk;
}

static void chunk_free(Arena *arena, Chunk *chunk) {
  arena_discharge(arena, sizeof(Chunk) + chunk->capacity);
  UNPOISON(chunk->data, chunk->capacity);
  free(chunk);
}

// The newest chunk is one that has room for `size` bytes afterwards.
static void add_chunk(Arena *arena, size_t size) {
  Chunk *chunk = arena->spare;
  if (chunk && chunk->capacity >= size) {
    arena->spare = NULL;
  } else {
    chunk = chunk_new(arena, size > arena->next_chunk ? size : arena->next_chunk);
    if (!chunk) out_of_memory(arena);
    if (arena->next_chunk < LAST_CHUNK) arena->next_chunk *= 2;
  }
  chunk->previous = arena->last;
  arena->last = chunk;
}

Arena *arena_new(OomHandler oom, size_t limit) {
  Arena *arena = system_alloc(sizeof *arena);
  if (!arena) return NULL;
  *arena = (Arena){.oom = oom, .limit = limit, .next_chunk = FIRST_CHUNK};
  return arena;
}

Arena *arena_new_child(Arena *parent) {
  Arena *arena = arena_new(parent->oom, 0);
  if (!arena) out_of_memory(parent);
  arena->parent = parent;
  arena->next_sibling = parent->first_child;
  if (parent->first_child) parent->first_child->previous_sibling = arena;
  parent->first_child = arena;
  return arena;
}

Arena *arena_new_collected(Arena *parent, const void *stack_end) {
  Arena *arena = arena_new_child(parent);
  arena->heap = heap_new(arena, stack_end);
  if (!arena->heap) out_of_memory(parent);
  return arena;
}

Heap *arena_heap(const Arena *arena) { return arena->heap; }

size_t arena_limit(const Arena *arena) { return arena->limit; }

void arena_on_oom(Arena *arena, OomHandler oom) { arena->oom = oom; }

static void unlink_from_parent(Arena *arena) {
  if (!arena->parent) return;
  if (arena->next_sibling) arena->next_sibling->previous_sibling = arena->previous_sibling;
  if (arena->previous_sibling)
    arena->previous_sibling->next_sibling = arena->next_sibling;
  else
    arena->parent->first_child = arena->next_sibling;
}

void arena_free(Arena *arena) {
  if (!arena) return;
  while (arena->first_child) arena_free(arena->first_child);
  heap_free(arena->heap);
  if (arena->spare) chunk_free(arena, arena->spare);
  while (arena->last) {
    Chunk *chunk = arena->last;
    arena->last = chunk->previous;
    chunk_free(arena, chunk);
  }
  unlink_from_parent(arena);
  free(arena);
}

static inline void *alloc_collected(Arena *arena, size_t size, Holding holding, bool zeroed) {
  void *memory = heap_take(arena->heap, size, holding);
  if (memory) {
    UNPOISON(memory, size);
    return memory;
  }
  memory = heap_alloc(arena->heap, size, holding, zeroed);
  if (!memory) out_of_memory(arena);
  return memory;
}

void *arena_alloc_bytes(Arena *arena, size_t size) {
  return arena->heap ? alloc_collected(arena, size, HOLDS_BYTES, true) : arena_alloc(arena, size);
}

void *arena_alloc_buffer(Arena *arena, size_t size) {
  size_t alignment = 64, room;
  if (__builtin_add_overflow(size, alignment, &room)) out_of_memory(arena);
  char *memory =
      arena->heap ? alloc_collected(arena, room, HOLDS_BYTES, false) : arena_alloc(arena, room);
  return memory + (alignment - (uintptr_t)memory % alignment) % alignment;
}

void *arena_alloc(Arena *arena, size_t size) {
  if (arena->heap) return alloc_collected(arena, size, HOLDS_POINTERS, true);
  if (size > SIZE_MAX - sizeof(Chunk) - ALIGNMENT - REDZONE) out_of_memory(arena);
  size_t step = ((size ? size : 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + REDZONE;
  if (!arena->last || arena->last->capacity - arena->last->used < step) add_chunk(arena, step);
  Chunk *chunk = arena->last;
  char *data = chunk->data + chunk->used;
  UNPOISON(data, size);
  size_t dirty = chunk->high > chunk->used ? chunk->high - chunk->used : 0;
  memset(data, 0, dirty < size ? dirty : size);
  chunk->used += step;
  if (chunk->high < chunk->used) chunk->high = chunk->used;
  return data;
}

void *arena_alloc_array(Arena *arena, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) out_of_memory(arena);
  return arena_alloc(arena, total);
}

void *arena_dup(Arena *arena, const void *data, size_t size) {
  void *copy = arena_alloc(arena, size);
  if (size) memcpy(copy, data, size);
  return copy;
}

ArenaMark arena_mark(const Arena *arena) {
  return (ArenaMark){arena->last, arena->last ? arena->last->used : 0};
}

void arena_release(Arena *arena, ArenaMark mark) {
  while (arena->last != mark.chunk) {
    Chunk *chunk = arena->last;
    if (!chunk) BUG("arena released to a mark that is not its own");
    arena->last = chunk->previous;
    POISON(chunk->data, chunk->capacity);
    if (!arena->spare && chunk->capacity <= LAST_CHUNK) {
      chunk->used = 0;
      arena->spare = chunk;
    } else {
      chunk_free(arena, chunk);
    }
  }
  if (!arena->last) return;
  POISON(arena->last->data + mark.used, arena->last->capacity - mark.used);
  arena->last->used = mark.used;
}

static void each_range(const Arena *arena,
                       void (*range)(void *data, const char *begin, size_t size), void *data) {
  for (const Chunk *chunk = arena->last; chunk; chunk = chunk->previous)
    range(data, chunk->data, chunk->used);
  for (const Arena *child = arena->first_child; child; child = child->next_sibling)
    each_range(child, range, data);
}

void arena_each_range(const Arena *arena, void (*range)(void *data, const char *begin, size_t size),
                      void *data) {
  while (arena->parent) arena = arena->parent;
  each_range(arena, range, data);
}

size_t arena_footprint(const Arena *arena) { return arena->footprint; }

bool arena_has_room(Arena *arena, size_t size) {
  if (is_allowed(arena, size)) return true;
  if (!arena->heap) return false;
  arena_collect(arena);
  heap_release_spares(arena->heap);
  return is_allowed(arena, size);
}
