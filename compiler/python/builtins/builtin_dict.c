// SPDX-License-Identifier: Apache-2.0
// dict: slots and methods around the table of dict.c. Views and iterators are in builtin_views.c.
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "builtin_dict.h"
#include "builtin_tuple.h"
#include "builtin_views.h"
#include "builtin_wrap.h"
#include "python/objects/attribute.h"
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
#include "python/objects/generic.h"
#include <string.h>

static Dict *self_dict(Eval *ev, Value self) {
  Dict *dict = value_as_dict(self);
  if (dict) return dict;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'dict' object but received a '%s'",
             value_type_name(ev, self));
}

Dict *dict_copy(Eval *ev, const Dict *from) { return dict_copy_as(ev, from, ev->types.dict); }

// ---- filling ------------------------------------------------------------------------------------
static void update_from_pairs(Eval *ev, Dict *dict, Value pairs) {
  // An entry at a time: what makes them stops at one that cannot be a key.
  Walk walk;
  walk_start(ev, &walk, pairs);
  dict_expect(ev, dict, walk_hint(ev, &walk));
  if (walk.width == 2) {
    const TypeSlots *slots = &value_type(ev, walk.source)->slots;
    for (Value made[2]; slots->next_items(ev, walk.source, made); eval_step(ev))
      dict_set(ev, dict, made[0], made[1]);
    return;
  }
  Value item;
  for (size_t i = 0; walk_next(ev, &walk, &item); i++, eval_step(ev)) {
    Type *type = value_type(ev, item);
    if (!type->slots.iter && v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_iter)) &&
        v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_getitem))) {
      eval_raise(ev, ev->types.TypeError,
                 "cannot convert dictionary update sequence element #%zu to a sequence", i);
    }
    const Tuple *pair = value_to_tuple(ev, item);
    if (pair->count != 2) {
      eval_raise(ev, ev->types.ValueError,
                 "dictionary update sequence element #%zu has length %zu; 2 is required", i,
                 pair->count);
    }
    dict_set(ev, dict, pair->items[0], pair->items[1]);
  }
}

void dict_update(Eval *ev, Dict *dict, Value from) {
  const Dict *other = value_as_dict(from);
  if (other && dict_is_walked_plainly(ev, from.o->type)) {
    DictEntry *entry;
    for (size_t it = 0; dict_next(other, &it, &entry);)
      dict_set_hashed(ev, dict, entry->key, entry->hash, entry->value);
    return;
  }
  Value keys = value_getattr_opt(ev, from, ev->builtin->names.keys);
  if (v_is_unbound(keys)) {
    update_from_pairs(ev, dict, from);
    return;
  }
  const Tuple *names = value_to_tuple(ev, value_call_n(ev, keys, 0, NULL));
  for (size_t i = 0; i < names->count; i++)
    dict_set(ev, dict, names->items[i], value_getitem(ev, from, names->items[i]));
}

// The arguments of dict() and dict.update().
static void update_from_arguments(Eval *ev, Dict *dict, const char *what, const Tuple *args,
                                  const Dict *keywords) {
  if (args->count > 1)
    eval_raise(ev, ev->types.TypeError, "%s expected at most 1 argument, got %zu", what,
               args->count);
  if (args->count == 1) dict_update(ev, dict, args->items[0]);
  DictEntry *entry;
  for (size_t it = 0; dict_next(keywords, &it, &entry);)
    dict_set_hashed(ev, dict, entry->key, entry->hash, entry->value);
}

// ---- slots --------------------------------------------------------------------------------------
static int64_t dict_len(Eval *ev, Value self) { return (int64_t)self_dict(ev, self)->count; }

static Value dict_getitem(Eval *ev, Value self, Value key) {
  Value value = dict_get(ev, self_dict(ev, self), key);
  if (!v_is_unbound(value)) return value;
  if (self.o->type != ev->types.dict) {
    Value made = special_call(ev, self, ev->builtin->names.dunder_missing, 1, &key);
    if (!v_is_unbound(made)) return made;
  }
  raise_key_error(ev, key);
}

