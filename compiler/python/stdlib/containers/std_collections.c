// SPDX-License-Identifier: Apache-2.0
// The module collections: deque, defaultdict and the parts of namedtuple. The rest is in
// library/collections.pk.
#include "base/plural.h"
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_dict.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_slice.h"
#include "python/builtins/text/builtin_str.h"
#include "python/builtins/builtin_tuple.h"
#include "python/builtins/builtin_wrap.h"
#include "python/objects/signature.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
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

// ---- namedtuple ---------------------------------------------------------------------------------
typedef struct Fields {
  Name type_name;
  Name *names;
  Value *defaults; // V_UNBOUND: none
  size_t count;
} Fields;

static NORETURN void raise_missing_fields(Eval *ev, const Fields *fields, const Value *items) {
  Buf buf;
  buf_init(&buf, ev->arena);
  size_t missing = 0, named = 0;
  for (size_t i = 0; i < fields->count; i++) missing += v_is_unbound(items[i]);
  for (size_t i = 0; i < fields->count; i++) {
    if (!v_is_unbound(items[i])) continue;
    if (named > 0) buf_c(&buf, named + 1 < missing ? ", " : missing == 2 ? " and " : ", and ");
    buf_printf(&buf, "'%s'", fields->names[i]->text);
    named++;
  }
  eval_raise(ev, ev->types.TypeError,
             "%s.__new__() missing %zu required positional argument%s: %.*s",
             fields->type_name->text, missing, PLURAL(missing), STR_FMT(buf_view(&buf)));
}

static void take_keyword(Eval *ev, const Fields *fields, Value *items, Name name, Value value) {
  size_t i = 0;
  while (i < fields->count && fields->names[i] != name) i++;
  if (i == fields->count) {
    eval_raise(ev, ev->types.TypeError, "%s.__new__() got an unexpected keyword argument '%s'",
               fields->type_name->text, name->text);
  }
  if (!v_is_unbound(items[i])) {
    eval_raise(ev, ev->types.TypeError, "%s.__new__() got multiple values for argument '%s'",
               fields->type_name->text, name->text);
  }
  items[i] = value;
}

// __new__ of a namedtuple class: (cls, *fields).
static Value namedtuple_new(Eval *ev, Closure *closure, const Args *args) {
  const Fields *fields = closure->data;
  if (args->count == 0)
    eval_raise(ev, ev->types.TypeError, "%s.__new__(): not enough arguments",
               fields->type_name->text);
  Type *cls = class_argument(ev, args->items[0], ev->types.tuple);
  if (args->count - 1 > fields->count) {
    size_t least = 1;
    for (size_t i = 0; i < fields->count; i++) least += v_is_unbound(fields->defaults[i]);
    if (least < fields->count + 1) {
      eval_raise(ev, ev->types.TypeError,
                 "%s.__new__() takes from %zu to %zu positional arguments but %zu were given",
                 fields->type_name->text, least, fields->count + 1, args->count);
    }
    eval_raise(
        ev, ev->types.TypeError, "%s.__new__() takes %zu positional argument%s but %zu were given",
        fields->type_name->text, fields->count + 1, fields->count == 0 ? "" : "s", args->count);
  }
  Tuple *tuple = tuple_new(ev, fields->count);
  for (size_t i = 0; i + 1 < args->count; i++) tuple->items[i] = args->items[i + 1];
  for (size_t i = 0; i < args->kw_count; i++)
    take_keyword(ev, fields, tuple->items, args->kw_names[i], args->kw_values[i]);
  bool is_missing = false;
  for (size_t i = 0; i < fields->count; i++) {
    if (v_is_unbound(tuple->items[i])) tuple->items[i] = fields->defaults[i];
    is_missing |= v_is_unbound(tuple->items[i]);
  }
  if (is_missing) raise_missing_fields(ev, fields, tuple->items);
  return payload_wrap(ev, cls, ev->types.tuple, v_object(tuple));
}

