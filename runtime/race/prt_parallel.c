// SPDX-License-Identifier: Apache-2.0
// Blocks that steps of parallel dimensions have, under check. In: the blocks of each step that
// begins. Out: at the end of a launch, what two steps that may run at once both write is in doubt
// (it is reported if somebody looks at it: kernels have outputs that are their scratch); what one
// reads and another one writes is reported.
//
// A launch's blocks are put together by their extents, each with two steps that write it and two
// that read it, of different numbers if there are such: that is enough to know whether two of
// different numbers meet. Extents that touch one span of addresses are compared.
#include "check/prt_finding.h"
#include "check/prt_watch.h"
#include "machine/prt_call.h"
#include "print/prt_text.h"
#include "prt_parallel.h"
#include "tasks/prt_task.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_GRID = 8 };

typedef struct Block {
  const void *node; // the task whose launch it is
  const prt_site *site;
  const char *what;
  prt_region region;
  int64_t *dims; // and strides of the region
  prt_extent *extent;
  int32_t number;
  bool is_read;
  prt_step step;
  int64_t indices[MAX_GRID];
} Block;

typedef struct prt_parallel {
  Block *items;
  size_t count, room;
} prt_parallel;

// ---- what is kept -------------------------------------------------------------------------------
static void block_free(Block *block) {
  free(block->dims);
  free(block->extent);
}

void prt__parallel_free(prt_call *call) {
  for (size_t i = 0; i < call->parallel->count; i++) block_free(&call->parallel->items[i]);
  free(call->parallel->items);
  free(call->parallel);
  call->parallel = NULL;
}

static Block *add(prt_call *call) {
  if (!call->parallel) call->parallel = calloc(1, sizeof *call->parallel);
  prt_parallel *p = call->parallel;
  if (p && p->count == p->room) {
    size_t room = p->room ? 2 * p->room : 16;
    Block *items = realloc(p->items, room * sizeof *items);
    if (!items) return NULL;
    p->items = items;
    p->room = room;
  }
  return p ? &p->items[p->count] : NULL;
}

static void set_step(Block *block, const prt_step *step) {
  if (!step || step->rank > MAX_GRID) return;
  block->step = *step;
  if (step->rank) memcpy(block->indices, step->indices, (size_t)step->rank * sizeof(int64_t));
}

// Its indices are where the block is now.
static const prt_step *step_of(Block *block) {
  block->step.indices = block->indices;
  return block->step.launch ? &block->step : NULL;
}

typedef union ExtentRoom {
  prt_extent extent;
  char bytes[sizeof(prt_extent) + 2 * PRT_EXTENT_RANK * sizeof(int64_t)];
} ExtentRoom;

// false: no memory.
static bool keep_region(Block *block, const prt_region *region, const prt_extent *extent) {
  size_t bytes = (size_t)region->rank * sizeof(int64_t), size = prt__extent_bytes(extent->rank);
  int64_t *dims = malloc(2 * bytes + 1);
  block->extent = malloc(size);
  if (!dims || !block->extent) {
    free(dims);
    free(block->extent);
    return false;
  }
  memcpy(block->extent, extent, size);
  block->region = *region;
  block->region.dims = block->dims = dims;
  block->region.strides = dims + region->rank;
  if (bytes) {
    memcpy(dims, region->dims, bytes);
    memcpy(dims + region->rank, region->strides, bytes);
  }
  return true;
}

static bool are_equal(const prt_extent *a, const prt_extent *b) {
  return a->base == b->base && a->end == b->end && a->run == b->run && a->rank == b->rank &&
         memcmp(a->levels, b->levels, (size_t)a->rank * 2 * sizeof(int64_t)) == 0;
}

// The block of the same spec in the step before.
static Block *last_of(prt_call *call, const void *node, const prt_site *site, const char *what,
                      bool is_read) {
  for (size_t i = call->parallel ? call->parallel->count : 0; i-- > 0;) {
    Block *block = &call->parallel->items[i];
    if (block->node == node && block->what == what && block->is_read == is_read &&
        prt__is_place(block->site, site))
      return block;
  }
  return NULL;
}

