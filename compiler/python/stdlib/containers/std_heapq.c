// SPDX-License-Identifier: Apache-2.0
// The module heapq: lists whose item i is not greater than items 2i + 1 and 2i + 2. Items are only
// compared by <. A comparison may run the program's own code, so items are swapped, none is ever
// out of the list, and its size is looked at again.
#include "python/builtins/builtin_sort.h"
#include "python/modules/module.h"
#include "python/objects/type_lookup.h"
#include "python/values/builtin_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

static List *take_heap(Eval *ev, Value v, const char *argument) {
  List *heap = value_as_list(v);
  if (!heap)
    eval_raise(ev, ev->types.TypeError, "%s must be list, not %s", argument,
               value_type_name(ev, v));
  return heap;
}

static bool is_less(Eval *ev, const List *heap, Value a, Value b) {
  size_t count = heap->count;
  bool less = value_less(ev, a, b);
  if (heap->count != count)
    eval_raise(ev, ev->types.RuntimeError, "list changed size during iteration");
  return less;
}

static void swap(List *heap, size_t i, size_t k) {
  Value item = heap->items[i];
  heap->items[i] = heap->items[k];
  heap->items[k] = item;
}

// Towards the root, no farther than `start`.
static void sift_up(Eval *ev, List *heap, size_t start, size_t at) {
  while (at > start) {
    size_t parent = (at - 1) / 2;
    if (!is_less(ev, heap, heap->items[at], heap->items[parent])) return;
    swap(heap, at, parent);
    at = parent;
  }
}

// To a leaf along the smaller children, then up again: few comparisons, and the order in which
// equals come out is that of CPython.
static void sift_down(Eval *ev, List *heap, size_t start) {
  size_t at = start;
  while (2 * at + 1 < heap->count) {
    size_t child = 2 * at + 1;
    if (child + 1 < heap->count && !is_less(ev, heap, heap->items[child], heap->items[child + 1]))
      child++;
    swap(heap, at, child);
    at = child;
  }
  sift_up(ev, heap, start, at);
}

static Value f_heappush(Eval *ev, Value *a) {
  List *heap = take_heap(ev, a[0], "heappush() argument 1");
  list_push(ev, heap, a[1]);
  sift_up(ev, heap, 0, heap->count - 1);
  return v_none();
}

static Value f_heappop(Eval *ev, Value *a) {
  List *heap = take_heap(ev, a[0], "heappop() argument");
  if (heap->count == 0) eval_raise(ev, ev->types.IndexError, "index out of range");
  Value last = heap->items[heap->count - 1];
  list_cut(heap, heap->count - 1);
  if (heap->count == 0) return last;
  Value first = heap->items[0];
  heap->items[0] = last;
  sift_down(ev, heap, 0);
  return first;
}

static Value replace(Eval *ev, List *heap, Value item) {
  Value first = heap->items[0];
  heap->items[0] = item;
  sift_down(ev, heap, 0);
  return first;
}

static Value f_heapreplace(Eval *ev, Value *a) {
  List *heap = take_heap(ev, a[0], "heapreplace() argument 1");
  if (heap->count == 0) eval_raise(ev, ev->types.IndexError, "index out of range");
  return replace(ev, heap, a[1]);
}

static Value f_heappushpop(Eval *ev, Value *a) {
  List *heap = take_heap(ev, a[0], "heappushpop() argument 1");
  if (heap->count == 0 || !is_less(ev, heap, heap->items[0], a[1])) return a[1];
  return replace(ev, heap, a[1]);
}

static Value f_heapify(Eval *ev, Value *a) {
  List *heap = take_heap(ev, a[0], "heapify() argument");
  for (size_t i = heap->count / 2; i-- > 0;) sift_down(ev, heap, i);
  return v_none();
}

static const NativeDef functions[] = {
    {"heappush(heap, item, /)", f_heappush},
    {"heappop(heap, /)", f_heappop},
    {"heapreplace(heap, item, /)", f_heapreplace},
    {"heappushpop(heap, item, /)", f_heappushpop},
    {"heapify(heap, /)", f_heapify},
    {0},
};

const ModuleDef module_heapq = {.name = "heapq", .functions = functions};
