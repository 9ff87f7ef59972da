// SPDX-License-Identifier: Apache-2.0
// The iterators that are builtins: enumerate, zip, map, filter, reversed, and iter(callable,
// sentinel).
#include "python/values/builtin_state.h"
#include "builtin_index.h"
#include "builtin_iter.h"
#include "builtin_list.h"
#include "builtin_tuple.h"
#include "builtin_wrap.h"
#include "python/numbers/integer.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <string.h>

// ---- enumerate ----------------------------------------------------------------------------------
typedef struct Enumerate {
  Object base;
  Value iterator, next;
} Enumerate;

static Value enumerate_make(Eval *ev, Value *a) {
  Enumerate *it = ARENA_NEW(ev->arena, Enumerate);
  *it = (Enumerate){{ev->builtin->enumerate}, value_iter(ev, a[1]), take_index(ev, a[2])};
  return payload_wrap(ev, (Type *)a[0].o, ev->builtin->enumerate, v_object(it));
}

static Value enumerate_of(Eval *ev, const Args *args) {
  if (!args_are(args, 1, 1)) return v_unbound();
  Enumerate *it = ARENA_NEW(ev->arena, Enumerate);
  *it = (Enumerate){{ev->builtin->enumerate}, value_iter(ev, args->items[0]), v_int(0)};
  return v_object(it);
}

static bool enumerate_items(Eval *ev, Value self, Value *out) {
  Enumerate *it = (Enumerate *)value_unwrap(self).o;
  Value item;
  if (!value_next(ev, it->iterator, &item)) return false;
  out[0] = it->next;
  out[1] = item;
  bool is_small = it->next.kind == V_INT && it->next.i < INT64_MAX;
  it->next = is_small ? v_int(it->next.i + 1) : int_add(ev, it->next, v_int(1));
  return true;
}

static bool enumerate_next(Eval *ev, Value self, Value *out) {
  Value items[2];
  if (!enumerate_items(ev, self, items)) return false;
  *out = make_pair(ev, items[0], items[1]);
  return true;
}

static size_t enumerate_left(const Eval *ev, Value self) {
  return iterator_hint(ev, ((const Enumerate *)self.o)->iterator);
}

static size_t enumerate_width(Value self UNUSED) { return 2; }

// ---- zip and map --------------------------------------------------------------------------------
typedef struct Several { // zip, map
  Object base;
  Value function; // of map
  bool strict;    // of zip
  size_t count;
  Value iterators[];
} Several;

static Several *several_new(Eval *ev, Type *type, const Value *iterables, size_t count) {
  Several *it = arena_alloc(ev->arena, sizeof *it + count * sizeof(Value));
  it->base.type = type;
  it->function = v_unbound();
  it->count = count;
  for (size_t i = 0; i < count; i++) it->iterators[i] = value_iter(ev, iterables[i]);
  return it;
}

static Value zip_make(Eval *ev, Value *a) {
  const Tuple *iterables = value_as_tuple(a[1]);
  Several *it = several_new(ev, ev->builtin->zip, iterables->items, iterables->count);
  it->strict = value_truth(ev, a[2]);
  return payload_wrap(ev, (Type *)a[0].o, ev->builtin->zip, v_object(it));
}

static Value zip_of(Eval *ev, const Args *args) {
  if (args->kw_count) return v_unbound();
  return v_object(several_new(ev, ev->builtin->zip, args->items, args->count));
}

static NORETURN void raise_uneven(Eval *ev, size_t i, const char *how) {
  eval_raise(ev, ev->types.ValueError,
             i == 1 ? "zip() argument %zu is %s than argument %zu"
                    : "zip() argument %zu is %s than arguments 1-%zu",
             i + 1, how, i);
}

static bool zip_items(Eval *ev, Value self, Value *out) {
  const Several *it = (const Several *)value_unwrap(self).o;
  for (size_t i = 0; i < it->count; i++) {
    if (value_next(ev, it->iterators[i], &out[i])) continue;
    if (!it->strict) return false;
    if (i > 0) raise_uneven(ev, i, "shorter");
    for (size_t k = 1; k < it->count; k++) {
      Value ignored;
      if (value_next(ev, it->iterators[k], &ignored)) raise_uneven(ev, k, "longer");
    }
    return false;
  }
  return true;
}

