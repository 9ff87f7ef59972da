// SPDX-License-Identifier: Apache-2.0
// What every part of the compiler leans on: memory, strings, containers. Knows nothing of Pallas.
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

// ---- heap.c: arenas that are collected ----------------------------------------------------------
// An arena whose objects are reclaimed, some while after nothing points at them any more: while it
// allocates it now and then marks what can be reached and reuses the rest. Roots are the memory of
// all arenas of its tree, the stack of the thread that allocates from the caller's `stack_end`
// down, its registers, and the stacks that sleep. Whatever looks like an address in an object, its
// inside included, keeps the object; objects do not move. Pointers elsewhere (malloc, other
// threads) keep nothing. Marks are not for such an arena: a release of one frees nothing. It knows
// of no other such arena, and no signal and no other thread is involved.
Arena *arena_new_collected(Arena *parent, const void *stack_end);
// Memory that will hold no pointers: not looked through. Like arena_alloc in all other arenas.
void *arena_alloc_bytes(Arena *arena, size_t size);
// The same with contents that are not known, at a multiple of 64 bytes.
void *arena_alloc_buffer(Arena *arena, size_t size);

// A stack that sleeps while another one runs.
typedef struct ArenaStack {
  // The caller's: the object that alone can wake it, so that the stack lives as long as that (NULL:
  // always), and what is reported when that was not found. It may not allocate; the object is
  // intact.
  const void *owner;
  void (*lost)(struct ArenaStack *stack); // or NULL
  struct ArenaStack *next, *previous;
  const char *low, *high;
  bool is_seen; // by the marking that goes on
} ArenaStack;
// The stack of the caller goes to sleep from its frame up, and the one that ends at `end` runs.
void arena_stack_leave(Arena *arena, ArenaStack *left, const void *end);
// The stack that slept runs again. Between the two there is only the switch from one to the other.
void arena_stack_resume(Arena *arena, ArenaStack *left);

typedef struct ArenaUse {
  size_t live; // bytes that the last collection found
  size_t collections;
  size_t looked; // bytes that the last one went through
  size_t since;  // bytes handed out after it
} ArenaUse;
ArenaUse arena_use(const Arena *arena);
void arena_collect(Arena *arena); // nothing for other arenas
// What points to an object without keeping it: a collection that does not reach the object sets it
// to NULL. In an arena that is not collected it stays.
typedef struct ArenaWeak {
  void *object;
  struct ArenaWeak *next; // of the arena
} ArenaWeak;
ArenaWeak *arena_weak(Arena *arena, void *object);
// The object is garbage: whatever still points into it is not followed any more. Large ones are
// used again at once, others after the next collection.
void arena_discard(Arena *arena, const void *object);
// The bytes of the object that this is the begin of; 0: it is none.
size_t arena_object_size(const Arena *arena, const void *object);

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
  char text[]; // NUL-terminated
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

// ---- map.c: pointer-keyed hash map (a Name, an IrValue *, ...); insertion order is kept --------
typedef struct Map Map;
Map *map_new(Arena *arena);
void *map_get(const Map *map, const void *key); // NULL if absent
bool map_has(const Map *map, const void *key);
// The value is given out as it came in: who may change it is for the owner of the map to know.
void map_set(Map *map, const void *key, const void *value);
bool map_remove(Map *map, const void *key);
size_t map_count(const Map *map);
// Iteration in insertion order: for (size_t it = 0; map_next(map, &it, &key, &value);)
bool map_next(const Map *map, size_t *it, const void **key, void **value);

// ---- buf.c: a growing byte buffer, for printers ------------------------------------------------
typedef struct Buf {
  Arena *arena;
  char *data;
  size_t len, capacity;
} Buf;
void buf_init(Buf *buf, Arena *arena);
void buf_char(Buf *buf, char c);
void buf_str(Buf *buf, Str s);
void buf_c(Buf *buf, const char *text);
void buf_printf(Buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(Buf *buf, const char *fmt, va_list args);
void buf_repeat(Buf *buf, Str s, size_t times);
void buf_pad(Buf *buf, char c, size_t count);
// The shortest text that reads back as the same number, laid out as Python's repr(float): 1.0, 0.1,
// 1e-05, inf, nan.
void buf_double(Buf *buf, double value);
Str buf_view(const Buf *buf); // valid until the next append; NUL-terminated

// ---- checked arithmetic: false on overflow, *out untouched -------------------------------------
static inline bool mul_i64(int64_t a, int64_t b, int64_t *out) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) return false;
  *out = r;
  return true;
}
static inline bool add_i64(int64_t a, int64_t b, int64_t *out) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r)) return false;
  *out = r;
  return true;
}
static inline bool sub_i64(int64_t a, int64_t b, int64_t *out) {
  int64_t r;
  if (__builtin_sub_overflow(a, b, &r)) return false;
  *out = r;
  return true;
}
