// SPDX-License-Identifier: Apache-2.0
// The module operator.
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_tuple.h"
#include "python/builtins/builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <string.h>

// ---- operators as functions ---------------------------------------------------------------------
#define BINARY(id, text, method, function)                                                         \
  static Value o_##method(Eval *ev, Value *a) { return value_binary(ev, BIN_##id, a[0], a[1]); }   \
  static Value o_i##method(Eval *ev, Value *a) { return value_inplace(ev, BIN_##id, a[0], a[1]); }
#define COMPARE(id, text, method)                                                                  \
  static Value o_##method(Eval *ev, Value *a) { return value_compare(ev, CMP_##id, a[0], a[1]); }
#include "syntax/operators.def"

static Value o_is(Eval *ev, Value *a) { return value_compare(ev, CMP_IS, a[0], a[1]); }

static Value o_is_not(Eval *ev, Value *a) { return value_compare(ev, CMP_IS_NOT, a[0], a[1]); }

static Value o_neg(Eval *ev, Value *a) { return value_unary(ev, UN_NEG, a[0]); }

static Value o_pos(Eval *ev, Value *a) { return value_unary(ev, UN_POS, a[0]); }

static Value o_invert(Eval *ev, Value *a) { return value_unary(ev, UN_INVERT, a[0]); }

static Value o_not(Eval *ev, Value *a) { return v_bool(!value_truth(ev, a[0])); }

static Value o_truth(Eval *ev, Value *a) { return v_bool(value_truth(ev, a[0])); }

static Value o_abs(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "builtins", "abs"), 1, a);
}

static Value o_index(Eval *ev, Value *a) { return take_index(ev, a[0]); }

static Value o_contains(Eval *ev, Value *a) { return v_bool(value_contains(ev, a[0], a[1])); }

static Value o_getitem(Eval *ev, Value *a) { return value_getitem(ev, a[0], a[1]); }

static Value o_setitem(Eval *ev, Value *a) {
  value_setitem(ev, a[0], a[1], a[2]);
  return v_none();
}

static Value o_delitem(Eval *ev, Value *a) {
  value_delitem(ev, a[0], a[1]);
  return v_none();
}

static void check_concat(Eval *ev, Value v) {
  if (v_is_unbound(type_lookup(ev, value_type(ev, v), ev->builtin->names.dunder_getitem)))
    eval_raise(ev, ev->types.TypeError, "'%s' object can't be concatenated",
               value_type_name(ev, v));
}

static Value o_concat(Eval *ev, Value *a) {
  check_concat(ev, a[0]);
  return value_binary(ev, BIN_ADD, a[0], a[1]);
}

static Value o_iconcat(Eval *ev, Value *a) {
  check_concat(ev, a[0]);
  return value_inplace(ev, BIN_ADD, a[0], a[1]);
}

static Value o_count_of(Eval *ev, Value *a) {
  Value iterator = value_iter(ev, a[0]), item;
  int64_t count = 0;
  for (; value_next(ev, iterator, &item); eval_step(ev)) count += same_or_equal(ev, item, a[1]);
  return v_int(count);
}

static Value o_index_of(Eval *ev, Value *a) {
  Value iterator = value_iter(ev, a[0]), item;
  for (int64_t i = 0; value_next(ev, iterator, &item); i++) {
    if (same_or_equal(ev, item, a[1])) return v_int(i);
    eval_step(ev);
  }
  eval_raise(ev, ev->types.ValueError, "sequence.index(x): x not in sequence");
}

static Value o_length_hint(Eval *ev, Value *a) {
  int64_t length = value_len_opt(ev, a[0]);
  if (length >= 0) return v_int(length);
  Value hint = special_call(ev, a[0], ev->builtin->names.dunder_length_hint, 0, NULL);
  return v_is_unbound(hint) || hint.kind == V_NOT_IMPLEMENTED ? a[1] : hint;
}

static Args args_of(Eval *ev, const Tuple *items, const Dict *keywords) {
  Args args = {.count = items->count, .items = items->items};
  Name *names = ARENA_ARRAY(ev->arena, Name, keywords->count);
  Value *values = ARENA_ARRAY(ev->arena, Value, keywords->count);
  DictEntry *entry;
  for (size_t it = 0; dict_next(keywords, &it, &entry); args.kw_count++) {
    names[args.kw_count] = name_intern(ev->session->interner, take_str(ev, entry->key, "keyword"));
    values[args.kw_count] = entry->value;
  }
  args.kw_names = names;
  args.kw_values = values;
  return args;
}

