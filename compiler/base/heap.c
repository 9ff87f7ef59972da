// SPDX-License-Identifier: Apache-2.0
// Arenas that are collected: handing out and sweeping (heap.h says what there is, heap_mark.c
// marks). Sweeping is lazy inside a block: the marks of the last collection say which of its cells
// are free, and a row of free cells is zeroed and handed out from its begin to its end, as in an
// arena. Segments come from mmap: the allocator of the process is not asked for their alignment.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collected.h"
#include "heap.h"
#include "poison.h"

// A collection costs what is live, so it comes after as many bytes again; the least is what makes
// its cost small beside that of filling them (64 MB take 10 ms to fill, a heap of 10 MB 5 ms to
// mark). Builds that look for mistakes do it a thousand times as often.
#define LEAST_THRESHOLD (HAS_POISON ? (size_t)1 << 16 : (size_t)64 << 20)

// What is filled one after the other leaves the caches long before that: a collection comes after
// FILL_PER_LOOK bytes for each byte that has to be looked through, if that is sooner (a word takes
// some 3 ns, a byte beyond the caches 0.1 ns more than one that is in them), but not while they are
// in the caches anyway.
#define FILL_PER_LOOK ((size_t)32)
#define LEAST_FILL    ((size_t)8 << 20)

// Up to there the heap grows by steps. A byte that the system gives may cost as much as looking
// through five (2 ns in a virtual machine whose host has to find the page first), or a tenth of
// that: a program whose objects die young begins with little memory, and each collection allows it
// GROW_PER_LOOK bytes more for each that was looked through; where most has survived, the heap
// grows at once.
#define GROW_PER_LOOK 4
#define FIRST_FILL    (LEAST_FILL / 4)

// Objects of this size have huge pages if the system gives any; NumPy's arrays do. So have segments
// of small objects, two in one, from the first one on: print(1) takes 1.4 MB more and no more time
// (6.0 ms, 6.2 without them), a dict of 20,000 lists 9.8 ms (12.6; 10.5 if they begin with the
// second segment, 11.9 with the fifth).
#define HUGE_PAGE   ((size_t)2 << 20)
#define PAGED_BYTES ((size_t)4 << 20)

// ---- the table of segments ----------------------------------------------------------------------
static Segment **table_slot(Heap *heap, uintptr_t address, bool make) {
  uintptr_t number = address / SEGMENT_SIZE, root = number >> TABLE_LEAF_BITS;
  if (root >> TABLE_ROOT_BITS) return NULL;
  if (!heap->table[root] && make)
    heap->table[root] = calloc((size_t)1 << TABLE_LEAF_BITS, sizeof(Segment *));
  if (!heap->table[root]) return NULL;
  return &heap->table[root][number & (((uintptr_t)1 << TABLE_LEAF_BITS) - 1)];
}

bool heap_find(const Heap *heap, uintptr_t p, Found *out) {
  if (p < heap->low || p >= heap->high) return false;
  uintptr_t number = p / SEGMENT_SIZE;
  Segment *const *leaf = heap->table[number >> TABLE_LEAF_BITS];
  Segment *segment = leaf ? leaf[number & (((uintptr_t)1 << TABLE_LEAF_BITS) - 1)] : NULL;
  if (!segment) return false;
  uintptr_t offset = p - (uintptr_t)segment;
  char *memory = (char *)segment;
  if (segment->is_huge) {
    Block *block = &segment->blocks[0];
    *out = (Found){block, 0, memory + segment->head, block->cell};
    return block->kind == BLOCK_RUN && offset >= segment->head &&
           offset - segment->head < block->cell;
  }
  Block *block = &segment->blocks[offset / BLOCK_SIZE];
  if (block->kind == BLOCK_REST) block -= block->back;
  char *begin = memory + (size_t)(block - segment->blocks) * BLOCK_SIZE;
  uintptr_t inside = p - (uintptr_t)begin;
  if (block->kind == BLOCK_RUN) {
    *out = (Found){block, 0, begin, block->cell};
    return inside < block->cell;
  }
  if (block->kind != BLOCK_CELLS) return false;
  uint32_t index = (uint32_t)(inside * block->reciprocal >> 32);
  *out = (Found){block, index, begin + index * block->cell, block->cell};
  return index < block->count;
}