// ---- what is reported --------------------------------------------------------------------------
static void add_step(prt_text *out, Block *block) {
  const prt_step *step = step_of(block);
  if (!step) return;
  prt__text_c(out, "(");
  prt__text_indices(out, step->rank, step->names, step->indices);
  prt__text_c(out, step->rank == 1 ? ",)" : ")");
}

// "'o'[0:8] is "
static void add_block(prt_text *out, const prt_call *call, const Block *block) {
  prt_watched memory;
  prt__text_printf(out, "race: '%s'", block->what);
  if (prt__watch_of(call, block->region.base, &memory) && memory.rank <= PRT_EXTENT_RANK)
    prt__extent_index(out, block->extent, &memory);
}

static prt_race_block block_of(const prt_worker *worker, Block *block) {
  prt_race_block of = {.site = block->site, .step = step_of(block), .is_read = block->is_read};
  of.extent = block->extent;
  of.device = worker->node ? worker->node->task.device : 0;
  prt__watch_of(worker->call, block->region.base, &of.memory);
  of.memory.what = block->what;
  return of;
}

static void add_data(prt_text *out, const prt_worker *worker, Block *one, Block *other) {
  prt_race_block a = block_of(worker, one), b = block_of(worker, other);
  prt__race_blocks_data(out, &a, &b);
}

static const char how_to_mend[] =
    " of parallel dimensions, which may run at once: make them 'arbitrary'";

static void tell(prt_worker *worker, Block *block, const char *message, const char *data) {
  const prt_step *before = worker->step;
  worker->step = step_of(block);
  prt__report_race(worker, block->site, block->what, message, data);
  worker->step = before;
}

// `part`: where the other one is, or NULL if it is the same block.
static void doubt(prt_worker *worker, Block *earlier, Block *later, const prt_region *region,
                  const prt_extent *part) {
  prt_text text = {0}, data = {0};
  add_data(&data, worker, earlier, later);
  add_block(&text, worker->call, later);
  prt__text_c(&text, " is written by steps ");
  add_step(&text, earlier);
  prt__text_c(&text, " and ");
  add_step(&text, later);
  prt__text_c(&text, how_to_mend);
  const char *message = text.data ? text.data : "race: two steps write one block";
  prt_doubt reported = {later->site, later->what, message, data.data, step_of(later)};
  if (!prt__watch_doubt(worker, region, part, &reported)) tell(worker, later, message, data.data);
  prt__text_free(&text);
  prt__text_free(&data);
}

static void report_read(prt_worker *worker, Block *reader, Block *writer) {
  prt_text text = {0}, data = {0};
  add_data(&data, worker, writer, reader);
  add_block(&text, worker->call, reader);
  prt__text_c(&text, " is read by step ");
  add_step(&text, reader);
  prt__text_printf(&text, " and written, as '%s', by step ", writer->what);
  add_step(&text, writer);
  prt__text_c(&text, how_to_mend);
  tell(worker, reader, text.data ? text.data : "race: a step reads what another one writes",
       data.data);
  prt__text_free(&text);
  prt__text_free(&data);
}

// ---- blocks of a step ---------------------------------------------------------------------------
void prt__parallel_block(prt_worker *worker, const prt_site *site, const prt_region *region,
                         const prt_region *window, int32_t number, const char *what) {
  prt_call *call = worker->call;
  ExtentRoom room;
  if (!prt__extent_of(region, &room.extent)) return; // outside of the array
  Block *last = last_of(call, worker->node, site, what, !window);
  bool stays = last && are_equal(last->extent, &room.extent);
  if (stays && last->number == number) return;
  Block next = {.node = worker->node, .site = site, .what = what};
  next.number = number;
  next.is_read = !window;
  set_step(&next, worker->step);
  if (stays) {
    next.region = last->region;
    next.extent = last->extent;
  }
  if (stays && window) doubt(worker, last, &next, window, NULL);
  Block *block = keep_region(&next, region, &room.extent) ? add(call) : NULL;
  if (block) {
    *block = next;
    call->parallel->count++;
    return;
  }
  prt__fail(worker, PRT_ERROR_MEMORY, "out of memory for the blocks of parallel steps");
}

// ---- the end of a launch ------------------------------------------------------------------------
// Two steps of different numbers, if there are such.
typedef struct Pair {
  Block *one, *other;
} Pair;