// _namedtuple_new(type name, field names, defaults of the last fields)
static Value f_namedtuple_new(Eval *ev, Value *a) {
  const Tuple *names = value_to_tuple(ev, a[1]), *defaults = value_to_tuple(ev, a[2]);
  Fields *fields = ARENA_NEW(ev->arena, Fields);
  fields->type_name = name_intern(ev->session->interner, take_str(ev, a[0], "typename"));
  fields->count = names->count;
  fields->names = ARENA_ARRAY(ev->arena, Name, names->count);
  fields->defaults = ARENA_ARRAY(ev->arena, Value, names->count);
  size_t first = names->count - defaults->count;
  for (size_t i = 0; i < names->count; i++) {
    fields->names[i] =
        name_intern(ev->session->interner, take_str(ev, names->items[i], "a field name"));
    fields->defaults[i] = i < first ? v_unbound() : defaults->items[i - first];
  }
  return make_closure(ev, "__new__", namedtuple_new, fields, false);
}

typedef struct TupleGetter {
  Object base;
  int64_t index;
  Value doc;
} TupleGetter;

static Value tuplegetter_get(Eval *ev, Value self, Value instance, Type *owner UNUSED) {
  const TupleGetter *getter = (const TupleGetter *)self.o;
  if (v_is_unbound(instance)) return self;
  const Tuple *tuple = value_as_tuple(instance);
  if (!tuple) {
    eval_raise(ev, ev->types.TypeError,
               "descriptor for index '%lld' for tuple subclasses doesn't apply to '%s' object",
               (long long)getter->index, value_type_name(ev, instance));
  }
  if (getter->index >= (int64_t)tuple->count)
    eval_raise(ev, ev->types.IndexError, "tuple index out of range");
  return tuple->items[getter->index];
}

static bool tuplegetter_set(Eval *ev, Value self UNUSED, Value instance UNUSED,
                            Value value UNUSED) {
  eval_raise(ev, ev->types.AttributeError, "can't set attribute");
}

static Value tuplegetter_make(Eval *ev, Value *a) {
  TupleGetter *getter = ARENA_NEW(ev->arena, TupleGetter);
  *getter = (TupleGetter){{(Type *)a[0].o}, take_index64(ev, a[1]), a[2]};
  return v_object(getter);
}

static Value tuplegetter_doc(Eval *ev UNUSED, Value self) {
  return ((const TupleGetter *)self.o)->doc;
}

static const NativeType tuplegetter_type = {
    .slots = {.descr_get = tuplegetter_get, .descr_set = tuplegetter_set},
    .methods = (const NativeDef[]){{"__new__(cls, index, doc, /)", tuplegetter_make}, {0}},
    .getters = (const NativeGetter[]){{"__doc__", tuplegetter_doc}, {0}},
};

static void namedtuple_repr(Eval *ev, Value self, Buf *out) {
  const Tuple *tuple = value_as_tuple(self);
  const Tuple *fields = value_as_tuple(value_getattr(ev, self, ev->builtin->names.fields));
  buf_printf(out, "%s(", value_type(ev, self)->name->text);
  for (size_t i = 0; i < tuple->count && i < fields->count; i++) {
    Str name = {0};
    value_as_str(fields->items[i], &name);
    buf_printf(out, "%s%.*s=", i > 0 ? ", " : "", STR_FMT(name));
    value_put_repr(ev, tuple->items[i], out);
  }
  buf_char(out, ')');
}

static void namedtuple_put_repr(Eval *ev, Value self, Buf *out) {
  guarded_repr(ev, self, out, namedtuple_repr, "...");
}

static Value f_namedtuple_repr(Eval *ev, Value *a) {
  return str_share(ev, repr_text(ev, a[0], namedtuple_put_repr));
}

// __name__ of the nearest module of the program around the call.
static Value f_caller_module(Eval *ev, Value *a UNUSED) {
  for (const Frame *frame = ev->frame; frame; frame = frame->caller) {
    if (!frame->module || frame->module->def) continue;
    Value name = dict_get_name(frame->module->dict, ev->builtin->names.dunder_name);
    return v_is_unbound(name) ? make_name(ev, frame->module->name) : name;
  }
  return v_none();
}

