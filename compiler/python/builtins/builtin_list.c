// SPDX-License-Identifier: Apache-2.0
// list. Sorting is in builtin_sort.c.
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "builtin_index.h"
#include "builtin_list.h"
#include "builtin_slice.h"
#include "builtin_tuple.h"
#include "builtin_wrap.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "python/objects/generic.h"
#include "builtin_sort.h"
#include <string.h>

static const IndexWords list_words = {"list indices must be integers or slices, not %",
                                      "list index out of range"};
static const IndexWords store_words = {"list indices must be integers or slices, not %",
                                       "list assignment index out of range"};

static List *self_list(Eval *ev, Value self) {
  List *list = value_as_list(self);
  if (list) return list;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'list' object but received a '%s'",
             value_type_name(ev, self));
}

// Room for `more` items at `at`; what is behind moves up.
static void open_gap(Eval *ev, List *list, size_t at, size_t more) {
  list_reserve(ev, list, more);
  if (at < list->count)
    memmove(list->items + at + more, list->items + at, (list->count - at) * sizeof(Value));
  list->count += more;
}

static void close_gap(List *list, size_t at, size_t gone) {
  memmove(list->items + at, list->items + at + gone, (list->count - at - gone) * sizeof(Value));
  list_cut(list, list->count - gone);
}

static void push_all(Eval *ev, List *list, const Value *items, size_t count) {
  size_t at = list->count;
  if (count == 0) return;
  open_gap(ev, list, at, count);
  memcpy(list->items + at, items, count * sizeof(Value));
}

void list_extend(Eval *ev, List *list, Value iterable) {
  if (is_a(iterable, ev->types.list)) {
    push_all(ev, list, ((const List *)iterable.o)->items, ((const List *)iterable.o)->count);
    return;
  }
  if (is_a(iterable, ev->types.tuple)) {
    push_all(ev, list, ((const Tuple *)iterable.o)->items, ((const Tuple *)iterable.o)->count);
    return;
  }
  Walk walk;
  walk_start(ev, &walk, iterable);
  list_reserve(ev, list, walk_hint(ev, &walk));
  for (Value item; walk_next(ev, &walk, &item); count_step(ev)) list_push(ev, list, item);
}

// ---- sequence -----------------------------------------------------------------------------------
static int64_t list_len(Eval *ev, Value self) { return (int64_t)self_list(ev, self)->count; }

static Value list_from(Eval *ev, const Value *items, size_t count) {
  List *list = list_new(ev, count);
  if (count) memcpy(list->items, items, count * sizeof *items);
  list->count = count;
  return v_object(list);
}

static Value list_getitem(Eval *ev, Value self, Value index) {
  const List *list = self_list(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  if (!slice) {
    // The index may be computed by the program, and that may change the list.
    int64_t i = sequence_index(ev, index, (int64_t)list->count, &list_words);
    return list->items[i];
  }
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)list->count);
  if (bounds.step == 1) return list_from(ev, list->items + bounds.start, (size_t)bounds.count);
  List *out = list_new(ev, (size_t)bounds.count);
  for (int64_t i = 0; i < bounds.count; i++)
    list_push(ev, out, list->items[bounds.start + i * bounds.step]);
  return v_object(out);
}

static bool is_iterable(Eval *ev, Value v) {
  Type *type = value_type(ev, v);
  return type->slots.iter || !v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_iter)) ||
         !v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_getitem));
}

static void replace_range(Eval *ev, List *list, int64_t start, int64_t stop, const Tuple *items) {
  size_t at = (size_t)start, gone = stop > start ? (size_t)(stop - start) : 0;
  if (items->count > gone) {
    open_gap(ev, list, at, items->count - gone);
  } else if (items->count < gone) {
    close_gap(list, at, gone - items->count);
  }
  if (items->count) memcpy(list->items + at, items->items, items->count * sizeof(Value));
}

