// SPDX-License-Identifier: Apache-2.0
// Sorting: a stable merge sort that asks nothing but `<`.
#include "python/values/builtin_state.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "builtin_sort.h"
#include "builtin_tuple.h"
#include <string.h>

typedef struct SortItem {
  Value key, value;
} SortItem;

// Fast for numbers, texts and tuples.
bool value_less(Eval *ev, Value a, Value b) {
  if (a.kind == V_INT && b.kind == V_INT) return a.i < b.i;
  if (a.kind == V_FLOAT && b.kind == V_FLOAT) return a.f < b.f;
  if (a.kind == V_OBJECT && b.kind == V_OBJECT && a.o->type == ev->types.string &&
      b.o->type == ev->types.string)
    return str_compare(((StrObject *)a.o)->text, ((StrObject *)b.o)->text) < 0;
  Value result = v_not_implemented();
  if (a.kind == V_OBJECT && b.kind == V_OBJECT && a.o->type == b.o->type) {
    const Type *type = a.o->type;
    if (type == ev->types.tuple)
      result = tuple_compare(ev, CMP_LT, (Tuple *)a.o, (Tuple *)b.o);
    else if (!type->is_heap && type->slots.compare)
      result = type->slots.compare(ev, CMP_LT, a, b);
  }
  if (result.kind == V_NOT_IMPLEMENTED) result = value_compare(ev, CMP_LT, a, b);
  return result.kind == V_BOOL ? result.i != 0 : value_truth(ev, result);
}

// What all keys are: then nothing is asked of each.
typedef enum KeyKind { KEYS_ANY, KEYS_INT, KEYS_FLOAT, KEYS_TEXT } KeyKind;

static KeyKind kind_of_key(const Eval *ev, Value key) {
  return key.kind == V_INT                                         ? KEYS_INT
         : key.kind == V_FLOAT                                     ? KEYS_FLOAT
         : key.kind == V_OBJECT && key.o->type == ev->types.string ? KEYS_TEXT
                                                                   : KEYS_ANY;
}

static KeyKind kind_of_keys(const Eval *ev, const SortItem *items, size_t count) {
  KeyKind kind = kind_of_key(ev, items[0].key);
  for (size_t i = 1; i < count && kind != KEYS_ANY; i++)
    if (kind_of_key(ev, items[i].key) != kind) kind = KEYS_ANY;
  return kind;
}

static inline bool text_less(Str a, Str b) {
  if (a.len && b.len && a.data[0] != b.data[0])
    return (unsigned char)a.data[0] < (unsigned char)b.data[0];
  int order = memcmp(a.data, b.data, a.len < b.len ? a.len : b.len);
  return order ? order < 0 : a.len < b.len;
}

// Inlined where the kind is known.
#define INLINED static inline __attribute__((always_inline))
INLINED bool key_less(Eval *ev, KeyKind kind, Value a, Value b) {
  switch (kind) {
  case KEYS_INT: return a.i < b.i;
  case KEYS_FLOAT: return a.f < b.f;
  case KEYS_TEXT: return text_less(((StrObject *)a.o)->text, ((StrObject *)b.o)->text);
  default: return value_less(ev, a, b);
  }
}

#define RUN 8

// Short stretches are sorted by insertion.
INLINED void sort_runs(Eval *ev, KeyKind kind, SortItem *items, size_t count) {
  for (size_t begin = 0; begin < count; begin += RUN) {
    size_t end = begin + RUN < count ? begin + RUN : count;
    for (size_t i = begin + 1; i < end; i++) {
      SortItem item = items[i];
      size_t at = i;
      while (at > begin && key_less(ev, kind, item.key, items[at - 1].key)) {
        items[at] = items[at - 1];
        at--;
      }
      items[at] = item;
    }
  }
}

INLINED void merge(Eval *ev, KeyKind kind, const SortItem *from, SortItem *to, size_t low,
                   size_t middle, size_t high) {
  // Already in order: most lists are, at least in part.
  if (middle >= high || !key_less(ev, kind, from[middle].key, from[middle - 1].key)) {
    memcpy(to + low, from + low, (high - low) * sizeof *to);
    return;
  }
  size_t a = low, b = middle, i = low;
  while (a < middle && b < high)
    to[i++] = key_less(ev, kind, from[b].key, from[a].key) ? from[b++] : from[a++];
  memcpy(to + i, a < middle ? from + a : from + b, (high - i) * sizeof *to);
}

INLINED SortItem *merge_sort_of(Eval *ev, KeyKind kind, SortItem *items, size_t count) {
  sort_runs(ev, kind, items, count);
  if (count <= RUN) return items;
  SortItem *other = ARENA_ARRAY(ev->arena, SortItem, count);
  for (size_t width = RUN; width < count; width *= 2) {
    for (size_t low = 0; low < count; low += 2 * width) {
      size_t middle = low + width < count ? low + width : count;
      size_t high = middle + width < count ? middle + width : count;
      merge(ev, kind, items, other, low, middle, high);
    }
    SortItem *swap = items;
    items = other;
    other = swap;
  }
  return items;
}

static SortItem *merge_sort(Eval *ev, SortItem *items, size_t count) {
  switch (kind_of_keys(ev, items, count)) {
  case KEYS_INT: return merge_sort_of(ev, KEYS_INT, items, count);
  case KEYS_FLOAT: return merge_sort_of(ev, KEYS_FLOAT, items, count);
  case KEYS_TEXT: return merge_sort_of(ev, KEYS_TEXT, items, count);
  default: return merge_sort_of(ev, KEYS_ANY, items, count);
  }
}

static void reverse(SortItem *items, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    SortItem item = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = item;
  }
}

void list_sort(Eval *ev, List *list, Value key, bool is_reverse) {
  size_t count = list->count;
  if (count == 0) return;
  const Value *storage = list->items;
  SortItem *items = ARENA_ARRAY(ev->arena, SortItem, count);
  for (size_t i = 0; i < count; i++) {
    Value item = storage[i];
    items[i] = (SortItem){v_is_none(key) ? item : value_call_n(ev, key, 1, &item), item};
  }
  // Turned around before and after, so that equal items keep their order.
  if (is_reverse) reverse(items, count);
  items = merge_sort(ev, items, count);
  if (is_reverse) reverse(items, count);
  if (list->count != count || list->items != storage)
    eval_raise(ev, ev->types.ValueError, "list modified during sort");
  for (size_t i = 0; i < count; i++) list->items[i] = items[i].value;
}
