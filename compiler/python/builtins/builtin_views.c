// SPDX-License-Identifier: Apache-2.0
// The views of dicts (keys, values, items): live, and the first and last are sets; and the
// iterators over dicts.
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "builtin_set.h"
#include "builtin_tuple.h"
#include "builtin_views.h"
#include "builtin_wrap.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"

typedef struct View {
  Object base;
  Value owner; // the dict, or an instance of a class derived from dict
} View;

static const View *self_view(Value self) { return (const View *)value_unwrap(self).o; }

static Dict *view_dict(Value self) { return value_as_dict(self_view(self)->owner); }

static Type *view_type(Eval *ev, ViewKind kind) {
  return kind == VIEW_KEYS     ? ev->builtin->dict_keys
         : kind == VIEW_VALUES ? ev->builtin->dict_values
                               : ev->builtin->dict_items;
}

static ViewKind kind_of(Eval *ev, Value self) {
  Type *type = self.o->type;
  return type == ev->builtin->dict_keys     ? VIEW_KEYS
         : type == ev->builtin->dict_values ? VIEW_VALUES
                                            : VIEW_ITEMS;
}

Value make_view(Eval *ev, Value owner, ViewKind kind) {
  if (!value_as_dict(owner))
    eval_raise(ev, ev->types.TypeError, "descriptor requires a 'dict' object but received a '%s'",
               value_type_name(ev, owner));
  View *view = ARENA_NEW(ev->arena, View);
  *view = (View){{view_type(ev, kind)}, owner};
  return v_object(view);
}

// A dict view's dict if v is one of the kind, else NULL.
static Dict *value_as_view(Eval *ev, Value v, ViewKind kind) {
  return v.kind == V_OBJECT && v.o->type == view_type(ev, kind) ? view_dict(v) : NULL;
}

// ---- iterating ----------------------------------------------------------------------------------
typedef struct DictIterator {
  Object base;
  Dict *dict; // NULL when exhausted
  size_t at;  // reversed: entries not yet looked at
  size_t count;
  bool reverse;
} DictIterator;

Value make_dict_iterator(Eval *ev, Dict *dict, ViewKind kind, bool reverse) {
  BuiltinState *state = ev->builtin;
  DictIterator *it = ARENA_NEW(ev->arena, DictIterator);
  it->base.type = kind == VIEW_KEYS     ? state->dict_key_iterator
                  : kind == VIEW_VALUES ? state->dict_value_iterator
                                        : state->dict_item_iterator;
  it->dict = dict;
  it->count = dict->count;
  it->reverse = reverse;
  it->at = reverse ? dict->used : 0;
  return v_object(it);
}

static DictEntry *step_back(DictIterator *it) {
  if (it->at > it->dict->used) it->at = it->dict->used;
  while (it->at > 0) {
    DictEntry *entry = &it->dict->entries[--it->at];
    if (entry->key.kind != V_UNBOUND) return entry;
  }
  return NULL;
}

// The next entry, or NULL.
static inline const DictEntry *next_entry(Eval *ev, DictIterator *it) {
  if (!it->dict) return NULL;
  if (it->dict->count != it->count) {
    it->count = SIZE_MAX; // stays so
    eval_raise(ev, ev->types.RuntimeError, "dictionary changed size during iteration");
  }
  DictEntry *entry = NULL;
  if (it->reverse) {
    entry = step_back(it);
  } else if (!dict_next(it->dict, &it->at, &entry)) {
    entry = NULL;
  }
  if (!entry) it->dict = NULL;
  return entry;
}

static bool next_key(Eval *ev, Value self, Value *out) {
  const DictEntry *entry = next_entry(ev, (DictIterator *)self.o);
  if (entry) *out = entry->key;
  return entry;
}

static bool next_value(Eval *ev, Value self, Value *out) {
  const DictEntry *entry = next_entry(ev, (DictIterator *)self.o);
  if (entry) *out = entry->value;
  return entry;
}

static bool next_pair(Eval *ev, Value self, Value *out) {
  const DictEntry *entry = next_entry(ev, (DictIterator *)self.o);
  if (entry) *out = make_pair(ev, entry->key, entry->value);
  return entry;
}

static bool next_key_and_value(Eval *ev, Value self, Value *out) {
  const DictEntry *entry = next_entry(ev, (DictIterator *)self.o);
  if (!entry) return false;
  out[0] = entry->key;
  out[1] = entry->value;
  return true;
}

static size_t pair_width(Value self UNUSED) { return 2; }

static size_t dict_iterator_left(const Eval *ev UNUSED, Value self) {
  const DictIterator *it = (const DictIterator *)self.o;
  return it->dict ? it->dict->count : 0;
}

static Value dict_iterator_hint(Eval *ev, Value *a) {
  return v_int((int64_t)dict_iterator_left(ev, a[0]));
}

static const NativeDef iterator_methods[] = {{"__length_hint__(self)", dict_iterator_hint}, {0}};

static const NativeType key_iterator_type = {
    .slots = {.iter = iterator_self, .next = next_key, .hint = dict_iterator_left},
    .methods = iterator_methods,
};
static const NativeType value_iterator_type = {
    .slots = {.iter = iterator_self, .next = next_value, .hint = dict_iterator_left},
    .methods = iterator_methods,
};
static const NativeType item_iterator_type = {
    .slots = {.iter = iterator_self,
              .next = next_pair,
              .hint = dict_iterator_left,
              .width = pair_width,
              .next_items = next_key_and_value},
    .methods = iterator_methods,
};