// ---- segments -----------------------------------------------------------------------------------
// Memory of `size` bytes at a multiple of SEGMENT_SIZE, zeroed.
static void *map_aligned(size_t size) {
  size_t alignment = size >= PAGED_BYTES || size == HUGE_PAGE ? HUGE_PAGE : SEGMENT_SIZE;
  char *memory =
      mmap(NULL, size + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  size_t before = (alignment - (uintptr_t)memory % alignment) % alignment;
  if (before) munmap(memory, before);
  if (before < alignment) munmap(memory + before + size, alignment - before);
  memory += before;
#ifdef MADV_HUGEPAGE
  if (alignment == HUGE_PAGE) madvise(memory, size, MADV_HUGEPAGE);
#endif
  return memory;
}

static bool enter_into_table(Heap *heap, const Segment *segment, size_t size, Segment *entry) {
  for (size_t at = 0; at < size; at += SEGMENT_SIZE) {
    Segment **slot = table_slot(heap, (uintptr_t)segment + at, true);
    if (!slot) return false;
    *slot = entry;
  }
  return true;
}

static void segment_unmap(Heap *heap, Segment *segment) {
  size_t size = segment->size;
  for (size_t at = 0; at < size; at += SEGMENT_SIZE) {
    Segment **slot = table_slot(heap, (uintptr_t)segment + at, false);
    if (slot) *slot = NULL;
  }
  UNPOISON(segment, size);
  munmap(segment, size);
  arena_discharge(heap->arena, size);
}

void heap_release_spares(Heap *heap) {
  while (heap->spares) {
    Segment *segment = heap->spares;
    heap->spares = segment->next;
    segment_unmap(heap, segment);
  }
  heap->spare_bytes = 0;
}

// One segment of the usual size: the other half of a huge page that has been mapped, or the first
// one.
static void *map_half(Heap *heap) {
  char *memory = heap->other_half;
  heap->other_half = NULL;
  if (memory) return memory;
  memory = map_aligned(HUGE_PAGE);
  if (!memory) return map_aligned(SEGMENT_SIZE);
  heap->other_half = memory + SEGMENT_SIZE;
  return memory;
}

// A new segment of `size` bytes that is in the table and in no list.
static Segment *segment_try(Heap *heap, size_t size) {
  if (!arena_charge(heap->arena, size)) return NULL;
  Segment *segment = NULL;
  if (arena_may_allocate()) segment = size == SEGMENT_SIZE ? map_half(heap) : map_aligned(size);
  if (!segment) {
    arena_discharge(heap->arena, size);
    return NULL;
  }
  segment->size = size;
  if (!enter_into_table(heap, segment, size, segment)) {
    segment_unmap(heap, segment);
    return NULL;
  }
  uintptr_t at = (uintptr_t)segment;
  if (at < heap->low) heap->low = at;
  if (at + size > heap->high) heap->high = at + size;
  return segment;
}

// Where memory is short, what is kept for later goes first, then what nobody reaches.
static Segment *segment_new(Heap *heap, size_t size) {
  Segment *segment = segment_try(heap, size);
  if (!segment && heap->spares) {
    heap_release_spares(heap);
    segment = segment_try(heap, size);
  }
  if (!segment && !heap->is_collecting) {
    arena_collect(heap->arena);
    heap_release_spares(heap);
    segment = segment_try(heap, size);
  }
  return segment;
}

// ---- blocks -------------------------------------------------------------------------------------
// The first of `count` free blocks in a row, or BLOCK_COUNT.
static unsigned find_row(uint64_t free, unsigned count) {
  for (unsigned have = 1; have < count && free;) { // bit i: `have` free blocks begin at i
    unsigned step = have * 2 <= count ? have : count - have;
    free &= free >> step;
    have += step;
  }
  return free ? (unsigned)__builtin_ctzll(free) : BLOCK_COUNT;
}

// The first segment from one on, up to another one, that has `count` free blocks in a row; or NULL.
static Segment *find_free(Segment *segment, const Segment *end, unsigned count, unsigned *first) {
  for (; segment != end; segment = segment->next) {
    if (segment->is_huge || !segment->free) continue;
    *first = find_row(segment->free, count);
    if (*first < BLOCK_COUNT) return segment;
  }
  return NULL;
}

static Block *blocks_take(Heap *heap, unsigned count, char **memory) {
  unsigned first = BLOCK_COUNT;
  Segment *segment = find_free(heap->open ? heap->open : heap->segments, NULL, count, &first);
  if (!segment && heap->open) segment = find_free(heap->segments, heap->open, count, &first);
  heap->open = segment;
  if (!segment) {
    segment = segment_new(heap, SEGMENT_SIZE);
    if (!segment) return NULL;
    segment->free = ~(uint64_t)1;
    segment->next = heap->segments;
    heap->segments = segment;
    POISON((char *)segment + BLOCK_SIZE, SEGMENT_SIZE - BLOCK_SIZE);
    first = 1;
  }
  segment->free &= ~((((uint64_t)1 << count) - 1) << first);
  *memory = (char *)segment + first * BLOCK_SIZE;
  return &segment->blocks[first];
}

// ---- cells --------------------------------------------------------------------------------------
static void hand_row(Heap *heap, CellClass *c, char *begin, size_t size) {
  UNPOISON(begin, size);
  memset(begin, 0, size);
  POISON(begin, size);
  c->at = begin;
  c->end = begin + size;
  heap->since += size;
}

// The next row of free cells in blocks that the last collection went through.
static bool find_cells(Heap *heap, CellClass *c) {
  for (; c->block; c->block = c->block->next, c->index = 0) {
    const Block *block = c->block;
    uint32_t begin = c->index;
    while (begin < block->count && block_is_marked(block, begin)) begin++;
    if (begin == block->count) continue;
    uint32_t end = begin + 1;
    while (end < block->count && !block_is_marked(block, end)) end++;
    c->index = end;
    Segment *segment = (Segment *)((uintptr_t)block & ~(SEGMENT_SIZE - 1));
    char *memory = (char *)segment + (size_t)(block - segment->blocks) * BLOCK_SIZE;
    hand_row(heap, c, memory + begin * block->cell, (end - begin) * block->cell);
    return true;
  }
  return false;
}

static bool new_cells(Heap *heap, CellClass *c, unsigned class, Holding holding) {
  char *memory;
  Block *block = blocks_take(heap, 1, &memory);
  if (!block) return false;
  size_t size = heap_class_size(class);
  *block = (Block){.cell = size,
                   .reciprocal = (((uint64_t)1 << 32) + size - 1) / size,
                   .count = (uint32_t)(BLOCK_SIZE / size),
                   .kind = BLOCK_CELLS,
                   .holding = holding};
  hand_row(heap, c, memory, block->count * size);
  return true;
}

// ---- large and huge objects ---------------------------------------------------------------------
static void *run_alloc(Heap *heap, size_t size, Holding holding, bool zeroed) {
  unsigned count = (unsigned)((size + BLOCK_SIZE - 1) / BLOCK_SIZE);
  char *memory;
  Block *first = blocks_take(heap, count, &memory);
  if (!first) return NULL;
  *first = (Block){.cell = size, .count = 1, .kind = BLOCK_RUN, .holding = holding};
  for (unsigned i = 1; i < count; i++) first[i] = (Block){.kind = BLOCK_REST, .back = i};
  heap->since += count * BLOCK_SIZE;
  UNPOISON(memory, size);
  if (zeroed) memset(memory, 0, size);
  return memory;
}

// One that another object has left, of about this size.
static Segment *take_spare(Heap *heap, size_t size) {
  for (Segment **link = &heap->spares; *link; link = &(*link)->next) {
    Segment *segment = *link;
    if (segment->size < size || segment->size - size > size / 8) continue;
    *link = segment->next;
    heap->spare_bytes -= segment->size;
    return segment;
  }
  return NULL;
}

// Objects in the same place of their pages would be in each other's way in the caches.
static void *huge_alloc(Heap *heap, size_t size, Holding holding, bool zeroed) {
  size_t whole, head = HUGE_HEAD + heap->colour++ % 8 * 576;
  if (__builtin_add_overflow(size, head + SEGMENT_SIZE - 1, &whole)) return NULL;
  whole = whole / SEGMENT_SIZE * SEGMENT_SIZE;
  Segment *segment = take_spare(heap, whole);
  bool is_used = segment;
  if (!segment) segment = segment_new(heap, whole);
  if (!segment) return NULL;
  segment->is_huge = true;
  segment->head = head;
  segment->blocks[0] = (Block){.cell = size, .count = 1, .kind = BLOCK_RUN, .holding = holding};
  segment->next = heap->segments;
  heap->segments = segment;
  heap->since += segment->size;
  char *memory = (char *)segment + head;
  UNPOISON(memory, size);
  if (is_used && zeroed) memset(memory, 0, size);
  return memory;
}

// ---- handing out --------------------------------------------------------------------------------
static bool is_due(const Heap *heap) {
  return heap->since >= heap->threshold || heap->since >= heap->fill;
}

static char *cell_alloc(Heap *heap, unsigned class, Holding holding) {
  CellClass *c = &heap->classes[holding][class];
  if (!find_cells(heap, c) && !new_cells(heap, c, class, holding)) return NULL;
  char *memory = c->at;
  c->at += heap_class_size(class);
  return memory;
}

void *heap_alloc(Heap *heap, size_t size, Holding holding, bool zeroed) {
  if (size <= LARGEST_CELL) {
    unsigned class = heap_class(size);
    CellClass *c = &heap->classes[holding][class];
    char *memory = c->at;
    if (c->given) {
      memory = c->given;
      c->given = *(char **)memory;
      *(char **)memory = NULL;
      heap->since += heap_class_size(class);
    } else if (memory != c->end) {
      c->at += heap_class_size(class);
    } else {
      if (is_due(heap)) arena_collect(heap->arena);
      memory = cell_alloc(heap, class, holding);
      if (!memory) return NULL;
    }
    UNPOISON(memory, size);
    return memory;
  }
  if (is_due(heap)) arena_collect(heap->arena);
  // One that leaves no room for another of its size takes a segment of its own, which is kept warm.
  if (size <= (BLOCK_COUNT - 1) / 2 * BLOCK_SIZE) return run_alloc(heap, size, holding, zeroed);
  return huge_alloc(heap, size, holding, zeroed);
}

// ---- sweeping -----------------------------------------------------------------------------------
static bool is_empty(const Block *block) {
  for (size_t i = 0; i < COUNT_OF(block->marks); i++)
    if (block->marks[i]) return false;
  return true;
}

static void poison_free_cells(const Block *block, char *memory) {
  for (uint32_t i = 0; HAS_POISON && i < block->count; i++)
    if (!block_is_marked(block, i)) POISON(memory + i * block->cell, block->cell);
}

static size_t free_run(Segment *segment, unsigned first) {
  Block *block = &segment->blocks[first];
  size_t count = (block->cell + BLOCK_SIZE - 1) / BLOCK_SIZE;
  POISON((char *)segment + first * BLOCK_SIZE, count * BLOCK_SIZE);
  segment->free |= (((uint64_t)1 << count) - 1) << first;
  for (size_t k = 0; k < count; k++) block[k].kind = BLOCK_FREE;
  return count * BLOCK_SIZE;
}

static void sweep_block(Heap *heap, Segment *segment, unsigned i) {
  Block *block = &segment->blocks[i];
  char *memory = (char *)segment + i * BLOCK_SIZE;
  if (block->kind == BLOCK_RUN) {
    if (block->marks[0]) {
      heap->live += (block->cell + BLOCK_SIZE - 1) / BLOCK_SIZE * BLOCK_SIZE;
      return;
    }
    free_run(segment, i);
  } else if (block->kind == BLOCK_CELLS) {
    if (is_empty(block)) {
      POISON(memory, BLOCK_SIZE);
      segment->free |= (uint64_t)1 << i;
      block->kind = BLOCK_FREE;
      return;
    }
    poison_free_cells(block, memory);
    for (size_t k = 0; k < COUNT_OF(block->marks); k++)
      heap->live += (size_t)__builtin_popcountll(block->marks[k]) * block->cell;
    CellClass *c = &heap->classes[block->holding][heap_class(block->cell)];
    block->next = c->block;
    c->block = block;
  }
}

// What huge objects leave is kept for the next ones, the last of them first, up to what is handed
// out between two collections.
static void keep_spare(Heap *heap, Segment *segment) {
  POISON((char *)segment + HUGE_HEAD, segment->size - HUGE_HEAD);
  segment->blocks[0].kind = BLOCK_FREE;
  segment->next = heap->spares;
  heap->spares = segment;
  heap->spare_bytes += segment->size;
  while (heap->spare_bytes > heap->threshold) {
    Segment **link = &heap->spares;
    while ((*link)->next) link = &(*link)->next;
    Segment *oldest = *link;
    *link = NULL;
    heap->spare_bytes -= oldest->size;
    segment_unmap(heap, oldest);
  }
}

static void sweep_huge(Heap *heap, Segment *segment) {
  if (segment->blocks[0].marks[0]) {
    heap->live += segment->size;
    segment->next = heap->segments;
    heap->segments = segment;
  } else {
    keep_spare(heap, segment);
  }
}

static void sweep(Heap *heap) {
  memset(heap->classes, 0, sizeof heap->classes);
  Segment *segment = heap->segments;
  size_t empty = 0;
  heap->segments = heap->open = NULL;
  heap->live = 0;
  for (Segment *next; segment; segment = next) {
    next = segment->next;
    if (segment->is_huge) {
      sweep_huge(heap, segment);
      continue;
    }
    for (unsigned i = 1; i < BLOCK_COUNT; i++) sweep_block(heap, segment, i);
    bool is_unused = segment->free == ~(uint64_t)1;
    empty += is_unused;
    if (is_unused && empty > LEAST_THRESHOLD / SEGMENT_SIZE) {
      segment_unmap(heap, segment);
      continue;
    }
    segment->next = heap->segments;
    heap->segments = segment;
  }
}

static void count_back(Heap *heap, size_t size) {
  heap->since -= size < heap->since ? size : heap->since;
}

// The next cell of its size that is asked for is this one, which is in the caches. A collection
// forgets what was given back: it finds such cells without a mark.
static void give_back(Heap *heap, const Found *found) {
  size_t size = found->block->cell;
  if (HAS_POISON) {
    POISON(found->begin, size);
    return;
  }
  CellClass *c = &heap->classes[found->block->holding][heap_class(size)];
  memset(found->begin, 0, size);
  *(char **)found->begin = c->given;
  c->given = found->begin;
  count_back(heap, size);
}

static void discard(Heap *heap, const void *object) {
  Found found;
  if (heap->is_collecting || !heap_find(heap, (uintptr_t)object, &found)) return;
  if (found.block->kind == BLOCK_CELLS) {
    give_back(heap, &found);
    return;
  }
  if (found.block->kind != BLOCK_RUN) return;
  Segment *segment = (Segment *)((uintptr_t)found.block & ~(SEGMENT_SIZE - 1));
  if (!segment->is_huge) {
    count_back(heap, free_run(segment, (unsigned)(found.block - segment->blocks)));
    return;
  }
  Segment **link = &heap->segments;
  while (*link != segment) link = &(*link)->next;
  *link = segment->next;
  count_back(heap, segment->size);
  keep_spare(heap, segment);
}

void arena_discard(Arena *arena, const void *object) {
  if (arena_heap(arena)) discard(arena_heap(arena), object);
}

static size_t next_fill(const Heap *heap, size_t live_before) {
  size_t most = heap->looked * FILL_PER_LOOK, fill = heap->fill + heap->looked * GROW_PER_LOOK;
  if (most < LEAST_FILL) most = LEAST_FILL;
  return fill < most && heap->live < live_before + heap->since / 2 ? fill : most;
}

void arena_collect(Arena *arena) {
  Heap *heap = arena_heap(arena);
  if (!heap || heap->is_collecting) return;
  heap->is_collecting = true;
  size_t live_before = heap->live;
  heap_mark_all(heap);
  sweep(heap);
  heap->fill = next_fill(heap, live_before);
  heap->since = 0;
  heap->threshold = heap->live / 2 > LEAST_THRESHOLD ? heap->live / 2 : LEAST_THRESHOLD;
  heap->collections++;
  heap->is_collecting = false;
}

// ---- making -------------------------------------------------------------------------------------
Heap *heap_new(Arena *arena, const void *stack_end) {
  Heap *heap = arena_may_allocate() ? calloc(1, sizeof *heap) : NULL;
  if (!heap) return NULL;
  heap->arena = arena;
  heap->threshold = LEAST_THRESHOLD;
  heap->fill = FIRST_FILL;
  heap->low = UINTPTR_MAX;
  heap->stack_end = stack_end;
  heap->table = calloc((size_t)1 << TABLE_ROOT_BITS, sizeof *heap->table);
  if (heap->table) return heap;
  free(heap);
  return NULL;
}

void heap_free(Heap *heap) {
  if (!heap) return;
  heap_release_spares(heap);
  while (heap->segments) {
    Segment *segment = heap->segments;
    heap->segments = segment->next;
    segment_unmap(heap, segment);
  }
  if (heap->other_half) munmap(heap->other_half, SEGMENT_SIZE);
  for (size_t i = 0; i < (size_t)1 << TABLE_ROOT_BITS; i++) free(heap->table[i]);
  free(heap->table);
  free(heap->items);
  free(heap);
}

ArenaUse arena_use(const Arena *arena) {
  const Heap *heap = arena_heap(arena);
  return heap ? (ArenaUse){heap->live, heap->collections, heap->looked, heap->since}
              : (ArenaUse){0};
}

size_t arena_object_size(const Arena *arena, const void *object) {
  Found found;
  const Heap *heap = arena_heap(arena);
  bool is_object = heap && heap_find(heap, (uintptr_t)object, &found) && found.begin == object;
  return is_object ? found.size : 0;
}