static void dict_setitem(Eval *ev, Value self, Value key, Value value) {
  dict_set(ev, self_dict(ev, self), key, value);
}

static void dict_delitem(Eval *ev, Value self, Value key) {
  if (!dict_remove(ev, self_dict(ev, self), key)) raise_key_error(ev, key);
}

static bool dict_contains(Eval *ev, Value self, Value key) {
  return dict_has(ev, self_dict(ev, self), key);
}

static Value dict_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  const Dict *a = value_as_dict(left), *b = value_as_dict(right);
  if (op != BIN_OR || !a || !b) return v_not_implemented();
  Dict *out = dict_copy(ev, a);
  dict_update(ev, out, right);
  return v_object(out);
}

static Value dict_inplace(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op != BIN_OR) return v_not_implemented();
  dict_update(ev, self_dict(ev, left), right);
  return left;
}

static bool dict_equal(Eval *ev, const Dict *a, const Dict *b) {
  if (a->count != b->count) return false;
  eval_check_stack(ev);
  DictEntry *entry;
  for (size_t it = 0; dict_next(a, &it, &entry);) {
    Value value = entry->value, other = dict_get(ev, b, entry->key);
    if (v_is_unbound(other) || !same_or_equal(ev, value, other)) return false;
  }
  return true;
}

static Value dict_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const Dict *a = value_as_dict(left), *b = value_as_dict(right);
  if (!a || !b || (op != CMP_EQ && op != CMP_NE)) return v_not_implemented();
  return v_bool(dict_equal(ev, a, b) == (op == CMP_EQ));
}

static void dict_repr_body(Eval *ev, Value self, Buf *out) {
  const Dict *dict = self_dict(ev, self);
  buf_char(out, '{');
  DictEntry *entry;
  bool is_first = true;
  for (size_t it = 0; dict_next(dict, &it, &entry); is_first = false) {
    Value value = entry->value;
    if (!is_first) buf_c(out, ", ");
    value_put_repr(ev, entry->key, out);
    buf_c(out, ": ");
    value_put_repr(ev, value, out);
  }
  buf_char(out, '}');
}

static void dict_put_repr(Eval *ev, Value self, Buf *out) {
  if (self_dict(ev, self)->count == 0)
    buf_c(out, "{}");
  else
    guarded_repr(ev, self, out, dict_repr_body, "{...}");
}

static Str dict_repr(Eval *ev, Value self) { return repr_text(ev, self, dict_put_repr); }

static Value dict_iter(Eval *ev, Value self) {
  return make_dict_iterator(ev, self_dict(ev, self), VIEW_KEYS, false);
}

static Value dict_of(Eval *ev, const Args *args) {
  if (args->count > 1) return v_unbound();
  Dict *dict = dict_new(ev);
  if (args->count) dict_update(ev, dict, args->items[0]);
  for (size_t i = 0; i < args->kw_count; i++)
    dict_set_name(ev, dict, args->kw_names[i], args->kw_values[i]);
  return v_object(dict);
}

// ---- methods ------------------------------------------------------------------------------------
static Value dict_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  return payload_wrap(ev, cls, ev->types.dict, v_object(dict_new(ev)));
}

static Value dict_init(Eval *ev, Value *a) {
  update_from_arguments(ev, self_dict(ev, a[0]), "dict", value_as_tuple(a[1]), value_as_dict(a[2]));
  return v_none();
}

static Value dict_update_method(Eval *ev, Value *a) {
  update_from_arguments(ev, self_dict(ev, a[0]), "update", value_as_tuple(a[1]),
                        value_as_dict(a[2]));
  return v_none();
}

static Value dict_clear_method(Eval *ev, Value *a) {
  dict_clear(self_dict(ev, a[0]));
  return v_none();
}

static Value dict_copy_method(Eval *ev, Value *a) {
  return v_object(dict_copy(ev, self_dict(ev, a[0])));
}