// ---- slots of views -----------------------------------------------------------------------------
static int64_t view_len(Eval *ev UNUSED, Value self) { return (int64_t)view_dict(self)->count; }

static Value view_iter(Eval *ev, Value self) {
  return make_dict_iterator(ev, view_dict(self), kind_of(ev, self), false);
}

static Value view_reversed(Eval *ev, Value *a) {
  return make_dict_iterator(ev, view_dict(a[0]), kind_of(ev, a[0]), true);
}

static bool view_contains(Eval *ev, Value self, Value item) {
  const Dict *dict = view_dict(self);
  if (kind_of(ev, self) == VIEW_KEYS) return dict_has(ev, dict, item);
  const Tuple *pair = value_as_tuple(item);
  if (!pair || pair->count != 2) return false;
  Value value = dict_get(ev, dict, pair->items[0]);
  return !v_is_unbound(value) && same_or_equal(ev, value, pair->items[1]);
}

static void view_repr_body(Eval *ev, Value self, Buf *out) {
  const Tuple *items = value_to_tuple(ev, view_iter(ev, self));
  // As CPython, whose OrderedDict has views of its own.
  const Type *ordered = ev->builtin->ordered_dict;
  bool is_ordered = ordered && type_is_subtype(self_view(self)->owner.o->type, ordered);
  buf_printf(out, "%s%s([", is_ordered ? "o" : "", self.o->type->name->text);
  put_reprs(ev, out, items->items, items->count);
  buf_c(out, "])");
}

static void view_put_repr(Eval *ev, Value self, Buf *out) {
  guarded_repr(ev, self, out, view_repr_body, "...");
}

static Str view_repr(Eval *ev, Value self) { return repr_text(ev, self, view_put_repr); }

static bool is_set_like(Eval *ev, Value v) {
  return value_as_set(v) || value_as_view(ev, v, VIEW_KEYS) || value_as_view(ev, v, VIEW_ITEMS);
}

// & | - ^ take any iterable on the other side; the result is a set.
static Value view_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op != BIN_AND && op != BIN_OR && op != BIN_SUB && op != BIN_XOR) return v_not_implemented();
  return v_object(set_combine(ev, op, set_or_from(ev, left), set_or_from(ev, right), false));
}

// Items may be unhashable: each is looked for in the other view.
static bool is_within(Eval *ev, Value a, Value b) {
  if (value_len(ev, a) > value_len(ev, b)) return false;
  Walk walk;
  Value item;
  walk_start(ev, &walk, a);
  while (walk_next(ev, &walk, &item))
    if (!value_contains(ev, b, item)) return false;
  return true;
}

static Value view_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (!is_set_like(ev, right)) return v_not_implemented();
  int64_t a = value_len(ev, left), b = value_len(ev, right);
  switch (op) {
  case CMP_EQ: return v_bool(a == b && is_within(ev, left, right));
  case CMP_NE: return v_bool(a != b || !is_within(ev, left, right));
  case CMP_LT: return v_bool(a < b && is_within(ev, left, right));
  case CMP_LE: return v_bool(is_within(ev, left, right));
  case CMP_GT: return v_bool(b < a && is_within(ev, right, left));
  default: return v_bool(is_within(ev, right, left));
  }
}

static Value view_isdisjoint(Eval *ev, Value *a) {
  const Dict *both = set_combine(ev, BIN_AND, set_or_from(ev, a[0]), set_or_from(ev, a[1]), false);
  return v_bool(both->count == 0);
}

static Value view_mapping(Eval *ev, Value self) {
  return value_call_n(ev, v_object(ev->types.mapping_proxy), 1, &self_view(self)->owner);
}

static const NativeGetter view_getters[] = {{"mapping", view_mapping}, {0}};

static const NativeDef set_view_methods[] = {
    {"isdisjoint(self, other, /)", view_isdisjoint},
    {"__reversed__(self, /)", view_reversed},
    {0},
};

static const NativeType set_view_type = {
    .slots = {.len = view_len,
              .iter = view_iter,
              .contains = view_contains,
              .repr = view_repr,
              .put_repr = view_put_repr,
              .binary = view_binary,
              .compare = view_compare},
    .methods = set_view_methods,
    .getters = view_getters,
};

static const NativeType values_type = {
    .slots = {.len = view_len, .iter = view_iter, .repr = view_repr, .put_repr = view_put_repr},
    .methods = (const NativeDef[]){{"__reversed__(self, /)", view_reversed}, {0}},
    .getters = view_getters,
};

void builtin_views_init(Eval *ev) {
  BuiltinState *state = ev->builtin;
  state->dict_keys = native_type_new(ev, "builtins", "dict_keys", NULL, &set_view_type);
  state->dict_items = native_type_new(ev, "builtins", "dict_items", NULL, &set_view_type);
  state->dict_values = native_type_new(ev, "builtins", "dict_values", NULL, &values_type);
  state->dict_key_iterator =
      native_type_new(ev, "builtins", "dict_keyiterator", NULL, &key_iterator_type);
  state->dict_value_iterator =
      native_type_new(ev, "builtins", "dict_valueiterator", NULL, &value_iterator_type);
  state->dict_item_iterator =
      native_type_new(ev, "builtins", "dict_itemiterator", NULL, &item_iterator_type);
}
