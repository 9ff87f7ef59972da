// SPDX-License-Identifier: Apache-2.0
// Iteration over any object (protocol.c).
#pragma once
#include "python/values/evaluator.h"

// A walk over an iterable, without an iterator object for the commonest kinds.
typedef struct Walk {
  enum { WALK_ITERATOR, WALK_RANGE, WALK_LIST, WALK_TUPLE } kind;
  Value source; // or the iterator
  int64_t at, stop, step;
  bool (*next)(Eval *ev, Value iterator, Value *out); // its slot, or NULL
  size_t width; // of an iterator that can give the items of its tuples one by one (TypeSlots); or 0
} Walk;

// An iterator; raises TypeError if not iterable.
Value value_iter(Eval *ev, Value v);
// False at the end; then ev->core->stop_value is what a generator returned, or V_UNBOUND.
bool value_next(Eval *ev, Value iterator, Value *out);
NORETURN void raise_stop_iteration(Eval *ev); // with stop_value
Value stop_value_of(Value exception);         // a StopIteration's value, or V_UNBOUND
// All items of an iterable as a tuple.
Tuple *value_to_tuple(Eval *ev, Value v);
bool value_is_iterable(Eval *ev, Value v);
void walk_start(Eval *ev, Walk *walk, Value iterable);
// How many items are likely to come, so that there is room for them: that much is worth taking at
// once, and no more than what the items of a range take in any case.
size_t walk_hint(const Eval *ev, const Walk *walk);
size_t iterator_hint(const Eval *ev, Value iterator); // of any, 0 if nothing is known
Value iterator_self(Eval *ev, Value self);            // the slot `iter` of iterators
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