// ---- deque --------------------------------------------------------------------------------------
typedef struct Deque {
  Object base;
  Value *items;                 // a ring
  size_t head, count, capacity; // a power of two
  int64_t maxlen;               // -1: none
  uint64_t version;
} Deque;

static const IndexWords deque_words = {"sequence index must be integer, not '%'",
                                       "deque index out of range"};

static Deque *as_deque(Eval *ev, Value v) {
  v = value_unwrap(v);
  return v.kind == V_OBJECT && v.o->type == ev->builtin->deque ? (Deque *)v.o : NULL;
}

static Deque *self_deque(Value self) { return (Deque *)value_unwrap(self).o; }

static Value *deque_at(const Deque *deque, size_t i) {
  return &deque->items[(deque->head + i) & (deque->capacity - 1)];
}

static void deque_grow(Eval *ev, Deque *deque) {
  if (deque->count < deque->capacity) return;
  size_t capacity = deque->capacity ? deque->capacity * 2 : 8;
  Value *items = ARENA_ARRAY(ev->arena, Value, capacity);
  for (size_t i = 0; i < deque->count; i++) items[i] = *deque_at(deque, i);
  deque->items = items;
  deque->head = 0;
  deque->capacity = capacity;
}

// What is taken is not kept alive by the place where it was.
static Value take_out(Deque *deque, size_t i) {
  Value *place = deque_at(deque, i), item = *place;
  *place = v_none();
  return item;
}

static Value take_last(Deque *deque) {
  deque->version++;
  return take_out(deque, --deque->count);
}

static Value take_first(Deque *deque) {
  deque->version++;
  Value item = take_out(deque, 0);
  deque->head = (deque->head + 1) & (deque->capacity - 1);
  deque->count--;
  return item;
}

static void push_last(Eval *ev, Deque *deque, Value item) {
  if (deque->maxlen == 0) return;
  if (deque->maxlen > 0 && (int64_t)deque->count == deque->maxlen) take_first(deque);
  deque_grow(ev, deque);
  deque->version++;
  *deque_at(deque, deque->count++) = item;
}

static void push_first(Eval *ev, Deque *deque, Value item) {
  if (deque->maxlen == 0) return;
  if (deque->maxlen > 0 && (int64_t)deque->count == deque->maxlen) take_last(deque);
  deque_grow(ev, deque);
  deque->version++;
  deque->head = (deque->head - 1) & (deque->capacity - 1);
  deque->count++;
  *deque_at(deque, 0) = item;
}

static Deque *deque_new(Eval *ev, int64_t maxlen) {
  Deque *deque = ARENA_NEW(ev->arena, Deque);
  deque->base.type = ev->builtin->deque;
  deque->maxlen = maxlen;
  return deque;
}

static Deque *deque_copy(Eval *ev, const Deque *from) {
  Deque *deque = deque_new(ev, from->maxlen);
  for (size_t i = 0; i < from->count; i++) push_last(ev, deque, *deque_at(from, i));
  return deque;
}

static Value deque_make(Eval *ev, Value *a) {
  Deque *deque = deque_new(ev, -1);
  return payload_wrap(ev, (Type *)a[0].o, deque->base.type, v_object(deque));
}

static Value deque_init(Eval *ev, Value *a) {
  Deque *deque = self_deque(a[0]);
  deque->count = deque->head = 0;
  deque->maxlen = v_is_none(a[2]) ? -1 : take_index64(ev, a[2]);
  if (!v_is_none(a[2]) && deque->maxlen < 0)
    eval_raise(ev, ev->types.ValueError, "maxlen must be non-negative");
  if (v_is_unbound(a[1])) return v_none();
  Value iterator = value_iter(ev, a[1]), item;
  while (value_next(ev, iterator, &item)) push_last(ev, deque, item);
  return v_none();
}

static int64_t deque_len(Eval *ev UNUSED, Value self) { return (int64_t)self_deque(self)->count; }