static void set_slice(Eval *ev, List *list, const SliceObject *slice, Value value) {
  bool is_plain = v_is_none(slice->step) || (slice->step.kind == V_INT && slice->step.i == 1);
  if (!is_iterable(ev, value)) {
    eval_raise(ev, ev->types.TypeError,
               is_plain ? "can only assign an iterable" : "must assign iterable to extended slice");
  }
  const Tuple *items = value_to_tuple(ev, value);
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)list->count);
  if (bounds.step == 1) {
    replace_range(ev, list, bounds.start, bounds.stop, items);
    return;
  }
  if ((int64_t)items->count != bounds.count) {
    eval_raise(ev, ev->types.ValueError,
               "attempt to assign sequence of size %zu to extended slice of size %lld",
               items->count, (long long)bounds.count);
  }
  for (int64_t i = 0; i < bounds.count; i++)
    list->items[bounds.start + i * bounds.step] = items->items[i];
}

static void list_setitem(Eval *ev, Value self, Value index, Value value) {
  List *list = self_list(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  if (slice) {
    set_slice(ev, list, slice, value);
    return;
  }
  int64_t i = sequence_index(ev, index, (int64_t)list->count, &store_words);
  list->items[i] = value;
}

static void list_delitem(Eval *ev, Value self, Value index) {
  List *list = self_list(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  if (!slice) {
    close_gap(list, (size_t)sequence_index(ev, index, (int64_t)list->count, &store_words), 1);
    return;
  }
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)list->count);
  if (bounds.count == 0) return;
  if (bounds.step < 0) { // the same items, forwards
    bounds.start += (bounds.count - 1) * bounds.step;
    bounds.step = -bounds.step;
  }
  size_t kept = (size_t)bounds.start;
  for (size_t i = kept; i < list->count; i++) {
    int64_t offset = (int64_t)i - bounds.start;
    bool goes = offset % bounds.step == 0 && offset / bounds.step < bounds.count;
    if (!goes) list->items[kept++] = list->items[i];
  }
  list_cut(list, kept);
}

static bool list_contains(Eval *ev, Value self, Value item) {
  const List *list = self_list(ev, self);
  for (size_t i = 0; i < list->count; i++) {
    if (same_or_equal(ev, list->items[i], item)) return true;
  }
  return false;
}

static Value list_repeat(Eval *ev, const List *list, Value times) {
  int64_t count;
  if (!repeat_count(ev, times, list->count, sizeof(Value), &count)) return v_not_implemented();
  size_t total = list->count * (size_t)count;
  List *out = list_new(ev, total);
  if (list->count == 1) {
    for (size_t i = 0; i < total; i++) out->items[i] = list->items[0];
  } else {
    for (size_t i = 0; i < total; i += list->count)
      memcpy(out->items + i, list->items, list->count * sizeof(Value));
  }
  out->count = total;
  return v_object(out);
}

static Value list_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  const List *a = value_as_list(left), *b = value_as_list(right);
  if (op == BIN_ADD && a && b) {
    List *out = list_new(ev, a->count + b->count);
    if (a->count) memcpy(out->items, a->items, a->count * sizeof(Value));
    if (b->count) memcpy(out->items + a->count, b->items, b->count * sizeof(Value));
    out->count = a->count + b->count;
    return v_object(out);
  }
  if (op == BIN_MUL && !(a && b)) return list_repeat(ev, a ? a : b, a ? right : left);
  return v_not_implemented();
}

static Value list_inplace(Eval *ev, BinaryOp op, Value left, Value right) {
  List *list = self_list(ev, left);
  if (op == BIN_ADD) {
    list_extend(ev, list, right);
    return left;
  }
  if (op != BIN_MUL) return v_not_implemented();
  Value repeated = list_repeat(ev, list, right);
  if (repeated.kind != V_OBJECT) return repeated;
  const List *from = (const List *)repeated.o;
  list->items = from->items;
  list->count = from->count;
  list->capacity = from->capacity;
  return left;
}

static Value list_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const List *a = value_as_list(left), *b = value_as_list(right);
  if (!a || !b) return v_not_implemented();
  return sequence_compare(ev, op, a->items, a->count, b->items, b->count);
}

static void list_repr_body(Eval *ev, Value self, Buf *out) {
  const List *list = self_list(ev, self);
  buf_char(out, '[');
  for (size_t i = 0; i < list->count; i++) {
    if (i > 0) buf_c(out, ", ");
    value_put_repr(ev, list->items[i], out);
  }
  buf_char(out, ']');
}

static void list_put_repr(Eval *ev, Value self, Buf *out) {
  if (self_list(ev, self)->count == 0)
    buf_c(out, "[]");
  else
    guarded_repr(ev, self, out, list_repr_body, "[...]");
}