typedef struct Group {
  const prt_extent *extent;
  Pair writers, readers;
} Group;

static void pair_add(Pair *pair, Block *block) {
  if (!pair->one)
    pair->one = block;
  else if (!pair->other && pair->one->number != block->number)
    pair->other = block;
}

// One of each that may run at once; false: there are none.
static bool find_apart(const Pair *a, const Pair *b, Block **of_a, Block **of_b) {
  Block *const as[] = {a->one, a->other}, *const bs[] = {b->one, b->other};
  for (int i = 0; i < 4; i++) {
    *of_a = as[i / 2];
    *of_b = bs[i % 2];
    if (*of_a && *of_b && (*of_a)->number != (*of_b)->number) return true;
  }
  return false;
}

static int compare(const void *x, const void *y) {
  const prt_extent *a = (*(Block *const *)x)->extent, *b = (*(Block *const *)y)->extent;
  if (a->base != b->base) return a->base < b->base ? -1 : 1;
  if (a->end != b->end) return a->end < b->end ? -1 : 1;
  if (a->run != b->run) return a->run < b->run ? -1 : 1;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  int order = memcmp(a->levels, b->levels, (size_t)a->rank * 2 * sizeof(int64_t));
  if (order) return order;
  return *(Block *const *)x < *(Block *const *)y ? -1 : 1; // in the order of the steps
}

static void look_at_group(prt_worker *worker, const Group *group) {
  Block *a, *b;
  if (group->writers.other)
    doubt(worker, group->writers.one, group->writers.other, &group->writers.one->region, NULL);
  if (find_apart(&group->readers, &group->writers, &a, &b)) report_read(worker, a, b);
}

static void look_at_two(prt_worker *worker, const Group *x, const Group *y) {
  Block *a, *b;
  if (find_apart(&x->writers, &y->writers, &a, &b)) {
    doubt(worker, a, b, &a->region, y->extent);
    doubt(worker, a, b, &b->region, x->extent);
  }
  if (find_apart(&x->readers, &y->writers, &a, &b)) report_read(worker, a, b);
  if (find_apart(&y->readers, &x->writers, &a, &b)) report_read(worker, a, b);
}

static void look_at_all(prt_worker *worker, const Group *groups, size_t count) {
  for (size_t i = 0; i < count; i++) {
    look_at_group(worker, &groups[i]);
    for (size_t j = i + 1; j < count && groups[j].extent->base < groups[i].extent->end; j++)
      if (prt__extents_meet(groups[i].extent, groups[j].extent))
        look_at_two(worker, &groups[i], &groups[j]);
  }
}

static size_t collect(prt_worker *worker, Block **blocks, Group *groups) {
  prt_parallel *all = worker->call->parallel;
  size_t count = 0, group_count = 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].node == worker->node) blocks[count++] = &all->items[i];
  qsort(blocks, count, sizeof *blocks, compare);
  for (size_t i = 0; i < count; i++) {
    if (!i || !are_equal(blocks[i]->extent, blocks[i - 1]->extent))
      groups[group_count++] = (Group){.extent = blocks[i]->extent};
    Group *group = &groups[group_count - 1];
    pair_add(blocks[i]->is_read ? &group->readers : &group->writers, blocks[i]);
  }
  return group_count;
}

static void forget(prt_worker *worker) {
  prt_parallel *all = worker->call->parallel;
  size_t rest = 0;
  for (size_t i = 0; i < all->count; i++) {
    if (all->items[i].node == worker->node)
      block_free(&all->items[i]);
    else
      all->items[rest++] = all->items[i];
  }
  all->count = rest;
}

void prt__parallel_end(prt_worker *worker) {
  prt__race_leave_steps(worker);
  const prt_parallel *all = worker->call->parallel;
  if (!all || !all->count) return;
  Block **blocks = malloc(all->count * sizeof *blocks);
  Group *groups = malloc(all->count * sizeof *groups);
  if (blocks && groups)
    look_at_all(worker, groups, collect(worker, blocks, groups));
  else
    prt__fail(worker, PRT_ERROR_MEMORY, "out of memory for the blocks of parallel steps");
  free(blocks);
  free(groups);
  forget(worker);
}