static Value deque_getitem(Eval *ev, Value self, Value index) {
  const Deque *deque = self_deque(self);
  return *deque_at(deque, (size_t)sequence_index(ev, index, (int64_t)deque->count, &deque_words));
}

static void deque_setitem(Eval *ev, Value self, Value index, Value value) {
  const Deque *deque = self_deque(self);
  *deque_at(deque, (size_t)sequence_index(ev, index, (int64_t)deque->count, &deque_words)) = value;
}

static void deque_remove_at(Deque *deque, size_t at) {
  for (size_t i = at; i + 1 < deque->count; i++) *deque_at(deque, i) = *deque_at(deque, i + 1);
  take_last(deque);
}

static void deque_delitem(Eval *ev, Value self, Value index) {
  Deque *deque = self_deque(self);
  deque_remove_at(deque, (size_t)sequence_index(ev, index, (int64_t)deque->count, &deque_words));
}

static Value items_tuple(Eval *ev, const Deque *deque) {
  Tuple *tuple = tuple_new(ev, deque->count);
  for (size_t i = 0; i < deque->count; i++) tuple->items[i] = *deque_at(deque, i);
  return v_object(tuple);
}

typedef struct DequeIterator {
  Object base;
  Deque *deque;
  size_t at;
  uint64_t version;
  bool reverse;
} DequeIterator;

static Value deque_iterator(Eval *ev, Deque *deque, bool reverse) {
  DequeIterator *it = ARENA_NEW(ev->arena, DequeIterator);
  *it = (DequeIterator){{ev->builtin->deque_iterator}, deque, 0, deque->version, reverse};
  return v_object(it);
}

static Value deque_iter(Eval *ev, Value self) {
  return deque_iterator(ev, self_deque(self), false);
}

static bool deque_iterator_next(Eval *ev, Value self, Value *out) {
  DequeIterator *it = (DequeIterator *)self.o;
  if (it->version != it->deque->version)
    eval_raise(ev, ev->types.RuntimeError, "deque mutated during iteration");
  if (it->at >= it->deque->count) return false;
  size_t at = it->at++;
  *out = *deque_at(it->deque, it->reverse ? it->deque->count - 1 - at : at);
  return true;
}

static const NativeType deque_iterator_type = {
    .slots = {.iter = iterator_self, .next = deque_iterator_next}};

static bool deque_contains(Eval *ev, Value self, Value item) {
  const Deque *deque = self_deque(self);
  for (size_t i = 0; i < deque->count; i++) {
    if (same_or_equal(ev, *deque_at(deque, i), item)) return true;
  }
  return false;
}

static Value deque_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const Deque *a = as_deque(ev, left), *b = as_deque(ev, right);
  if (!a || !b) return v_not_implemented();
  return value_compare(ev, op, items_tuple(ev, a), items_tuple(ev, b));
}

static Value deque_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  Deque *a = as_deque(ev, left), *b = as_deque(ev, right);
  if (op == BIN_ADD && a) {
    if (!b)
      eval_raise(ev, ev->types.TypeError, "can only concatenate deque (not \"%s\") to deque",
                 value_type_name(ev, right));
    Deque *out = deque_copy(ev, a);
    for (size_t i = 0; i < b->count; i++) push_last(ev, out, *deque_at(b, i));
    return v_object(out);
  }
  if (op != BIN_MUL || (a && b)) return v_not_implemented();
  const Deque *from = a ? a : b;
  int64_t count;
  if (!repeat_count(ev, a ? right : left, from->count, sizeof(Value), &count))
    return v_not_implemented();
  Deque *out = deque_new(ev, from->maxlen);
  for (int64_t k = 0; k < count; k++) {
    for (size_t i = 0; i < from->count; i++) push_last(ev, out, *deque_at(from, i));
  }
  return v_object(out);
}

static void extend_last(Eval *ev, Deque *deque, Value iterable) {
  const Tuple *items = value_to_tuple(ev, iterable);
  for (size_t i = 0; i < items->count; i++) push_last(ev, deque, items->items[i]);
}

