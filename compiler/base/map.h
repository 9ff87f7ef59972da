// SPDX-License-Identifier: Apache-2.0
// A hash map keyed by pointers (a Name, an IrValue *, ...), which keeps the order of insertion.
#pragma once
#include "base.h"

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