static Value dict_fromkeys(Eval *ev, Value *a) {
  const Tuple *keys = value_to_tuple(ev, a[1]);
  Value out = value_call_n(ev, a[0], 0, NULL);
  Dict *dict = out.kind == V_OBJECT && out.o->type == ev->types.dict ? (Dict *)out.o : NULL;
  if (dict) dict_expect(ev, dict, keys->count);
  for (size_t i = 0; i < keys->count; i++) {
    if (dict) {
      dict_set(ev, dict, keys->items[i], a[2]);
    } else {
      value_setitem(ev, out, keys->items[i], a[2]);
    }
  }
  return out;
}

static Value dict_get_method(Eval *ev, Value *a) {
  Value value = dict_get(ev, self_dict(ev, a[0]), a[1]);
  return v_is_unbound(value) ? a[2] : value;
}

static Value dict_pop(Eval *ev, Value *a) {
  Dict *dict = self_dict(ev, a[0]);
  Value value = dict_get(ev, dict, a[1]);
  if (!v_is_unbound(value)) {
    dict_remove(ev, dict, a[1]);
    return value;
  }
  if (v_is_unbound(a[2])) raise_key_error(ev, a[1]);
  return a[2];
}

static Value dict_popitem(Eval *ev, Value *a) {
  Dict *dict = self_dict(ev, a[0]);
  if (dict->count == 0) raise_key_error(ev, make_str_c(ev, "popitem(): dictionary is empty"));
  size_t i = dict->used - 1;
  while (dict->entries[i].key.kind == V_UNBOUND) i--;
  Value key = dict->entries[i].key, value = dict->entries[i].value;
  dict_remove(ev, dict, key);
  return make_tuple(ev, 2, (Value[]){key, value});
}

static Value dict_setdefault(Eval *ev, Value *a) {
  Dict *dict = self_dict(ev, a[0]);
  Value value = dict_get(ev, dict, a[1]);
  if (!v_is_unbound(value)) return value;
  dict_set(ev, dict, a[1], a[2]);
  return a[2];
}

static Value dict_keys(Eval *ev, Value *a) { return make_view(ev, a[0], VIEW_KEYS); }

static Value dict_values(Eval *ev, Value *a) { return make_view(ev, a[0], VIEW_VALUES); }

static Value dict_items(Eval *ev, Value *a) { return make_view(ev, a[0], VIEW_ITEMS); }

static Value dict_reversed(Eval *ev, Value *a) {
  return make_dict_iterator(ev, self_dict(ev, a[0]), VIEW_KEYS, true);
}

static Value dict_class_getitem(Eval *ev, Value *a) { return make_generic_alias(ev, a[0], a[1]); }

static const NativeDef dict_methods[] = {
    {"__new__(cls, /, *args, **kwargs)", dict_make},
    {"__init__(self, /, *args, **kwargs)", dict_init},
    {"clear(self, /)", dict_clear_method},
    {"copy(self, /)", dict_copy_method},
    {"fromkeys(cls, iterable, value=None, /)", dict_fromkeys},
    {"get(self, key, default=None, /)", dict_get_method},
    {"items(self, /)", dict_items},
    {"keys(self, /)", dict_keys},
    {"pop(self, key, default=, /)", dict_pop},
    {"popitem(self, /)", dict_popitem},
    {"setdefault(self, key, default=None, /)", dict_setdefault},
    {"update(self, /, *args, **kwargs)", dict_update_method},
    {"values(self, /)", dict_values},
    {"__reversed__(self, /)", dict_reversed},
    {"__class_getitem__(cls, item, /)", dict_class_getitem},
    {0},
};

static const NativeType dict_type = {
    .slots = {.make = dict_of,
              .len = dict_len,
              .getitem = dict_getitem,
              .setitem = dict_setitem,
              .delitem = dict_delitem,
              .contains = dict_contains,
              .binary = dict_binary,
              .inplace = dict_inplace,
              .compare = dict_compare,
              .repr = dict_repr,
              .put_repr = dict_put_repr,
              .iter = dict_iter},
    .methods = dict_methods,
};

void builtin_dict_init(Eval *ev) { native_type_define(ev, ev->types.dict, &dict_type); }
