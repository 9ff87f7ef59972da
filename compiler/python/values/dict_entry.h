// SPDX-License-Identifier: Apache-2.0
// Entries of dicts whose keys are names, looked for first where they were found the last time. That
// is a hint, which nothing needs to invalidate: the key is compared.
#pragma once
#include "dict.h"
#include "evaluator.h"

// Hashes of texts have the bits 010 on top, which hashes of numbers never have: equal hashes are
// both of texts or neither.
static inline uint64_t text_hash(uint32_t hash) {
  return ((uint64_t)hash * 0x9E3779B97F4A7C15u) >> 3 | (uint64_t)1 << 62;
}
static inline uint64_t name_hash(Name name) { return text_hash(name->hash); }

// Texts whose hashes are equal: mostly they have the same name, or get it here.
static inline bool same_texts(StrObject *a, StrObject *b) {
  if (a->name == b->name && a->name) return true;
  if ((a->name && b->name) || !str_equal(a->text, b->text)) return false;
  if (a->name)
    b->name = a->name;
  else
    a->name = b->name;
  return true;
}

// A key of the same hash may also be an object that says it is equal to a text.
static inline bool is_name_key(const DictEntry *entry, Name name, uint64_t hash) {
  if (entry->hash != hash || entry->key.kind != V_OBJECT) return false;
  StrObject *str = (StrObject *)entry->key.o;
  if (str->name == name) return true;
  if (str->base.type->layout != LAYOUT_STR || str->base.type->is_heap || str->name) return false;
  if (!str_equal(str->text, name_str(name))) return false;
  str->name = name;
  return true;
}

// The same, of keys that the evaluator has made of names: others may not be known, so that who does
// not find one looks for it by dict_find_name.
static inline bool is_own_key(const DictEntry *entry, Name name) {
  return entry->key.o == name->object && entry->key.kind == V_OBJECT;
}

// Places in the table of a dict that has one.
static inline size_t index_size(const Dict *dict) { return dict->capacity * 2; }
// Where a key of that hash is looked for first.
static inline size_t dict_place(uint64_t hash, size_t mask) {
  return (size_t)(hash * 0x9E3779B97F4A7C15u >> 32) & mask;
}

static inline uint64_t dict_filter_bit(uint64_t hash) { return (uint64_t)1 << (hash & 63); }
// False: it has not.
static inline bool dict_may_have(const Dict *dict, Name name) {
  return dict->filter & dict_filter_bit(name_hash(name));
}

DictEntry *dict_find_name(const Dict *dict, Name name); // or NULL

// As dict_append, mostly of a small dict that has room.
static inline void dict_append_quickly(Eval *ev, Dict *dict, Value key, uint64_t hash,
                                       Value value) {
  if (dict->index || dict->used == dict->capacity) {
    dict_append(ev, dict, key, hash, value);
    return;
  }
  dict->entries[dict->used++] = (DictEntry){key, value, hash};
  dict->filter |= dict_filter_bit(hash);
  dict->count++;
  dict->version++;
}

static inline DictEntry *dict_entry_at(const Dict *dict, Name name, uint32_t *at) {
  if (*at < dict->used) {
    DictEntry *entry = &dict->entries[*at];
    if (is_own_key(entry, name)) return entry;
  }
  DictEntry *entry = dict_find_name(dict, name);
  if (entry) *at = (uint32_t)(entry - dict->entries);
  return entry;
}
