// SPDX-License-Identifier: Apache-2.0
// What any object can be asked for: truth, length, items, iteration, hash, text (protocol.c).
#pragma once
#include "base/buf.h"
#include "python/values/evaluator.h"

// A walk over an iterable, without an iterator object for the commonest kinds.
typedef struct Walk {
  enum { WALK_ITERATOR, WALK_RANGE, WALK_LIST, WALK_TUPLE } kind;
  Value source; // or the iterator
  int64_t at, stop, step;
  bool (*next)(Eval *ev, Value iterator, Value *out); // its slot, or NULL
} Walk;

bool exception_matches(Eval *ev, Value exception, Value type_or_tuple);
Value value_getitem(Eval *ev, Value v, Value index);
void value_setitem(Eval *ev, Value v, Value index, Value value);
void value_delitem(Eval *ev, Value v, Value index);
bool value_contains(Eval *ev, Value container, Value item);
int64_t value_len(Eval *ev, Value v);
int64_t value_len_opt(Eval *ev, Value v); // -1 if it has none
bool value_truth(
    Eval *ev,
    Value v); // of an array that is traced: TracerBoolConversionError, naming what to use instead
bool value_is(Value a, Value b); // identity; small values by value
uint64_t value_hash(Eval *ev, Value v);
Str value_repr(Eval *ev, Value v);
// The same appended to a text: what is nested is not copied once a level.
void value_put_repr(Eval *ev, Value v, Buf *out);
Str value_str(Eval *ev, Value v);
Str value_format(Eval *ev, Value v, Str spec);
// An iterator; raises TypeError if not iterable.
Value value_iter(Eval *ev, Value v);
// False at the end; then ev->core->stop_value is what a generator returned, or V_UNBOUND.
bool value_next(Eval *ev, Value iterator, Value *out);
NORETURN void raise_stop_iteration(Eval *ev); // with stop_value
Value stop_value_of(Value exception);         // a StopIteration's value, or V_UNBOUND
// All items of an iterable as a tuple.
Tuple *value_to_tuple(Eval *ev, Value v);
bool value_is_callable(Eval *ev, Value v);
Str value_ascii(Eval *ev, Value v); // repr with escapes for all that is not ASCII
bool value_isinstance(
    Eval *ev, Value v,
    Value classes); // a class, a tuple or a union of them; __instancecheck__ is honoured
bool value_issubclass(Eval *ev, Value type, Value classes);
void protocol_init(Eval *ev);
uint64_t object_identity_hash(Value v);
bool value_is_iterable(Eval *ev, Value v);
void walk_start(Eval *ev, Walk *walk, Value iterable);
Value iterator_self(Eval *ev, Value self); // the slot `iter` of iterators
static inline bool walk_next(Eval *ev, Walk *walk, Value *out) {
  switch (walk->kind) {
  case WALK_RANGE:
    if (walk->at >= walk->stop) return false; // counted: `at` of `stop` items
    *out = v_int(((RangeObject *)walk->source.o)->start + walk->at++ * walk->step);
    return true;
  case WALK_LIST: {
    const List *list = (const List *)walk->source.o;
    if ((size_t)walk->at >= list->count) {
      walk->at = INT64_MAX;
      return false;
    }
    *out = list->items[walk->at++];
    return true;
  }
  case WALK_TUPLE: {
    const Tuple *tuple = (const Tuple *)walk->source.o;
    if ((size_t)walk->at >= tuple->count) return false;
    *out = tuple->items[walk->at++];
    return true;
  }
  case WALK_ITERATOR: break;
  }
  Value item; // not *out, whose place would be memory then
  if (walk->next ? !walk->next(ev, walk->source, &item) : !value_next(ev, walk->source, &item))
    return false;
  *out = item;
  return true;
}
