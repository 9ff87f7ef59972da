// SPDX-License-Identifier: Apache-2.0
// What every part of the compiler leans on: strings, names, vectors; memory is arena.h. Knows
// nothing of Pallas.
//
// Threads: an Interner and all that is made from it belong to one thread at a time.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arena.h"

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define NORETURN                __attribute__((noreturn))
#define UNUSED                  __attribute__((unused))
#define NOINLINE                __attribute__((noinline)) // of what is seldom called, by what often is
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
uint64_t str_hash64(Str s); // spreads texts, in whatever process; two may share one
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
uint32_t name_hash_of(Str text); // that of the name of the text, which need not be there
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
