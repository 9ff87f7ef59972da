// SPDX-License-Identifier: Apache-2.0
// set and frozenset: tables as of dict (dict.c) whose values are None.
//
// Sets keep the order in which items were added. CPython walks its hash table instead, and for
// numbers that order is the same in every run, so programs come to lean on it ({2, 0} gives 0
// first). set_order therefore replays CPython's table for sets of numbers.
#include "base/buf.h"
#include "base/collected.h"
#include "builtin_set.h"
#include "python/values/builtin_state.h"
#include "builtin_tuple.h"
#include "builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "python/objects/generic.h"
#include <string.h>

Dict *value_as_set(Value v) {
  v = value_unwrap(v);
  return v.kind == V_OBJECT && v.o->type->layout == LAYOUT_SET ? (Dict *)v.o : NULL;
}

static Dict *self_set(Eval *ev, Value self) {
  Dict *set = value_as_set(self);
  if (set) return set;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'set' object but received a '%s'",
             value_type_name(ev, self));
}

static bool is_frozen(Eval *ev, const Dict *set) { return set->base.type == ev->types.frozenset; }

void set_add(Eval *ev, Dict *set, Value item) { dict_set(ev, set, item, v_none()); }

// ---- CPython's order ----------------------------------------------------------------------------
// Numbers, and tuples of them, have the same hash in every run.
static bool has_known_hash(Eval *ev, Value v) {
  if (v.kind == V_INT || v.kind == V_BOOL || v.kind == V_FLOAT) return true;
  if (v.kind != V_OBJECT) return false;
  if (value_is_big(v)) return true;
  if (v.o->type != ev->types.tuple) return false;
  const Tuple *tuple = (const Tuple *)v.o;
  for (size_t i = 0; i < tuple->count; i++) {
    if (!has_known_hash(ev, tuple->items[i])) return false;
  }
  return true;
}

#define EMPTY         UINT32_MAX
#define LINEAR_PROBES 9

typedef struct Replay {
  uint32_t *slots; // positions of entries, or EMPTY
  size_t mask;
} Replay;

static void replay_insert(Replay *table, const DictEntry *entries, uint32_t position) {
  uint64_t hash = entries[position].hash, perturb = hash;
  size_t i = hash & table->mask;
  for (;;) {
    size_t probes = i + LINEAR_PROBES <= table->mask ? LINEAR_PROBES : 0;
    for (size_t k = 0; k <= probes; k++) {
      if (table->slots[i + k] != EMPTY) continue;
      table->slots[i + k] = position;
      return;
    }
    perturb >>= 5;
    i = (i * 5 + 1 + perturb) & table->mask;
  }
}

static Replay replay_new(Eval *ev, size_t least) {
  size_t size = 8;
  while (size <= least) size *= 2;
  Replay table = {ARENA_ARRAY(ev->arena, uint32_t, size), size - 1};
  memset(table.slots, 0xff, size * sizeof *table.slots);
  return table;
}

static Replay replay_grow(Eval *ev, const Replay *from, const DictEntry *entries, size_t least) {
  Replay table = replay_new(ev, least);
  for (size_t i = 0; i <= from->mask; i++) {
    if (from->slots[i] != EMPTY) replay_insert(&table, entries, from->slots[i]);
  }
  return table;
}

// The positions of the entries in the order in which CPython walks the set: NULL if that is not
// known (then as they were added).
static uint32_t *set_order(Eval *ev, const Dict *set) {
  if (set->count < 2) return NULL;
  for (size_t i = 0; i < set->used; i++) {
    const DictEntry *entry = &set->entries[i];
    if (entry->key.kind != V_UNBOUND && !has_known_hash(ev, entry->key)) return NULL;
  }
  Replay table = replay_new(ev, 0);
  size_t count = 0;
  for (size_t i = 0; i < set->used; i++) {
    if (set->entries[i].key.kind == V_UNBOUND) continue;
    replay_insert(&table, set->entries, (uint32_t)i);
    if (++count * 5 >= table.mask * 3)
      table = replay_grow(ev, &table, set->entries, count > 50000 ? count * 2 : count * 4);
  }
  size_t at = 0; // gathered in place
  for (size_t i = 0; i <= table.mask; i++) {
    if (table.slots[i] != EMPTY) table.slots[at++] = table.slots[i];
  }
  return table.slots;
}