static Value deque_inplace(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op != BIN_ADD) return v_not_implemented();
  extend_last(ev, self_deque(left), right);
  return left;
}

static void deque_repr_body(Eval *ev, Value self, Buf *out) {
  const Deque *deque = self_deque(self);
  const Tuple *items = value_as_tuple(items_tuple(ev, deque));
  buf_printf(out, "%s([", value_type(ev, self)->name->text);
  put_reprs(ev, out, items->items, items->count);
  buf_c(out, "]");
  if (deque->maxlen >= 0) buf_printf(out, ", maxlen=%lld", (long long)deque->maxlen);
  buf_char(out, ')');
}

static void deque_put_repr(Eval *ev, Value self, Buf *out) {
  guarded_repr(ev, self, out, deque_repr_body, "[...]");
}

static Str deque_repr(Eval *ev, Value self) { return repr_text(ev, self, deque_put_repr); }

static Value d_append(Eval *ev, Value *a) {
  push_last(ev, self_deque(a[0]), a[1]);
  return v_none();
}

static Value d_appendleft(Eval *ev, Value *a) {
  push_first(ev, self_deque(a[0]), a[1]);
  return v_none();
}

static Value d_pop(Eval *ev, Value *a) {
  if (self_deque(a[0])->count == 0) eval_raise(ev, ev->types.IndexError, "pop from an empty deque");
  return take_last(self_deque(a[0]));
}

static Value d_popleft(Eval *ev, Value *a) {
  if (self_deque(a[0])->count == 0) eval_raise(ev, ev->types.IndexError, "pop from an empty deque");
  return take_first(self_deque(a[0]));
}

static Value d_clear(Eval *ev UNUSED, Value *a) {
  Deque *deque = self_deque(a[0]);
  while (deque->count) take_last(deque);
  deque->version++;
  return v_none();
}

static Value d_copy(Eval *ev, Value *a) { return v_object(deque_copy(ev, self_deque(a[0]))); }

static Value d_count(Eval *ev, Value *a) {
  const Deque *deque = self_deque(a[0]);
  int64_t count = 0;
  for (size_t i = 0; i < deque->count; i++) count += same_or_equal(ev, *deque_at(deque, i), a[1]);
  return v_int(count);
}

static Value d_extend(Eval *ev, Value *a) {
  extend_last(ev, self_deque(a[0]), a[1]);
  return v_none();
}

static Value d_extendleft(Eval *ev, Value *a) {
  const Tuple *items = value_to_tuple(ev, a[1]);
  for (size_t i = 0; i < items->count; i++) push_first(ev, self_deque(a[0]), items->items[i]);
  return v_none();
}

static Value d_index(Eval *ev, Value *a) {
  const Deque *deque = self_deque(a[0]);
  int64_t count = (int64_t)deque->count, stop = take_bound(ev, a[3], count, count);
  for (int64_t i = take_bound(ev, a[2], count, 0); i < stop; i++) {
    if (same_or_equal(ev, *deque_at(deque, (size_t)i), a[1])) return v_int(i);
  }
  Str shown = value_repr(ev, a[1]);
  eval_raise(ev, ev->types.ValueError, "%.*s is not in deque", STR_FMT(shown));
}

static Value d_insert(Eval *ev, Value *a) {
  Deque *deque = self_deque(a[0]);
  if (deque->maxlen >= 0 && (int64_t)deque->count >= deque->maxlen)
    eval_raise(ev, ev->types.IndexError, "deque already at its maximum size");
  size_t at = (size_t)take_bound(ev, v_int(take_index64(ev, a[1])), (int64_t)deque->count, 0);
  push_last(ev, deque, a[2]);
  for (size_t i = deque->count - 1; i > at; i--) *deque_at(deque, i) = *deque_at(deque, i - 1);
  *deque_at(deque, at) = a[2];
  return v_none();
}

