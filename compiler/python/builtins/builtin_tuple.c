// SPDX-License-Identifier: Apache-2.0
// tuple; and what tuples and lists share: comparison, hash, repr, iteration.
#include "base/buf.h"
#include "base/map.h"
#include "python/values/builtin_state.h"
#include "builtin_index.h"
#include "builtin_slice.h"
#include "builtin_tuple.h"
#include "builtin_wrap.h"
#include "python/values/new_value.h"
#include "python/numbers/number.h"
#include "python/numbers/quick.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "python/objects/generic.h"
#include <string.h>

static const IndexWords tuple_words = {"tuple indices must be integers or slices, not %",
                                       "tuple index out of range"};

// ---- shared with lists --------------------------------------------------------------------------
Value make_pair(Eval *ev, Value first, Value second) {
  Tuple *pair = tuple_new(ev, 2);
  pair->items[0] = first;
  pair->items[1] = second;
  return v_object(pair);
}

static inline bool are_texts(const Eval *ev, Value a, Value b) {
  return is_a(a, ev->types.string) && is_a(b, ev->types.string);
}

static inline Str text_in(Value v) { return ((const StrObject *)v.o)->text; }

static inline bool are_equal_items(Eval *ev, Value a, Value b) {
  if (a.kind == V_INT && b.kind == V_INT) return a.i == b.i;
  if (a.kind == V_FLOAT && b.kind == V_FLOAT && a.f == b.f) return true;
  if (are_texts(ev, a, b)) return str_equal(text_in(a), text_in(b));
  return same_or_equal(ev, a, b);
}

Value sequence_compare(Eval *ev, CompareOp op, const Value *a, size_t a_count, const Value *b,
                       size_t b_count) {
  eval_check_stack(ev);
  if ((op == CMP_EQ || op == CMP_NE) && a_count != b_count) return v_bool(op == CMP_NE);
  size_t i = 0, common = a_count < b_count ? a_count : b_count;
  bool holds;
  while (i < common && are_equal_items(ev, a[i], b[i])) i++;
  if (i < common) {
    if (op == CMP_EQ || op == CMP_NE) return v_bool(op == CMP_NE);
    if (are_texts(ev, a[i], b[i]))
      return v_bool(order_holds(op, str_compare(text_in(a[i]), text_in(b[i]))));
    return quick_compare(op, a[i], b[i], &holds) ? v_bool(holds)
                                                 : value_compare(ev, op, a[i], b[i]);
  }
  return v_bool(order_holds(op, (a_count > b_count) - (a_count < b_count)));
}

void put_reprs(Eval *ev, Buf *buf, const Value *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i > 0) buf_c(buf, ", ");
    value_put_repr(ev, items[i], buf);
  }
}

typedef struct ReprCall {
  Value self;
  ReprBody *body;
  Buf *out;
} ReprCall;

static void run_repr(Eval *ev, void *data) {
  const ReprCall *call = data;
  call->body(ev, call->self, call->out);
}

static void push_repr(Eval *ev, Object *object) {
  BuiltinState *state = ev->builtin;
  if (!state->repr_active) state->repr_active = map_new(ev->arena);
  map_set(state->repr_active, object, object);
  VEC_PUSH(ev->arena, &state->repr_stack, object);
}

// Those that an exception has left on the stack too.
static void pop_reprs(Eval *ev, size_t depth) {
  BuiltinState *state = ev->builtin;
  while (state->repr_stack.count > depth)
    map_remove(state->repr_active, state->repr_stack.items[--state->repr_stack.count]);
}

void guarded_repr(Eval *ev, Value self, Buf *out, ReprBody *body, const char *cyclic) {
  const BuiltinState *state = ev->builtin;
  if (state->repr_active && map_has(state->repr_active, self.o)) {
    buf_c(out, cyclic);
    return;
  }
  size_t depth = state->repr_stack.count;
  push_repr(ev, self.o);
  ReprCall call = {.self = self, .body = body, .out = out};
  Value exception;
  // The outermost one takes everything off again if an exception passes.
  bool ok = true;
  if (depth == 0)
    ok = eval_try(ev, run_repr, &call, &exception);
  else
    run_repr(ev, &call);
  pop_reprs(ev, depth);
  if (!ok) eval_raise_value(ev, exception);
}

