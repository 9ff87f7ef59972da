// SPDX-License-Identifier: Apache-2.0
// What an arena that is collected is made of (heap.c, heap_mark.c); for base/ only. Memory comes in
// segments, at multiples of their size, so that a table tells for any address whether it is ours.
// Small objects are cells of one size in a block; larger ones are runs of blocks; the largest have
// a segment of their own. A bit a cell says that the last collection found it: what has no bit and
// was not handed out since is free.
#pragma once
#include "base.h"
#include "collected.h"

#define SEGMENT_SIZE ((size_t)1 << 20)
#define BLOCK_SIZE   ((size_t)1 << 14)
enum {
  BLOCK_COUNT = 64, // of a segment; the first one holds the segment's head
  CELL_UNIT = 16,
  LARGEST_CELL = 8192,
  CELL_CLASSES = 36,
  HUGE_HEAD = 4096, // bytes in front of the object that has a segment of its own, at least
  TABLE_LEAF_BITS = 14,
  TABLE_ROOT_BITS = 13 // 2^13 leaves of 2^14 segments of 2^20 bytes: addresses of 47 bits
};

typedef enum BlockKind { BLOCK_FREE, BLOCK_CELLS, BLOCK_RUN, BLOCK_REST } BlockKind;
typedef enum Holding { HOLDS_POINTERS, HOLDS_BYTES, HOLDING_COUNT } Holding;

typedef struct Block {
  struct Block *next; // of the same size of cells, that may have free ones
  size_t cell;        // bytes of a cell, or of the run
  uint64_t reciprocal;
  uint32_t count; // cells
  uint32_t back;  // of BLOCK_REST: blocks to the first one of the run
  BlockKind kind;
  Holding holding;
  uint64_t marks[BLOCK_SIZE / CELL_UNIT / 64];
} Block;

typedef struct Segment {
  struct Segment *next;
  size_t size;   // of the mapping
  uint64_t free; // a bit a block
  bool is_huge;  // blocks[0] is a run at `head`, and there are no others
  size_t head;
  Block blocks[BLOCK_COUNT];
} Segment;

typedef struct CellClass {
  char *at, *end; // free cells in a row, zeroed
  char *given;    // cells that were given back, each with the address of the next one; else zeroed
  Block *block;   // where the next ones are looked for …
  uint32_t index; // … from this cell on
} CellClass;

typedef struct HeapListener {
  void (*forget)(void *data);
  void *data;
} HeapListener;

typedef struct MarkItem {
  const char *begin;
  size_t size;
} MarkItem;

struct Heap {
  Arena *arena;
  CellClass classes[HOLDING_COUNT][CELL_CLASSES];
  Segment *segments;
  Segment *open;   // where the last blocks were free; NULL: from the first segment on
  Segment *spares; // that a huge object has left, for the next one of its size
  size_t spare_bytes;
  char *other_half;    // of a huge page, the first of which is a segment; or NULL
  Segment ***table;    // [root][leaf]
  uintptr_t low, high; // of all segments
  size_t since;        // bytes handed out since the last collection
  size_t looked;       // bytes that the last collection looked through
  size_t threshold;    // so many start one,
  size_t fill;         // or so many, if they are fewer
  size_t live;         // bytes found by the last one
  size_t collections;
  unsigned colour; // of the next huge object
  bool is_collecting;
  ArenaStack *stacks;    // that sleep
  const char *stack_end; // of the one that runs
  MarkItem *items;       // found, and not looked through yet
  size_t item_count, item_capacity;
  bool overflow; // some did not fit
  ArenaWeak *weaks;
  HeapListener listeners[2];
  int listener_count;
};

// Whether p lies in an object; gives it.
typedef struct Found {
  Block *block;
  uint32_t index;
  char *begin;
  size_t size;
} Found;
bool heap_find(const Heap *heap, uintptr_t p, Found *out);
static inline bool block_is_marked(const Block *block, uint32_t index) {
  return block->marks[index / 64] >> index % 64 & 1;
}
void heap_mark_all(Heap *heap); // from the roots

// Classes of cells: up to 16 units one each, then four to each doubling.
static inline unsigned heap_class(size_t size) {
  size_t units = ((size ? size : 1) + CELL_UNIT - 1) / CELL_UNIT;
  if (units <= 16) return (unsigned)units - 1;
  unsigned log = 63u - (unsigned)__builtin_clzll(units - 1);
  return 16 + (log - 4) * 4 + (unsigned)(((units - 1) >> (log - 2)) & 3);
}

static inline size_t heap_class_size(unsigned class) {
  if (class < 16) return (class + 1) * (size_t)CELL_UNIT;
  return (size_t)(5 + (class - 16) % 4) << ((class - 16) / 4 + 2) << 4;
}

// The next free cell of a row, which is zeroed; NULL where more is to be done: heap_alloc does it.
static inline char *heap_take(Heap *heap, size_t size, Holding holding) {
  if (size > LARGEST_CELL) return NULL;
  unsigned class = heap_class(size);
  CellClass *c = &heap->classes[holding][class];
  if (c->given || c->at == c->end) return NULL;
  char *memory = c->at;
  c->at += heap_class_size(class);
  return memory;
}

Heap *heap_new(Arena *arena, const void *stack_end);
void heap_free(Heap *heap);
// NULL if there is no memory.
void *heap_alloc(Heap *heap, size_t size, Holding holding, bool zeroed);
// Gives segments that nothing is in back to the system.
void heap_release_spares(Heap *heap);

// ---- arena.c ------------------------------------------------------------------------------------
Heap *arena_heap(const Arena *arena); // or NULL
bool arena_charge(Arena *arena, size_t size);
void arena_discharge(Arena *arena, size_t size);
bool arena_may_allocate(void); // false once the countdown of arena_fail_after has come to its end
// Every range of memory that is in use in the arenas of the tree that this one belongs to.
void arena_each_range(const Arena *arena, void (*range)(void *data, const char *begin, size_t size),
                      void *data);