static Str list_repr(Eval *ev, Value self) { return repr_text(ev, self, list_put_repr); }

// ---- iteration ----------------------------------------------------------------------------------
typedef struct ListIterator {
  Object base;
  List *list; // NULL when exhausted: it stays so
  size_t at;  // reversed: items left
} ListIterator;

static Value list_iter(Eval *ev, Value self) {
  ListIterator *it = ARENA_NEW(ev->arena, ListIterator);
  *it = (ListIterator){{ev->builtin->list_iterator}, self_list(ev, self), 0};
  return v_object(it);
}

static bool list_iterator_next(Eval *ev UNUSED, Value self, Value *out) {
  ListIterator *it = (ListIterator *)self.o;
  if (!it->list || it->at >= it->list->count) {
    it->list = NULL;
    return false;
  }
  *out = it->list->items[it->at++];
  return true;
}

static size_t list_iterator_left(const Eval *ev UNUSED, Value self) {
  const ListIterator *it = (const ListIterator *)self.o;
  return it->list && it->at < it->list->count ? it->list->count - it->at : 0;
}

static Value list_iterator_hint(Eval *ev, Value *a) {
  return v_int((int64_t)list_iterator_left(ev, a[0]));
}

Value make_list_reverse_iterator(Eval *ev, List *list) {
  ListIterator *it = ARENA_NEW(ev->arena, ListIterator);
  *it = (ListIterator){{ev->builtin->list_reverse_iterator}, list, list->count};
  return v_object(it);
}

static Value list_reversed(Eval *ev, Value *a) {
  return make_list_reverse_iterator(ev, self_list(ev, a[0]));
}

static bool list_reverse_next(Eval *ev UNUSED, Value self, Value *out) {
  ListIterator *it = (ListIterator *)self.o;
  if (!it->list || it->at == 0 || it->at > it->list->count) {
    it->list = NULL;
    return false;
  }
  *out = it->list->items[--it->at];
  return true;
}

static size_t list_reverse_left(const Eval *ev UNUSED, Value self) {
  const ListIterator *it = (const ListIterator *)self.o;
  return it->list ? it->at : 0;
}

static Value list_reverse_hint(Eval *ev, Value *a) {
  return v_int((int64_t)list_reverse_left(ev, a[0]));
}

static Value list_of(Eval *ev, const Args *args) {
  if (!args_are(args, 0, 1)) return v_unbound();
  List *list = list_new(ev, 0);
  if (args->count) list_extend(ev, list, args->items[0]);
  return v_object(list);
}

// ---- methods ------------------------------------------------------------------------------------
static Value list_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  return payload_wrap(ev, cls, ev->types.list, v_object(list_new(ev, 0)));
}

static Value list_init(Eval *ev, Value *a) {
  List *list = self_list(ev, a[0]);
  list_cut(list, 0);
  if (!v_is_unbound(a[1])) list_extend(ev, list, a[1]);
  return v_none();
}

static Value list_append(Eval *ev, Value *a) {
  list_push(ev, self_list(ev, a[0]), a[1]);
  return v_none();
}

static Value list_clear(Eval *ev, Value *a) {
  list_cut(self_list(ev, a[0]), 0);
  return v_none();
}

static Value list_copy(Eval *ev, Value *a) {
  const List *list = self_list(ev, a[0]);
  return list_from(ev, list->items, list->count);
}

static Value list_count(Eval *ev, Value *a) {
  const List *list = self_list(ev, a[0]);
  int64_t count = 0;
  for (size_t i = 0; i < list->count; i++) count += same_or_equal(ev, list->items[i], a[1]);
  return v_int(count);
}

static Value list_extend_method(Eval *ev, Value *a) {
  list_extend(ev, self_list(ev, a[0]), a[1]);
  return v_none();
}

static Value list_index(Eval *ev, Value *a) {
  const List *list = self_list(ev, a[0]);
  int64_t stop = take_bound(ev, a[3], (int64_t)list->count, (int64_t)list->count);
  for (int64_t i = take_bound(ev, a[2], (int64_t)list->count, 0);
       i < stop && i < (int64_t)list->count; i++) {
    if (same_or_equal(ev, list->items[i], a[1])) return v_int(i);
  }
  Str shown = value_repr(ev, a[1]);
  eval_raise(ev, ev->types.ValueError, "%.*s is not in list", STR_FMT(shown));
}