static Value d_remove(Eval *ev, Value *a) {
  Deque *deque = self_deque(a[0]);
  for (size_t i = 0; i < deque->count; i++) {
    if (!same_or_equal(ev, *deque_at(deque, i), a[1])) continue;
    deque_remove_at(deque, i);
    return v_none();
  }
  Str shown = value_repr(ev, a[1]);
  eval_raise(ev, ev->types.ValueError, "%.*s is not in deque", STR_FMT(shown));
}

static Value d_reverse(Eval *ev UNUSED, Value *a) {
  Deque *deque = self_deque(a[0]);
  for (size_t i = 0; i < deque->count / 2; i++) {
    Value *low = deque_at(deque, i), *high = deque_at(deque, deque->count - 1 - i), swap = *low;
    *low = *high;
    *high = swap;
  }
  deque->version++;
  return v_none();
}

static Value d_rotate(Eval *ev, Value *a) {
  Deque *deque = self_deque(a[0]);
  int64_t steps = take_index64(ev, a[1]), count = (int64_t)deque->count;
  if (count < 2) return v_none();
  steps %= count;
  for (; steps > 0; steps--) push_first(ev, deque, take_last(deque));
  for (; steps < 0; steps++) push_last(ev, deque, take_first(deque));
  return v_none();
}

static Value d_reversed(Eval *ev, Value *a) { return deque_iterator(ev, self_deque(a[0]), true); }

static Value d_maxlen(Eval *ev UNUSED, Value self) {
  int64_t maxlen = self_deque(self)->maxlen;
  return maxlen < 0 ? v_none() : v_int(maxlen);
}

static Value class_getitem(Eval *ev, Value *a) { return make_generic_alias(ev, a[0], a[1]); }

static const NativeType deque_type = {
    .slots = {.len = deque_len,
              .getitem = deque_getitem,
              .setitem = deque_setitem,
              .delitem = deque_delitem,
              .iter = deque_iter,
              .contains = deque_contains,
              .compare = deque_compare,
              .binary = deque_binary,
              .inplace = deque_inplace,
              .repr = deque_repr,
              .put_repr = deque_put_repr},
    .methods = (const NativeDef[]){{"__new__(cls, /, *args, **kwargs)", deque_make},
                                   {"__init__(self, iterable=, maxlen=None)", deque_init},
                                   {"append(self, item, /)", d_append},
                                   {"appendleft(self, item, /)", d_appendleft},
                                   {"pop(self)", d_pop},
                                   {"popleft(self)", d_popleft},
                                   {"clear(self)", d_clear},
                                   {"copy(self)", d_copy},
                                   {"__copy__(self)", d_copy},
                                   {"count(self, value, /)", d_count},
                                   {"extend(self, iterable, /)", d_extend},
                                   {"extendleft(self, iterable, /)", d_extendleft},
                                   {"index(self, value, start=None, stop=None, /)", d_index},
                                   {"insert(self, index, value, /)", d_insert},
                                   {"remove(self, value, /)", d_remove},
                                   {"reverse(self)", d_reverse},
                                   {"rotate(self, n=1, /)", d_rotate},
                                   {"__reversed__(self)", d_reversed},
                                   {"__class_getitem__(cls, item, /)", class_getitem},
                                   {0}},
    .getters = (const NativeGetter[]){{"maxlen", d_maxlen}, {0}},
};

// ---- defaultdict --------------------------------------------------------------------------------
typedef struct DefaultDict {
  Dict dict;
  Value factory;
} DefaultDict;

static DefaultDict *self_default(Value self) { return (DefaultDict *)value_unwrap(self).o; }

static DefaultDict *default_new(Eval *ev, Type *type) {
  DefaultDict *made = ARENA_NEW(ev->arena, DefaultDict);
  made->dict.base.type = type;
  made->factory = v_none();
  return made;
}

static Value default_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o, *native = cls->payload ? cls->payload : cls;
  return payload_wrap(ev, cls, native, v_object(default_new(ev, native)));
}