Str repr_text(Eval *ev, Value self, ReprBody *put) {
  Buf buf;
  buf_init(&buf, ev->arena);
  put(ev, self, &buf);
  return buf_view(&buf);
}

// The constants of CPython's tuple hash (a reduced xxHash), so that hash() shows the same numbers.
uint64_t hash_items(Eval *ev, const Value *items, size_t count) {
  const uint64_t prime1 = 11400714785074694791u, prime2 = 14029467366897019727u,
                 prime5 = 2870177450012600261u;
  uint64_t hash = prime5;
  for (size_t i = 0; i < count; i++) {
    hash += value_hash(ev, items[i]) * prime2;
    hash = hash << 31 | hash >> 33;
    hash *= prime1;
  }
  hash += count ^ (prime5 ^ 3527539u);
  return hash == UINT64_MAX ? 1546275796 : hash;
}

typedef struct SeqIterator {
  Object base;
  Value sequence; // V_UNBOUND when exhausted
  size_t at;
} SeqIterator;

// over a list or tuple
static Value make_seq_iterator(Eval *ev, Type *type, Value sequence) {
  SeqIterator *it = ARENA_NEW(ev->arena, SeqIterator);
  *it = (SeqIterator){{type}, sequence, 0};
  return v_object(it);
}

static bool tuple_iterator_next(Eval *ev UNUSED, Value self, Value *out) {
  SeqIterator *it = (SeqIterator *)self.o;
  const Tuple *tuple = (const Tuple *)it->sequence.o;
  if (it->at >= tuple->count) return false;
  *out = tuple->items[it->at++];
  return true;
}

static Value tuple_iterator_hint(Eval *ev UNUSED, Value *a) {
  const SeqIterator *it = (const SeqIterator *)a[0].o;
  return v_int((int64_t)(((const Tuple *)it->sequence.o)->count - it->at));
}

// ---- tuple --------------------------------------------------------------------------------------
static Tuple *self_tuple(Eval *ev, Value self) {
  Tuple *tuple = value_as_tuple(self);
  if (tuple) return tuple;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'tuple' object but received a '%s'",
             value_type_name(ev, self));
}

static int64_t tuple_len(Eval *ev, Value self) { return (int64_t)self_tuple(ev, self)->count; }

static Value tuple_getitem(Eval *ev, Value self, Value index) {
  const Tuple *tuple = self_tuple(ev, self);
  const SliceObject *slice = value_as_slice(ev, index);
  if (!slice) return tuple->items[sequence_index(ev, index, (int64_t)tuple->count, &tuple_words)];
  SliceBounds bounds = slice_bounds(ev, slice, (int64_t)tuple->count);
  if (bounds.step == 1) return make_tuple(ev, (size_t)bounds.count, tuple->items + bounds.start);
  Tuple *out = tuple_new(ev, (size_t)bounds.count);
  for (int64_t i = 0; i < bounds.count; i++)
    out->items[i] = tuple->items[bounds.start + i * bounds.step];
  return v_object(out);
}

static bool tuple_contains(Eval *ev, Value self, Value item) {
  const Tuple *tuple = self_tuple(ev, self);
  for (size_t i = 0; i < tuple->count; i++) {
    if (same_or_equal(ev, tuple->items[i], item)) return true;
  }
  return false;
}

static Value tuple_concat(Eval *ev, const Tuple *a, const Tuple *b) {
  Tuple *out = tuple_new(ev, a->count + b->count);
  if (a->count) memcpy(out->items, a->items, a->count * sizeof(Value));
  if (b->count) memcpy(out->items + a->count, b->items, b->count * sizeof(Value));
  return v_object(out);
}

static Value tuple_repeat(Eval *ev, const Tuple *tuple, Value times) {
  int64_t count;
  if (!repeat_count(ev, times, tuple->count, sizeof(Value), &count)) return v_not_implemented();
  Tuple *out = tuple_new(ev, tuple->count * (size_t)count);
  for (size_t i = 0; i < out->count; i++) out->items[i] = tuple->items[i % tuple->count];
  return v_object(out);
}

static Value tuple_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  const Tuple *a = value_as_tuple(left), *b = value_as_tuple(right);
  if (op == BIN_ADD) return a && b ? tuple_concat(ev, a, b) : v_not_implemented();
  if (op == BIN_MUL && !(a && b)) return tuple_repeat(ev, a ? a : b, a ? right : left);
  return v_not_implemented();
}