static Value o_call(Eval *ev, Value *a) {
  Args args = args_of(ev, value_as_tuple(a[1]), value_as_dict(a[2]));
  return value_call(ev, a[0], &args);
}

// ---- itemgetter, attrgetter, methodcaller -------------------------------------------------------
typedef struct Getter {
  Object base;
  const Tuple *keys; // items, attributes; of methodcaller the arguments
  Value name;        // of methodcaller
  Args args;         // of methodcaller
  Dict *keywords;
} Getter;

static Getter *self_getter(Value self) { return (Getter *)value_unwrap(self).o; }

static Getter *getter_new(Eval *ev, Value cls, const Tuple *keys) {
  Getter *getter = ARENA_NEW(ev->arena, Getter);
  getter->base.type = (Type *)cls.o;
  getter->keys = keys;
  return getter;
}

static Value single_argument(Eval *ev, const Args *args, const char *name) {
  if (args->kw_count) eval_raise(ev, ev->types.TypeError, "%s() takes no keyword arguments", name);
  if (args->count != 1)
    eval_raise(ev, ev->types.TypeError, "%s expected 1 argument, got %zu", name, args->count);
  return args->items[0];
}

static Tuple *first_and_rest(Eval *ev, Value first, Value others) {
  const Tuple *rest = value_as_tuple(others);
  Tuple *all = tuple_new(ev, rest->count + 1);
  all->items[0] = first;
  if (rest->count) memcpy(all->items + 1, rest->items, rest->count * sizeof(Value));
  return all;
}

static Value itemgetter_make(Eval *ev, Value *a) {
  return v_object(getter_new(ev, a[0], first_and_rest(ev, a[1], a[2])));
}

static Value itemgetter_call(Eval *ev, Value self, const Args *args) {
  Value object = single_argument(ev, args, "itemgetter");
  const Tuple *keys = self_getter(self)->keys;
  if (keys->count == 1) return value_getitem(ev, object, keys->items[0]);
  Tuple *out = tuple_new(ev, keys->count);
  for (size_t i = 0; i < keys->count; i++)
    out->items[i] = value_getitem(ev, object, keys->items[i]);
  return v_object(out);
}

static Value attrgetter_make(Eval *ev, Value *a) {
  const Tuple *all = first_and_rest(ev, a[1], a[2]);
  for (size_t i = 0; i < all->count; i++) {
    if (!value_as_str(all->items[i], &(Str){0}))
      eval_raise(ev, ev->types.TypeError, "attribute name must be a string");
  }
  return v_object(getter_new(ev, a[0], all));
}

// A dotted name goes step by step.
static Value dotted_attribute(Eval *ev, Value object, Value path) {
  Str text = {0};
  value_as_str(path, &text);
  for (size_t begin = 0; begin <= text.len;) {
    size_t end = begin;
    while (end < text.len && text.data[end] != '.') end++;
    object = value_getattr(
        ev, object, name_intern(ev->session->interner, (Str){text.data + begin, end - begin}));
    begin = end + 1;
  }
  return object;
}

static Value attrgetter_call(Eval *ev, Value self, const Args *args) {
  Value object = single_argument(ev, args, "attrgetter");
  const Tuple *keys = self_getter(self)->keys;
  if (keys->count == 1) return dotted_attribute(ev, object, keys->items[0]);
  Tuple *out = tuple_new(ev, keys->count);
  for (size_t i = 0; i < keys->count; i++)
    out->items[i] = dotted_attribute(ev, object, keys->items[i]);
  return v_object(out);
}

static Value methodcaller_make(Eval *ev, Value *a) {
  if (!value_as_str(a[1], &(Str){0}))
    eval_raise(ev, ev->types.TypeError, "method name must be a string");
  Getter *getter = getter_new(ev, a[0], value_as_tuple(a[2]));
  getter->name = a[1];
  getter->keywords = value_as_dict(a[3]);
  getter->args = args_of(ev, getter->keys, getter->keywords);
  return v_object(getter);
}