static Value default_init(Eval *ev, Value *a) {
  const Tuple *args = value_as_tuple(a[1]);
  Value factory = args->count ? args->items[0] : v_none();
  if (!v_is_none(factory) && !value_is_callable(ev, factory))
    eval_raise(ev, ev->types.TypeError, "first argument must be callable or None");
  self_default(a[0])->factory = factory;
  if (args->count > 2)
    eval_raise(ev, ev->types.TypeError, "dict expected at most 1 argument, got %zu",
               args->count - 1);
  if (args->count == 2) dict_update(ev, &self_default(a[0])->dict, args->items[1]);
  dict_update(ev, &self_default(a[0])->dict, a[2]);
  return v_none();
}

static Value default_missing(Eval *ev, Value *a) {
  Value factory = self_default(a[0])->factory;
  if (v_is_none(factory)) raise_key_error(ev, a[1]);
  Value made = value_call_n(ev, factory, 0, NULL);
  value_setitem(ev, a[0], a[1], made);
  return made;
}

static Value default_copy(Eval *ev, Value *a) {
  DefaultDict *from = self_default(a[0]);
  DefaultDict *copy = default_new(ev, from->dict.base.type);
  copy->factory = from->factory;
  dict_update(ev, &copy->dict, v_object(&from->dict));
  return v_object(copy);
}

static Value default_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op != BIN_OR || !value_as_dict(left) || !value_as_dict(right)) return v_not_implemented();
  Type *type = ev->builtin->default_dict;
  bool is_left = value_is_instance(ev, left, type);
  DefaultDict *made = default_new(ev, type);
  made->factory = self_default(is_left ? left : right)->factory;
  dict_update(ev, &made->dict, left);
  dict_update(ev, &made->dict, right);
  return v_object(made);
}

static Value default_getattr(Eval *ev, Value self, Name name) {
  return name == name_of(ev, "default_factory") ? self_default(self)->factory : v_unbound();
}

static bool default_setattr(Eval *ev, Value self, Name name, Value value) {
  if (name != name_of(ev, "default_factory")) return false;
  self_default(self)->factory = v_is_unbound(value) ? v_none() : value;
  return true;
}

static Str default_repr_body(Eval *ev, Value self) {
  Str factory = value_repr(ev, self_default(self)->factory);
  Str dict = ev->types.dict->slots.repr(ev, self);
  return str_format(ev->arena, "%s(%.*s, %.*s)", value_type(ev, self)->name->text, STR_FMT(factory),
                    STR_FMT(dict));
}

static const NativeDef default_methods[] = {
    {"__new__(cls, /, *args, **kwargs)", default_make},
    {"__init__(self, /, *args, **kwargs)", default_init},
    {"__missing__(self, key, /)", default_missing},
    {"copy(self)", default_copy},
    {"__copy__(self)", default_copy},
    {0},
};

// ---- Counter ------------------------------------------------------------------------------------
// Whether its items are got and set as those of any dict.
static bool counts_plainly(Eval *ev, Value mapping) {
  Type *type = value_type(ev, mapping);
  Value get = type_lookup(ev, type, name_of(ev, "get"));
  Value set = type_lookup(ev, type, ev->names->setitem);
  return value_as_dict(mapping) && is_a(get, ev->types.native) &&
         ((const NativeFunction *)get.o)->owner == ev->types.dict &&
         is_a(set, ev->core->slot_wrapper) && ((const SlotWrapper *)set.o)->owner == ev->types.dict;
}

static Value one_more(Eval *ev, Value count) {
  return count.kind == V_INT && count.i < INT64_MAX ? v_int(count.i + 1)
                                                    : value_binary(ev, BIN_ADD, count, v_int(1));
}

// mapping[key] = mapping.get(key, 0) + 1 for each key.
static Value f_count_elements(Eval *ev, Value *a) {
  Dict *dict = counts_plainly(ev, a[0]) ? value_as_dict(a[0]) : NULL;
  Walk walk;
  walk_start(ev, &walk, a[1]);
  for (Value key; walk_next(ev, &walk, &key); eval_step(ev)) {
    Value count, get[] = {key, v_int(0)};
    if (dict) {
      count = dict_get(ev, dict, key);
      dict_set(ev, dict, key, v_is_unbound(count) ? v_int(1) : one_more(ev, count));
    } else {
      count = value_call_method(ev, a[0], "get", 2, get);
      value_setitem(ev, a[0], key, one_more(ev, count));
    }
  }
  return v_none();
}

