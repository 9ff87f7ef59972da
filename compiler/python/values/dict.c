// SPDX-License-Identifier: Apache-2.0
// Dicts and sets: entries in the order they were added, found through a table of their positions
// (small dicts have none).
// Storage that is outgrown stays in the arena, so a dict may change while it is being searched.
#include <string.h>

#include "evaluator_state.h"
#include "dict.h"
#include "dict_entry.h"
#include "new_value.h"
#include "raise.h"

#define FIRST_CAPACITY 4
#define NO_ENTRY       UINT32_MAX

Dict *dict_new(Eval *ev) {
  Dict *dict = ARENA_NEW(ev->arena, Dict);
  dict->base.type = ev->types.dict;
  return dict;
}

Dict *dict_new_small(Eval *ev, size_t capacity) {
  if (!capacity) return dict_new(ev);
  Dict *dict = arena_alloc(ev->arena, sizeof *dict + capacity * sizeof(DictEntry));
  dict->base.type = ev->types.dict;
  dict->entries = (DictEntry *)(dict + 1);
  dict->capacity = capacity;
  return dict;
}

Dict *set_new(Eval *ev, bool frozen) {
  Dict *set = ARENA_NEW(ev->arena, Dict);
  set->base.type = frozen ? ev->types.frozenset : ev->types.set;
  return set;
}

static void index_add(Dict *dict, size_t i) {
  size_t mask = index_size(dict) - 1;
  size_t at = dict_place(dict->entries[i].hash, mask);
  while (dict->index[at] != NO_ENTRY) at = (at + 1) & mask;
  dict->index[at] = (uint32_t)i;
}

// Moves the entries to new storage, without the gaps.
static void move_entries(Eval *ev, Dict *dict, size_t capacity) {
  if (capacity >= NO_ENTRY)
    eval_raise(ev, ev->types.MemoryError, "a dict of %zu entries", capacity);
  demand_memory(ev, capacity * (sizeof(DictEntry) + 2 * sizeof(uint32_t)));
  DictEntry *entries = ARENA_ARRAY(ev->arena, DictEntry, capacity);
  size_t used = 0;
  for (size_t i = 0; i < dict->used; i++)
    if (dict->entries[i].key.kind != V_UNBOUND) entries[used++] = dict->entries[i];
  dict->entries = entries;
  dict->used = used;
  dict->capacity = capacity;
  if (capacity <= DICT_SMALL) return;
  uint32_t *index = ARENA_ARRAY(ev->arena, uint32_t, index_size(dict));
  memset(index, 0xff, index_size(dict) * sizeof *index);
  dict->index = index;
  for (size_t i = 0; i < used; i++) index_add(dict, i);
}

// Room for one more entry: gaps are closed if they are many, else the storage doubles.
static void make_room(Eval *ev, Dict *dict) {
  size_t capacity = FIRST_CAPACITY; // a power of two, as tables of positions need it
  while (capacity < dict->capacity) capacity *= 2;
  if (dict->capacity && dict->count * 4 > dict->capacity * 3) capacity *= 2;
  move_entries(ev, dict, capacity);
}

void dict_reserve(Eval *ev, Dict *dict, size_t count) {
  size_t capacity = FIRST_CAPACITY;
  while (capacity < count) capacity *= 2;
  if (count) move_entries(ev, dict, capacity);
}

Dict *dict_copy_as(Eval *ev, const Dict *from, Type *type) {
  Dict *copy = ARENA_NEW(ev->arena, Dict);
  *copy = *from;
  copy->base.type = type;
  if (from->capacity) {
    demand_memory(ev, from->capacity * (sizeof(DictEntry) + 2 * sizeof(uint32_t)));
    copy->entries = ARENA_ARRAY(ev->arena, DictEntry, from->capacity);
    memcpy(copy->entries, from->entries, from->used * sizeof *copy->entries);
  }
  if (from->index)
    copy->index = arena_dup(ev->arena, from->index, index_size(from) * sizeof *from->index);
  return copy;
}

DictEntry *dict_find_name(const Dict *dict, Name name) {
  uint64_t hash = name_hash(name);
  if (!dict->index) {
    for (size_t i = 0; i < dict->used; i++)
      if (is_name_key(&dict->entries[i], name, hash)) return &dict->entries[i];
    return NULL;
  }
  size_t mask = index_size(dict) - 1, at = dict_place(hash, mask);
  for (; dict->index[at] != NO_ENTRY; at = (at + 1) & mask) {
    DictEntry *entry = &dict->entries[dict->index[at]];
    if (is_name_key(entry, name, hash)) return entry;
  }
  return NULL;
}

void dict_append(Eval *ev, Dict *dict, Value key, uint64_t hash, Value value) {
  if (dict->used == dict->capacity) make_room(ev, dict);
  dict->entries[dict->used] = (DictEntry){key, value, hash};
  if (dict->index) index_add(dict, dict->used);
  dict->filter |= dict_filter_bit(hash);
  dict->used++;
  dict->count++;
  dict->version++;
}

Value dict_get_name(const Dict *dict, Name name) {
  const DictEntry *entry = dict_find_name(dict, name);
  return entry ? entry->value : v_unbound();
}

void dict_set_name(Eval *ev, Dict *dict, Name name, Value value) {
  DictEntry *entry = dict_find_name(dict, name);
  if (entry)
    entry->value = value;
  else
    dict_append(ev, dict, make_name(ev, name), name_hash(name), value);
}

void dict_drop(Dict *dict, DictEntry *entry) {
  entry->key = v_unbound();
  entry->value = v_unbound();
  dict->count--;
  dict->version++;
}

bool dict_remove_name(Dict *dict, Name name) {
  DictEntry *entry = dict_find_name(dict, name);
  if (entry) dict_drop(dict, entry);
  return entry != NULL;
}

bool dict_next(const Dict *dict, size_t *it, DictEntry **entry) {
  while (*it < dict->used) {
    DictEntry *candidate = &dict->entries[(*it)++];
    if (candidate->key.kind == V_UNBOUND) continue;
    *entry = candidate;
    return true;
  }
  return false;
}

// That of its name, if it had one.
uint64_t str_hash(StrObject *str) {
  if (!str->hash) str->hash = text_hash(str->name ? str->name->hash : name_hash_of(str->text));
  return str->hash;
}