static Value list_insert(Eval *ev, Value *a) {
  List *list = self_list(ev, a[0]);
  int64_t at = take_bound(ev, v_int(take_index64(ev, a[1])), (int64_t)list->count, 0);
  open_gap(ev, list, (size_t)at, 1);
  list->items[at] = a[2];
  return v_none();
}

static Value list_pop(Eval *ev, Value *a) {
  List *list = self_list(ev, a[0]);
  int64_t at = take_index64(ev, a[1]);
  if (list->count == 0) eval_raise(ev, ev->types.IndexError, "pop from empty list");
  if (at < 0) at += (int64_t)list->count;
  if (at < 0 || at >= (int64_t)list->count)
    eval_raise(ev, ev->types.IndexError, "pop index out of range");
  Value item = list->items[at];
  if (at + 1 == (int64_t)list->count)
    list->items[--list->count] = v_none(); // as list_cut
  else
    close_gap(list, (size_t)at, 1);
  return item;
}

static Value list_remove(Eval *ev, Value *a) {
  List *list = self_list(ev, a[0]);
  for (size_t i = 0; i < list->count; i++) {
    if (!same_or_equal(ev, list->items[i], a[1])) continue;
    if (i < list->count) close_gap(list, i, 1);
    return v_none();
  }
  eval_raise(ev, ev->types.ValueError, "list.remove(x): x not in list");
}

static Value list_reverse(Eval *ev, Value *a) {
  List *list = self_list(ev, a[0]);
  for (size_t i = 0; i < list->count / 2; i++) {
    Value item = list->items[i];
    list->items[i] = list->items[list->count - 1 - i];
    list->items[list->count - 1 - i] = item;
  }
  return v_none();
}

static Value list_sort_method(Eval *ev, Value *a) {
  list_sort(ev, self_list(ev, a[0]), a[1],
            a[2].kind == V_BOOL ? a[2].i != 0 : take_index64(ev, a[2]) != 0);
  return v_none();
}

static Value list_class_getitem(Eval *ev, Value *a) { return make_generic_alias(ev, a[0], a[1]); }

static const NativeDef list_methods[] = {
    {"__new__(cls, /, *args, **kwargs)", list_make},
    {"__init__(self, iterable=, /)", list_init},
    {"append(self, object, /)", list_append},
    {"clear(self, /)", list_clear},
    {"copy(self, /)", list_copy},
    {"count(self, value, /)", list_count},
    {"extend(self, iterable, /)", list_extend_method},
    {"index(self, value, start=None, stop=None, /)", list_index},
    {"insert(self, index, object, /)", list_insert},
    {"pop(self, index=-1, /)", list_pop},
    {"remove(self, value, /)", list_remove},
    {"reverse(self, /)", list_reverse},
    {"sort(self, /, *, key=None, reverse=False)", list_sort_method},
    {"__reversed__(self, /)", list_reversed},
    {"__class_getitem__(cls, item, /)", list_class_getitem},
    {0},
};

static const NativeType list_type = {
    .slots = {.make = list_of,
              .len = list_len,
              .getitem = list_getitem,
              .setitem = list_setitem,
              .delitem = list_delitem,
              .contains = list_contains,
              .binary = list_binary,
              .inplace = list_inplace,
              .compare = list_compare,
              .repr = list_repr,
              .put_repr = list_put_repr,
              .iter = list_iter},
    .methods = list_methods,
};

static const NativeType list_iterator_type = {
    .slots = {.iter = iterator_self, .next = list_iterator_next, .hint = list_iterator_left},
    .methods = (const NativeDef[]){{"__length_hint__(self)", list_iterator_hint}, {0}},
};

static const NativeType list_reverse_type = {
    .slots = {.iter = iterator_self, .next = list_reverse_next, .hint = list_reverse_left},
    .methods = (const NativeDef[]){{"__length_hint__(self)", list_reverse_hint}, {0}},
};

void builtin_list_init(Eval *ev) {
  native_type_define(ev, ev->types.list, &list_type);
  ev->builtin->list_iterator =
      native_type_new(ev, "builtins", "list_iterator", NULL, &list_iterator_type);
  ev->builtin->list_reverse_iterator =
      native_type_new(ev, "builtins", "list_reverseiterator", NULL, &list_reverse_type);
}