Value tuple_compare(Eval *ev, CompareOp op, const Tuple *a, const Tuple *b) {
  return sequence_compare(ev, op, a->items, a->count, b->items, b->count);
}

static Value tuple_compare_slot(Eval *ev, CompareOp op, Value left, Value right) {
  const Tuple *a = value_as_tuple(left), *b = value_as_tuple(right);
  return a && b ? tuple_compare(ev, op, a, b) : v_not_implemented();
}

static uint64_t tuple_hash(Eval *ev, Value self) {
  const Tuple *tuple = self_tuple(ev, self);
  eval_check_stack(ev);
  return hash_items(ev, tuple->items, tuple->count);
}

static void tuple_repr_body(Eval *ev, Value self, Buf *out) {
  const Tuple *tuple = self_tuple(ev, self);
  buf_char(out, '(');
  put_reprs(ev, out, tuple->items, tuple->count);
  buf_c(out, tuple->count == 1 ? ",)" : ")");
}

static void tuple_put_repr(Eval *ev, Value self, Buf *out) {
  if (self_tuple(ev, self)->count == 0)
    buf_c(out, "()");
  else
    guarded_repr(ev, self, out, tuple_repr_body, "(...)");
}

static Str tuple_repr(Eval *ev, Value self) { return repr_text(ev, self, tuple_put_repr); }

static Value tuple_iter(Eval *ev, Value self) {
  return make_seq_iterator(ev, ev->builtin->tuple_iterator, v_object(self_tuple(ev, self)));
}

static Value tuple_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  Value result = v_is_unbound(a[1]) ? make_tuple(ev, 0, NULL) : v_object(value_to_tuple(ev, a[1]));
  return payload_wrap(ev, cls, ev->types.tuple, result);
}

static Value tuple_of(Eval *ev, const Args *args) {
  if (!args_are(args, 0, 1)) return v_unbound();
  return args->count ? v_object(value_to_tuple(ev, args->items[0])) : make_tuple(ev, 0, NULL);
}

static Value tuple_index(Eval *ev, Value *a) {
  const Tuple *tuple = self_tuple(ev, a[0]);
  int64_t count = (int64_t)tuple->count;
  int64_t stop = take_bound(ev, a[3], count, count);
  for (int64_t i = take_bound(ev, a[2], count, 0); i < stop; i++) {
    if (same_or_equal(ev, tuple->items[i], a[1])) return v_int(i);
  }
  eval_raise(ev, ev->types.ValueError, "tuple.index(x): x not in tuple");
}

static Value tuple_count(Eval *ev, Value *a) {
  const Tuple *tuple = self_tuple(ev, a[0]);
  int64_t count = 0;
  for (size_t i = 0; i < tuple->count; i++) count += same_or_equal(ev, tuple->items[i], a[1]);
  return v_int(count);
}

static Value tuple_getnewargs(Eval *ev, Value *a) {
  Value items = v_object(self_tuple(ev, a[0]));
  return make_tuple(ev, 1, &items);
}

static Value tuple_class_getitem(Eval *ev, Value *a) { return make_generic_alias(ev, a[0], a[1]); }

static const NativeType tuple_type = {
    .slots = {.make = tuple_of,
              .len = tuple_len,
              .getitem = tuple_getitem,
              .contains = tuple_contains,
              .binary = tuple_binary,
              .compare = tuple_compare_slot,
              .hash = tuple_hash,
              .repr = tuple_repr,
              .put_repr = tuple_put_repr,
              .iter = tuple_iter},
    .methods = (const NativeDef[]){{"__new__(cls, iterable=, /)", tuple_make},
                                   {"index(self, value, start=None, stop=None, /)", tuple_index},
                                   {"count(self, value, /)", tuple_count},
                                   {"__getnewargs__(self, /)", tuple_getnewargs},
                                   {"__class_getitem__(cls, item, /)", tuple_class_getitem},
                                   {0}},
};

static const NativeType tuple_iterator_type = {
    .slots = {.iter = iterator_self, .next = tuple_iterator_next},
    .methods = (const NativeDef[]){{"__length_hint__(self)", tuple_iterator_hint}, {0}},
};

void builtin_tuple_init(Eval *ev) {
  native_type_define(ev, ev->types.tuple, &tuple_type);
  ev->builtin->tuple_iterator =
      native_type_new(ev, "builtins", "tuple_iterator", NULL, &tuple_iterator_type);
}