static bool zip_next(Eval *ev, Value self, Value *out) {
  const Several *it = (const Several *)value_unwrap(self).o;
  if (it->count == 0) return false;
  Tuple *items = tuple_new(ev, it->count);
  if (!zip_items(ev, self, items->items)) return false;
  *out = v_object(items);
  return true;
}

// As many as the shortest one has, or those that are known.
static size_t several_left(const Eval *ev, Value self) {
  const Several *it = (const Several *)self.o;
  size_t least = it->count ? iterator_hint(ev, it->iterators[0]) : 0;
  for (size_t i = 1; i < it->count; i++) {
    size_t left = iterator_hint(ev, it->iterators[i]);
    if (left < least) least = left;
  }
  return least;
}

static size_t zip_width(Value self) { return ((const Several *)self.o)->count; }

static Value map_make(Eval *ev, Value *a) {
  const Tuple *args = value_as_tuple(a[1]);
  if (args->count < 2)
    eval_raise(ev, ev->types.TypeError, "map() must have at least two arguments.");
  Several *it = several_new(ev, ev->builtin->map, args->items + 1, args->count - 1);
  it->function = args->items[0];
  return payload_wrap(ev, (Type *)a[0].o, ev->builtin->map, v_object(it));
}

static Value map_of(Eval *ev, const Args *args) {
  if (!args_are(args, 2, SIZE_MAX)) return v_unbound();
  Several *it = several_new(ev, ev->builtin->map, args->items + 1, args->count - 1);
  it->function = args->items[0];
  return v_object(it);
}

static bool map_step(Eval *ev, Value self, Value *out) {
  Several *it = (Several *)value_unwrap(self).o;
  Value few[4],
      *items = it->count <= COUNT_OF(few) ? few : ARENA_ARRAY(ev->arena, Value, it->count);
  for (size_t i = 0; i < it->count; i++) {
    if (!value_next(ev, it->iterators[i], &items[i])) return false;
  }
  *out = value_call_n(ev, it->function, it->count, items);
  return true;
}

// ---- filter -------------------------------------------------------------------------------------
typedef struct Filter {
  Object base;
  Value function, iterator;
} Filter;

static Value filter_make(Eval *ev, Value *a) {
  Filter *it = ARENA_NEW(ev->arena, Filter);
  *it = (Filter){{ev->builtin->filter}, a[1], value_iter(ev, a[2])};
  return payload_wrap(ev, (Type *)a[0].o, ev->builtin->filter, v_object(it));
}

static bool filter_next(Eval *ev, Value self, Value *out) {
  Filter *it = (Filter *)value_unwrap(self).o;
  bool is_plain = v_is_none(it->function) ||
                  (it->function.kind == V_OBJECT && it->function.o == (Object *)ev->types.boolean);
  for (Value item; value_next(ev, it->iterator, &item); eval_step(ev)) {
    if (!value_truth(ev, is_plain ? item : value_call_n(ev, it->function, 1, &item))) continue;
    *out = item;
    return true;
  }
  return false;
}

// ---- reversed -----------------------------------------------------------------------------------
typedef struct Reversed {
  Object base;
  Value sequence;
  int64_t left;
} Reversed;

static Value reversed_make(Eval *ev, Value *a) {
  Type *type = value_type(ev, a[1]);
  Value method = type_lookup(ev, type, ev->builtin->names.dunder_reversed);
  if (!v_is_unbound(method) && !v_is_none(method))
    return special_call(ev, a[1], ev->builtin->names.dunder_reversed, 0, NULL);
  bool is_sequence = !v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_len)) &&
                     !v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_getitem));
  if (v_is_none(method) || !is_sequence || value_as_dict(a[1]))
    eval_raise(ev, ev->types.TypeError, "'%s' object is not reversible", type->name->text);
  Reversed *it = ARENA_NEW(ev->arena, Reversed);
  *it = (Reversed){{ev->builtin->reversed}, a[1], value_len(ev, a[1])};
  return v_object(it);
}