// ---- OrderedDict --------------------------------------------------------------------------------
static Value ordered_move_to_end(Eval *ev, Value *a) {
  Dict *dict = value_as_dict(a[0]);
  uint64_t hash = value_hash(ev, a[1]);
  DictEntry *entry = dict_find_hashed(ev, dict, a[1], hash);
  if (!entry) raise_key_error(ev, a[1]);
  Value key = entry->key, value = entry->value;
  dict_drop(dict, entry);
  if (value_truth(ev, a[2])) {
    dict_append(ev, dict, key, hash, value);
    return v_none();
  }
  Dict *others = dict_copy_as(ev, dict, ev->types.dict);
  dict_clear(dict);
  dict_append(ev, dict, key, hash, value);
  for (size_t it = 0; dict_next(others, &it, &entry);)
    dict_append(ev, dict, entry->key, entry->hash, entry->value);
  return v_none();
}

static Value ordered_popitem(Eval *ev, Value *a) {
  Dict *dict = value_as_dict(a[0]);
  if (!dict->count) raise_with(ev, ev->types.KeyError, make_str(ev, STR("dictionary is empty")));
  bool last = value_truth(ev, a[1]);
  size_t i = last ? dict->used - 1 : 0;
  while (dict->entries[i].key.kind == V_UNBOUND) i = last ? i - 1 : i + 1;
  Value item[] = {dict->entries[i].key, dict->entries[i].value};
  dict_drop(dict, &dict->entries[i]);
  return make_tuple(ev, 2, item);
}

static const NativeDef ordered_methods[] = {
    {"move_to_end(self, key, last=True)", ordered_move_to_end},
    {"popitem(self, last=True)", ordered_popitem},
    {0},
};

// The rest of the class is written in the language: @_ordered_dict.
static Value f_ordered_dict(Eval *ev, Value *a) {
  Type *type = (Type *)a[0].o;
  ev->builtin->ordered_dict = type;
  for (const NativeDef *def = ordered_methods; def->signature; def++) {
    NativeFunction *f = native_new(ev, def, type);
    dict_set_name(ev, type->dict, f->name, v_object(f));
  }
  type_changed(ev, type);
  return a[0];
}

// ---- the module ---------------------------------------------------------------------------------
static const NativeDef functions[] = {
    {"_namedtuple_new(typename, fields, defaults, /)", f_namedtuple_new},
    {"_namedtuple_repr(self, /)", f_namedtuple_repr},
    {"_caller_module()", f_caller_module},
    {"_count_elements(mapping, iterable, /)", f_count_elements},
    {"_ordered_dict(cls, /)", f_ordered_dict},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "_tuplegetter",
             v_object(native_type_new(ev, "collections", "_tuplegetter", NULL, &tuplegetter_type)));
  BuiltinState *state = ev->builtin;
  state->deque_iterator =
      native_type_new(ev, "collections", "_deque_iterator", NULL, &deque_iterator_type);
  state->deque = native_type_new(ev, "collections", "deque", NULL, &deque_type);
  NativeType default_type = {.slots = ev->types.dict->slots, .methods = default_methods};
  default_type.slots.make = NULL;
  default_type.slots.repr = default_repr_body;
  default_type.slots.put_repr = NULL;
  default_type.slots.binary = default_binary;
  default_type.slots.getattr = default_getattr;
  default_type.slots.setattr = default_setattr;
  state->default_dict =
      native_type_new(ev, "collections", "defaultdict", ev->types.dict, &default_type);
  module_set(ev, module, "deque", v_object(state->deque));
  module_set(ev, module, "defaultdict", v_object(state->default_dict));
  module_set(ev, module, "_GenericAlias", v_object(ev->types.generic_alias));
}

const ModuleDef module_collections = {.name = "collections", .functions = functions, .init = init};