// ---- iterating ----------------------------------------------------------------------------------
typedef struct SetIterator {
  Object base;
  Dict *set; // NULL when exhausted
  uint32_t *order;
  size_t at, count;
} SetIterator;

static Value make_set_iterator(Eval *ev, Dict *set) {
  SetIterator *it = ARENA_NEW(ev->arena, SetIterator);
  *it = (SetIterator){{ev->builtin->set_iterator}, set, set_order(ev, set), 0, set->count};
  return v_object(it);
}

static bool set_iterator_next(Eval *ev, Value self, Value *out) {
  SetIterator *it = (SetIterator *)self.o;
  if (!it->set) return false;
  if (it->set->count != it->count) {
    it->count = SIZE_MAX;
    eval_raise(ev, ev->types.RuntimeError, "Set changed size during iteration");
  }
  DictEntry *entry;
  if (it->order && it->at < it->count) {
    entry = &it->set->entries[it->order[it->at++]];
  } else if (it->order || !dict_next(it->set, &it->at, &entry)) {
    it->set = NULL;
    return false;
  }
  *out = entry->key;
  return true;
}

static Value set_iterator_hint(Eval *ev UNUSED, Value *a) {
  const SetIterator *it = (const SetIterator *)a[0].o;
  return v_int(it->set ? (int64_t)it->set->count : 0);
}

// ---- algebra ------------------------------------------------------------------------------------
static void add_all(Eval *ev, Dict *set, const Dict *from) {
  DictEntry *entry;
  for (size_t it = 0; dict_next(from, &it, &entry);)
    dict_set_hashed(ev, set, entry->key, entry->hash, v_none());
}

static void add_iterable(Eval *ev, Dict *set, Value iterable) {
  const Dict *other = value_as_set(iterable);
  if (other) {
    if (other != set) add_all(ev, set, other);
    return;
  }
  Walk walk;
  walk_start(ev, &walk, iterable);
  dict_expect(ev, set, walk_hint(ev, &walk));
  for (Value item; walk_next(ev, &walk, &item);) set_add(ev, set, item);
}

Dict *set_from(Eval *ev, Value iterable) {
  Dict *set = set_new(ev, false);
  add_iterable(ev, set, iterable);
  return set;
}

static void add_those(Eval *ev, Dict *out, const Dict *from, const Dict *other, bool present) {
  DictEntry *entry;
  for (size_t it = 0; dict_next(from, &it, &entry);) {
    bool is_there = dict_find_hashed(ev, other, entry->key, entry->hash);
    if (is_there == present) dict_append(ev, out, entry->key, entry->hash, v_none());
  }
}

Dict *set_combine(Eval *ev, BinaryOp op, const Dict *a, const Dict *b, bool frozen) {
  if (op == BIN_OR) {
    Dict *both = dict_copy_as(ev, a, frozen ? ev->types.frozenset : ev->types.set);
    add_all(ev, both, b);
    return both;
  }
  Dict *out = set_new(ev, frozen);
  dict_reserve(ev, out, op == BIN_AND && b->count < a->count ? b->count : a->count);
  switch (op) {
  case BIN_AND:
    a->count <= b->count ? add_those(ev, out, a, b, true) : add_those(ev, out, b, a, true);
    break;
  case BIN_SUB: add_those(ev, out, a, b, false); break;
  default: // ^
    add_those(ev, out, a, b, false);
    add_those(ev, out, b, a, false);
    break;
  }
  return out;
}

static bool is_subset(Eval *ev, const Dict *a, const Dict *b) {
  if (a->count > b->count) return false;
  DictEntry *entry;
  for (size_t it = 0; dict_next(a, &it, &entry);) {
    if (!dict_has(ev, b, entry->key)) return false;
  }
  return true;
}

