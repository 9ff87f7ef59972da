// SPDX-License-Identifier: Apache-2.0
// A hash map that keeps insertion order: entries in a list, and a table of their positions. Small
// maps have no table. A removed entry stays in the list as a gap until the list is full.
#include <string.h>

#include "base.h"
#include "map.h"

#define NO_ENTRY   UINT32_MAX
#define SMALL_SIZE 8 // up to here the list is searched

typedef struct Entry {
  const void *key;
  union { // who may change a value is for the owner of the map to know
    const void *given;
    void *value;
  };
  bool is_live;
} Entry;

struct Map {
  Arena *arena;
  Entry *entries;
  size_t entry_count, entry_capacity; // gaps included
  size_t live_count;
  uint32_t *table; // NULL while small; twice entry_capacity long, a power of two
  size_t table_size;
};

static size_t hash_pointer(const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
  return (size_t)(bits ^ bits >> 32);
}

Map *map_new(Arena *arena) {
  Map *map = ARENA_NEW(arena, Map);
  map->arena = arena;
  return map;
}

static Entry *find(const Map *map, const void *key) {
  if (!map->table) {
    for (size_t i = 0; i < map->entry_count; i++)
      if (map->entries[i].key == key && map->entries[i].is_live) return &map->entries[i];
    return NULL;
  }
  size_t mask = map->table_size - 1;
  for (size_t at = hash_pointer(key) & mask; map->table[at] != NO_ENTRY; at = (at + 1) & mask) {
    Entry *entry = &map->entries[map->table[at]];
    if (entry->key == key && entry->is_live) return entry;
  }
  return NULL;
}

static void index_entry(Map *map, size_t i) {
  size_t mask = map->table_size - 1, at = hash_pointer(map->entries[i].key) & mask;
  while (map->table[at] != NO_ENTRY) at = (at + 1) & mask;
  map->table[at] = (uint32_t)i;
}

// Room for one more entry: closes the gaps if there are many, else doubles.
static void make_room(Map *map) {
  size_t capacity = map->entry_capacity;
  if (map->live_count * 2 >= capacity) capacity = capacity ? capacity * 2 : SMALL_SIZE;
  Entry *entries = map->entries;
  if (capacity != map->entry_capacity) entries = ARENA_ARRAY(map->arena, Entry, capacity);
  size_t count = 0;
  for (size_t i = 0; i < map->entry_count; i++)
    if (map->entries[i].is_live) entries[count++] = map->entries[i];
  map->entries = entries;
  map->entry_count = count;
  if (capacity > SMALL_SIZE) {
    if (capacity * 2 != map->table_size) {
      map->table_size = capacity * 2;
      map->table = ARENA_ARRAY(map->arena, uint32_t, map->table_size);
    }
    memset(map->table, 0xff, map->table_size * sizeof *map->table);
    for (size_t i = 0; i < count; i++) index_entry(map, i);
  }
  map->entry_capacity = capacity;
}

void *map_get(const Map *map, const void *key) {
  const Entry *entry = find(map, key);
  return entry ? entry->value : NULL;
}

bool map_has(const Map *map, const void *key) { return find(map, key) != NULL; }

void map_set(Map *map, const void *key, const void *value) {
  Entry *entry = find(map, key);
  if (entry) {
    entry->given = value;
    return;
  }
  if (map->entry_count == map->entry_capacity) make_room(map);
  map->entries[map->entry_count] = (Entry){.key = key, .given = value, .is_live = true};
  if (map->table) index_entry(map, map->entry_count);
  map->entry_count++;
  map->live_count++;
}

bool map_remove(Map *map, const void *key) {
  Entry *entry = find(map, key);
  if (!entry) return false;
  entry->is_live = false;
  entry->value = NULL;
  map->live_count--;
  return true;
}

size_t map_count(const Map *map) { return map->live_count; }

bool map_next(const Map *map, size_t *it, const void **key, void **value) {
  while (*it < map->entry_count) {
    const Entry *entry = &map->entries[(*it)++];
    if (!entry->is_live) continue;
    if (key) *key = entry->key;
    if (value) *value = entry->value;
    return true;
  }
  return false;
}