static Value reversed_of(Eval *ev, const Args *args) {
  if (!args_are(args, 1, 1) || !is_a(args->items[0], ev->types.list)) return v_unbound();
  return make_list_reverse_iterator(ev, (List *)args->items[0].o);
}

static bool reversed_next(Eval *ev, Value self, Value *out) {
  Reversed *it = (Reversed *)self.o;
  if (it->left <= 0) return false;
  *out = value_getitem(ev, it->sequence, v_int(--it->left));
  return true;
}

static Value reversed_hint(Eval *ev UNUSED, Value *a) { return v_int(((Reversed *)a[0].o)->left); }

// ---- iter(callable, sentinel) -------------------------------------------------------------------
typedef struct CallIterator {
  Object base;
  Value function, sentinel;
  bool is_done;
} CallIterator;

Value make_call_iterator(Eval *ev, Value function, Value sentinel) {
  CallIterator *it = ARENA_NEW(ev->arena, CallIterator);
  *it = (CallIterator){{ev->builtin->call_iterator}, function, sentinel, false};
  return v_object(it);
}

typedef struct CallOnce {
  Value function, result;
} CallOnce;

static void call_once(Eval *ev, void *data) {
  CallOnce *call = data;
  call->result = value_call_n(ev, call->function, 0, NULL);
}

static bool call_iterator_next(Eval *ev, Value self, Value *out) {
  CallIterator *it = (CallIterator *)self.o;
  if (it->is_done) return false;
  CallOnce call = {it->function, v_unbound()};
  Value exception;
  if (!eval_try(ev, call_once, &call, &exception)) {
    if (!value_is_instance(ev, exception, ev->types.StopIteration)) eval_raise_value(ev, exception);
    it->is_done = true;
  } else {
    it->is_done = same_or_equal(ev, it->sentinel, call.result);
  }
  *out = call.result;
  return !it->is_done;
}

// ---- the types ----------------------------------------------------------------------------------
static const NativeType enumerate_type = {
    .slots = {.make = enumerate_of,
              .iter = iterator_self,
              .next = enumerate_next,
              .hint = enumerate_left,
              .width = enumerate_width,
              .next_items = enumerate_items},
    .methods = (const NativeDef[]){{"__new__(cls, iterable, start=0)", enumerate_make}, {0}},
};
static const NativeType zip_type = {
    .slots = {.make = zip_of,
              .iter = iterator_self,
              .next = zip_next,
              .hint = several_left,
              .width = zip_width,
              .next_items = zip_items},
    .methods = (const NativeDef[]){{"__new__(cls, *iterables, strict=False)", zip_make}, {0}},
};
static const NativeType map_type = {
    .slots = {.make = map_of, .iter = iterator_self, .next = map_step, .hint = several_left},
    .methods = (const NativeDef[]){{"__new__(cls, *args)", map_make}, {0}},
};
static const NativeType filter_type = {
    .slots = {.iter = iterator_self, .next = filter_next},
    .methods = (const NativeDef[]){{"__new__(cls, function, iterable, /)", filter_make}, {0}},
};
static const NativeType reversed_type = {
    .slots = {.make = reversed_of, .iter = iterator_self, .next = reversed_next},
    .methods = (const NativeDef[]){{"__new__(cls, sequence, /)", reversed_make},
                                   {"__length_hint__(self)", reversed_hint},
                                   {0}},
};
static const NativeType call_iterator_type = {
    .slots = {.iter = iterator_self, .next = call_iterator_next}};

void builtin_iter_init(Eval *ev) {
  BuiltinState *state = ev->builtin;
  state->enumerate = native_type_new(ev, "builtins", "enumerate", NULL, &enumerate_type);
  state->zip = native_type_new(ev, "builtins", "zip", NULL, &zip_type);
  state->map = native_type_new(ev, "builtins", "map", NULL, &map_type);
  state->filter = native_type_new(ev, "builtins", "filter", NULL, &filter_type);
  state->reversed = native_type_new(ev, "builtins", "reversed", NULL, &reversed_type);
  state->call_iterator =
      native_type_new(ev, "builtins", "callable_iterator", NULL, &call_iterator_type);
}