static Value set_order_compare(Eval *ev, CompareOp op, const Dict *a, const Dict *b) {
  switch (op) {
  case CMP_EQ: return v_bool(a->count == b->count && is_subset(ev, a, b));
  case CMP_NE: return v_bool(a->count != b->count || !is_subset(ev, a, b));
  case CMP_LT: return v_bool(a->count < b->count && is_subset(ev, a, b));
  case CMP_LE: return v_bool(is_subset(ev, a, b));
  case CMP_GT: return v_bool(b->count < a->count && is_subset(ev, b, a));
  default: return v_bool(is_subset(ev, b, a));
  }
}

static void replace_contents(Dict *set, const Dict *from) {
  Object base = set->base;
  uint64_t version = set->version + 1;
  *set = *from;
  set->base = base;
  set->version = version;
}

// ---- slots --------------------------------------------------------------------------------------
static int64_t set_len(Eval *ev, Value self) { return (int64_t)self_set(ev, self)->count; }

static bool set_contains(Eval *ev, Value self, Value item) {
  return dict_has(ev, self_set(ev, self), item);
}

static Value set_iter(Eval *ev, Value self) { return make_set_iterator(ev, self_set(ev, self)); }

static Value set_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  const Dict *a = value_as_set(left), *b = value_as_set(right);
  if (!a || !b || (op != BIN_AND && op != BIN_OR && op != BIN_SUB && op != BIN_XOR))
    return v_not_implemented();
  return v_object(set_combine(ev, op, a, b, is_frozen(ev, a)));
}

static Value set_inplace(Eval *ev, BinaryOp op, Value left, Value right) {
  Dict *a = self_set(ev, left);
  const Dict *b = value_as_set(right);
  if (!b || (op != BIN_AND && op != BIN_OR && op != BIN_SUB && op != BIN_XOR))
    return v_not_implemented();
  replace_contents(a, set_combine(ev, op, a, b, false));
  return left;
}

static Value set_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const Dict *a = value_as_set(left), *b = value_as_set(right);
  if (!a || !b) return v_not_implemented();
  return set_order_compare(ev, op, a, b);
}

// Independent of the order of the items: CPython's own mixing, so that hash() shows the same
// numbers.
static uint64_t frozenset_hash(Eval *ev, Value self) {
  const Dict *set = self_set(ev, self);
  uint64_t hash = 0;
  DictEntry *entry;
  for (size_t it = 0; dict_next(set, &it, &entry);) {
    uint64_t h = entry->hash;
    hash ^= ((h ^ 89869747u) ^ (h << 16)) * 3644798167u;
  }
  hash ^= (set->count + 1) * 1927868237u;
  hash ^= (hash >> 11) ^ (hash >> 25);
  hash = hash * 69069u + 907133923u;
  return hash == UINT64_MAX ? 590923713u : hash;
}

// What an operator made and nobody has.
static void set_drop(Eval *ev, Value self) {
  const Dict *set = (const Dict *)self.o;
  if (set->index) arena_discard(ev->arena, set->index);
  if (set->entries) arena_discard(ev->arena, set->entries);
  arena_discard(ev->arena, set);
}

static void set_repr_body(Eval *ev, Value self, Buf *out) {
  const Tuple *items = value_to_tuple(ev, set_iter(ev, self));
  bool is_plain = self.o->type == ev->types.set;
  if (!is_plain) buf_printf(out, "%s(", value_type_name(ev, self));
  buf_char(out, '{');
  put_reprs(ev, out, items->items, items->count);
  buf_c(out, is_plain ? "}" : "})");
}

static void set_put_repr(Eval *ev, Value self, Buf *out) {
  const char *name = value_type_name(ev, self);
  if (self_set(ev, self)->count == 0)
    buf_printf(out, "%s()", name);
  else
    guarded_repr(ev, self, out, set_repr_body, str_format(ev->arena, "%s(...)", name).data);
}

static Str set_repr(Eval *ev, Value self) { return repr_text(ev, self, set_put_repr); }

// ---- making -------------------------------------------------------------------------------------
static Value set_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  return payload_wrap(ev, cls, ev->types.set, v_object(set_new(ev, false)));
}

