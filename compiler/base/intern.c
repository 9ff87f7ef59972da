// SPDX-License-Identifier: Apache-2.0
// Interned names: an open-addressed hash table of records that live in the arena. Once that is one
// that is collected, the table keeps none of the names that are new: those go that nobody has.
#include <string.h>

#include "base.h"
#include "collected.h"

struct Interner {
  Arena *arena;
  NameRec **slots;        // not looked through by collections
  size_t count, capacity; // capacity is a power of two, at most half full
  const void *owner;      // the evaluator whose the objects of all names are
};

// Eight bytes at a time, folded by a multiplication (the constants are odd and bit-balanced).
uint32_t name_hash_of(Str text) {
  const uint64_t mix = 0x9E3779B97F4A7C15u;
  const char *data = text.data;
  size_t len = text.len;
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

static void insert(NameRec **slots, size_t capacity, NameRec *rec) {
  size_t at = rec->hash & (capacity - 1);
  while (slots[at]) at = (at + 1) & (capacity - 1);
  slots[at] = rec;
}

static void resize(Interner *interner, size_t capacity) {
  size_t size = capacity * sizeof(NameRec *);
  NameRec **slots = arena_alloc_bytes(interner->arena, size);
  for (size_t i = 0; i < interner->capacity; i++)
    if (interner->slots[i]) insert(slots, capacity, interner->slots[i]);
  interner->slots = slots;
  interner->capacity = capacity;
}

Name name_intern(Interner *interner, Str text) {
  uint32_t hash = name_hash_of(text);
  size_t at = hash & (interner->capacity - 1);
  for (NameRec *rec; (rec = interner->slots[at]); at = (at + 1) & (interner->capacity - 1))
    if (rec->hash == hash && str_equal(name_str(rec), text)) return rec;
  if (text.len >= UINT32_MAX) BUG("a name of %zu bytes", text.len);
  if ((interner->count + 1) * 2 > interner->capacity) resize(interner, interner->capacity * 2);
  NameRec *rec = arena_alloc_bytes(interner->arena, sizeof *rec + text.len + 1);
  rec->hash = hash;
  rec->len = (uint32_t)text.len;
  if (text.len) memcpy(rec->text, text.data, text.len);
  insert(interner->slots, interner->capacity, rec); // what was free above need not be any more
  interner->count++;
  return rec;
}

Name name_intern_c(Interner *interner, const char *text) {
  return name_intern(interner, str_from_c(text));
}

void name_set_object(Interner *interner, Name name, void *object) {
  size_t at = name->hash & (interner->capacity - 1);
  while (interner->slots[at] != name) at = (at + 1) & (interner->capacity - 1);
  interner->slots[at]->object = object;
}

void interner_own_objects(Interner *interner, const void *owner) {
  interner->owner = owner;
  for (size_t i = 0; i < interner->capacity; i++)
    if (interner->slots[i]) interner->slots[i]->object = NULL;
}

bool interner_is_owned_by(const Interner *interner, const void *owner) {
  return interner->owner == owner;
}

// ---- names that nobody has ----------------------------------------------------------------------
// Records move up to where they are looked for, when those before them have gone. From behind an
// empty slot on: what is met there has its place in front of it, or behind the empty one.
static void forget_unreached(void *data) {
  Interner *interner = data;
  size_t mask = interner->capacity - 1, first = 0;
  while (interner->slots[first]) first++; // at most half of them are taken
  for (size_t i = 1; i <= mask; i++) {
    NameRec **slot = &interner->slots[(first + i) & mask], *rec = *slot;
    if (!rec) continue;
    *slot = NULL;
    if (!arena_is_reached(interner->arena, rec)) {
      interner->count--;
      continue;
    }
    if (rec->object && !arena_is_reached(interner->arena, rec->object)) rec->object = NULL;
    insert(interner->slots, interner->capacity, rec);
  }
}

void interner_collect(Interner *interner, Arena *collected) {
  interner->arena = collected;
  resize(interner, interner->capacity);
  arena_on_collection(collected, forget_unreached, interner);
}
