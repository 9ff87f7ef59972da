// SPDX-License-Identifier: Apache-2.0
// Pairs of accesses of a segment that touch a byte in common, one of them writing, and are not
// ordered. In: the accesses in the order of the run, with clocks. Out: the races of the call.
//
// An access stays as long as a later one may race with it, and not with another one of the same
// place: one that is before such another, which covers it, is forgotten. They are found by address:
// each stands in a bucket for its size, rounded up to a power of two, and its address in units of
// that size, so that an access looks into a bucket or two for each size that there is, or at all of
// a size if that is less. A visit costs as many comparisons of extents as there are accesses near
// it.
#include <stdlib.h>
#include <string.h>
#include "check/prt_finding.h"
#include "check/prt_watch.h"
#include "prt_parallel.h"
#include "prt_race.h"

enum { SIZES = 48, NONE = -1, MOST_TRIES = 64 };

typedef struct Entry {
  const prt_race_access *access; // NULL: it is not used
  const char *base, *end;        // of its extent
  int32_t next;                  // in its bucket
  int32_t position;              // in its size's list
} Entry;

typedef PRT_RACE_LIST(int32_t) Numbers;

typedef struct Found {
  prt_race *race;
  PRT_RACE_LIST(Entry) entries;
  Numbers free;         // entries that are not used
  Numbers sizes[SIZES]; // entries of a size, in any order
  uint64_t there;       // a bit for each size of which there are some, or were
  int32_t *buckets, bucket_count;
  Numbers near; // of this visit
  bool looks;   // whether there are accesses that are not ordered, rather than for all of them
} Found;

// ---- entries by address -------------------------------------------------------------------------
static int size_of(const char *base, const char *end) {
  uint64_t last = (uint64_t)(end - base) - 1;
  int size = last ? 64 - __builtin_clzll(last) : 0;
  return size < SIZES ? size : SIZES - 1;
}