static Value set_init(Eval *ev, Value *a) {
  Dict *set = self_set(ev, a[0]);
  dict_clear(set);
  if (!v_is_unbound(a[1])) add_iterable(ev, set, a[1]);
  return v_none();
}

static Value set_of(Eval *ev, const Args *args) {
  if (!args_are(args, 0, 1)) return v_unbound();
  Dict *set = set_new(ev, false);
  if (args->count) add_iterable(ev, set, args->items[0]);
  return v_object(set);
}

static Value frozenset_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  if (a[1].kind == V_OBJECT && a[1].o->type == ev->types.frozenset) {
    return payload_wrap(ev, cls, ev->types.frozenset, a[1]);
  }
  Dict *set = set_new(ev, true);
  if (!v_is_unbound(a[1])) add_iterable(ev, set, a[1]);
  return payload_wrap(ev, cls, ev->types.frozenset, v_object(set));
}

static Value frozenset_of(Eval *ev, const Args *args) {
  if (!args_are(args, 0, 1)) return v_unbound();
  Value a[] = {v_object(ev->types.frozenset), args->count ? args->items[0] : v_unbound()};
  return frozenset_make(ev, a);
}

// ---- methods ------------------------------------------------------------------------------------
static Dict *copy_of(Eval *ev, const Dict *set) {
  Dict *out = set_new(ev, is_frozen(ev, set));
  add_all(ev, out, set);
  return out;
}

static Value set_copy(Eval *ev, Value *a) {
  if (a[0].kind == V_OBJECT && a[0].o->type == ev->types.frozenset) return a[0];
  return v_object(copy_of(ev, self_set(ev, a[0])));
}

Dict *set_or_from(Eval *ev, Value v) {
  Dict *set = value_as_set(v);
  return set ? set : set_from(ev, v);
}

// self op each of the others.
static Dict *combine_all(Eval *ev, Value *a, BinaryOp op) {
  Dict *out = copy_of(ev, self_set(ev, a[0]));
  const Tuple *others = value_as_tuple(a[1]);
  for (size_t i = 0; i < others->count; i++) {
    if (op == BIN_OR) {
      add_iterable(ev, out, others->items[i]);
    } else {
      out = set_combine(ev, op, out, set_or_from(ev, others->items[i]), is_frozen(ev, out));
    }
  }
  return out;
}

static Value set_union(Eval *ev, Value *a) { return v_object(combine_all(ev, a, BIN_OR)); }

static Value set_intersection(Eval *ev, Value *a) { return v_object(combine_all(ev, a, BIN_AND)); }

static Value set_difference(Eval *ev, Value *a) { return v_object(combine_all(ev, a, BIN_SUB)); }

static Value set_symmetric_difference(Eval *ev, Value *a) {
  const Dict *set = self_set(ev, a[0]);
  return v_object(set_combine(ev, BIN_XOR, set, set_or_from(ev, a[1]), is_frozen(ev, set)));
}

static Value set_update(Eval *ev, Value *a) {
  Dict *set = self_set(ev, a[0]);
  const Tuple *others = value_as_tuple(a[1]);
  for (size_t i = 0; i < others->count; i++) add_iterable(ev, set, others->items[i]);
  return v_none();
}

static Value set_intersection_update(Eval *ev, Value *a) {
  replace_contents(self_set(ev, a[0]), combine_all(ev, a, BIN_AND));
  return v_none();
}

static Value set_difference_update(Eval *ev, Value *a) {
  replace_contents(self_set(ev, a[0]), combine_all(ev, a, BIN_SUB));
  return v_none();
}

static Value set_symmetric_difference_update(Eval *ev, Value *a) {
  Dict *set = self_set(ev, a[0]);
  replace_contents(set, set_combine(ev, BIN_XOR, set, set_or_from(ev, a[1]), false));
  return v_none();
}

static Value set_issubset(Eval *ev, Value *a) {
  return v_bool(is_subset(ev, self_set(ev, a[0]), set_or_from(ev, a[1])));
}

static Value set_issuperset(Eval *ev, Value *a) {
  return v_bool(is_subset(ev, set_or_from(ev, a[1]), self_set(ev, a[0])));
}

