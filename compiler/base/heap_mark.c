// SPDX-License-Identifier: Apache-2.0
// Arenas that are collected: what can be reached. In: the roots (base.h says which). Out: a bit for
// each object found. Every word that looks like an address in an object is taken for one.
#include <stdlib.h>
#include <string.h>

#include "collected.h"
#include "heap.h"
#include "poison.h"

// Reads what nobody handed out (the stack between its frames, the slack of an allocation).
#define READS_ALL __attribute__((no_sanitize("address", "undefined")))

static void push(Heap *heap, const char *begin, size_t size) {
  if (heap->item_count == heap->item_capacity) {
    size_t capacity = heap->item_capacity ? heap->item_capacity * 2 : 4096;
    MarkItem *items = realloc(heap->items, capacity * sizeof *items);
    if (!items) {
      heap->overflow = true;
      return;
    }
    heap->items = items;
    heap->item_capacity = capacity;
  }
  heap->items[heap->item_count++] = (MarkItem){begin, size};
}

static inline void mark(Heap *heap, uintptr_t p) {
  Found found;
  if (p < heap->low || p >= heap->high || !heap_find(heap, p, &found)) return;
  uint64_t bit = (uint64_t)1 << found.index % 64, *marks = &found.block->marks[found.index / 64];
  if (*marks & bit) return;
  *marks |= bit;
  if (found.block->holding == HOLDS_POINTERS) push(heap, found.begin, found.size);
}

READS_ALL static void look_through(Heap *heap, const char *begin, size_t size) {
  heap->looked += size;
  uintptr_t first = ((uintptr_t)begin + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
  uintptr_t end = ((uintptr_t)begin + size) & ~(sizeof(void *) - 1);
  for (uintptr_t at = first; at < end; at += sizeof(void *)) mark(heap, *(const uintptr_t *)at);
}

static void look_through_marked(Heap *heap) {
  for (Segment *segment = heap->segments; segment; segment = segment->next)
    for (unsigned b = 0; b < (segment->is_huge ? 1u : BLOCK_COUNT); b++) {
      const Block *block = &segment->blocks[b];
      if (block->holding != HOLDS_POINTERS ||
          (block->kind != BLOCK_CELLS && block->kind != BLOCK_RUN))
        continue;
      const char *memory =
          (const char *)segment + (segment->is_huge ? segment->head : b * BLOCK_SIZE);
      for (uint32_t i = 0; i < block->count; i++)
        if (block_is_marked(block, i)) push(heap, memory + i * block->cell, block->cell);
    }
}

static void drain(Heap *heap) {
  for (;;) {
    while (heap->item_count) {
      MarkItem item = heap->items[--heap->item_count];
      look_through(heap, item.begin, item.size);
    }
    if (!heap->overflow) return;
    heap->overflow = false;
    look_through_marked(heap);
  }
}

static void look_through_root(void *heap, const char *begin, size_t size) {
  look_through(heap, begin, size);
  drain(heap);
}

// ---- stacks -------------------------------------------------------------------------------------
// In this frame are the registers that its callers' values may be in.
__attribute__((noinline)) static void look_through_stack(Heap *heap) {
  __builtin_unwind_init();
  const char *low = __builtin_frame_address(0);
  look_through(heap, low, (size_t)(heap->stack_end - low));
  drain(heap);
}

static bool is_reached(const Heap *heap, const void *object) {
  Found found;
  return !heap_find(heap, (uintptr_t)object, &found) || block_is_marked(found.block, found.index);
}

// Sleeping stacks may be what keeps the owners of others.
static void look_through_sleepers(Heap *heap) {
  for (bool more = true; more;) {
    more = false;
    for (ArenaStack *s = heap->stacks; s; s = s->next) {
      if (s->is_seen || (s->owner && !is_reached(heap, s->owner))) continue;
      s->is_seen = more = true;
      look_through_root(heap, s->low, (size_t)(s->high - s->low));
    }
  }
}

static void unlink_stack(Heap *heap, ArenaStack *s) {
  if (s->next) s->next->previous = s->previous;
  if (s->previous)
    s->previous->next = s->next;
  else
    heap->stacks = s->next;
}

// Those whose owners are about to go.
static void forget_sleepers(Heap *heap) {
  for (ArenaStack *s = heap->stacks, *next; s; s = next) {
    next = s->next;
    if (s->is_seen) continue;
    unlink_stack(heap, s);
    if (s->lost) s->lost(s);
  }
}

void arena_stack_leave(Arena *arena, ArenaStack *left, const void *end) {
  Heap *heap = arena_heap(arena);
  if (!heap) return;
  left->previous = NULL;
  left->next = heap->stacks;
  left->low = __builtin_frame_address(0);
  left->high = heap->stack_end;
  if (heap->stacks) heap->stacks->previous = left;
  heap->stacks = left;
  heap->stack_end = end;
}

void arena_stack_resume(Arena *arena, ArenaStack *left) {
  Heap *heap = arena_heap(arena);
  if (!heap) return;
  unlink_stack(heap, left);
  heap->stack_end = left->high;
}

static void unmark(Heap *heap) {
  for (Segment *segment = heap->segments; segment; segment = segment->next)
    for (unsigned b = 0; b < (segment->is_huge ? 1u : BLOCK_COUNT); b++)
      memset(segment->blocks[b].marks, 0, sizeof segment->blocks[b].marks);
  for (ArenaStack *s = heap->stacks; s; s = s->next) s->is_seen = false;
}

// ---- what keeps nothing -------------------------------------------------------------------------
ArenaWeak *arena_weak(Arena *arena, void *object) {
  Heap *heap = arena_heap(arena);
  ArenaWeak *weak = arena_alloc_bytes(arena, sizeof *weak);
  *weak = (ArenaWeak){object, heap ? heap->weaks : NULL};
  if (heap) heap->weaks = weak;
  return weak;
}

// Those that are garbage themselves are left out.
static void forget_weaks(Heap *heap) {
  ArenaWeak **link = &heap->weaks;
  for (ArenaWeak *weak = heap->weaks; weak; weak = weak->next) {
    if (!is_reached(heap, weak)) continue;
    if (weak->object && !is_reached(heap, weak->object)) weak->object = NULL;
    *link = weak;
    link = &weak->next;
  }
  *link = NULL;
}

void arena_on_collection(Arena *arena, void (*forget)(void *data), void *data) {
  Heap *heap = arena_heap(arena);
  if (!heap) return;
  if (heap->listener_count == COUNT_OF(heap->listeners)) BUG("too many want to know");
  heap->listeners[heap->listener_count++] = (HeapListener){forget, data};
}

bool arena_is_reached(const Arena *arena, const void *object) {
  return is_reached(arena_heap(arena), object);
}

// ---- all of it ----------------------------------------------------------------------------------
void heap_mark_all(Heap *heap) {
  heap->looked = 0;
  unmark(heap);
  arena_each_range(heap->arena, look_through_root, heap);
  look_through_stack(heap);
  look_through_sleepers(heap);
  forget_sleepers(heap);
  forget_weaks(heap);
  for (int i = 0; i < heap->listener_count; i++) heap->listeners[i].forget(heap->listeners[i].data);
}