// Blocks beside each other, which a visit looks into one after the other, have buckets beside each
// other.
static int32_t *bucket_of(const Found *f, int size, uintptr_t block) {
  enum { TOGETHER = 4 };
  uint64_t group = block / TOGETHER * SIZES + (uintptr_t)size;
  uint64_t mixed = (group * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
  return &f->buckets[(mixed * TOGETHER + block % TOGETHER) & (uint64_t)(f->bucket_count - 1)];
}

static int32_t *bucket_of_entry(const Found *f, const Entry *entry) {
  int size = size_of(entry->base, entry->end);
  return bucket_of(f, size, (uintptr_t)entry->base >> size);
}

static bool more_buckets(Found *f) {
  if (f->entries.count < f->bucket_count) return true;
  int32_t count = f->bucket_count ? 2 * f->bucket_count : 256;
  int32_t *buckets = malloc((size_t)count * sizeof *buckets);
  if (!buckets) {
    prt__race_no_memory(f->race);
    return false;
  }
  for (int32_t i = 0; i < count; i++) buckets[i] = NONE;
  free(f->buckets);
  f->buckets = buckets;
  f->bucket_count = count;
  for (int32_t i = 0; i < f->entries.count; i++) {
    Entry *entry = &f->entries.items[i];
    if (!entry->access) continue;
    int32_t *bucket = bucket_of_entry(f, entry);
    entry->next = *bucket;
    *bucket = i;
  }
  return true;
}

static void push(Found *f, Numbers *list, int32_t number) {
  int32_t *item = PRT_RACE_ADD(f->race, *list);
  if (item) *item = number;
}

static void insert(Found *f, const prt_race_access *access) {
  int32_t number = f->free.count ? f->free.items[--f->free.count] : f->entries.count;
  if (number == f->entries.count) {
    bool has_room = more_buckets(f) &&
                    (number < f->entries.room ||
                     prt__race_grow(f->race, &f->entries.items, &f->entries.room, sizeof(Entry)));
    if (!has_room) return;
    f->entries.count++;
  }
  Entry *entry = &f->entries.items[number];
  const prt_extent *extent = access->extent;
  int log_size = size_of(extent->base, extent->end);
  Numbers *size = &f->sizes[log_size];
  f->there |= UINT64_C(1) << log_size;
  *entry =
      (Entry){.access = access, .base = extent->base, .end = extent->end, .position = size->count};
  int32_t *bucket = bucket_of_entry(f, entry);
  entry->next = *bucket;
  *bucket = number;
  push(f, size, number);
}

static void drop(Found *f, int32_t number) {
  Entry *entry = &f->entries.items[number];
  int32_t *link = bucket_of_entry(f, entry);
  while (*link != number) link = &f->entries.items[*link].next;
  *link = entry->next;
  Numbers *size = &f->sizes[size_of(entry->base, entry->end)];
  int32_t last = size->items[--size->count];
  size->items[entry->position] = last;
  f->entries.items[last].position = entry->position;
  entry->access = NULL;
  push(f, &f->free, number);
}

static void collect_one(Found *f, int32_t number, const prt_extent *e) {
  const Entry *entry = &f->entries.items[number];
  if (entry->base < e->end && e->base < entry->end) push(f, &f->near, number);
}

// Entries of a size that touch what the extent spans.
static void collect_size(Found *f, int size, const prt_extent *e) {
  const Numbers *all = &f->sizes[size];
  uintptr_t first = (uintptr_t)e->base >> size, last = (uintptr_t)(e->end - 1) >> size;
  if (!all->count) return;
  if (last - first + 2 >= (uintptr_t)all->count) {
    for (int32_t i = 0; i < all->count; i++) collect_one(f, all->items[i], e);
    return;
  }
  for (uintptr_t block = first - 1; block != last + 1; block++)
    for (int32_t i = *bucket_of(f, size, block); i != NONE; i = f->entries.items[i].next) {
      const Entry *other = &f->entries.items[i];
      bool is_there =
          (uintptr_t)other->base >> size == block && size_of(other->base, other->end) == size;
      if (is_there) collect_one(f, i, e);
    }
}

static void collect(Found *f, const prt_extent *e) {
  f->near.count = 0;
  for (uint64_t left = f->there; left; left &= left - 1) collect_size(f, __builtin_ctzll(left), e);
}

// ---- conflicts ----------------------------------------------------------------------------------
static bool ends(const prt_race_access *access) {
  return access->how == PRT_RELEASE || prt__race_dies(access);
}

static bool is_end_of_memory(const prt_race_access *a, const prt_race_access *b) {
  return ends(a) || ends(b);
}

static bool conflict(const prt_race_access *a, const prt_race_access *b) {
  // A copy's writes have no order that anybody could see; its reads are not before them.
  if (a->copy != PRT_NO_COPY && a->copy == b->copy)
    return (a->how == PRT_READ) != (b->how == PRT_READ);
  if (a->is_block && b->is_block) return false;
  if (a->is_sum && b->is_sum && a->agent == b->agent) return false;
  // What the agent itself does before a launch is with what was there before.
  bool begins = prt__race_begins(a) || prt__race_begins(b);
  if (begins) return a->agent != b->agent && a->how != b->how && !is_end_of_memory(a, b);
  return a->how != b->how || a->how == PRT_WRITE; // two reads, or two that add, do not
}

static bool is_behind(const prt_race_access *access, const prt_clock *clock,
                      const prt_race_point *point) {
  if (point->agent < 0) return false;
  if (point->agent == access->agent) return access->at > point->at;
  return prt__clock_epoch(clock, (uint32_t)point->agent) > (uint32_t)point->at;
}

// Whether the earlier one is over before the later one, whose agent's clock is given, in every run.
static bool are_ordered(const prt_race *race, const prt_race_access *earlier,
                        const prt_race_access *later, const prt_clock *clock) {
  if (prt__race_are_apart(race, earlier, later)) return false;
  if (earlier->copy == PRT_NO_COPY)
    return earlier->agent == later->agent ||
           prt__clock_epoch(clock, (uint32_t)earlier->agent) > (uint32_t)earlier->at;
  const prt_race_copy *copy = &race->copies.items[earlier->copy];
  bool are_arrivals =
      later->copy != PRT_NO_COPY && earlier->how != PRT_READ && later->how != PRT_READ;
  if (are_arrivals && prt__race_arrive_in_order(race, copy, &race->copies.items[later->copy]))
    return true;
  // What has been written has been read.
  return is_behind(later, clock, &copy->received_by) ||
         (earlier->how == PRT_READ && is_behind(later, clock, &copy->sent_by));
}

// Whether all that races with the earlier one, which is over before the later one, races with that
// as well, in the same two places.
static bool replaces(const prt_race_access *later, const prt_race_access *earlier) {
  return later->how == earlier->how && later->is_block == earlier->is_block &&
         later->is_sum == earlier->is_sum && prt__is_place(later->site, earlier->site) &&
         prt__extent_covers(later->extent, earlier->extent);
}

// Iterations that do the same to one place and do not conflict by that: reads, sums.
static bool is_again(const prt_race *race, const prt_race_access *later,
                     const prt_race_access *earlier) {
  return earlier->agent == later->agent && earlier->copy == PRT_NO_COPY &&
         later->copy == PRT_NO_COPY && replaces(later, earlier) && replaces(earlier, later) &&
         !conflict(earlier, later) && prt__race_turn_apart(race, earlier, later);
}

// What races with one of those in between races with the first of them or with the last one, which
// is of another iteration: they need not be kept.
static void thin(Found *f, const prt_race_access *access) {
  const prt_race_access *first = NULL;
  for (int pass = 0; pass < 2; pass++)
    for (int32_t i = 0; i < f->near.count; i++) {
      int32_t number = f->near.items[i];
      const prt_race_access *earlier = f->entries.items[number].access;
      if (!earlier || earlier == first || !is_again(f->race, access, earlier)) continue;
      if (pass)
        drop(f, number);
      else if (!first || earlier < first)
        first = earlier;
    }
}

static prt_race_pair *pair_of(prt_race *race, const prt_site *first, const prt_site *second) {
  for (int32_t i = 0; i < race->pairs.count; i++) {
    prt_race_pair *pair = &race->pairs.items[i];
    if ((prt__is_place(pair->first, first) && prt__is_place(pair->second, second)) ||
        (prt__is_place(pair->first, second) && prt__is_place(pair->second, first)))
      return pair;
  }
  prt_race_pair *pair = PRT_RACE_ADD(race, race->pairs);
  if (pair) *pair = (prt_race_pair){.first = first, .second = second};
  return pair;
}

// Cores that write back one block of an output: its steps are reported, which have it on one core
// as well.
static bool is_reported_as_steps(const prt_race *race, const prt_race_access *first,
                                 const prt_race_access *second) {
  return first->copy == PRT_NO_COPY && second->copy == PRT_NO_COPY && first->how == PRT_WRITE &&
         second->how == PRT_WRITE && prt__is_place(first->site, second->site) &&
         prt__watch_in_doubt(race->worker->call, second->extent->base);
}

static bool writes(const prt_race_access *access) {
  return access->how == PRT_WRITE || access->how == PRT_CHANGE;
}

// What the race may have kept from being written is not a mistake of its own where it is read; nor
// is what is read of a scope that has ended.
static void excuse(prt_race *race, const prt_race_access *access) {
  if (writes(access) || access->how == PRT_RELEASE)
    prt__watches_raced(race->worker->call, access->extent);
}

// Of two that write to each other's place one may have missed its own: that it was never written is
// not reported as well.
static void excuse_rest(prt_race *race, const prt_race_access *first,
                        const prt_race_access *second) {
  prt_watched memory;
  if (!writes(first) || !writes(second) ||
      !prt__watch_of(race->worker->call, second->extent->base, &memory))
    return;
  int64_t bytes = prt__watched_bytes(&memory);
  prt_extent all = {memory.base, memory.base + bytes, bytes, 0};
  prt__watches_raced(race->worker->call, &all);
}

static void describe(prt_race *race, prt_race_pair *pair, const prt_race_access *first,
                     const prt_race_access *second, const prt_clock *clock) {
  prt__race_text_free(pair->text);
  pair->text = prt__race_describe(race, first, second, clock, pair);
  if (!pair->text) prt__race_no_memory(race);
  pair->memory = second->extent->base;
}

// Of steps, or iterations, that may run beside each other the first two are reported, on whatever
// cores they are.
static void note_apart(prt_race *race, prt_race_pair *pair, const prt_race_access *first,
                       const prt_race_access *second, const prt_clock *clock) {
  const prt_race_turn *turn = prt__race_turn_apart(race, first, second);
  int32_t a = turn ? turn->number : prt__race_step_around(race, first)->number;
  int32_t b = turn ? prt__race_turn_apart(race, second, first)->number
                   : prt__race_step_around(race, second)->number;
  int64_t steps = a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a;
  bool is_first = !pair->is_race || (pair->is_apart && steps < pair->steps);
  pair->is_race = true;
  if (!is_first) return;
  pair->is_apart = true;
  pair->steps = steps;
  describe(race, pair, first, second, clock);
}

// An output's window comes to another block: nothing is done to its memory before the step writes.
static bool is_renewed(const prt_race_access *a, const prt_race_access *b) {
  return a->move == PRT_MOVE_RENEW || b->move == PRT_MOVE_RENEW;
}

static void note_unordered(prt_race *race, prt_race_pair *pair, const prt_race_access *first,
                           const prt_race_access *second, const prt_clock *clock) {
  if (pair->is_race) return;
  pair->is_race = prt__race_can_meet(race, first, second);
  if (!pair->is_race) {
    pair->tries++;
    return;
  }
  pair->is_edge = prt__race_begins(first) || prt__race_begins(second) ||
                  is_end_of_memory(first, second) || is_renewed(first, second);
  pair->is_end = first->how == PRT_OVER || second->how == PRT_OVER;
  describe(race, pair, first, second, clock);
}

// What the pipeline of a launch with parallel steps moves between two of them, and what another
// core does in a step: that step is reported with the one that has the block.
static bool is_of_step_with_block(const prt_race *race, const prt_race_access *move,
                                  const prt_race_access *other) {
  const prt_race_step *step = prt__race_step_around(race, other);
  const prt_race_step *next = move->step < 0 ? NULL : &race->steps.items[move->step];
  bool is_window = move->copy != PRT_NO_COPY && race->copies.items[move->copy].window;
  return is_window && !move->is_shared && step && next && next->within >= 0 &&
         race->steps.items[next->within].parallel == step->parallel && move->agent != other->agent;
}

// A copy that nobody waits for is reported otherwise.
static bool is_death_of_no_copy(const prt_race *race, const prt_race_access *death,
                                const prt_race_access *other) {
  bool is_passed = death->how == PRT_DIES && other->copy != PRT_NO_COPY &&
                   race->copies.items[other->copy].is_passed;
  return prt__race_dies(death) && !is_passed &&
         (other->copy == PRT_NO_COPY || !prt__race_wait_for_end(race, other));
}

static void note(prt_race *race, const prt_race_access *first, const prt_race_access *second,
                 const prt_clock *clock) {
  if (is_reported_as_steps(race, first, second) || is_death_of_no_copy(race, first, second) ||
      is_death_of_no_copy(race, second, first) || is_of_step_with_block(race, first, second) ||
      is_of_step_with_block(race, second, first))
    return;
  prt_race_pair *pair = pair_of(race, first->site, second->site);
  if (!pair || pair->tries >= MOST_TRIES) return;
  bool is_apart = prt__race_are_apart(race, first, second);
  (is_apart ? note_apart : note_unordered)(race, pair, first, second, clock);
  if (!pair->is_race) return;
  pair->count++;
  excuse(race, first);
  excuse(race, second);
  excuse_rest(race, first, second);
}

// Nothing that was there can meet what comes.
static void give_back(Found *f, const prt_race_access *access) {
  for (int32_t i = 0; i < f->near.count; i++) {
    int32_t number = f->near.items[i];
    if (prt__extents_meet(f->entries.items[number].access->extent, access->extent)) drop(f, number);
  }
}

// Memory of a scope is there, perhaps again: what its agent did there before, and what is over, was
// with something else.
static void begin_scope(Found *f, const prt_race_access *access, const prt_clock *clock) {
  for (int32_t i = 0; i < f->near.count; i++) {
    int32_t number = f->near.items[i];
    const prt_race_access *earlier = f->entries.items[number].access;
    bool is_past = earlier && (earlier->agent == access->agent ||
                               are_ordered(f->race, earlier, access, clock));
    if (is_past && prt__extents_meet(earlier->extent, access->extent)) drop(f, number);
  }
}

// What has the memory of an array that died has nothing to do with the copies there that nobody
// waits for: those are reported otherwise.
static void end_of_array(Found *f, const prt_race_access *access) {
  for (int32_t i = 0; i < f->near.count; i++) {
    int32_t number = f->near.items[i];
    const prt_race_access *earlier = f->entries.items[number].access;
    bool is_left =
        earlier && earlier->copy != PRT_NO_COPY && !prt__race_wait_for_end(f->race, earlier);
    if (is_left && prt__extents_meet(earlier->extent, access->extent)) drop(f, number);
  }
}

static bool visit(void *data, prt_race_access *access, prt_clock *clock) {
  Found *f = data;
  collect(f, access->extent);
  if (!access->how) {
    give_back(f, access);
    return true;
  }
  for (int32_t i = 0; i < f->near.count; i++) {
    const prt_race_access *earlier = f->entries.items[f->near.items[i]].access;
    bool may_drop = replaces(access, earlier);
    if (!may_drop && !conflict(earlier, access)) continue;
    if (!prt__extents_meet(earlier->extent, access->extent)) continue;
    if (are_ordered(f->race, earlier, access, clock)) {
      if (may_drop) drop(f, f->near.items[i]);
    } else if (conflict(earlier, access)) {
      if (f->looks) return false;
      f->race->depends = true;
      note(f->race, earlier, access, clock);
    }
  }
  if (access->how == PRT_ENTER) begin_scope(f, access, clock);
  if (access->how == PRT_DIES) end_of_array(f, access);
  if (f->race->turns.count) thin(f, access);
  insert(f, access);
  return true;
}

static void found_free(Found *found) {
  free(found->entries.items);
  free(found->free.items);
  for (int i = 0; i < SIZES; i++) free(found->sizes[i].items);
  free(found->buckets);
  free(found->near.items);
}

static void begin(void *data) {
  Found *f = data;
  found_free(f);
  *f = (Found){.race = f->race, .looks = f->looks};
}

// ---- whether there is anything to be ordered ----------------------------------------------------
static bool is_own(const prt_race *race, const prt_race_access *a, const prt_race_access *b) {
  return a->agent == b->agent && a->copy == PRT_NO_COPY && b->copy == PRT_NO_COPY &&
         !prt__race_are_apart(race, a, b);
}

// Whether the access touches what another agent, or a copy, does in a way that conflicts, in
// whatever order.
static bool may_race(Found *f, const prt_race_access *access) {
  collect(f, access->extent);
  if (!access->how) give_back(f, access);
  for (int32_t i = 0; access->how && i < f->near.count; i++) {
    const prt_race_access *earlier = f->entries.items[f->near.items[i]].access;
    bool is_same = is_own(f->race, earlier, access),
         may_drop = is_same && replaces(access, earlier);
    if (is_same ? !may_drop : !conflict(earlier, access)) continue;
    if (!prt__extents_meet(earlier->extent, access->extent)) continue;
    if (!is_same) return true;
    drop(f, f->near.items[i]);
  }
  if (access->how && f->race->turns.count) thin(f, access);
  if (access->how) insert(f, access);
  return false;
}

// Programs that only pass tokens on, or keep to memory of their own, need no clocks.
static bool has_conflicts(prt_race *race) {
  Found found = {.race = race};
  bool has = false;
  for (int32_t i = 0; i < race->accesses.count && !has && !race->failed; i++)
    has = may_race(&found, &race->accesses.items[i]);
  found_free(&found);
  return has;
}

void prt__race_find(prt_race *race) {
  if (!has_conflicts(race)) return;
  Found looked = {.race = race, .looks = true}, found = {.race = race};
  prt_race_visitor looker = {visit, &looked, begin}, visitor = {visit, &found, begin};
  prt__race_order(race, &looker, &visitor);
  found_free(&looked);
  found_free(&found);
}
