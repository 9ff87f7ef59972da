// SPDX-License-Identifier: Apache-2.0
// Memory that is freed together. Everything of the compiler lives in an Arena. An allocation never
// returns NULL: when memory or the session's limit is exhausted, control leaves through the arena's
// OomHandler, which does not return (the session's handler longjmps to session_run, which reports
// status 3).
// Threads: an Arena and all that is made from it belong to one thread at a time.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct OomHandler {
  void (*leave)(void *data); // must not return
  void *data;
} OomHandler;

typedef struct Heap Heap;

// A point in an arena's life; releasing it frees all that was allocated since.
typedef struct ArenaMark {
  void *chunk;
  size_t used;
} ArenaMark;

// `limit`: bytes the arena may take from the system; 0 is no limit. Returns NULL if there is no
// memory for the arena itself.
Arena *arena_new(OomHandler oom, size_t limit);
// An arena for a shorter life: out-of-memory leaves as the parent's does, its bytes count against
// the parent's limit, and it is freed with the parent if not before. Never NULL.
Arena *arena_new_child(Arena *parent);
size_t arena_limit(const Arena *arena);          // 0: none
void arena_on_oom(Arena *arena, OomHandler oom); // replaces the handler
void arena_free(Arena *arena);
// Zeroed, aligned to 16 bytes. A size of 0 gives a unique non-null pointer.
void *arena_alloc(Arena *arena, size_t size);
// count * size, checked for overflow (an overflow is out-of-memory).
void *arena_alloc_array(Arena *arena, size_t count, size_t size);
void *arena_dup(Arena *arena, const void *data, size_t size);
ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);
// Bytes taken from the system so far.
size_t arena_footprint(const Arena *arena);
// Whether the limits allow so many bytes more; of an arena that is collected, after a collection if
// need be.
bool arena_has_room(Arena *arena, size_t size);

#define ARENA_NEW(arena, T)      ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, n) ((T *)arena_alloc_array((arena), (size_t)(n), sizeof(T)))

// For the n-th failure test: after `countdown` more system allocations, every further one fails;
// negative: never.
void arena_fail_after(long countdown);