static Value set_isdisjoint(Eval *ev, Value *a) {
  return v_bool(set_combine(ev, BIN_AND, self_set(ev, a[0]), set_or_from(ev, a[1]), false)->count ==
                0);
}

static Value set_add_method(Eval *ev, Value *a) {
  set_add(ev, self_set(ev, a[0]), a[1]);
  return v_none();
}

static Value set_clear(Eval *ev, Value *a) {
  dict_clear(self_set(ev, a[0]));
  return v_none();
}

static Value set_discard(Eval *ev, Value *a) {
  dict_remove(ev, self_set(ev, a[0]), a[1]);
  return v_none();
}

static Value set_remove(Eval *ev, Value *a) {
  if (!dict_remove(ev, self_set(ev, a[0]), a[1])) raise_key_error(ev, a[1]);
  return v_none();
}

static Value set_pop(Eval *ev, Value *a) {
  Dict *set = self_set(ev, a[0]);
  Value item;
  if (!value_next(ev, make_set_iterator(ev, set), &item))
    raise_key_error(ev, make_str_c(ev, "pop from an empty set"));
  dict_remove(ev, set, item);
  return item;
}

static Value set_class_getitem(Eval *ev, Value *a) { return make_generic_alias(ev, a[0], a[1]); }

#define SHARED_METHODS                                                                             \
  {"copy(self, /)", set_copy}, {"union(self, /, *others)", set_union},                             \
      {"intersection(self, /, *others)", set_intersection},                                        \
      {"difference(self, /, *others)", set_difference},                                            \
      {"symmetric_difference(self, other, /)", set_symmetric_difference},                          \
      {"issubset(self, other, /)", set_issubset}, {"issuperset(self, other, /)", set_issuperset},  \
      {"isdisjoint(self, other, /)", set_isdisjoint}, {                                            \
    "__class_getitem__(cls, item, /)", set_class_getitem                                           \
  }

static const NativeDef set_methods[] = {
    {"__new__(cls, /, *args, **kwargs)", set_make},
    {"__init__(self, iterable=, /)", set_init},
    SHARED_METHODS,
    {"add(self, item, /)", set_add_method},
    {"clear(self, /)", set_clear},
    {"discard(self, item, /)", set_discard},
    {"remove(self, item, /)", set_remove},
    {"pop(self, /)", set_pop},
    {"update(self, /, *others)", set_update},
    {"intersection_update(self, /, *others)", set_intersection_update},
    {"difference_update(self, /, *others)", set_difference_update},
    {"symmetric_difference_update(self, other, /)", set_symmetric_difference_update},
    {0},
};

static const NativeDef frozenset_methods[] = {
    {"__new__(cls, iterable=, /)", frozenset_make},
    SHARED_METHODS,
    {0},
};

static const NativeType set_type = {
    .slots = {.make = set_of,
              .len = set_len,
              .contains = set_contains,
              .iter = set_iter,
              .binary = set_binary,
              .inplace = set_inplace,
              .compare = set_compare,
              .repr = set_repr,
              .put_repr = set_put_repr,
              .discard = set_drop},
    .methods = set_methods,
};

static const NativeType frozenset_type = {
    .slots = {.make = frozenset_of,
              .len = set_len,
              .contains = set_contains,
              .iter = set_iter,
              .binary = set_binary,
              .compare = set_compare,
              .hash = frozenset_hash,
              .repr = set_repr,
              .put_repr = set_put_repr,
              .discard = set_drop},
    .methods = frozenset_methods,
};

static const NativeType set_iterator_type = {
    .slots = {.iter = iterator_self, .next = set_iterator_next},
    .methods = (const NativeDef[]){{"__length_hint__(self)", set_iterator_hint}, {0}},
};

void builtin_set_init(Eval *ev) {
  native_type_define(ev, ev->types.set, &set_type);
  native_type_define(ev, ev->types.frozenset, &frozenset_type);
  ev->builtin->set_iterator =
      native_type_new(ev, "builtins", "set_iterator", NULL, &set_iterator_type);
}
