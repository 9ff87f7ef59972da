// SPDX-License-Identifier: Apache-2.0
// What every part of the compiler leans on: memory, strings, names, vectors. Knows nothing of
// Pallas.
//
// Memory: everything lives in an Arena and is freed with it. An allocation never returns NULL: when
// memory or the session's limit is exhausted, control leaves through the arena's OomHandler, which
// does not return (the session's handler longjmps to session_run, which reports status 3).
// Threads: an Arena, an Interner and all that is made from them belong to one thread at a time.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define NORETURN                __attribute__((noreturn))
#define UNUSED                  __attribute__((unused))
#else
#error "pallasc is built with gcc or clang"
#endif

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// Our own mistake, never the user's: prints file, line and message, then aborts.
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
// On a thread that has set a trap it leaves there instead, with the message, once: a library must
// not end its process. What was being made is lost.
typedef struct BugTrap {
  jmp_buf out;
  char message[1000];
} BugTrap;
void bug_trap(BugTrap *trap); // of the calling thread; NULL: none
NORETURN void bug_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

// ---- arena.c ---------------------------------------------------------------------------------
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

// ---- strings ---------------------------------------------------------------------------------
// A byte string, UTF-8 where it is text; not NUL-terminated in general. May hold NUL bytes.
typedef struct Str {
  const char *data;
  size_t len;
} Str;
#define STR(literal) ((Str){(literal), sizeof(literal) - 1})
#define STR_FMT(s)   (int)(s).len, (s).data // for "%.*s"
Str str_from_c(const char *text);           // borrows
bool str_equal(Str a, Str b);
static inline bool str_is(Str s, const char *text) { // without a look behind their first difference
  for (size_t i = 0; i < s.len; i++)
    if (text[i] != s.data[i] || !text[i]) return false;
  return !text[s.len];
}
int str_compare(Str a, Str b); // bytewise, as memcmp
bool str_starts_with(Str s, Str prefix);
bool str_ends_with(Str s, Str suffix);
Str str_copy(Arena *arena, Str s); // NUL-terminated copy
Str str_format(Arena *arena, const char *fmt, ...) PRINTF_LIKE(2, 3);
Str str_of_i64(Arena *arena, int64_t number); // in decimal
Str str_vformat(Arena *arena, const char *fmt, va_list args);
// Edits to turn a into b; gives up above `limit` and returns limit + 1. For "did you mean".
size_t str_distance(Str a, Str b, size_t limit);

// ---- interned names: equal text <=> equal pointer --------------------------------------------
typedef struct NameRec {
  uint32_t hash;
  uint32_t len;
  void *object; // name_set_object
  char text[];  // NUL-terminated
} NameRec;
typedef const NameRec *Name;
typedef struct Interner Interner;
Interner *interner_new(Arena *arena);
Name name_intern(Interner *interner, Str text);
Name name_intern_c(Interner *interner, const char *text);
static inline Str name_str(Name name) { return (Str){name->text, name->len}; }

// ---- vectors: VEC(T) is a struct {T *items; size_t count, capacity;} ---------------------------
#define VEC(T)                                                                                     \
  struct {                                                                                         \
    T *items;                                                                                      \
    size_t count;                                                                                  \
    size_t capacity;                                                                               \
  }
void *vec__grow(Arena *arena, void *items, size_t count, size_t *capacity, size_t item_size);
// Appends; old storage stays in the arena.
#define VEC_PUSH(arena, vec, item)                                                                 \
  do {                                                                                             \
    if ((vec)->count == (vec)->capacity)                                                           \
      (vec)->items =                                                                               \
          vec__grow((arena), (vec)->items, (vec)->count, &(vec)->capacity, sizeof *(vec)->items);  \
    (vec)->items[(vec)->count++] = (item);                                                         \
  } while (0)
