// SPDX-License-Identifier: Apache-2.0
// Interned names: an open-addressed hash table of records that live in the arena.
#include <string.h>

#include "base.h"

struct Interner {
  Arena *arena;
  NameRec **slots;
  size_t count, capacity; // capacity is a power of two, at most half full
};

// Eight bytes at a time, folded by a multiplication (the constants are odd and bit-balanced).
static uint32_t hash_bytes(const char *data, size_t len) {
  const uint64_t mix = 0x9E3779B97F4A7C15u;
  uint64_t hash = len * mix;
  for (; len >= 8; data += 8, len -= 8) {
    uint64_t word;
    memcpy(&word, data, 8);
    hash = (hash ^ word) * mix;
    hash ^= hash >> 29;
  }
  uint64_t tail = 0;
  if (len) memcpy(&tail, data, len);
  hash = (hash ^ tail) * mix;
  hash ^= hash >> 32;
  return (uint32_t)hash;
}

Interner *interner_new(Arena *arena) {
  Interner *interner = ARENA_NEW(arena, Interner);
  interner->arena = arena;
  interner->capacity = 256;
  interner->slots = ARENA_ARRAY(arena, NameRec *, interner->capacity);
  return interner;
}

static void grow(Interner *interner) {
  size_t capacity = interner->capacity * 2;
  NameRec **slots = ARENA_ARRAY(interner->arena, NameRec *, capacity);
  for (size_t i = 0; i < interner->capacity; i++) {
    NameRec *rec = interner->slots[i];
    if (!rec) continue;
    size_t at = rec->hash & (capacity - 1);
    while (slots[at]) at = (at + 1) & (capacity - 1);
    slots[at] = rec;
  }
  interner->slots = slots;
  interner->capacity = capacity;
}

Name name_intern(Interner *interner, Str text) {
  uint32_t hash = hash_bytes(text.data, text.len);
  size_t at = hash & (interner->capacity - 1);
  for (NameRec *rec; (rec = interner->slots[at]); at = (at + 1) & (interner->capacity - 1))
    if (rec->hash == hash && str_equal(name_str(rec), text)) return rec;
  if (text.len >= UINT32_MAX) BUG("a name of %zu bytes", text.len);
  NameRec *rec = arena_alloc(interner->arena, sizeof *rec + text.len + 1);
  rec->hash = hash;
  rec->len = (uint32_t)text.len;
  if (text.len) memcpy(rec->text, text.data, text.len);
  interner->slots[at] = rec;
  if (++interner->count * 2 > interner->capacity) grow(interner);
  return rec;
}

Name name_intern_c(Interner *interner, const char *text) {
  return name_intern(interner, str_from_c(text));
}