static Value methodcaller_call(Eval *ev, Value self, const Args *args) {
  const Getter *getter = self_getter(self);
  Value object = single_argument(ev, args, "methodcaller");
  return value_call(ev, dotted_attribute(ev, object, getter->name), &getter->args);
}

static Str getter_repr(Eval *ev, Value self) {
  const Getter *getter = self_getter(self);
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_printf(&buf, "operator.%s(", value_type_name(ev, self));
  if (getter->keywords) {
    buf_str(&buf, value_repr(ev, getter->name));
    if (getter->keys->count) buf_c(&buf, ", ");
  }
  put_reprs(ev, &buf, getter->keys->items, getter->keys->count);
  for (size_t i = 0; i < getter->args.kw_count; i++) {
    Str value = value_repr(ev, getter->args.kw_values[i]);
    buf_printf(&buf, ", %s=%.*s", getter->args.kw_names[i]->text, STR_FMT(value));
  }
  buf_char(&buf, ')');
  return buf_view(&buf);
}

static const NativeType itemgetter_type = {
    .slots = {.call = itemgetter_call, .repr = getter_repr},
    .methods = (const NativeDef[]){{"__new__(cls, item, /, *items)", itemgetter_make}, {0}},
};
static const NativeType attrgetter_type = {
    .slots = {.call = attrgetter_call, .repr = getter_repr},
    .methods = (const NativeDef[]){{"__new__(cls, attr, /, *attrs)", attrgetter_make}, {0}},
};
static const NativeType methodcaller_type = {
    .slots = {.call = methodcaller_call, .repr = getter_repr},
    .methods =
        (const NativeDef[]){{"__new__(cls, name, /, *args, **kwargs)", methodcaller_make}, {0}},
};

// Each under its plain name and as a dunder.
#define BOTH(plain, dunder, signature, function)                                                   \
  {plain signature, function}, { dunder signature, function }
static const NativeDef functions[] = {
#define BINARY(id, text, method, function)                                                         \
  BOTH(#function, "__" #method "__", "(a, b, /)", o_##method),                                     \
      BOTH("i" #method, "__i" #method "__", "(a, b, /)", o_i##method),
#define COMPARE(id, text, method) BOTH(#method, "__" #method "__", "(a, b, /)", o_##method),
#include "syntax/operators.def"
    {"is_(a, b, /)", o_is},
    {"is_not(a, b, /)", o_is_not},
    BOTH("neg", "__neg__", "(a, /)", o_neg),
    BOTH("pos", "__pos__", "(a, /)", o_pos),
    BOTH("inv", "__inv__", "(a, /)", o_invert),
    BOTH("invert", "__invert__", "(a, /)", o_invert),
    BOTH("not_", "__not__", "(a, /)", o_not),
    {"truth(a, /)", o_truth},
    BOTH("abs", "__abs__", "(a, /)", o_abs),
    BOTH("index", "__index__", "(a, /)", o_index),
    BOTH("contains", "__contains__", "(a, b, /)", o_contains),
    BOTH("getitem", "__getitem__", "(a, b, /)", o_getitem),
    BOTH("setitem", "__setitem__", "(a, b, c, /)", o_setitem),
    BOTH("delitem", "__delitem__", "(a, b, /)", o_delitem),
    BOTH("concat", "__concat__", "(a, b, /)", o_concat),
    BOTH("iconcat", "__iconcat__", "(a, b, /)", o_iconcat),
    {"countOf(a, b, /)", o_count_of},
    {"indexOf(a, b, /)", o_index_of},
    {"length_hint(obj, default=0, /)", o_length_hint},
    BOTH("call", "__call__", "(obj, /, *args, **kwargs)", o_call),
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "itemgetter",
             v_object(native_type_new(ev, "operator", "itemgetter", NULL, &itemgetter_type)));
  module_set(ev, module, "attrgetter",
             v_object(native_type_new(ev, "operator", "attrgetter", NULL, &attrgetter_type)));
  module_set(ev, module, "methodcaller",
             v_object(native_type_new(ev, "operator", "methodcaller", NULL, &methodcaller_type)));
}

const ModuleDef module_operator = {.name = "operator", .functions = functions, .init = init};
